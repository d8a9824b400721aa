package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
)

// An addition is taken back to the byte, and a first configuration goes again; what
// somebody else has written meanwhile stays.
func TestUndo(t *testing.T) {
	server := config.Entry{Command: "server"}
	file := filepath.Join(t.TempDir(), "mcpgen.yaml")
	const before = "version: 1 # ours\nservers:\n  a:   {command: a}\n"
	for _, created := range []bool{true, false} {
		if !created {
			writeFile(t, file, before)
		}
		e, err := AddServer(file, "new", server)
		if err != nil || e.Created != created {
			t.Fatalf("created %v: %v", e, err)
		}
		if err := errors.Join(e.Commit(), e.Undo()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if created != os.IsNotExist(err) || !created && string(data) != before {
			t.Errorf("after the undo the file holds %q, %v", data, err)
		}
		if e, err = AddServer(file, "new", server); err != nil || e.Commit() != nil {
			t.Fatal(err)
		}
		const others = "version: 1\nservers: {}\n"
		writeFile(t, file, others)
		if err := e.Undo(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
			t.Errorf("the undo of a file that another program has changed: %v", err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != others {
			t.Errorf("what another program wrote is now %q, %v", data, err)
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
