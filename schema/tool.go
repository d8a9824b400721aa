package schema

// This file reads one tool definition, member by member.

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Tool is the part of a tool definition that programs need. Members that are missing or invalid are "" or nil.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage // always an object, or nil
	OutputSchema json.RawMessage // always an object, or nil
	Annotations  json.RawMessage // always an object, or nil; its hints are booleans or missing
	Execution    json.RawMessage // always an object, or nil
}

// ParseTool reads a tool definition tolerantly: a member of the wrong type is ignored and reported, the others
// are used. The raw messages share memory with raw.
//
// It fails with an [*Error] only if raw is unusable: it is not a JSON object, has a duplicate member name
// anywhere, is nested deeper than 512, or its name is missing, not a string, empty or longer than 256 bytes.
func ParseTool(raw json.RawMessage) (Tool, []Problem, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return Tool{}, nil, err
	}
	name, err := tree.ItemName(v, string(KindTool), KindTool.NameMember())
	if err != nil {
		return Tool{}, nil, err
	}
	r := toolReader{data: raw, name: name}
	t := Tool{
		Name:         name,
		Title:        r.text(v, "title"),
		Description:  r.text(v, "description"),
		InputSchema:  r.object(v, "inputSchema"),
		OutputSchema: r.object(v, "outputSchema"),
		Annotations:  r.object(v, "annotations"),
		Execution:    r.object(v, "execution"),
	}
	if v.Get("inputSchema") == nil {
		r.report("/inputSchema", "missing: any object is taken as arguments")
	}
	if t := v.Get("inputSchema").Get("type"); t != nil && t.Kind == tree.String && t.Text != "object" {
		r.report("/inputSchema/type", fmt.Sprintf("is %s, but arguments are always an object", tree.Quote(t.Text)))
	}
	if t.Annotations != nil {
		t.Annotations = r.hints(v.Get("annotations"), t.Annotations)
	}
	return t, r.problems, nil
}

type toolReader struct {
	data     []byte
	name     string
	problems []Problem
}

func (r *toolReader) report(pointer, reason string) {
	r.problems = append(r.problems, Problem{Kind: KindTool, Name: r.name, Pointer: pointer, Reason: reason})
}

func (r *toolReader) text(v *tree.Value, name string) string {
	m := v.Get(name)
	if m == nil || m.Kind == tree.Null {
		return ""
	}
	if m.Kind != tree.String {
		r.report("/"+name, fmt.Sprintf("must be a string, but is %v: mcpgen ignores the value", m.Kind))
		return ""
	}
	return strings.Clone(tree.ValidText(m.Text)) // see tree.ItemName
}

func (r *toolReader) object(v *tree.Value, name string) json.RawMessage {
	m := v.Get(name)
	if m == nil {
		return nil
	}
	if m.Kind != tree.Object {
		r.report("/"+name, fmt.Sprintf("must be an object, but is %v: mcpgen ignores the value", m.Kind))
		return nil
	}
	return m.Raw(r.data)
}

// hints removes annotations of the wrong type, so that no reader treats "yes" as true.
func (r *toolReader) hints(v *tree.Value, raw json.RawMessage) json.RawMessage {
	kept := &tree.Value{Kind: tree.Object}
	for _, m := range v.Kids {
		want, fits := "", true
		switch m.Name {
		case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
			want, fits = "a boolean", m.Kind == tree.True || m.Kind == tree.False
		case "title":
			want, fits = "a string", m.Kind == tree.String
		}
		if fits {
			kept.Kids = append(kept.Kids, m)
		} else if m.Kind != tree.Null {
			r.report("/annotations/"+m.Name, fmt.Sprintf("must be %s, but is %v: mcpgen ignores the value", want, m.Kind))
		}
	}
	if len(kept.Kids) == len(v.Kids) {
		return raw
	}
	return tree.AppendCanonical(nil, kept)
}
