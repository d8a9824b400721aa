package console

import "testing"

func TestHint(t *testing.T) {
	commands := []string{"generate", "update", "policy", "help"}
	p := NewProgram("go tool mcpgen", "", commands, commands)
	for text, want := range map[string]string{
		"run mcpgen update a":                       "run go tool mcpgen update a",
		"mcpgen generate":                           "go tool mcpgen generate",
		"a\n  mcpgen update":                        "a\n  go tool mcpgen update",
		"run go tool mcpgen generate":               "run go tool mcpgen generate",
		"run mcpgen --mcp x.json policy grant a":    "run go tool mcpgen --mcp x.json policy grant a",
		"(mcpgen help for the list)":                "(go tool mcpgen help for the list)",
		"mcpgen runs no shell, mcpgen.yaml updates": "mcpgen runs no shell, mcpgen.yaml updates",
		"cmd/mcpgen update":                         "cmd/mcpgen update",
		"mcpgen updates":                            "mcpgen updates",
		"example.com/mcpgen generate":               "example.com/mcpgen generate",
	} {
		if got := p.Hint(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if got := (Program{}).Hint(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if p := NewProgram("./a$1", "", []string{"update"}, nil); p.Hint("mcpgen update") != "./a$1 update" {
		t.Errorf("Hint returned %q, want \"./a$1 update\"", p.Hint("mcpgen update"))
	}
}

// Hints repeat the flags that name a project, where a command is about one and does not
// name another.
func TestHintNamesProject(t *testing.T) {
	p := NewProgram("", " --mcp 'x y.json'", []string{"generate", "update", "help"}, []string{"generate", "update"})
	for text, want := range map[string]string{
		"run mcpgen update a, then mcpgen generate": "run mcpgen --mcp 'x y.json' update a, then mcpgen --mcp 'x y.json' generate",
		"run mcpgen --mcp 'b c' update":             "run mcpgen --mcp 'b c' update",
		"run mcpgen --config b update":              "run mcpgen --config b update",
		"run mcpgen help update":                    "run mcpgen help update",
	} {
		if got := p.Hint(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestByGo(t *testing.T) {
	const hash = "/0b/0ba827cde03f578d9c5dfdb1d72e4b9f5450600e574aa941d4d4294f653227e9-d/mcpgen"
	for path, want := range map[string]bool{
		"/home/u/.cache/go-build" + hash: true, "/elsewhere" + hash: true, "/tmp/go-build123/b001/exe/mcpgen": true,
		"/home/u/go/bin/mcpgen": false, "/mcpgen": false, "": false, "/tmp/go-build123/b001/mcpgen.test": false,
	} {
		if ByGo(path) != want {
			t.Errorf("%s: want %v", path, want)
		}
	}
}
