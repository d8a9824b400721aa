package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// before and after are the files of two runs: a server changes, one goes, one
// comes, and one file was edited by hand.
func beforeFiles() []File {
	return []File{
		goFile("out/mcp.go", "// a, gone\n"), goFile("out/a/a.go", ""), goFile("out/a/types.go", ""), jsonFile("out/a/snapshot.json", ""),
		goFile("out/gone/gone.go", ""), jsonFile("out/gone/snapshot.json", ""), jsonFile("mcpgen.lock", `, "a": 1, "gone": 1`),
	}
}

func afterFiles() []File {
	return []File{
		goFile("out/mcp.go", "// a, b\n"), goFile("out/a/a.go", "// 2\n"), goFile("out/a/types.go", ""), jsonFile("out/a/snapshot.json", `, "x": 2`),
		goFile("out/b/b.go", ""), jsonFile("out/b/snapshot.json", ""), jsonFile("mcpgen.lock", `, "a": 2, "b": 1`),
	}
}

// treeHash is the hash of a tree that holds exactly these files.
func treeHash(t *testing.T, files []File) string {
	t.Helper()
	root := t.TempDir()
	mustWrite(t, root, files)
	return mustReadTree(t, root).Hash()
}

func mustReadTree(t *testing.T, root string) *Tree {
	t.Helper()
	tree, err := ReadTree(t.Context(), root, "mcpgen.lock", "out")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Environment variables of the process that TestWriteKilled starts.
const (
	killedRoot = "MCPGEN_TEST_KILLED_ROOT"
	killedStep = "MCPGEN_TEST_KILLED_STEP"
)

// TestKilledWriter is the process that TestWriteKilled starts: a Write that ends
// itself, as kill -9 does, after so many changes of the file system.
func TestKilledWriter(t *testing.T) {
	root := os.Getenv(killedRoot)
	if root == "" {
		t.Skip("only run by TestWriteKilled")
	}
	left, err := strconv.Atoi(os.Getenv(killedStep))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStage(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s.step = func() {
		if left--; left == 0 {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			t.Errorf("still alive: %v", err)
			select {}
		}
	}
	defer s.close()
	opts := pruneOut
	opts.Edits = []Edit{{Path: "mcpgen.yaml", Before: []byte("before"), After: []byte("after")}, {Path: "cmd/new.go", After: []byte("new")}}
	if _, err := s.write(t.Context(), afterFiles(), opts); err != nil {
		t.Fatal(err)
	}
}

// TestWriteKilled ends a writing process after each of its changes of the file
// system. Whatever the moment, readers see all old files or all new ones, and
// change nothing; the next writer puts the disk in the same order.
func TestWriteKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be ended by itself at an exact point on Windows")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	before, after := treeHash(t, beforeFiles()), treeHash(t, afterFiles())
	seen := map[string]int{}
	for step := 1; ; step++ {
		root := t.TempDir()
		mustWrite(t, root, beforeFiles())
		config := filepath.Join(root, "mcpgen.yaml")
		if err := os.WriteFile(config, []byte("before"), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), killedRoot+"="+root, killedStep+"="+strconv.Itoa(step))
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("step %d: %v\n%s", step, err, out)
		}
		disk := filesBelow(t, root)
		tree := mustReadTree(t, root)
		hash := tree.Hash()
		switch hash {
		case before:
			seen["before"]++
		case after:
			seen["after"]++
		default:
			t.Fatalf("step %d: a mixed tree: %q", step, tree.Files())
		}
		if want := beforeFiles(); hash == before {
			if stale, err := Compare(root, want, pruneOut); err != nil || len(stale) > 0 {
				t.Errorf("step %d: compare: %v, %v", step, stale, err)
			}
			data, err := tree.ReadFile("mcpgen.lock")
			if err != nil || string(data) != string(want[len(want)-1].Data) {
				t.Errorf("step %d: the lock: %q, %v", step, data, err)
			}
		}
		if now := filesBelow(t, root); !maps.Equal(now, disk) {
			t.Errorf("step %d: a reader changed the disk", step)
		}
		if err := Recover(t.Context(), root); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if again := mustReadTree(t, root).Hash(); again != hash {
			t.Errorf("step %d: recovered to another tree than was read", step)
		}
		data, _ := os.ReadFile(config)
		_, err = os.Lstat(filepath.Join(root, "cmd"))
		if want := map[string]string{before: "before", after: "after"}[hash]; string(data) != want || (err == nil) != (hash == after) {
			t.Errorf("step %d: the files of others are not those of lock and code: %q, %v", step, data, err)
		}
		if _, err := os.Lstat(filepath.Join(root, stageDir)); err == nil {
			t.Errorf("step %d: the staging folder is still there", step)
		}
		if cmd.ProcessState.Success() {
			break
		}
	}
	t.Logf("%d steps end in the old files, %d in the new ones", seen["before"], seen["after"])
	if seen["before"] < 20 || seen["after"] < 4 {
		t.Errorf("the writer was not ended at every step: %v", seen)
	}
}

// Readers beside writers see one of the trees that were written, never a mixture.
func TestReadTreeWhileWriting(t *testing.T) {
	root := t.TempDir()
	states := map[string]bool{}
	for _, files := range [][]File{beforeFiles(), afterFiles()} {
		mustWrite(t, root, files)
		states[mustReadTree(t, root).Hash()] = true
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 60 && err == nil; i++ {
			_, err = Write(context.Background(), root, [][]File{beforeFiles(), afterFiles()}[i%2], pruneOut)
		}
		cancel()
		done <- err
	}()
	reads := 0
	for ctx.Err() == nil {
		tree, err := ReadTree(ctx, root, "mcpgen.lock", "out")
		switch {
		case errors.Is(err, context.Canceled):
		case err != nil:
			t.Error(err)
		case !states[tree.Hash()]:
			t.Errorf("a mixed tree: %q", tree.Files())
		}
		reads++
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	t.Logf("%d reads", reads)
}

// Of writers that all began with the same tree, one wins, and the others get ErrChanged.
func TestWriteBase(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, beforeFiles())
	base := mustReadTree(t, root)
	opts := pruneOut
	opts.Base = base
	if r, err := Write(t.Context(), root, beforeFiles(), opts); err != nil || len(r.Written) > 0 {
		t.Errorf("the files of the base: %+v, %v; want nothing written", r, err)
	}
	if _, err := Write(t.Context(), root, afterFiles(), opts); err != nil {
		t.Fatal(err)
	}
	disk := filesBelow(t, root)
	changed := append(beforeFiles()[1:], goFile("out/mcp.go", "// 3\n"))
	if _, err := Write(t.Context(), root, changed, opts); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v, want ErrChanged", err)
	}
	wantFiles(t, filesBelow(t, root), disk)
	if _, err := Write(t.Context(), root, append(changed, goFile("elsewhere.go", "")), opts); err == nil {
		t.Error("Write of a file that the base says nothing about has no error, want one")
	}
}

func TestTreeReadFile(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles())
	writeText(t, root, "out/mine.json", "{}")
	tree := mustReadTree(t, root)
	for _, tt := range []struct {
		tree *Tree
		name string
		ours bool
		text string
		err  error
	}{
		{tree, "mcpgen.lock", true, "{\n  \"mcpgen\": 1\n}\n", nil},
		{tree, "out/mine.json", false, "{}", nil},
		{tree, "out/mcp.go", true, "", fs.ErrInvalid}, // Go files are only hashed
		{tree, "out", false, "", fs.ErrNotExist},
		{tree, "out/none.json", false, "", fs.ErrNotExist},
		{tree, "elsewhere.json", false, "", fs.ErrNotExist},
		{nil, "mcpgen.lock", false, "", fs.ErrNotExist},
	} {
		data, err := tt.tree.ReadFile(tt.name)
		if string(data) != tt.text || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("ReadFile(%q) = %q, %v; want %q, %v", tt.name, data, err, tt.text, tt.err)
		}
		if got := tt.tree.Ours(tt.name); got != tt.ours {
			t.Errorf("Ours(%q) = %t, want %t", tt.name, got, tt.ours)
		}
	}
	if files := (*Tree)(nil).Files(); len(files) > 0 {
		t.Errorf("a nil tree has the files %q", files)
	}
}

// Files of ours that are not in the set are left below the folders of Keep, and beside those of Prune.
func TestWriteKeeps(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, append(beforeFiles(), goFile("out/other/other.go", "")))
	r, err := Write(t.Context(), root, afterFiles(), WriteOptions{})
	if err != nil || len(r.Removed) > 0 {
		t.Errorf("without Prune: got %+v, %v; want nothing removed", r, err)
	}
	want := []string{"out/gone/gone.go", "out/gone/snapshot.json"}
	r, err = Write(t.Context(), root, afterFiles(), WriteOptions{Prune: []string{"out"}, Keep: []string{"out/other"}})
	if err != nil || !slices.Equal(r.Removed, want) {
		t.Errorf("Keep: got %+v, %v; want %q removed", r, err, want)
	}
}

// A journal is input like everything else, to readers as well.
func TestReadTreeForgedJournal(t *testing.T) {
	for _, text := range []string{
		"", "{", `{"entries":[{"path":"../evil","existed":true}]}`, `{"entries":[{"path":".git/config.json","existed":true}]}`,
		`{"entries":[{"path":"out/a/a.go","existed":true}]}`, // no old file is there
	} {
		root := t.TempDir()
		writeText(t, root, stageDir+"/journal", text)
		if tree, err := ReadTree(t.Context(), root, "mcpgen.lock", "out"); err == nil {
			t.Errorf("%q was read: %q", text, tree.Files())
		} else if !strings.Contains(err.Error(), stageDir) {
			t.Errorf("%q: got %q, want an error that names %s", text, err, stageDir)
		}
	}
}

func FuzzReadTree(f *testing.F) {
	f.Add(`{"entries":[{"path":"out/a/a.go","sum":"x","existed":true},{"path":"mcpgen.lock","existed":true}],"folders":["out/b"]}`)
	f.Add(`{"entries":[{"path":"../a.go"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		root := t.TempDir()
		mustWrite(t, root, sampleFiles())
		writeText(t, root, stageDir+"/journal", text)
		writeText(t, root, stageOld+"/0", goText)
		writeText(t, root, stageOld+"/1", `{"mcpgen":1}`)
		disk := filesBelow(t, root)
		tree, err := ReadTree(t.Context(), root, "mcpgen.lock", "out")
		if now := filesBelow(t, root); !maps.Equal(now, disk) {
			t.Errorf("ReadTree changed the disk to %v, want %v", now, disk)
		}
		if err == nil {
			for _, name := range tree.Files() {
				if name != "mcpgen.lock" && !strings.HasPrefix(name, "out/") {
					t.Error(fmt.Sprintf("%q", name), "was not asked for")
				}
			}
		}
	})
}

// An output folder that stood deeper goes as a whole, or not at all: what is left of it would not build.
func TestWritePrunesAMovedFolder(t *testing.T) {
	for _, tt := range []struct {
		old  string
		goes bool
	}{{"out", true}, {"out/mcp", true}, {"out/b/mcp", true}, {"out/a/b/mcp", false}} {
		root := t.TempDir()
		var before []File
		for _, f := range append(beforeFiles(), goFile("out/gone/gonetest/gonetest.go", "")) {
			f.Path = tt.old + strings.TrimPrefix(f.Path, "out")
			if strings.HasPrefix(f.Path, tt.old+"/") {
				before = append(before, f)
			}
		}
		mustWrite(t, root, before)
		want := 0
		if tt.goes {
			want = len(before)
		}
		if r, err := Write(t.Context(), root, nil, pruneOut); err != nil || len(r.Removed) != want {
			t.Errorf("%s: got %+v, %v; want %d of %d removed", tt.old, r, err, want, len(before))
		}
	}
}
