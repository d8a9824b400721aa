package starter

// This file writes one server as lines of YAML, and names one more file to import.

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"go.yaml.in/yaml/v3"
)

// entryLines are a server as lines of YAML: those of its keys that start or reach it,
// and the choice of its tools. One that is turned off alone is one line.
func entryLines(name string, s config.Entry, indent string) []string {
	if s.Enabled != nil && !*s.Enabled {
		return []string{indent + yamlText(name) + ": {enabled: false}"}
	}
	in := indent + "  "
	out := []string{indent + yamlText(name) + ":"}
	add := func(key, value string) {
		if value != "" {
			out = append(out, in+key+": "+value)
		}
	}
	text := func(key, value string) {
		if value != "" {
			add(key, yamlText(value))
		}
	}
	text("command", s.Command)
	add("args", yamlList(s.Args))
	text("url", s.URL)
	text("transport", s.Transport)
	for _, group := range []struct {
		key    string
		values []endpoint.Var
	}{{"env", s.Env}, {"headers", s.Headers}} {
		if len(group.values) > 0 {
			out = append(out, in+group.key+":")
		}
		for _, v := range group.values {
			out = append(out, in+"  "+yamlText(v.Name)+": "+yamlText(v.Value))
		}
	}
	add("inherit_env", yamlList(s.InheritEnv.Names))
	if s.Auth != nil {
		value, _ := json.Marshal(s.Auth) // texts, numbers and lists of texts: JSON is YAML, too
		add("auth", string(value))
	}
	if s.Tools != nil {
		out = append(out, in+"tools:")
		in += "  "
		add("include", yamlList(s.Tools.Include))
		add("exclude", yamlList(s.Tools.Exclude))
		in = in[2:]
	}
	if t := s.Timeout; t != nil {
		out = append(out, in+"timeout:")
		in += "  "
		if t.Start > 0 {
			add("start", t.Start.String())
		}
		if t.Call > 0 {
			add("call", t.Call.String())
		}
	}
	return out
}

// yamlList is a list on one line; "" is an empty one.
func yamlList(values []string) string {
	if len(values) == 0 {
		return ""
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = yamlText(v)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// AddImport returns an mcpgen.yaml that imports one more file, behind the others. The
// comment is about it. The error says what to add by hand.
func AddImport(text []byte, name, comment string) ([]byte, error) {
	line := "- " + yamlText(name) + " # " + console.Clean(comment)
	for _, out := range importVariants(text, name, line) {
		err := sameBut(text, out, func(root map[string]any) error {
			imports, _ := root["import"].([]any)
			if len(imports) == 0 || !reflect.DeepEqual(imports[len(imports)-1], any(name)) {
				return errByHand
			}
			root["import"] = imports[:len(imports)-1]
			return nil
		})
		if err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("its imports are not written as a list in lines, or on one: add this by hand:\n\nimport:\n  %s", line)
}

// importVariants are the texts that may be the one with one more import.
func importVariants(text []byte, name, line string) [][]byte {
	l, err := parseLayout(text)
	if err != nil {
		return nil
	}
	imports := l.value("import")
	switch {
	case imports == nil:
		return [][]byte{l.insert(len(l.lines), []string{"import:", "  " + line})}
	case imports.Kind == yaml.ScalarNode && imports.Tag == "!!null":
		l.drop(imports, imports.Value)
		return [][]byte{l.insert(imports.Line, []string{"  " + line})}
	case imports.Kind != yaml.SequenceNode:
		return nil
	case len(imports.Content) == 0:
		l.drop(imports, "[]")
		return [][]byte{l.insert(imports.Line, []string{"  " + line})}
	case imports.Style&yaml.FlowStyle == 0:
		return [][]byte{l.insert(l.end("import"), []string{strings.Repeat(" ", imports.Column-1) + line})}
	}
	last := imports.Content[len(imports.Content)-1]
	var out [][]byte
	before := l.lines[last.Line-1]
	for i, r := range before {
		if r == ']' {
			l.lines[last.Line-1] = before[:i] + ", " + yamlText(name) + before[i:]
			out = append(out, l.insert(0, nil))
		}
	}
	return out
}
