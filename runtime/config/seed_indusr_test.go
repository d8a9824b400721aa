package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

func indusrFileRows(t *testing.T) {
	const file = ".indusvx/mcp.json"
	load := func(t *testing.T, text string) *Project { return mustLoadFile(t, file, text) }
	t.Run("004-09", func(t *testing.T) { // two shapes are one
		inMap := load(t, `{"servers": {"a": {"command": "x", "args": ["y"], "env": {"B": "1", "A": "2"}}, "b": {"url": "https://b.example"}}}`)
		inList := load(t, `{"servers": [{"name": "a", "command": "x", "args": ["y"], "env": {"B": "1", "A": "2"}}, {"name": "b", "url": "https://b.example"}]}`)
		for _, p := range []*Project{inMap, inList} {
			processOf(p.Servers[0].Launch).Dir, p.Definitions = "", nil
		}
		if diff := cmp.Diff(inMap, inList, ignoreLayout()...); diff != "" {
			t.Errorf("a map and a list of servers differ (-map +list):\n%s", diff)
		}
	})
	t.Run("004-10", func(t *testing.T) { // url and command decide, the url first
		p := load(t, `{"servers": {"a": {"command": "x"}, "b": {"url": "https://b.example"}, "c": {"command": "x", "url": "https://c.example"}}}`)
		for i, want := range []endpoint.Transport{endpoint.Stdio, endpoint.HTTP, endpoint.HTTP} {
			if got := p.Servers[i].EffectiveTransport(); got != want {
				t.Errorf("%s: %q", p.Servers[i].Name, got)
			}
		}
	})
	t.Run("004-11", func(t *testing.T) { // a disabled row is left out
		p := load(t, `{"servers": {"a": {"command": "x", "enabled": false}, "b": {"command": "x", "enabled": true}}}`)
		if namesOf(p.Servers) != "b" || !slices.Equal(p.Disabled, []string{"a"}) {
			t.Errorf("got %+v", p)
		}
		p = load(t, `{"servers": {"null": {"command": "x", "enabled": null}, "zero": {"command": "x", "enabled": 0}, "text": {"command": "x", "enabled": "false"}}}`)
		if namesOf(p.Servers) != "null zero text" || !strings.Contains(textOfNotices(p.Notices), "servers.text.enabled: want a boolean, found a string; it is left out") {
			t.Errorf("only false does: got %s, %s", namesOf(p.Servers), textOfNotices(p.Notices))
		}
	})
	t.Run("004-12", func(t *testing.T) { // what is dropped, what becomes text, and the order
		s := load(t, `{"servers": {"a": {"command": "x", "args": ["p", 5, "q", true], "env": {"Z": 1, "A": 2.5, "M": true, "B": "t"}}}}`).Servers[0]
		env := []endpoint.Var{{Name: "Z", Value: "1"}, {Name: "A", Value: "2.5"}, {Name: "M", Value: "true"}, {Name: "B", Value: "t"}}
		if !slices.Equal(processOf(s.Launch).Args, []string{"p", "q"}) || !slices.Equal(processOf(s.Launch).Env, env) {
			t.Errorf("got %q %q", processOf(s.Launch).Args, processOf(s.Launch).Env)
		}
		// A value of another type is not there; it does not take the row with it.
		p := load(t, `{"servers": {
			"env": {"command": "x", "env": {"null": null, "map": {"a": 1}, "B": "t"}}, "text": {"command": "x", "env": "A=b", "args": "y"},
			"null": {"command": "x", "url": null, "headers": 7}, "described": {"command": "x", "description": 5}, "neither": {"command": 5}}}`)
		if namesOf(p.Servers) != "env text null described" {
			t.Fatalf("got %s: %s", namesOf(p.Servers), textOfNotices(p.Notices))
		}
		if env := processOf(p.Servers[0].Launch).Env; !slices.Equal(env, []endpoint.Var{{Name: "B", Value: "t"}}) {
			t.Errorf("got %q", env)
		}
		for _, says := range []string{
			"servers.env.env.null: nothing is not a text and is left out", "servers.text.args: want a list, found a string; it is left out",
			"servers.neither: neither command nor url; the server is left out",
		} {
			if !strings.Contains(textOfNotices(p.Notices), says) {
				t.Errorf("not said: %s: %s", says, textOfNotices(p.Notices))
			}
		}
	})
	t.Run("004-13", func(t *testing.T) { // bad rows; what is disabled is dropped without a word
		if p := load(t, `{"servers": [{"name": "off", "enabled": false}]}`); len(p.Servers)+len(p.Notices) != 0 {
			t.Errorf("got %s and %s", namesOf(p.Servers), textOfNotices(p.Notices))
		}
		p := load(t, `{"servers": [{"name": "", "command": "x"}, {"name": "n"}, {"name": "good", "command": "x"}]}`)
		if namesOf(p.Servers) != "good" || !strings.Contains(textOfNotices(p.Notices), "mcp.json:1:14: servers[0]: a server needs a name") || !strings.Contains(textOfNotices(p.Notices), "servers[1]: neither command nor url") {
			t.Errorf("got %s and %s", namesOf(p.Servers), textOfNotices(p.Notices))
		}
	})
	t.Run("004-14", func(t *testing.T) { // bad files are empty, and told with their place
		for text, says := range map[string]string{
			`{}`: "mcp.json:1:1: no servers in it", `{"servers": 3}`: "mcp.json:1:13: servers: want a mapping", `{"servers": [`: "mcp.json:1:14: not valid JSON", "": "the file is empty",
		} {
			if p := load(t, text); len(p.Servers) != 0 || !strings.Contains(textOfNotices(p.Notices), says) {
				t.Errorf("%s: got %s", text, textOfNotices(p.Notices))
			}
		}
		// It is the system's rule and not the name's: the file may be called anything.
		t.Chdir(t.TempDir())
		writeFile(t, "good.json", `{"servers": {"good": {"command": "x"}}}`)
		for text, says := range map[string]string{
			`{}`: "any.json:1:1: no servers in it", `{"servers": 3}`: "any.json:1:13: servers: want a mapping", `{"servers": [`: "any.json:1:14: not valid JSON", "": "any.json: the file is empty", "[1]": "any.json:1:1: want a mapping",
		} {
			writeFile(t, "any.json", text)
			for paths, want := range map[string]string{"any.json": "", "any.json,good.json": "good", "good.json,any.json": "good"} {
				if p, err := LoadServers(paths); err != nil || namesOf(p.Servers) != want || !strings.Contains(textOfNotices(p.Notices), says) {
					t.Errorf("%s in %s: got %+v, %v", text, paths, p, err)
				}
			}
		}
		// What another system's path or content says is held to that system's rule.
		for name, text := range map[string]string{
			".agents/mcp.json": "{", "agent.yaml": "{", "claude.json": `{"mcpServers": 3}`, "vs.json": `{"servers": {"a": {"type": "nonsense", "command": "x"}}}`, "c.toml": "=",
		} {
			writeFile(t, name, text)
			if _, err := LoadServers("good.json," + name); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if _, err := LoadServers("gone/.agents/mcp.json"); err == nil {
			t.Error("LoadServers of a missing file of a strict system has no error, want one")
		}
		home := t.TempDir()
		if err := os.MkdirAll(filepath.Join(home, ".indusvx/agent/mcp.json"), 0o755); err != nil {
			t.Fatal(err)
		}
		p, err := Search(Environment{OS: "linux", Home: home, Dir: home})
		if err != nil || len(p.Servers) != 0 || !strings.Contains(textOfNotices(p.Notices), "cannot read") {
			t.Errorf("a folder in place of the file: %v, %s", err, textOfNotices(p.Notices))
		}
	})
}

// searched is the fixture of four files.
func searchFixture(t *testing.T) Environment {
	home, dir := t.TempDir(), t.TempDir()
	for path, name := range map[string]string{
		filepath.Join(dir, ".indusvx/mcp.json"): "project", filepath.Join(home, ".config/indusvx/mcp.json"): "xdg",
		filepath.Join(home, ".indusvx/agent/mcp.json"): "agent", filepath.Join(home, ".indusvx/agent/mcp-servers.json"): "old",
	} {
		writeFile(t, path, fmt.Sprintf(`{"servers": {"shared": {"command": %q}, %q: {"command": "x"}}}`, name, name))
	}
	return Environment{OS: "linux", Home: home, Dir: dir, Trusted: trustAll}
}

func indusrFlagRows(t *testing.T) {
	t.Run("004-01", func(t *testing.T) { // repeated and with commas
		want := []string{"a.json", "b.json", "c"}
		for _, values := range [][]string{{"a.json", "b.json", "c"}, {"a.json,b.json,c"}, {"a.json", " b.json ,, c", ""}} {
			if got := ServerPaths(values); !slices.Equal(got, want) {
				t.Errorf("%q: got %q", values, got)
			}
		}
		t.Chdir(t.TempDir())
		writeFile(t, "a.json", `{"mcpServers": {"a": {"command": "x"}}}`)
		writeFile(t, "b.json", `{"mcpServers": {"b": {"command": "x"}}}`)
		for _, values := range [][]string{{"a.json", "b.json"}, {"a.json,b.json"}} {
			if p, err := LoadServers(values...); err != nil || namesOf(p.Servers) != "a b" {
				t.Errorf("%q: got %+v, %v", values, p, err)
			}
		}
	})
	t.Run("004-02", func(t *testing.T) { // a file, a folder, this folder, nothing
		t.Chdir(t.TempDir())
		writeFile(t, "f.json", `{"servers": {"file": {"command": "x"}}}`)
		writeFile(t, "sub/.indusvx/mcp.json", `{"servers": {"folder": {"command": "x"}}}`)
		writeFile(t, ".mcp.json", `{"mcpServers": {"here": {"command": "x"}}}`)
		for path, want := range map[string]string{"f.json": "file", "sub": "folder", ".": ""} {
			if p, err := LoadServers(path); err != nil || namesOf(p.Servers) != want {
				t.Errorf("%s: got %+v, %v", path, p, err)
			}
		}
		// The folder's file of another system is not read, and said to be there.
		if p, err := LoadServers("."); err != nil || !strings.Contains(textOfNotices(p.Notices), "name the file itself: --mcp .mcp.json") {
			t.Errorf("got %+v, %v", p, err)
		}
		home := t.TempDir()
		writeFile(t, filepath.Join(home, ".indusvx/agent/mcp.json"), `{"servers": {"user": {"command": "x"}, "folder": {"command": "user"}}}`)
		env := Environment{OS: "linux", Home: home, Dir: "."}
		for path, want := range map[string]string{"f.json": "file", "sub": "folder user folder@user", ".": "user folder", "missing": "user folder"} {
			p, err := env.LoadServers(path)
			if err != nil || namesOf(p.Servers) != want {
				t.Errorf("%s with a file of the user: got %+v, %v", path, p, err)
			}
			if gone := strings.Contains(textOfNotices(p.Notices), "missing: cannot stat: no such file or directory; it is left out, and the user's own files of indusr count"); gone != (path == "missing") {
				t.Errorf("%s: notices %s", path, textOfNotices(p.Notices))
			}
		}
	})
	t.Run("004-03", func(t *testing.T) { // empty is not given
		for _, values := range [][]string{nil, {}, {""}, {" , "}} {
			if got := ServerPaths(values); got != nil {
				t.Errorf("%q: got %q", values, got)
			}
		}
	})
	t.Run("004-06", func(t *testing.T) { // the order of the four files
		env := searchFixture(t)
		order := func(env Environment) string {
			p, err := Search(env)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, d := range p.Definitions {
				if naming.Plain(d.Server.Name) != "shared" {
					files = append(files, d.Server.Name)
				}
			}
			return strings.Join(files, " ")
		}
		if got := order(env); got != "project xdg agent old" {
			t.Errorf("got %q", got)
		}
		xdg := t.TempDir()
		writeFile(t, filepath.Join(xdg, "indusvx/mcp.json"), `{"servers": {"moved": {"command": "x"}}}`)
		env.Lookup = func(name string) (string, bool) { return xdg, name == "XDG_CONFIG_HOME" }
		if got := order(env); got != "project moved agent old" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("004-07", func(t *testing.T) { // all of them, in their order, with a warning for each that is there again
		p, err := Search(searchFixture(t))
		if err != nil {
			t.Fatal(err)
		}
		var shared []string
		for _, d := range p.Definitions {
			if naming.Plain(d.Server.Name) == "shared" {
				shared = append(shared, processOf(d.Server.Launch).Command)
			}
		}
		if !slices.Equal(shared, []string{"project", "xdg", "agent", "old"}) {
			t.Errorf("got %q", shared)
		}
		if got := strings.Count(textOfNotices(p.Notices), `mcpgen uses both servers`); got != 3 {
			t.Errorf("%d warnings: %s", got, textOfNotices(p.Notices))
		}
		// A disabled one was dropped, so that nothing is there twice.
		off := mustLoadFile(t, ".indusvx/mcp.json", `{"servers": [{"name": "a", "command": "x"}, {"name": "a", "command": "y", "enabled": false}]}`)
		if namesOf(off.Servers) != "a" || len(off.Notices) != 0 {
			t.Errorf("got %s and %s", namesOf(off.Servers), textOfNotices(off.Notices))
		}
		for _, s := range p.Servers {
			if s.Name == "shared" && processOf(s.Launch).Command != "project" {
				t.Errorf("the first one has the name, not %s", processOf(s.Launch).Command)
			}
		}
	})
	t.Run("004-08", func(t *testing.T) { // the user's folder
		for _, tt := range []struct {
			vars map[string]string
			want string
		}{
			{map[string]string{"HOME": "/h", "USERPROFILE": `C:\u`}, "/h"}, {map[string]string{"USERPROFILE": `C:\u`}, `C:\u`},
			{map[string]string{"HOME": "", "USERPROFILE": `C:\u`}, `C:\u`}, {nil, ""},
		} {
			if got := homeOf(environOf(tt.vars)); got != tt.want {
				t.Errorf("%v: got %q", slices.Sorted(maps.Keys(tt.vars)), got)
			}
		}
	})
	t.Run("004-43", func(t *testing.T) { // spellings of one name
		for _, name := range []string{"web_fetch", "webfetch", "Web-Fetch", "WEB__FETCH"} {
			if canonicalTool(name) != "webfetch" {
				t.Errorf("%s: %s", name, canonicalTool(name))
			}
		}
	})
}
