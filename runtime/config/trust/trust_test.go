package trust

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialecttest"
)

// makeProject makes a folder with files.
func makeProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, dir, name, text)
	}
	return dir
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "mcpgen", "trust.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func statusOf(t *testing.T, s *Store, dir string) Status {
	t.Helper()
	st, err := s.Status(dir)
	if err != nil {
		t.Fatal(err)
	}
	return st.Status
}

const tallow = `{"theme":"dark","mcpServers":{"fs":{"command":"fs-mcp"}}}`

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	t.Run("003-06", func(t *testing.T) { // three statuses; only one of them lets a project's file count
		s, dir := newStore(t), makeProject(t, map[string]string{".tallow/settings.json": tallow})
		file := filepath.Join(dir, ".tallow", "settings.json")
		check := func(want Status) {
			t.Helper()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.Trusted(file, content); got != want || err != nil {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		}
		check(Untrusted)
		if _, err := s.Trust(dir); err != nil {
			t.Fatal(err)
		}
		check(Trusted)
		writeFile(t, dir, ".tallow/settings.json", strings.Replace(tallow, "fs-mcp", "evil-mcp", 1))
		check(Stale)
		if _, err := s.Untrust(dir); err != nil {
			t.Fatal(err)
		}
		check(Untrusted)
	})
	t.Run("003-09", testFingerprint)
}

func testFingerprint(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{
		".tallow/settings.json": tallow, ".tallow/agents/a.md": "---\nmcpServers: fs\n---\n",
		".zed/settings.json": `{ /* mine */ "theme": "x", "context_servers": {}, }`, ".codex/config.toml": "model = 1\n",
	})
	st, err := s.Trust(dir)
	if err != nil || !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(st.Fingerprint) || st.Stored != st.Fingerprint {
		t.Fatalf("got %+v, %v", st, err)
	}
	for _, tt := range []struct {
		file, text string
		want       Status
	}{
		{".tallow/settings.json", strings.Replace(tallow, "dark", "light", 1), Trusted},              // another key
		{".tallow/settings.json", `{ "mcpServers": {"fs": {"command":"fs-mcp"} }, "x": 1}`, Trusted}, // another order
		{".tallow/settings.json", strings.Replace(tallow, "fs-mcp", "evil", 1), Stale},
		{".tallow/settings.json", strings.Replace(tallow, `{"theme"`, `{"hooks":{},"theme"`, 1), Stale},
		{".tallow/settings.json", strings.Replace(tallow, `{"theme"`, `{"shellInterpolation":true,"theme"`, 1), Stale},
		{".tallow/settings.json", strings.Replace(tallow, `{"theme"`, `{"MCPSERVERS":{},"theme"`, 1), Stale}, // a reader may take it
		{".tallow/settings.json", tallow + " junk", Stale},
		{".tallow/settings.local.json", `{"mcpServers":{}}`, Stale},
		{".tallow/agents/b.md", "x", Stale},
		{".tallow/skills/b.md", "mcpgen reads no such file", Trusted},
		{".zed/settings.json", `{"theme": "y", "context_servers": {}}`, Trusted},
		{".zed/settings.json", `{"context_servers": {"a": {"command": "evil"}}}`, Stale},
		{".codex/config.toml", "model = 2\n", Stale},
		{".mcp.json", `{"mcpServers":{}}`, Stale},
		{"README.md", "x", Trusted},
	} {
		path := filepath.Join(dir, filepath.FromSlash(tt.file))
		before, readErr := os.ReadFile(path)
		writeFile(t, dir, tt.file, tt.text)
		if got := statusOf(t, s, dir); got != tt.want {
			t.Errorf("%s = %s: %s, want %s", tt.file, tt.text, got, tt.want)
		}
		if readErr != nil {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		writeFile(t, dir, tt.file, string(before))
	}
	if got := statusOf(t, s, dir); got != Trusted {
		t.Errorf("back as it was: %s", got)
	}
	// A link to the project is the project.
	link := filepath.Join(t.TempDir(), "link")
	if os.Symlink(dir, link) == nil {
		if got := statusOf(t, s, link); got != Trusted {
			t.Errorf("the link: %s", got)
		}
	}
	// The version of the fingerprint counts.
	var all map[string]map[string]any
	data, err := os.ReadFile(s.Path())
	if err != nil || json.Unmarshal(data, &all) != nil || len(all) != 1 {
		t.Fatal(err, string(data))
	}
	for _, e := range all {
		e["version"] = fingerprintVersion - 1
	}
	data, _ = json.Marshal(all)
	if err := os.WriteFile(s.Path(), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, s, dir); got != Stale {
		t.Errorf("an older version: %s", got)
	}
	// A damaged store trusts nothing, says so, and can be begun anew.
	for _, text := range []string{"{", "[]", "null", `{"a":1}`} {
		if err := os.WriteFile(s.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if st, err := s.Status(dir); st.Status != Untrusted || err == nil || !strings.Contains(err.Error(), "mcpgen trust add") {
			t.Errorf("%s: %s, %v", text, st.Status, err)
		}
	}
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, s, dir); got != Trusted {
		t.Errorf("begun anew: %s", got)
	}
	if kept, err := os.ReadFile(s.Path() + ".damaged"); err != nil || string(kept) != `{"a":1}` {
		t.Errorf("the damaged one: %s, %v", kept, err)
	}
}

// What cannot be judged is not trusted.
func TestUnreadable(t *testing.T) {
	s := newStore(t)
	for name, dir := range map[string]string{
		"a folder for a file": makeProject(t, map[string]string{".mcp.json/x": ""}),
		"too large":           makeProject(t, map[string]string{".mcp.json": strings.Repeat(" ", maxFile+1)}),
		"too many":            manyAgents(t),
	} {
		st, err := s.Status(dir)
		if st.Status != Untrusted || err == nil {
			t.Errorf("%s: %s, %v", name, st.Status, err)
		}
		if _, err := s.Trust(dir); err == nil {
			t.Errorf("%s: it can be trusted", name)
		}
	}
	if _, err := s.Trust(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("Trust of a folder that does not exist has no error, want one")
	}
	if st, err := s.Untrust(filepath.Join(t.TempDir(), "none")); err != nil || st.Status != Untrusted {
		t.Errorf("forgetting what is not known: %v", err)
	}
}

func manyAgents(t *testing.T) string {
	files := map[string]string{}
	for i := range maxFiles + 1 {
		files[fmt.Sprintf(".claude/agents/%d.md", i)] = ""
	}
	return makeProject(t, files)
}

// Links are where they lead, not what is there: an agent file that is a link
// cannot be swapped behind it.
func TestLinkedAgents(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{".claude/agents/a.md": "x", "one": "1", "two": "1"})
	link := filepath.Join(dir, ".claude", "agents", "link.md")
	if err := os.Symlink(filepath.Join(dir, "one"), link); err != nil {
		t.Skip("no links here: ", err)
	}
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "two"), link); err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, s, dir); got != Stale {
		t.Errorf("got %s", got)
	}
}

func TestProjectOf(t *testing.T) {
	dir := t.TempDir()
	for file, want := range map[string]string{
		".tallow/settings.json": "", ".mcp.json": "", ".kiro/settings/mcp.json": "", "sub/.vscode/mcp.json": "sub", "sub/.mcp.json": "sub",
	} {
		if got := ProjectOf(filepath.Join(dir, filepath.FromSlash(file))); got != filepath.Join(dir, want) {
			t.Errorf("%s: %s", file, got)
		}
	}
	if got := ProjectOf(dir); got != dir {
		t.Errorf("a folder: %s", got)
	}
}

// FuzzPick reads any settings: no panic, and the keys that do not count never
// decide.
func FuzzPick(f *testing.F) {
	f.Add([]byte(tallow))
	f.Add([]byte(`{/*c*/"a":1,"a":2,"mcpServers":{},}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		picked, ok := pick(data, []string{"mcpServers"})
		if !ok {
			return
		}
		again, ok := pick(data, []string{"mcpServers"})
		if !ok || string(again) != string(picked) {
			t.Errorf("%q: %q, then %q", data, picked, again)
		}
	})
}

// Every dialect with files of a project has them covered: each can be trusted, and an
// edit of what it starts makes that stale.
func TestEveryDialectCanBeTrusted(t *testing.T) {
	for _, d := range dialect.All() {
		for _, name := range d.InProject() {
			sample, ok := dialecttest.Samples()[d.Name]
			if !ok {
				t.Errorf("%s has files of a project and no sample", d.Name)
				continue
			}
			s, dir := newStore(t), makeProject(t, map[string]string{name: sample})
			path := filepath.Join(dir, filepath.FromSlash(name))
			if got := ProjectOf(path); got != dir {
				t.Errorf("%s: its project is %s, want %s", name, got, dir)
			}
			if _, err := s.Trust(dir); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Trusted(path, []byte(sample)); got != Trusted || err != nil {
				t.Errorf("%s of %s: %s, %v", name, d.Name, got, err)
			}
			edited := strings.NewReplacer(`"x"`, `"evil"`, "command: x", "command: evil").Replace(sample)
			if got, err := s.Trusted(path, []byte(edited)); got != Stale || err != nil || edited == sample {
				t.Errorf("%s of %s, edited: %s, %v", name, d.Name, got, err)
			}
			if got := reviewChanges(t, newStore(t), dir); !strings.Contains(got, ": x\n") {
				t.Errorf("%s of %s: the review does not show what is started: %s", name, d.Name, got)
			}
		}
	}
}
