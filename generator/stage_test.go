package generator

// Writes that are in the way of each other, and interrupted ones that cannot be
// undone at once.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

func openRoot(t *testing.T, root string) *os.Root {
	t.Helper()
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// interruptedWrite leaves root as a process does that dies when all files are
// renamed and the journal is still there.
func interruptedWrite(t *testing.T, root string, files []File) {
	t.Helper()
	dir := openRoot(t, root)
	p, err := currentPlan(t.Context(), dir, files, pruneOut)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStage(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.lock.Close() // as the system does when the process dies
	j, err := s.prepare(t.Context(), p.changes)
	if err == nil {
		err = errors.Join(s.writeJournal(j), s.rename(j))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// While something is in the way of the old files, every writer fails and says so.
// Once it is gone, the next one puts them back.
func TestUndoIsTriedAgain(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, beforeFiles())
	interruptedWrite(t, root, afterFiles())
	if err := os.Remove(filepath.Join(root, "out/gone")); err != nil {
		t.Fatal(err)
	}
	writeText(t, root, "out/gone", "a file where a folder was")
	writers := map[string]func() error{
		"Recover": func() error { return Recover(t.Context(), root) },
		"Write": func() error {
			_, err := Write(t.Context(), root, afterFiles(), pruneOut)
			return err
		},
	}
	for name, write := range writers {
		err := write()
		if err == nil || !strings.HasPrefix(err.Error(), stageDir+": cannot undo an interrupted run: ") || !strings.HasSuffix(err.Error(), "then run mcpgen again") {
			t.Errorf("%s: got %v, want an error that names the folder, the reason and the next step", name, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, journalFile)); err != nil {
		t.Fatalf("the journal is lost: %v", err)
	}
	if err := os.Remove(filepath.Join(root, "out/gone")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "out/gone"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Recover(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if got, want := mustReadTree(t, root).Hash(), treeHash(t, beforeFiles()); got != want {
		t.Errorf("recovered to %q, want the files from before", mustReadTree(t, root).Files())
	}
}

// A folder that cannot be written to is named, with the next step.
func TestUnwritableFolder(t *testing.T) {
	root := t.TempDir()
	writeText(t, root, stageDir, "in the way")
	_, err := Write(t.Context(), root, afterFiles(), pruneOut)
	if err == nil || !strings.HasPrefix(err.Error(), root+": nothing can be written into this folder: ") || !strings.HasSuffix(err.Error(), "make it writable") {
		t.Errorf("got %v, want an error that names the folder", err)
	}
}

// A write that fails and cannot be taken back says so and keeps the journal, so that
// the next one can.
func TestFailedWriteThatCannotBeTakenBack(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, beforeFiles())
	s, err := openStage(t.Context(), openRoot(t, root))
	if err != nil {
		t.Fatal(err)
	}
	folder, aside := filepath.Join(root, "out/a"), filepath.Join(root, "aside")
	s.step = func() {
		if text, _ := os.ReadFile(filepath.Join(folder, "snapshot.json")); !strings.Contains(string(text), `"x": 2`) {
			return // out/a is not written yet
		}
		s.step = nil
		writeText(t, root, "out/b/b.go/x", "in the way of the next file")
		if err := os.Rename(folder, aside); err != nil {
			t.Fatal(err)
		}
		writeText(t, root, "out/a", "in the way of the old files")
	}
	_, err = s.write(t.Context(), afterFiles(), pruneOut)
	s.close()
	if err == nil || strings.Contains(err.Error(), "nothing was changed") || !strings.Contains(err.Error(), "cannot be restored") {
		t.Errorf("got %v, want an error that says that the earlier files cannot be restored", err)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(root, "out/b")), os.Remove(folder), os.Rename(aside, folder)); err != nil {
		t.Fatal(err)
	}
	if err := Recover(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if got := mustReadTree(t, root); got.Hash() != treeHash(t, beforeFiles()) {
		t.Errorf("recovered to %q, want the files from before", got.Files())
	}
}

// Of an interrupted write a reader sees the old files that it asked for, and no
// others.
func TestReadTreeOfAPart(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, beforeFiles())
	interruptedWrite(t, root, afterFiles())
	for _, tt := range []struct{ paths, want []string }{
		{[]string{"mcpgen.lock"}, []string{"mcpgen.lock"}},
		{[]string{"out/gone"}, []string{"out/gone/gone.go", "out/gone/snapshot.json"}},
		{[]string{"out/b"}, nil},
		{[]string{"out/mcp.go", "none"}, []string{"out/mcp.go"}},
	} {
		tree, err := ReadTree(t.Context(), root, tt.paths...)
		if err != nil || !slices.Equal(tree.Files(), tt.want) {
			t.Errorf("ReadTree %q: got %q, %v; want %q", tt.paths, tree.Files(), err, tt.want)
		}
	}
	tree, err := ReadTree(t.Context(), root, "mcpgen.lock")
	if err != nil {
		t.Fatal(err)
	}
	files := beforeFiles()
	if data, err := tree.ReadFile("mcpgen.lock"); err != nil || string(data) != string(files[len(files)-1].Data) {
		t.Errorf("got the lock %q, %v; want the one from before", data, err)
	}
}

// Whoever waits for another writer stops waiting when its context ends.
func TestWaitingEndsWithTheContext(t *testing.T) {
	root := t.TempDir()
	holder, err := openStage(t.Context(), openRoot(t, root))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Recover(ctx, root); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	holder.close()
	if err := Recover(t.Context(), root); err != nil {
		t.Errorf("after the holder is gone: %v", err)
	}
	wantFiles(t, filesBelow(t, root), map[string]string{})
}

// A writer that another one keeps waiting says so in the end, with what to do.
func TestWaitingForAnotherWriterEnds(t *testing.T) {
	root := openRoot(t, t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		holder, err := openStage(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		defer holder.close()
		const want = "another mcpgen is writing here: wait for it to end, then run mcpgen again"
		if _, err := openStage(t.Context(), root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	})
}

func TestReadTreeStaysBelowItsRoot(t *testing.T) {
	for _, name := range []string{"../other", "/etc", "a/../../b"} {
		_, err := ReadTree(t.Context(), t.TempDir(), name)
		if want := "is not a path below the root"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", name, err, want)
		}
	}
}

// Where a file cannot be linked it is copied, with its permissions: the copy takes
// its place if the write is undone.
func TestKeepCopies(t *testing.T) {
	root := t.TempDir()
	writeText(t, root, "private.json", "old")
	if err := os.Chmod(filepath.Join(root, "private.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	writeText(t, root, "kept", "in the way of a link")
	s := &stage{dir: openRoot(t, root)}
	if err := s.keep("private.json", "kept"); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, filesBelow(t, root), map[string]string{"private.json": "old", "kept": "old"})
	if info, err := os.Stat(filepath.Join(root, "kept")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestMissingRoot(t *testing.T) {
	root := filepath.Join(t.TempDir(), "none")
	for name, call := range map[string]func() error{
		"Write":    func() error { _, err := Write(t.Context(), root, sampleFiles(), pruneOut); return err },
		"Compare":  func() error { _, err := Compare(root, sampleFiles(), pruneOut); return err },
		"ReadTree": func() error { _, err := ReadTree(t.Context(), root, "out"); return err },
		"Recover":  func() error { return Recover(t.Context(), root) },
	} {
		if err := call(); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: got %v, want an error that is fs.ErrNotExist", name, err)
		}
	}
}
