package starter

// This file changes the servers and imports of an mcpgen.yaml, and keeps every other byte.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// FirstConfig is the text of an mcpgen.yaml without servers.
const FirstConfig = "# The servers whose tools become Go packages: mcpgen config --schema lists all keys.\nversion: 1\n"

var (
	// errFlow reports a layout that cannot be edited here.
	errFlow = errors.New("the servers in the file are not written as an indented block")
	// errByHand reports an edit that would also change other parts of the file, such as one next to an anchor.
	errByHand = errors.New("mcpgen cannot change the file without changing other parts of it")
)

// AddServer returns a configuration with an additional last server, under a comment; "" means none. If the
// servers are neither an indented block nor JSON, the error lists the lines to add by hand.
func AddServer(text []byte, name string, s config.Entry, comment string) ([]byte, error) {
	flow, err := entryJSON(name, s)
	if err != nil {
		return nil, err
	}
	byHand := strconv.Quote(name) + ": " + string(flow)
	if f := parseJSON(text); f != nil {
		out, err := f.add("servers", "{}", name, flow)
		return out, hint.With(err, "add this to servers by hand:\n\n"+byHand)
	}
	added := func(indent string) []string {
		if comment == "" {
			return entryLines(name, s, indent)
		}
		return append([]string{indent + "# " + console.Clean(comment)}, entryLines(name, s, indent)...)
	}
	var out []byte
	l, err := parseLayout(text)
	if err == nil {
		out, err = l.addServer(added)
	}
	if err == nil {
		err = sameBut(text, out, func(root map[string]any) error {
			servers, _ := root["servers"].(map[string]any)
			if servers[name] == nil {
				return errByHand
			}
			delete(servers, name)
			return nil
		})
	}
	switch lines := strings.Join(added("  "), "\n"); {
	case errors.Is(err, errFlow):
		return nil, hint.With(err, "add this to servers by hand:\n\n"+byHand)
	case err != nil && l != nil && l.value("servers") != nil:
		return nil, hint.With(err, "add these lines to servers by hand:\n\n"+lines)
	case err != nil:
		return nil, hint.With(err, "add these lines by hand:\n\nservers:\n"+lines)
	}
	return out, nil
}

func (l *layout) addServer(added func(indent string) []string) ([]byte, error) {
	switch servers := l.value("servers"); {
	case servers == nil:
		return l.insert(len(l.lines), append([]string{"servers:"}, added("  ")...)), nil
	case servers.Kind == yaml.MappingNode && len(servers.Content) == 0:
		l.drop(servers, "{}")
		return l.insert(servers.Line, added("  ")), nil
	case servers.Kind == yaml.ScalarNode && servers.Tag == "!!null":
		l.drop(servers, servers.Value)
		return l.insert(servers.Line, added("  ")), nil
	case servers.Kind != yaml.MappingNode || servers.Style&yaml.FlowStyle != 0:
		return nil, errFlow
	default:
		end, lines := l.end("servers"), added(strings.Repeat(" ", servers.Content[0].Column-1))
		if strings.HasPrefix(strings.TrimSpace(l.lines[end-1]), "#") {
			lines = append([]string{""}, lines...) // the comment belongs to something else
		}
		return l.insert(end, lines), nil
	}
}

// RemoveServer returns a configuration without a server and the comment directly above it. It is an error
// if the server is not defined, or the servers are neither an indented block nor JSON.
func RemoveServer(text []byte, name string) ([]byte, error) {
	byHand := "remove " + strconv.Quote(name) + " from servers by hand"
	if f := parseJSON(text); f != nil {
		return f.remove(name)
	}
	l, err := parseLayout(text)
	if err != nil {
		return nil, hint.With(err, byHand)
	}
	servers := l.value("servers")
	if servers == nil || servers.Kind != yaml.MappingNode {
		servers = &yaml.Node{}
	}
	i := keyIndex(servers, name)
	switch {
	case i < 0:
		var known []string
		for i := 0; i < len(servers.Content); i += 2 {
			known = append(known, servers.Content[i].Value)
		}
		return nil, noServer(known, name)
	case servers.Style&yaml.FlowStyle != 0:
		return nil, hint.With(errFlow, byHand)
	}
	from, to := l.above(servers.Content[i]), l.end("servers")
	if i+2 < len(servers.Content) {
		to = l.above(servers.Content[i+2])
	}
	if from > 0 && l.blank(from-1) && l.blank(to) {
		from-- // one blank line is enough
	}
	lines := slices.Delete(slices.Clone(l.lines), from, to)
	if len(servers.Content) == 2 {
		key := l.root.Content[keyIndex(l.root, "servers")]
		lines[key.Line-1] = strings.Replace(lines[key.Line-1], "servers:", "servers: {}", 1)
	}
	out := []byte(strings.Join(lines, ""))
	err = sameBut(out, text, func(root map[string]any) error {
		servers, _ := root["servers"].(map[string]any)
		delete(servers, name)
		return nil
	})
	if err != nil {
		return nil, hint.With(err, byHand)
	}
	return out, nil
}

// noServer is the error for a name that no server has.
func noServer(known []string, name string) error {
	if known == nil {
		return fmt.Errorf("no server is called %q: the configuration has no servers", name)
	}
	return hint.With(fmt.Errorf("no server is called %q; configured: %s", name, strings.Join(known, ", ")),
		nearest.Question(name, known))
}

// layout is a text split into lines, with its root mapping.
type layout struct {
	lines   []string // each with its line break
	newline string
	root    *yaml.Node
}

func parseLayout(text []byte) (*layout, error) {
	if strings.ContainsAny(strings.ReplaceAll(string(text), "\r\n", ""), "\r\u0085\u2028\u2029") {
		return nil, errors.New("the file has line breaks that only YAML knows")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	l := &layout{newline: "\n", root: &yaml.Node{Kind: yaml.MappingNode}}
	if len(doc.Content) > 0 {
		l.root = doc.Content[0]
	}
	if l.root.Kind != yaml.MappingNode || l.root.Style&yaml.FlowStyle != 0 {
		return nil, errFlow
	}
	if bytes.Contains(text, []byte("\r\n")) {
		l.newline = "\r\n"
	}
	l.lines = strings.SplitAfter(string(text), "\n")
	if last := len(l.lines) - 1; l.lines[last] == "" {
		l.lines = l.lines[:last]
	} else {
		l.lines[last] += l.newline
	}
	return l, nil
}

// keyIndex returns the index of a key in the content of a mapping, or -1.
func keyIndex(mapping *yaml.Node, name string) int {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return i
		}
	}
	return -1
}

// value returns the value of a key of the root, or nil.
func (l *layout) value(name string) *yaml.Node {
	if i := keyIndex(l.root, name); i >= 0 {
		return l.root.Content[i+1]
	}
	return nil
}

// end returns the index of the line after the value of a root key. Blank lines and unindented comments
// belong to what follows.
func (l *layout) end(name string) int {
	end := len(l.lines)
	if i := keyIndex(l.root, name); i+2 < len(l.root.Content) {
		end = l.root.Content[i+2].Line - 1
	}
	for end > 0 && (strings.TrimSpace(l.lines[end-1]) == "" || strings.HasPrefix(l.lines[end-1], "#")) {
		end--
	}
	return end
}

// blank reports whether a line is empty or beyond the end of the text.
func (l *layout) blank(at int) bool {
	return at >= len(l.lines) || strings.TrimSpace(l.lines[at]) == ""
}

// above returns the index of the first line of a key, including the comment lines directly above it.
func (l *layout) above(key *yaml.Node) int {
	at := key.Line - 1
	for at > 0 && strings.HasPrefix(strings.TrimLeft(l.lines[at-1], " "), "#") && !strings.HasPrefix(l.lines[at-1], "#") {
		at--
	}
	return at
}

// drop removes the text of a value from its line. Columns count characters.
func (l *layout) drop(value *yaml.Node, text string) {
	line := []rune(l.lines[value.Line-1])
	if at := value.Column - 1; text != "" && strings.HasPrefix(string(line[at:]), text) {
		l.lines[value.Line-1] = strings.TrimRight(string(line[:at]), " ") + strings.TrimPrefix(string(line[at:]), text)
	}
}

// insert inserts lines before the line at an index.
func (l *layout) insert(at int, lines []string) []byte {
	added := ""
	for _, line := range lines {
		added += line + l.newline
	}
	return []byte(strings.Join(slices.Insert(slices.Clone(l.lines), at, added), ""))
}

// sameBut returns an error unless the two texts are equivalent after change has modified the second. An
// empty list or mapping of servers or imports is equivalent to none.
func sameBut(first, second []byte, change func(root map[string]any) error) error {
	var a, b map[string]any
	if err := errors.Join(yaml.Unmarshal(first, &a), yaml.Unmarshal(second, &b)); err != nil {
		return errByHand
	}
	if err := change(b); err != nil {
		return err
	}
	for _, m := range []map[string]any{a, b} {
		for _, key := range [...]string{"servers", "import"} {
			servers, isMap := m[key].(map[string]any)
			imports, isList := m[key].([]any)
			if m[key] == nil || isMap && len(servers) == 0 || isList && len(imports) == 0 {
				delete(m, key)
			}
		}
	}
	if len(a) != len(b) || len(a) > 0 && !reflect.DeepEqual(a, b) {
		return errByHand
	}
	return nil
}

// entryLines returns a server as lines of YAML: the keys of its launch, and its selection of tools. A
// server that is only disabled is one line.
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
		value, _ := json.Marshal(s.Auth) // strings, numbers and lists of strings: JSON is YAML too
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

// yamlList returns a list on one line; "" if it is empty.
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

// AddImport returns a configuration with an additional last import. The comment describes it. The error
// says what to add by hand.
func AddImport(text []byte, name, comment string) ([]byte, error) {
	if f := parseJSON(text); f != nil {
		quoted := jsontext.AppendString(nil, name)
		out, err := f.add("import", "[]", "-", quoted)
		return out, hint.With(err, "add "+string(quoted)+" to import by hand")
	}
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
	return nil, hint.New("mcpgen can edit the key import only if its value is a list, "+
		"on one line or with one file on each line", "add this by hand:\n\nimport:\n  "+line)
}

// importVariants returns candidates for the text with the additional import.
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
