package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpgen/mcpgen/runtime"
)

// enterProject makes a folder with mcpgen.yaml and the server, and goes there.
func enterProject(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	config, err := os.ReadFile(filepath.Join("..", "mcpgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), config, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin")+string(filepath.Separator), "../server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the server: %v\n%s", err, out)
	}
	built, err := filepath.Glob(filepath.Join(dir, "bin", "server*"))
	if err != nil || len(built) != 1 {
		t.Fatalf("the server was not built: %v, %v", built, err)
	}
	name := "tracker" + filepath.Ext(built[0])
	if err := os.Rename(built[0], filepath.Join(dir, "bin", name)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

const report = `2 open pull requests
  #8 Say which server is late (by grace, reviews: 0)
  #7 Read the lock before the snapshot (by ada, reviews: 1)
comment 2 by agent
refused: pull request 9 is draft, only an open one can be merged
5 tools are registered
tracker__summary says:
open: #8 #7
draft: #9
merged: #6
`

func TestRun(t *testing.T) {
	enterProject(t)
	var out bytes.Buffer
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// The server was upgraded, the agent was not: the call that no longer fits
// fails as drift and never reaches the server.
func TestRunAgainstUpgradedServer(t *testing.T) {
	enterProject(t)
	t.Setenv("TRACKER_VERSION", "2")
	var out bytes.Buffer
	err := run(t.Context(), &out)
	if !errors.Is(err, runtime.ErrDrift) {
		t.Fatalf("got %v, want drift", err)
	}
}
