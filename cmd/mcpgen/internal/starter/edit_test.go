package starter

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"go.yaml.in/yaml/v3"
)

var one = config.Entry{Command: "npx", Args: []string{"-y", "@scope/server@1.2.3"}, Env: []endpoint.Var{{Name: "TOKEN", Value: "${env:TOKEN}"}}}

const oneLines = "  new:\n    command: npx\n    args: [\"-y\", \"@scope/server@1.2.3\"]\n    env:\n      TOKEN: \"${env:TOKEN}\"\n"

// What is added stands behind the other servers, and every other byte stays: the
// text before and after it is what it was.
func TestAddServer(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no servers", "version: 1\n", "version: 1\nservers:\n" + oneLines},
		{"no end of line", "version: 1", "version: 1\nservers:\n" + oneLines},
		{"an empty mapping", "version: 1\nservers: {} # none yet\ndocs: true\n", "version: 1\nservers: # none yet\n" + oneLines + "docs: true\n"},
		{"an empty mapping before another", "servers: {} # not {} yet\nversion: 1\n", "servers: # not {} yet\n" + oneLines + "version: 1\n"},
		{"no value", "servers:\nversion: 1\n", "servers:\n" + oneLines + "version: 1\n"},
		{"null", "servers: ~\nversion: 1\n", "servers:\n" + oneLines + "version: 1\n"},
		{"between comments", "# top\nversion: 1\n\nservers: # all\n  # the first\n  a: {command: a}   # odd   spaces\n\n  b:\n    args: [ x,y ]\n    command: b\n  # commented: {command: out}\n\n# about docs\ndocs: false\n",
			"# top\nversion: 1\n\nservers: # all\n  # the first\n  a: {command: a}   # odd   spaces\n\n  b:\n    args: [ x,y ]\n    command: b\n  # commented: {command: out}\n\n" + oneLines + "\n# about docs\ndocs: false\n"},
		{"other indentation", "servers:\n    a:\n        command: a\nversion: 1\n", "servers:\n    a:\n        command: a\n" + indentLines(oneLines, "  ") + "version: 1\n"},
		{"a text of several lines", "servers:\n  a:\n    command: a\n    description: |\n      # no comment\n\n      end\n\n\nversion: 1\n",
			"servers:\n  a:\n    command: a\n    description: |\n      # no comment\n\n      end\n" + oneLines + "\n\nversion: 1\n"},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			text, want := strings.ReplaceAll(tt.text, "\n", newline), strings.ReplaceAll(tt.want, "\n", newline)
			if !strings.Contains(text, newline) {
				continue // it does not say how its lines end
			}
			got, err := AddServer([]byte(text), "new", one, "")
			if err != nil || string(got) != want {
				t.Errorf("%s: %v\ngot  %q\nwant %q", tt.name, err, got, want)
				continue
			}
			back, err := RemoveServer(got, "new")
			if err != nil {
				t.Errorf("%s: remove: %v", tt.name, err)
			}
			if strings.Contains(text, "a:") && string(back) != text {
				t.Errorf("%s: removed again\ngot  %q\nwant %q", tt.name, back, text)
			}
		}
	}
}

func indentLines(text, by string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = by + line
		}
	}
	return strings.Join(lines, "")
}

// A layout that is not edited is left alone, and the error has what to add, in the syntax of the file.
func TestAddServerByHand(t *testing.T) {
	const (
		flow  = "add this to servers by hand:\n\n\"new\": {\"command\":\"npx\",\"args\":[\"-y\",\"@scope/server@1.2.3\"],\"env\":{\"TOKEN\":\"${env:TOKEN}\"}}"
		below = "add these lines to servers by hand:\n\n" + oneLines
		all   = "add these lines by hand:\n\nservers:\n" + oneLines
	)
	for text, want := range map[string]string{
		"servers: {a: {command: a}}\n":                flow,
		"{version: 1, servers: {}}":                   flow,
		`{"version": 1, "servers": null}`:             flow,
		"servers: [a]\n":                              flow,
		"- a\n":                                       flow,
		"servers: {a: b\n":                            all,
		"servers: &x\n  a: {command: a}\nother: *x\n": below,
	} {
		got, err := AddServer([]byte(text), "new", one, "")
		if err == nil || !strings.HasSuffix(err.Error(), strings.TrimSuffix(want, "\n")) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A configuration in JSON keeps its comments, its order and the form of its lines.
func TestEditJSON(t *testing.T) {
	s := config.Entry{Command: "x", Args: []string{"<a>"}}
	for text, want := range map[string]string{
		`{"version":1}`: `{"version":1,"servers":{"new":{"command":"x","args":["<a>"]}}}`,
		`{"version": 1, "servers": {"a": {"command": "a"}, "b": {"command": "b"}}, "docs": true}`: `{"version": 1, "servers": {"a": {"command": "a"}, "b": {"command": "b"}, "new": {"command":"x","args":["<a>"]}}, "docs": true}`,
		"{\n  \"version\": 1\n}\n": "{\n  \"version\": 1,\n  \"servers\": {\n    \"new\": {\n      \"command\": \"x\",\n      \"args\": [\n        \"<a>\"\n      ]\n    }\n  }\n}\n",
		"{\r\n\t\"servers\": {\r\n\t\t// about a\r\n\t\t\"a\": {\"command\": \"a\"} // it\r\n\t\t// the end\r\n\t}\r\n}\r\n": "{\r\n\t\"servers\": {\r\n\t\t// about a\r\n\t\t\"a\": {\"command\": \"a\"}, // it\r\n\t\t\"new\": {\r\n\t\t\t\"command\": \"x\",\r\n\t\t\t\"args\": [\r\n\t\t\t\t\"<a>\"\r\n\t\t\t]\r\n\t\t}\r\n\t\t// the end\r\n\t}\r\n}\r\n",
	} {
		got, err := AddServer([]byte(text), "new", s, "no comment in JSON")
		if err != nil || string(got) != want {
			t.Errorf("%q: %v\ngot  %q\nwant %q", text, err, got, want)
		}
		back, err := RemoveServer(got, "new")
		if strings.Contains(text, "servers") && string(back) != text || err != nil {
			t.Errorf("%q: removed again: %q, %v", text, back, err)
		}
	}
	if got, err := RemoveServer([]byte(`{"servers": {"a": {}, "b/~": {}}}`), "b/~"); err != nil || string(got) != `{"servers": {"a": {}}}` {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := RemoveServer([]byte(`{"servers": {"a": {}}}`), "b"); err == nil || !strings.Contains(err.Error(), `no server is called "b"; configured: a`) {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"{\n  \"version\": 1\n}":                           "{\n  \"version\": 1,\n  \"import\": [\n    \".mcp.json\"\n  ]\n}",
		`{"import": ["a.json"]}`:                           `{"import": ["a.json",".mcp.json"]}`,
		"{\n  \"import\": [\n    \"a.json\", // a\n  ]\n}": "{\n  \"import\": [\n    \"a.json\", // a\n    \".mcp.json\"\n  ]\n}",
	} {
		if got, err := AddImport([]byte(text), ".mcp.json", "claude-code: a"); err != nil || string(got) != want {
			t.Errorf("%q: %v\ngot  %q\nwant %q", text, err, got, want)
		}
	}
}

func TestRemoveServer(t *testing.T) {
	const text = "servers:\n  # about a\n  a: {command: a}\n  # about b\n  # in two lines\n  b:\n    command: b\n\n  c: {command: c}\n# end\n"
	for name, want := range map[string]string{
		"a": "servers:\n  # about b\n  # in two lines\n  b:\n    command: b\n\n  c: {command: c}\n# end\n",
		"b": "servers:\n  # about a\n  a: {command: a}\n  c: {command: c}\n# end\n",
		"c": "servers:\n  # about a\n  a: {command: a}\n  # about b\n  # in two lines\n  b:\n    command: b\n\n# end\n",
	} {
		if got, err := RemoveServer([]byte(text), name); err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, got, want)
		}
	}
	if got, err := RemoveServer([]byte("version: 1\nservers:\n  a: {command: a}\n"), "a"); err != nil || string(got) != "version: 1\nservers: {}\n" {
		t.Errorf("the last one: %q, %v; want %q", got, err, "version: 1\nservers: {}\n")
	}
	for text, want := range map[string]string{
		"version: 1\n":                              `no server is called "a"`,
		"servers: {b: {command: b}}\n":              `no server is called "a"`,
		"servers: {a: {command: b}}\n":              `remove "a" from servers by hand`,
		"servers:\n  a: &x {command: b}\n  c: *x\n": `remove "a" from servers by hand`,
	} {
		if got, err := RemoveServer([]byte(text), "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want an error with %q", text, got, err, want)
		}
	}
}

// Whatever a text is, an edit either is an error or adds one server and takes
// nothing away; removing it again gives what was there.
func FuzzAddServer(f *testing.F) {
	for _, text := range []string{
		"", "version: 1\nservers:\n  a: {command: a}\n# x\n", "servers: {}\n", "servers:\n  ? a\n  : {command: a}\n", "a: |\n  servers:\n", "---\nservers:\n  a: b\n...\n",
		"servers:\n  a:\n    command: >\n      # x\n\n", "\"servers\":\n  a: b\n", "servers: !!map\n  a: b\n", "servers:\n\n\n  #x\n  a: b\r\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		added, err := AddServer([]byte(text), "new", one, "")
		if err != nil || parseJSON([]byte(text)) != nil { // JSON may have comments that are not YAML
			return
		}
		var before, after map[string]any
		if yaml.Unmarshal([]byte(text), &before) != nil || yaml.Unmarshal(added, &after) != nil {
			t.Fatalf("%q became %q", text, added)
		}
		was, _ := before["servers"].(map[string]any)
		if is := after["servers"].(map[string]any); is["new"] == nil || was["new"] == nil && len(is) != len(was)+1 {
			t.Fatalf("%q became %q", text, added)
		}
		removed, err := RemoveServer(added, "new")
		if err != nil {
			return
		}
		var again map[string]any
		if err := yaml.Unmarshal(removed, &again); err != nil {
			t.Fatal(err)
		}
		if is, _ := again["servers"].(map[string]any); was["new"] == nil && (len(is) != len(was) || len(was) > 0 && !reflect.DeepEqual(is, was)) {
			t.Fatalf("%q became %q", text, removed)
		}
	})
}

// TestAddImport adds a file to the imports, however they are laid out, and leaves
// every other byte.
func TestAddImport(t *testing.T) {
	const line = "- .mcp.json # claude-code: a"
	for _, tt := range []struct{ text, want string }{
		{"version: 1\n", "version: 1\nimport:\n  " + line + "\n"},
		{"import: [] # none\nversion: 1\n", "import: # none\n  " + line + "\nversion: 1\n"},
		{"import:\n\n# x\nversion: 1\n", "import:\n  " + line + "\n\n# x\nversion: 1\n"},
		{"import:\n- a.json   # first\n\n# about docs\ndocs: true\n", "import:\n- a.json   # first\n" + line + "\n\n# about docs\ndocs: true\n"},
		{"import:\n    - a.json\nversion: 1\n", "import:\n    - a.json\n    " + line + "\nversion: 1\n"},
		{"import: [a.json,  \"b]\"] # [two]\nversion: 1\n", "import: [a.json,  \"b]\", .mcp.json] # [two]\nversion: 1\n"},
	} {
		got, err := AddImport([]byte(tt.text), ".mcp.json", "claude-code: a")
		if err != nil || string(got) != tt.want {
			t.Errorf("%q: %v\ngot  %q\nwant %q", tt.text, err, got, tt.want)
		}
	}
	for _, text := range []string{"import: .mcp.json\n", "{version: 1, import: []}\n", "import: [a,]\n"} {
		got, err := AddImport([]byte(text), ".mcp.json", "x")
		if err == nil || !strings.HasSuffix(err.Error(), "add this by hand:\n\nimport:\n  - .mcp.json # x") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestEntryLines wants what is written to be read as what was meant.
func TestEntryLines(t *testing.T) {
	text := "version: 1\n"
	for name, s := range map[string]config.Entry{
		"a": {Command: "x", Args: []string{"", "-y", "a b", "[", "${dir}/x"}, InheritEnv: config.Inherit{Names: []string{"A", "B"}}, Tools: &config.Tools{Include: []string{"*"}, Exclude: []string{"delete_*"}}, Timeout: &endpoint.Timeouts{Start: 1500 * time.Millisecond, Call: time.Minute}},
		"b": {URL: "https://h.example", Transport: "sse", Headers: []endpoint.Var{{Name: "A", Value: "Bearer ${env:A}"}}, Auth: &config.Auth{OAuth: &config.OAuth{Auth: endpoint.Auth{ClientID: "id", CallbackPort: 80}}}},
	} {
		out, err := AddServer([]byte(text), name, s, "about it\n# and more")
		if err != nil {
			t.Fatal(err)
		}
		text = string(out)
	}
	p, err := config.ParseAt(t.TempDir(), []byte(text))
	if err != nil || len(p.Servers) != 2 {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, s := range p.Servers {
		switch s.Name {
		case "a":
			if !slices.Equal(s.Launch.(*endpoint.Process).Args, []string{"", "-y", "a b", "[", "${dir}/x"}) || !slices.Equal(s.Launch.(*endpoint.Process).Inherit.Names, []string{"A", "B"}) || s.Timeout.Start != 1500*time.Millisecond || s.Timeout.Call != time.Minute {
				t.Errorf("%+v in\n%s", s, text)
			}
		case "b":
			if s.Launch.(*endpoint.Address).Auth.ClientID != "id" || s.Launch.(*endpoint.Address).Auth.CallbackPort != 80 || s.Launch.(*endpoint.Address).Transport != endpoint.SSE || s.Launch.(*endpoint.Address).Headers[0].Value != "Bearer ${env:A}" {
				t.Errorf("%+v in\n%s", s, text)
			}
		}
	}
	if b := p.Build["a"]; !slices.Equal(b.Exclude, []string{"delete_*"}) {
		t.Errorf("%+v, want %q", b, []string{"delete_*"})
	}
}
