package calling

// This file describes the arguments of a tool on the command line.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Argument is one argument of a tool.
type Argument struct {
	Name     string
	Kind     string // how a value is written: TEXT, NUMBER, a|b
	Doc      string // the server's description; may be ""
	Required bool
}

// String returns the argument in a usage: name=KIND, in brackets if it is optional.
func (a Argument) String() string {
	text := hint.Word(a.Name) + "=" + a.Kind
	if !a.Required {
		text = "[" + text + "]"
	}
	return text
}

// ArgumentsOf returns the arguments that an input schema declares, in its order: first the required ones,
// then the others. Nil if it declares none.
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

// Text is a server's text about a member of arguments or of a result.
type Text struct{ Member, Text string }

// TextsOf returns the texts of a schema and of all schemas in it, at any depth, in the order of the schema. A
// text that several members have is there once.
func TextsOf(raw json.RawMessage) []Text {
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		return nil
	}
	var out []Text
	seen := map[string]bool{}
	var visit func(member string, s *jsonschema.Schema)
	visit = func(member string, s *jsonschema.Schema) {
		if text := strings.TrimSpace(s.Description); text != "" && !seen[text] {
			seen[text] = true
			out = append(out, Text{cmp.Or(member, "all"), text})
		}
		named := func(list []jsonschema.Property) {
			for _, p := range list {
				visit(strings.TrimPrefix(member+"."+p.Name, "."), p.Schema)
			}
		}
		for h := range s.Holders {
			below := member
			switch h.Keyword {
			case "items", "prefixItems", "unevaluatedItems", "contains":
				below += "[]"
			case "additionalProperties", "unevaluatedProperties":
				below += "{}"
			}
			for _, sub := range append(slices.Clone(h.List), h.Schema) {
				if sub != nil {
					visit(below, sub)
				}
			}
			named(h.Named)
		}
		named(s.Defs)
	}
	visit("", doc.Root)
	return out
}

// maxValues bounds the values of an enumeration that are shown.
const maxValues = 6

// kindOf describes how a value of a type is written.
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

// synopsis returns the next step for a call with wrong arguments, on one line.
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

// PickTools separates names of servers and of tools. It returns the servers of both, and the tools as
// server/tool. An unknown name is treated as a server's.
func PickTools(in *inputs.Servers, names []string) (servers, tools []string) {
	for _, name := range names {
		server, _, ok := strings.Cut(name, "/")
		pair, definition := lockedDefinition(in, name)
		switch {
		case slices.Contains(in.Names(), name):
			server = name
		case ok && slices.Contains(in.Names(), server):
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

// Keep reduces a listing to the named tools, given as server/tool. The error lists the missing ones.
// Live says that the listing is the servers', not the lock's.
func Keep(cl *capturing.Client, l *workspace.Listing, tools []string, live bool) error {
	where, list := locks.Name+" has", "mcpgen list"
	if live {
		where, list = "the server has", "mcpgen list --live"
	}
	if name := cl.Profile; name != "" {
		where, list = fmt.Sprintf("the profile %q has", name), list+" --profile "+name
	}
	kept := map[string]bool{}
	l.Specs = slices.DeleteFunc(l.Specs, func(t workspace.ToolSpec) bool {
		name := t.ServerName + "/" + t.ToolName
		kept[name] = kept[name] || slices.Contains(tools, name)
		return !kept[name]
	})
	for _, name := range tools {
		if !kept[name] {
			return hint.With(fmt.Errorf("%s: %s no such tool", name, where), MeantTool(cl.Servers, name), "list the names: "+list)
		}
	}
	return nil
}
