package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A project's file is read once: trust is asked about the very content whose
// servers are used, also where somebody swaps the file in between.
func TestTrustIsAskedAboutWhatIsUsed(t *testing.T) {
	const good, evil = `{"mcpServers": {"a": {"command": "good"}}}`, `{"mcpServers": {"a": {"command": "evil"}}}`
	dir := t.TempDir()
	settings := filepath.Join(dir, ".tallow", "settings.json")
	for _, first := range []string{good, evil} {
		reads := 0
		env := Environment{
			OS: "linux", Home: t.TempDir(), Dir: dir,
			Read: func(path string) ([]byte, error) {
				if path != settings {
					return nil, fs.ErrNotExist
				}
				if reads++; (reads == 1) == (first == good) {
					return []byte(good), nil
				}
				return []byte(evil), nil
			},
			Trusted: func(path string, content []byte) (string, string) {
				if path != settings || string(content) != good {
					return "stale", ""
				}
				return "", ""
			},
		}
		p, err := Search(env, "tallow")
		if err != nil {
			t.Fatal(err)
		}
		used := namesOf(p.Servers) == "a"
		if used != (first == good) || used && p.Servers[0].Command != "good" {
			t.Errorf("read %s first: %+v is used", first, p.Servers)
		}
		if reads != 1 {
			t.Errorf("the file was read %d times", reads)
		}
	}
}

// What is found in a folder is held to the same.
func TestTrustIsAskedAboutWhatIsUsedInAFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".tallow", "settings.json")
	writeFile(t, path, `{"mcpServers": {"a": {"command": "x"}}}`)
	var asked []string
	env := Environment{OS: "linux", Dir: dir, Trusted: func(path string, content []byte) (string, string) {
		asked = append(asked, string(content))
		return "untrusted", ""
	}}
	p, err := env.LoadServers(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || p != nil && len(p.Servers) > 0 {
		t.Errorf("got %+v, %v", p, err)
	}
	if len(asked) != 1 || !strings.Contains(asked[0], `"command": "x"`) {
		t.Errorf("asked about %q", asked)
	}
}
