package native

// This file has tool search: tools by which a model finds other tools, so that their
// definitions need not be in each request.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/sentence"
	"github.com/mcpgen/mcpgen/runtime"
)

// The names of the tools of [Search].
const (
	FindToolsName    = "find_tools"
	DescribeToolName = "describe_tool"
	CallToolName     = "call_tool"
)

// The limits of find_tools.
const (
	foundTools    = 10  // if the model sets no limit
	maxFoundTools = 50  // the highest limit of the model
	maxFoundText  = 200 // bytes of a first sentence
)

// Search returns three tools over others, by which a model gets the definitions that
// it needs instead of all: find_tools returns names with the first sentence of their
// descriptions, describe_tool the whole definition of one tool, with the bytes of its
// schemas, and call_tool calls a tool. The tool's own invoker carries out the call,
// including its gate and audit.
//
// The function tools is called at each call, such as the method Tools of an
// agent.View, whose tools are pinned, named, and visible. The model can call nothing
// else. The three tools are not found themselves.
//
// A tool is found by the words of the query: a word in its name counts eight, in its
// title four, in the names of its arguments two, and in its description one. Each
// word counts once, where it counts most; a part of a word counts half. Plurals in s
// count as the singular. Of tools with equal counts, the one listed first comes
// first. A query without words finds all tools, in their order.
func Search(tools func(context.Context) ([]runtime.Tool, error)) *Set {
	c := &catalogue{tools}
	set, err := NewSet(
		Must(withSchemas(FindToolsName, "Finds tools by words of what they do. Returns their names and what each is for, the best ones first. "+
			"Read the definition of one with "+DescribeToolName+" before you call it with "+CallToolName+".", findSchema, foundSchema, c.find)),
		Must(withSchemas(DescribeToolName, "Returns the definition of a tool that "+FindToolsName+" found: its description and the JSON Schema of its arguments.", describeSchema, nil, c.describe)),
		Must(withSchemas(CallToolName, "Calls a tool by its name, with arguments that fit the inputSchema of its definition.", callSchema, nil, c.call)),
	)
	if err != nil {
		panic(err) // the three names differ
	}
	return set
}

// catalogue holds the tools that are searched.
type catalogue struct {
	tools func(context.Context) ([]runtime.Tool, error)
}

type findArgs struct {
	Query string `json:"query"`
	Limit int    `json:"limit"`
}

// found is the result of find_tools.
type found struct {
	Tools []foundTool `json:"tools"`
	More  int         `json:"more"`
}

type foundTool struct {
	Name    string `json:"name"`
	Summary string `json:"summary,omitempty"`
}

type describeArgs struct {
	Name string `json:"name"`
}

type callArgs struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // as the model wrote it
}

// The schemas of the three tools.
var (
	findSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"query":{"type":"string","description":"Words of its purpose or name; an empty query lists all tools"},` +
		`"limit":{"type":"integer","minimum":1,"maximum":50,"default":10,"description":"How many tools to return at most"}` +
		`},"required":["query"],"additionalProperties":false}`)
	foundSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"tools":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"summary":{"type":"string"}},` +
		`"required":["name"],"additionalProperties":false}},` +
		`"more":{"type":"integer","description":"How many more tools match"}` +
		`},"required":["tools","more"],"additionalProperties":false}`)
	describeSchema = json.RawMessage(`{"type":"object","properties":{` + nameSchema + `},"required":["name"],"additionalProperties":false}`)
	callSchema     = json.RawMessage(`{"type":"object","properties":{` + nameSchema + `,` +
		`"arguments":{"type":"object","description":"The tool's arguments"}},"required":["name"],"additionalProperties":false}`)
)

const nameSchema = `"name":{"type":"string","description":"The name as ` + FindToolsName + ` returned it"}`

// list returns the tools that a model may see, in their order.
func (c *catalogue) list(ctx context.Context) ([]runtime.Tool, error) {
	all, err := c.tools(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(t runtime.Tool) bool {
		spec := t.Spec()
		return spec.Server == "" && (spec.Name == FindToolsName || spec.Name == DescribeToolName || spec.Name == CallToolName)
	}), nil
}

// named returns the tool with a name.
func (c *catalogue) named(ctx context.Context, name string) (runtime.Tool, error) {
	all, err := c.list(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Spec().Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("there is no tool %s: use a name that %s returned", safetext.Quote(name, maxFoundText), FindToolsName)
}

func (c *catalogue) find(ctx context.Context, args findArgs) (found, error) {
	all, err := c.list(ctx)
	if err != nil {
		return found{}, err
	}
	type match struct {
		spec  runtime.Spec
		score int
	}
	query := slices.Compact(slices.Sorted(slices.Values(wordsOf(args.Query))))
	var matches []match
	for _, t := range all {
		spec := t.Spec()
		if score := scoreOf(spec, query); score > 0 || len(query) == 0 {
			matches = append(matches, match{spec, score})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return b.score - a.score })
	limit := min(args.Limit, maxFoundTools)
	if limit <= 0 {
		limit = foundTools
	}
	limit = min(limit, len(matches))
	out := found{Tools: []foundTool{}, More: len(matches) - limit}
	for _, m := range matches[:limit] {
		summary := sentence.First(m.spec.Description, maxFoundText)
		if summary == "" {
			summary = safetext.Words(m.spec.Title, maxFoundText)
		}
		out.Tools = append(out.Tools, foundTool{m.spec.Name, summary})
	}
	return out, nil
}

// describe returns a definition in the protocol's form, with the digits and the
// member order of its schemas.
func (c *catalogue) describe(ctx context.Context, args describeArgs) (string, error) {
	t, err := c.named(ctx, args.Name)
	if err != nil {
		return "", err
	}
	text, err := jsontext.Marshal(t.Spec())
	if err != nil {
		return "", fmt.Errorf("the definition of %q has no JSON form: %w", args.Name, err)
	}
	return string(text), nil
}

// call calls a tool. The result of the tool, also an error result, becomes its own
// result.
func (c *catalogue) call(ctx context.Context, args callArgs) (*runtime.Result, error) {
	t, err := c.named(ctx, args.Name)
	if err != nil {
		return nil, err
	}
	res, err := t.Call(ctx, args.Arguments)
	if failed, ok := errors.AsType[*runtime.ToolError](err); ok && failed.Result != nil {
		return failed.Result, nil
	}
	return res, err
}

// Twice the count of a word, by where it is found.
const (
	inName        = 16
	inTitle       = 8
	inArguments   = 4
	inDescription = 2
)

// scoreOf returns how much the words of a query count in a tool.
func scoreOf(spec runtime.Spec, query []string) int {
	places := [...]struct {
		words  []string
		counts int
	}{
		{wordsOf(spec.Name), inName},
		{wordsOf(spec.Title), inTitle},
		{wordsOf(strings.Join(argumentsOf(spec.InputSchema), " ")), inArguments},
		{wordsOf(spec.Description), inDescription},
	}
	score := 0
	for _, word := range query {
		best := 0
		for _, p := range places {
			for _, w := range p.words {
				switch {
				case w == word:
					best = max(best, p.counts)
				case len(word) >= 3 && strings.Contains(w, word):
					best = max(best, p.counts/2)
				}
			}
		}
		score += best
	}
	return score
}

// argumentsOf returns the names of a tool's arguments.
func argumentsOf(schema json.RawMessage) []string {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	return slices.Collect(maps.Keys(s.Properties))
}

// wordsOf splits a text at characters that are neither letters nor digits, and before
// capitals that follow a small letter. The words are in lower case and without the s
// of plurals.
func wordsOf(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if w := string(word); w != "" {
			if len(w) > 2 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
				w = w[:len(w)-1]
			}
			words = append(words, w)
		}
		word = word[:0]
	}
	small := false
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			end()
			small = false
			continue
		}
		if small && unicode.IsUpper(r) {
			end()
		}
		small = unicode.IsLower(r)
		word = append(word, unicode.ToLower(r))
	}
	end()
	return words
}
