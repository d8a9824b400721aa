package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A path that was typed is how the program is named, unless it is what the name alone
// stands for.
func TestProgramName(t *testing.T) {
	dir := t.TempDir()
	installed := filepath.Join(dir, "mcpgen")
	if err := os.WriteFile(installed, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for arg, want := range map[string]string{
		"mcpgen": "mcpgen", installed: "mcpgen", "./bin/mcpgen": "./bin/mcpgen", "/opt/my tools/mcpgen": "'/opt/my tools/mcpgen'",
	} {
		if got := programName([]string{arg}); got != want {
			t.Errorf("%s: got %s, want %s", arg, got, want)
		}
	}
	if got := programName(nil); got != "mcpgen" {
		t.Errorf("without arguments: got %s, want mcpgen", got)
	}
}

// A client starts its servers wherever it likes, and only in the module is mcpgen a tool.
func TestAnywhere(t *testing.T) {
	if got, want := anywhere("go tool mcpgen", "/a b"), []string{"go", "-C", "/a b", "tool", "mcpgen"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
