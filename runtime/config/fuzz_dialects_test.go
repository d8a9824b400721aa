package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// fuzzPaths are a path for each way to read a file.
func fuzzPaths() []string {
	return []string{
		"/p/.mcp.json", "/p/.claude.json", "/p/.vscode/mcp.json", "/p/.cursor/mcp.json", "/p/mcp_config.json", "/p/.zed/settings.json",
		"/p/claude_desktop_config.json", "/p/.gemini/settings.json", "/p/.tallow/settings.json", "/p/.indusvx/mcp.json", "/p/.agents/mcp.json",
		"/p/opencode.json", "/p/config/mcporter.json", "/p/server.json", "/p/any.json", "/p/config.toml", "/p/secrets.toml", "/p/any.yaml",
		"/p/.docker/mcp/catalogs/docker-mcp.yaml", "/p/.kiro/settings/mcp.json", "/home/.local/share/opencode/mcp-local.json",
	}
}

// FuzzDialects reads foreign bytes as a file of each system. It wants no panic,
// a place for all that is wrong, servers that can be started as far as that can
// be judged, and texts that can be expanded, shown and masked.
func FuzzDialects(f *testing.F) {
	archives, err := filepath.Glob("testdata/G*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	env := Environment{OS: "linux", Home: "/home", Dir: "/p"}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			for i, path := range fuzzPaths() {
				if filepath.Ext(path) == filepath.Ext(file.Name) && filepath.Base(path) == filepath.Base(file.Name) {
					f.Add(uint8(i), file.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		path := fuzzPaths()[int(which)%len(fuzzPaths())]
		env := env
		env.Read = func(string) ([]byte, error) { return data, nil }
		l := newLoader("", "/p")
		l.env = env
		file := readServerFile(env, path, len(data)%2 == 0)
		l.add(file)
		if file.Dialect.Lenient && len(data)%2 == 0 && len(file.Errors) > 0 {
			t.Errorf("%s has errors: %v", file.Dialect.Name, file.Errors)
		}
		p, err := l.project(&File{}, nil)
		if err == nil {
			fuzzProject(t, p)
		}
		fuzzTold(t, file)
	})
}

func fuzzProject(t *testing.T, p *Project) {
	checkProject(t, p, nil)
	for _, s := range p.Servers {
		References(s)
		target(&s)
		for _, field := range []endpoint.Field{endpoint.FieldCommand, endpoint.FieldArg, endpoint.FieldEnv, endpoint.FieldURL, endpoint.FieldHeader} {
			if s.Expand != nil {
				_, _ = s.Expand(field, processOf(s.Launch).Command+addressOf(s.Launch).URL+strings.Join(processOf(s.Launch).Args, ""), func(r endpoint.Reference) (string, bool) { return lookupTestVariable(r.String()) })
			}
		}
	}
	p.Settings()
}

// fuzzTold wants places, and no text that a terminal obeys.
func fuzzTold(t *testing.T, f *dialect.File) {
	texts := textOfNotices(noticesOf(f.Notices))
	for _, e := range f.Errors {
		texts += e.Error()
		if e.Path == "" || e.Line < 0 || e.Column < 0 {
			t.Errorf("no place: %+v", e)
		}
	}
	if strings.ContainsFunc(texts, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == 0x202e }) {
		t.Errorf("control characters: %q", texts)
	}
}

// FuzzAgent reads foreign bytes as an agent's markdown file.
func FuzzAgent(f *testing.F) {
	for _, text := range []string{"---\nmcpServers: a, b\n---\n", "---\nmcpServers:\n  - a\n  - {b: {}}\n---\n", "---\n", "", "---\n: : :\n---"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := parseAgent("a.md", data); (a == nil) && err == nil {
			t.Error("parseAgent returned neither an agent nor an error")
		}
	})
}

// FuzzMask shows foreign texts as arguments of a program.
func FuzzMask(f *testing.F) {
	f.Add("--token=${env:A} https://u:p@h.example/?key=x")
	f.Fuzz(func(t *testing.T, text string) {
		if shown, _ := (masker{}).args([]string{text, text}); len(shown) != 2 {
			t.Errorf("%q is shown as %q", text, shown)
		}
	})
}
