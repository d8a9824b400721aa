package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLoadAgent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "triage.md")
	if err := os.WriteFile(path, []byte("---\nmcpServers: slack, github\n---\n# Prompt\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := LoadAgent(path)
	if err != nil || a.Path != path || a.Name != "triage" || !slices.Equal(a.Servers, []string{"slack", "github"}) {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, err := LoadAgent(path + ".gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
