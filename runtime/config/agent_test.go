package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// What an agent's file cannot mean is an error: it must not widen the servers of the agent.
func TestAgentMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: h\nmcpServers: github\n\nbody\n":   "a.md:1:1: the front matter is not closed; end it with a line of three dashes",
		"\ufeff--- \r\nmcpServers: github\r\n ---\r\n": "a.md:1:1: the front matter is not closed",
		"---": "a.md:1:1: the front matter is not closed",
		"---\nmcpServers: a\nname: h\nmcpServers: a, b\n---\n": "a.md:4:1: mcpServers: the key is duplicated, first in line 2; keep one of them",
	} {
		if a, err := parseAgent("a.md", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %+v, %v", text, a, err)
		}
	}
	for text, want := range map[string]string{
		"---\nname: h\nmcpservers: github\n---\n": "a.md:3:1: mcpservers: without effect here; write mcpServers",
		"---\nmcp_servers: [github]\n---\n":       "a.md:2:1: mcp_servers: without effect here; write mcpServers",
		"---\nname: a\nname: b\n---\n":            "a.md:2:1: name: the key is duplicated, and the last value is used",
	} {
		if a, err := parseAgent("a.md", []byte(text)); err != nil || strings.TrimSpace(textOfNotices(a.Notices)) != want {
			t.Errorf("%q: got %+v, %v", text, a, err)
		}
	}
}
