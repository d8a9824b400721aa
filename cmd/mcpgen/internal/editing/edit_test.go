package editing

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// An edit reaches the disk with all else or not at all, and not over what somebody else has
// written meanwhile.
func TestEdit(t *testing.T) {
	server := config.Entry{Command: "server"}
	file := filepath.Join(t.TempDir(), "mcpgen.yaml")
	const before, others = "version: 1 # ours\nservers:\n  a:   {command: a}\n", "version: 1\nservers: {}\n"
	for _, created := range []bool{true, false} {
		if !created {
			writeFile(t, file, before)
		}
		e, err := AddServer(t.Context(), file, "new", server)
		if err != nil || e.Created != created {
			t.Fatalf("created %v: %v", e, err)
		}
		if data, err := os.ReadFile(file); created != os.IsNotExist(err) || !created && string(data) != before {
			t.Errorf("before it is saved the file holds %q, %v", data, err)
		}
		if data, err := Reader([]*Edit{e})(file); err != nil || !strings.Contains(string(data), "command: server") {
			t.Errorf("it is read as %q, %v", data, err)
		}
		writeFile(t, file, others)
		if err := e.save(t.Context()); !errors.Is(err, generator.ErrEdited) {
			t.Errorf("saved over what another program has written: %v", err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != others {
			t.Errorf("what another program wrote is now %q, %v", data, err)
		}
		if e, err = AddServer(t.Context(), file, "new", server); err != nil {
			t.Fatal(err)
		}
		if err := e.save(t.Context()); err != nil {
			t.Error(err)
		}
		if data, _ := os.ReadFile(file); !strings.Contains(string(data), "command: server") {
			t.Errorf("saved as %q", data)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A go.mod above the repository is not the project's: nothing is written beside it.
func TestModuleAboveTheRepository(t *testing.T) {
	root := t.TempDir()
	repository := filepath.Join(root, "repository")
	if err := os.MkdirAll(filepath.Join(repository, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	module := func(folder string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module m\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	module(root)
	if got, err := firstFolder(repository); err == nil {
		t.Errorf("got %s", got)
	}
	module(repository)
	if got, err := firstFolder(repository); got != repository || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}
