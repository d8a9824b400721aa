package workspace

// This file says what a call of a tool takes, as a user types it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Argument is one argument of a tool.
type Argument struct {
	Name     string
	Kind     string // how a value is typed: TEXT, NUMBER, a|b
	Doc      string // as the server says it; may be ""
	Required bool
}

// String is the argument on a command line: name=KIND, in brackets where it may be left out.
func (a Argument) String() string {
	text := report.ShellWord(a.Name) + "=" + a.Kind
	if !a.Required {
		text = "[" + text + "]"
	}
	return text
}

// ArgumentsOf are the arguments that an input schema declares, in its order: those that a
// call has to have, then the others. Nil if it declares none.
func ArgumentsOf(input json.RawMessage) []Argument {
	doc, err := jsonschema.Parse(input)
	if err != nil {
		return nil
	}
	var needed, others []Argument
	for _, p := range doc.Root.Properties {
		a := Argument{p.Name, kindOf(p.Schema.Types, p.Schema.Enum), p.Schema.Description, doc.Root.IsRequired(p.Name)}
		if a.Required {
			needed = append(needed, a)
		} else {
			others = append(others, a)
		}
	}
	return append(needed, others...)
}

// maxValues bounds the values of an enumeration that are shown.
const maxValues = 6

// kindOf is how a value of a type is typed.
func kindOf(types []string, enum []json.RawMessage) string {
	if len(enum) > 0 {
		var values []string
		for _, raw := range enum[:min(len(enum), maxValues)] {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				text = string(bytes.TrimSpace(raw))
			}
			if strings.ContainsFunc(text, unicode.IsSpace) {
				text = strconv.Quote(text)
			}
			values = append(values, console.Cut(console.Clean(text), 40))
		}
		if len(enum) > maxValues {
			values = append(values, "…")
		}
		return strings.Join(values, "|")
	}
	types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	kinds := map[string]string{"string": "TEXT", "number": "NUMBER", "integer": "INTEGER", "boolean": "true|false"}
	if len(types) == 1 && kinds[types[0]] != "" {
		return kinds[types[0]]
	}
	return "JSON"
}

// maxSynopsis bounds the arguments in an error, in characters.
const maxSynopsis = 160

// synopsis is the next step of who gives a tool wrong arguments, in one line.
func synopsis(definition *schema.Tool) string {
	var words []string
	for _, a := range ArgumentsOf(definition.InputSchema) {
		words = append(words, a.String())
	}
	if words == nil {
		return "give no arguments"
	}
	return "give " + console.Cut(strings.Join(words, " "), maxSynopsis)
}

// PickTools splits names of servers from those of tools, and returns the servers of both,
// and the tools as server/tool. A name of neither counts as a server's.
func (w *Workspace) PickTools(names []string) (servers, tools []string) {
	for _, name := range names {
		server, _, ok := strings.Cut(name, "/")
		pair, definition := w.lockedDefinition(name)
		switch {
		case slices.Contains(w.Names(), name):
			server = name
		case ok && slices.Contains(w.Names(), server):
			tools = append(tools, name)
		case definition != nil:
			server = pair.Server
			tools = append(tools, pair.Server+"/"+pair.Tool)
		default:
			server = name
		}
		if !slices.Contains(servers, server) {
			servers = append(servers, server)
		}
	}
	return servers, tools
}

// Keep leaves the named tools, as server/tool, of a listing and nothing else. The error
// names those that it does not have.
func (w *Workspace) Keep(l *Listing, tools []string) error {
	kept := map[string]bool{}
	l.Specs = slices.DeleteFunc(l.Specs, func(t ToolSpec) bool {
		name := t.ServerName + "/" + t.ToolName
		kept[name] = kept[name] || slices.Contains(tools, name)
		return !kept[name]
	})
	for _, name := range tools {
		if !kept[name] {
			return hint.With(fmt.Errorf("%s: the server has no such tool", name), w.meantTool(name), "list the names: mcpgen list")
		}
	}
	return nil
}
