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
// then the optional ones. An argument that only an alternative declares is optional. Nil if there are no arguments.
func ArgumentsOf(input json.RawMessage) []Argument {
	doc, err := jsonschema.Parse(input)
	if err != nil {
		return nil
	}
	var all []Argument
	seen := map[*jsonschema.Schema]bool{}
	var visit func(s *jsonschema.Schema, applies bool)
	visit = func(s *jsonschema.Schema, applies bool) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		for _, p := range s.Properties {
			known := slices.ContainsFunc(all, func(a Argument) bool { return a.Name == p.Name })
			if !known && !p.Schema.IsBool(false) {
				kind := kindOf(p.Schema.Types, p.Schema.Enum)
				all = append(all, Argument{p.Name, kind, p.Schema.Description, applies && s.IsRequired(p.Name)})
			}
		}
		if target, err := doc.Follow(s); err == nil {
			visit(target, applies)
		}
		for _, sub := range s.AllOf {
			visit(sub, applies)
		}
		for _, sub := range slices.Concat(s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Then, s.Else}) {
			visit(sub, false)
		}
	}
	visit(doc.Root, true)
	slices.SortStableFunc(all, func(a, b Argument) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return all
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
	arguments := ArgumentsOf(definition.InputSchema)
	for _, a := range arguments {
		if a.Name != "" && !strings.HasPrefix(a.Name, "-") && !strings.Contains(a.Name, "=") { // else call cannot read it
			words = append(words, a.String())
		}
	}
	text := "give " + console.Cut(strings.Join(words, " "), maxSynopsis)
	switch all := len(words) == len(arguments); {
	case len(words) == 0 && all && takesNone(definition.InputSchema):
		return "give no arguments"
	case len(words) == 0:
		return "give --args JSON"
	case !all:
		text += ", or --args JSON"
	}
	return text
}

// takesNone reports whether an input schema allows only an object without members, or does not mention members.
func takesNone(input json.RawMessage) bool {
	doc, err := jsonschema.Parse(input)
	if err != nil {
		return false
	}
	s := doc.Root
	object := len(s.Types) == 0 || slices.Contains(s.Types, "object")
	return object && len(s.PatternProperties)+len(s.InPlace()) == 0 &&
		(s.AdditionalProperties == nil || s.AdditionalProperties.IsBool(false))
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
			return hint.With(fmt.Errorf("%s: %s no such tool", name, where),
				MeantTool(cl.Servers, name), "list the names: "+list)
		}
	}
	return nil
}
