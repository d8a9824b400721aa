package schema

// This file reads one tool definition, member by member.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Tool is the part of a tool definition that programs need. Members that the
// server left out, or got wrong, are "" or nil.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage // always an object, or nil
	OutputSchema json.RawMessage // always an object, or nil
	Annotations  json.RawMessage // always an object, or nil; its hints are booleans or missing
	Execution    json.RawMessage // always an object, or nil
}

// ParseTool reads a tool definition and passes over what is wrong with it: a
// member of the wrong type is left out and reported, the others are used. The
// raw messages share memory with raw.
//
// It fails, with an [*Error], only if no tool is left: raw is not a JSON
// object, a member name occurs twice anywhere in it, it is nested deeper than
// 512, or the name is missing, not a string, empty or longer than [MaxName].
func ParseTool(raw json.RawMessage) (Tool, []Problem, error) {
	v, err := parseJSON(raw)
	if err != nil {
		return Tool{}, nil, err
	}
	name, err := itemName(KindTool, v)
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
	if v.get("inputSchema") == nil {
		r.report("/inputSchema", "missing: any object is taken as arguments")
	}
	r.inputType(v.get("inputSchema"))
	if t.Annotations != nil {
		t.Annotations = r.hints(v.get("annotations"), t.Annotations)
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

func (r *toolReader) text(v *value, name string) string {
	m := v.get(name)
	if m == nil || m.kind == nullValue {
		return ""
	}
	if m.kind != stringValue {
		r.report("/"+name, fmt.Sprintf("must be a string, is %v: ignored", m.kind))
		return ""
	}
	return strings.Clone(validText(m.text)) // see itemName
}

func (r *toolReader) object(v *value, name string) json.RawMessage {
	m := v.get(name)
	if m == nil {
		return nil
	}
	if m.kind != objectValue {
		r.report("/"+name, fmt.Sprintf("must be an object, is %v: ignored", m.kind))
		return nil
	}
	return m.raw(r.data)
}

// inputType reports an input schema that does not describe an object: arguments
// are always one.
func (r *toolReader) inputType(input *value) {
	if t := input.get("type"); t != nil && t.kind == stringValue && t.text != "object" {
		r.report("/inputSchema/type", fmt.Sprintf("is %s, but arguments are always an object", quote(t.text)))
	}
}

// hints drops annotations of the wrong type, so that no reader takes "yes" for
// true.
func (r *toolReader) hints(v *value, raw json.RawMessage) json.RawMessage {
	kept := &value{kind: objectValue}
	for i := range v.kids {
		m := v.kids[i]
		want := "a boolean"
		switch m.name {
		case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
			if m.kind == trueValue || m.kind == falseValue {
				kept.kids = append(kept.kids, m)
				continue
			}
		case "title":
			if m.kind == stringValue {
				kept.kids = append(kept.kids, m)
				continue
			}
			want = "a string"
		default:
			kept.kids = append(kept.kids, m)
			continue
		}
		if m.kind != nullValue {
			r.report("/annotations/"+m.name, fmt.Sprintf("must be %s, is %v: ignored", want, m.kind))
		}
	}
	if len(kept.kids) == len(v.kids) {
		return raw
	}
	return appendCanonical(nil, kept)
}
