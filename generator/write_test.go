package generator

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/generator/internal/textgen"
)

const goText = Header + "\n\npackage p\n"

func goFile(name, more string) File { return File{Path: name, Data: []byte(goText + more)} }
func jsonFile(name, more string) File {
	return File{Path: name, Data: []byte("{\n  \"mcpgen\": 1" + more + "\n}\n")}
}

func sampleFiles() []File {
	return []File{
		goFile("out/mcp.go", ""), goFile("out/a/a.go", ""), jsonFile("out/a/snapshot.json", ""), goFile("out/b/b.go", ""), jsonFile("mcpgen.lock", ""),
	}
}

var pruneOut = WriteOptions{Prune: []string{"out"}}

func mustWrite(t *testing.T, root string, files []File) *Report {
	t.Helper()
	r, err := Write(t.Context(), root, files, pruneOut)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writeText(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// filesBelow reads everything below root: text by path, "/" for folders.
func filesBelow(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			out[name] = "/"
		case d.Type().IsRegular():
			data, err := os.ReadFile(filepath.Join(root, name))
			out[name] = string(data)
			return err
		default:
			out[name] = d.Type().String()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func wantFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: got %q, want %q", name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there, want no such file", name)
		}
	}
}

func TestWrite(t *testing.T) {
	root := t.TempDir()
	r := mustWrite(t, root, sampleFiles())
	if want := []string{"mcpgen.lock", "out/a/a.go", "out/a/snapshot.json", "out/b/b.go", "out/mcp.go"}; !slices.Equal(r.Written, want) {
		t.Errorf("written %q, want %q", r.Written, want)
	}
	if stale, err := Compare(root, sampleFiles(), pruneOut); err != nil || len(stale) > 0 {
		t.Errorf("stale %v, %v", stale, err)
	}
	if _, err := os.Lstat(filepath.Join(root, stageDir)); err == nil {
		t.Errorf("%s is left behind, want it removed", stageDir)
	}
}

func TestWriteTouchesNothingTwice(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles())
	long := time.Unix(1e9, 0)
	for _, f := range sampleFiles() {
		if err := os.Chtimes(filepath.Join(root, f.Path), long, long); err != nil {
			t.Fatal(err)
		}
	}
	// git may have checked a file out with other line endings
	writeText(t, root, "out/b/b.go", strings.ReplaceAll(goText, "\n", "\r\n"))
	if err := os.Chtimes(filepath.Join(root, "out/b/b.go"), long, long); err != nil {
		t.Fatal(err)
	}
	r := mustWrite(t, root, sampleFiles())
	if len(r.Written)+len(r.Removed) > 0 || len(r.Unchanged) != 5 {
		t.Errorf("got %+v, want 5 unchanged files and nothing else", r)
	}
	for _, f := range sampleFiles() {
		info, err := os.Stat(filepath.Join(root, f.Path))
		if err != nil || !info.ModTime().Equal(long) {
			t.Errorf("%s was touched: %v, %v", f.Path, info.ModTime(), err)
		}
	}
}

func TestWriteReplacesAndPrunes(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles())
	writeText(t, root, "out/b/mine.txt", "mine")
	writeText(t, root, "out/a/helper.go", "package a\n")
	writeText(t, root, "out/a/observed.json", `{"mcpgen":1}`)
	writeText(t, root, "out/old/old.go", goText)
	writeText(t, root, "out/old/snapshot.json", `{"mcpgen":1}`)
	writeText(t, root, "out/old/observed.json", `{"mcpgen":1}`)
	writeText(t, root, "out/old/oldtest/oldtest.go", goText)
	writeText(t, root, "out/deep/er/still/x.go", goText)
	writeText(t, root, "out/project/mcpgen.yaml", "")
	writeText(t, root, "out/project/x.go", goText)
	writeText(t, root, "elsewhere/x.go", goText)
	files := []File{goFile("out/mcp.go", "// new\n"), goFile("out/a/a.go", ""), jsonFile("out/a/snapshot.json", ""), jsonFile("mcpgen.lock", "")}

	before := filesBelow(t, root)
	r := mustWrite(t, root, files)
	if want := []string{"out/b/b.go", "out/old/observed.json", "out/old/old.go", "out/old/oldtest/oldtest.go", "out/old/snapshot.json"}; !slices.Equal(r.Removed, want) {
		t.Errorf("removed %q, want %q", r.Removed, want)
	}
	if want := []string{"out/mcp.go"}; !slices.Equal(r.Written, want) {
		t.Errorf("written %q, want %q", r.Written, want)
	}
	after := filesBelow(t, root)
	for _, gone := range []string{"out/old", "out/old/oldtest"} {
		if after[gone] != "" {
			t.Errorf("%s is still there", gone)
		}
	}
	for _, kept := range []string{"out/b/mine.txt", "out/a/helper.go", "out/a/observed.json", "out/deep/er/still/x.go", "out/project/x.go", "elsewhere/x.go"} {
		if after[kept] != before[kept] {
			t.Errorf("%s was touched", kept)
		}
	}
}

// Below the folder that is pruned, only the places of our own layout are looked at.
func TestWritePrunesTheRoot(t *testing.T) {
	root := t.TempDir()
	kept := map[string]string{
		"main.go": "package main\n", "a/b/c/deep.go": goText, ".hidden/x.go": goText, "_skipped/x.go": goText,
		"testdata/x.go": goText, "a/testdata/s/snapshot.json": `{"mcpgen": 1}`, "vendor/x.go": goText,
		"module/go.mod": "module m\n", "module/x.go": goText, "project/mcpgen.yml": "", "project/p/x.go": goText,
	}
	for name, text := range kept {
		writeText(t, root, name, text)
	}
	want := filesBelow(t, root)
	for _, name := range []string{"mcp.go", "srv/srv.go", "srv/srvtest/srvtest.go"} {
		writeText(t, root, name, goText)
	}
	r, err := Write(t.Context(), root, nil, WriteOptions{Prune: []string{".", "srv"}})
	if removed := []string{"mcp.go", "srv/srv.go", "srv/srvtest/srvtest.go"}; err != nil || !slices.Equal(r.Removed, removed) {
		t.Errorf("got %+v, %v; want %q removed", r, err, removed)
	}
	wantFiles(t, filesBelow(t, root), want)
}

func TestWriteRefusesFilesOfOthers(t *testing.T) {
	root := t.TempDir()
	writeText(t, root, "out/mcp.go", "package out\n")
	writeText(t, root, "out/a/a.go", Header+" Really.\n")
	writeText(t, root, "out/a/snapshot.json", `{"name": 1, "mcpgen": 1}`)
	writeText(t, root, "mcpgen.lock", "")
	if err := os.MkdirAll(filepath.Join(root, "out/b/b.go"), 0o777); err != nil {
		t.Fatal(err)
	}
	before := filesBelow(t, root)
	_, err := Write(t.Context(), root, append(sampleFiles(), goFile("out/c/c.go", "")), pruneOut)
	if err == nil {
		t.Fatal("Write over files of others has no error, want one")
	}
	for _, f := range sampleFiles() {
		if !strings.Contains(err.Error(), f.Path+": exists and was not written by mcpgen") {
			t.Errorf("%s is not named in %v", f.Path, err)
		}
	}
	wantFiles(t, filesBelow(t, root), before)
	stale, again := Compare(root, sampleFiles(), pruneOut)
	if again == nil || again.Error() != err.Error() || len(stale) > 0 {
		t.Errorf("Compare: %v, %v; want the error of Write", stale, again)
	}
}

// Files of others change as they were to be changed, or not at all.
func TestWriteEdits(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	write("a.yaml", "one")
	if err := os.Symlink("a.yaml", filepath.Join(root, "link.yaml")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		edit Edit
		want error // nil: some error
	}{
		{Edit{"a.yaml", []byte("other"), []byte("two")}, ErrEdited},
		{Edit{"a.yaml", nil, []byte("two")}, ErrEdited},
		{Edit{"b.yaml", []byte{}, []byte("two")}, fs.ErrNotExist},
		{Edit{"link.yaml", []byte("one"), []byte("two")}, ErrEdited},
		{Edit{"../a.yaml", nil, []byte("two")}, nil},
		{Edit{".git/config", nil, []byte("two")}, nil},
		{Edit{"out/a.go", nil, []byte("two")}, nil},
	} {
		_, err := Write(t.Context(), root, []File{goFile("out/a.go", "")}, WriteOptions{Edits: []Edit{tt.edit}})
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.edit.Path, err, tt.want)
		}
	}
	if got := filesBelow(t, root); len(got) != 2 || got["a.yaml"] != "one" {
		t.Errorf("after what was refused there is %v", got)
	}
	r, err := Write(t.Context(), root, []File{goFile("out/a.go", "")}, WriteOptions{Edits: []Edit{{"a.yaml", []byte("one"), []byte("two")}, {"b.yaml", nil, []byte("new")}}})
	if err != nil || len(r.Written) != 1 {
		t.Errorf("report %v, %v", r, err)
	}
	info, err := os.Stat(filepath.Join(root, "a.yaml"))
	if got := filesBelow(t, root); got["a.yaml"] != "two" || got["b.yaml"] != "new" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got %v, mode %v, %v", got, info.Mode(), err)
	}
}

func TestWriteRefusesPaths(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"", "not a path below the root"},
		{".", "not a path below the root"},
		{"/etc/x.go", "not a path below the root"},
		{"../x.go", "not a path below the root"},
		{"a/../../x.go", "not a path below the root"},
		{`a\..\x.go`, "not a path below the root"},
		{"C:x.go", "not a path below the root"},
		{"a//b.go", "not a path below the root"},
		{".git/hooks/x.json", "git's own"},
		{"sub/.GIT/config.json", "git's own"},
		{stageDir, "mcpgen's own"},
		{stageDir + "/journal", "mcpgen's own"},
		{"twice.go", "duplicate file"},
	} {
		root := t.TempDir()
		files := []File{goFile(tt.name, ""), goFile("twice.go", "")}
		_, err := Write(t.Context(), root, files, WriteOptions{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasSuffix(err.Error(), ": nothing was written") {
			t.Errorf("Write %q: got %v, want an error with %q", tt.name, err, tt.want)
		}
		if _, err := Compare(root, files, WriteOptions{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Compare %q: got %v, want an error with %q", tt.name, err, tt.want)
		}
		wantFiles(t, filesBelow(t, root), map[string]string{})
	}
}

func TestWriteFollowsNoLinks(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	writeText(t, outside, "x.go", goText)
	if _, err := Write(t.Context(), root, sampleFiles(), WriteOptions{}); err == nil {
		t.Error("Write through a symbolic link that leads outside has no error, want one")
	}
	if _, err := ReadTree(t.Context(), root, "out/mcp"); err == nil || !strings.Contains(err.Error(), "out/mcp: a link leads out of "+root) {
		t.Errorf("ReadTree through a symbolic link that leads outside: %v, want an error that names the link", err)
	}
	if r, err := Write(t.Context(), root, nil, pruneOut); err == nil && len(r.Removed) > 0 {
		t.Errorf("removed %q by way of a symbolic link", r.Removed)
	}
	wantFiles(t, filesBelow(t, outside), map[string]string{"x.go": goText})
	if err := os.Symlink(filepath.Join(outside, "x.go"), filepath.Join(root, "y.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), root, []File{goFile("y.go", "")}, WriteOptions{}); err == nil {
		t.Error("Write over a symbolic link has no error, want one")
	}
}

func TestCompare(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles()[1:])
	writeText(t, root, "out/a/a.go", goText+"// edited\n")
	writeText(t, root, "out/b/b.go", "package b\n")
	writeText(t, root, "out/old/old.go", goText)
	writeText(t, root, "out/old/mine.go", "package old\n")
	got, err := Compare(root, sampleFiles(), pruneOut)
	want := []Stale{{"out/a/a.go", stateChanged}, {"out/mcp.go", Missing}, {"out/old/old.go", stateExtra}}
	if e, ok := errors.AsType[*ForeignError](err); !ok || e.Path != "out/b/b.go" || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestIsOurs(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"x.go", Header + "\n", true},
		{"x.go", Header + "\r\n\r\npackage p\r\n", true},
		{"x.go", Header, false},
		{"x.go", Header + " Really.\n", false},
		{"x.go", "package p\n" + Header + "\n", false},
		{"x.md", textgen.Header + "\n", true},
		{"x.md", "# " + textgen.Header + "\n", false},
		{"x.json", `{"mcpgen":1}`, true},
		{"x.lock", "{\n  \"mcpgen\": 1\n}", true},
		{"x.json", `{"name":1,"mcpgen":1}`, false},
		{"x.json", `["mcpgen"]`, false},
		{"x.json", "{", false},
		{"x.json", "", false},
		{"x.txt", Header + "\n", false},
		{"x", `{"mcpgen":1}`, false},
	} {
		if got := isOurs(tt.name, []byte(tt.text)); got != tt.want {
			t.Errorf("isOurs(%q, %q) = %t, want %t", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestWriteCancelled(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, root, sampleFiles(), pruneOut); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	wantFiles(t, filesBelow(t, root), map[string]string{})
}

// A rename that fails in the middle takes everything back.
func TestWriteIsUndone(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles())
	writeText(t, root, "out/gone/gone.go", goText)
	before := filesBelow(t, root)

	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	changed := []File{goFile("out/mcp.go", "// 2\n"), goFile("out/a/a.go", "// 2\n"), jsonFile("mcpgen.lock", ",\"x\":2"), goFile("out/new/new.go", ""), goFile("zz.go", "")}
	p, err := currentPlan(t.Context(), dir, changed, pruneOut)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStage(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	// Somebody makes a folder of that name after the plan was made.
	writeText(t, root, "zz.go/x", "x")
	if err := s.apply(t.Context(), p.changes); err == nil {
		t.Error("apply over a folder has no error, want one")
	}
	s.close()
	if err := os.RemoveAll(filepath.Join(root, "zz.go")); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, filesBelow(t, root), before)
}

// A process may die after any of its steps. Whatever the step, the next one
// finds either all old files or all new ones.
func TestWriteIsRecovered(t *testing.T) {
	changed := []File{goFile("out/mcp.go", "// 2\n"), goFile("out/a/a.go", ""), jsonFile("out/a/snapshot.json", ",\"x\":2"), jsonFile("mcpgen.lock", ",\"x\":2"), goFile("out/new/new.go", "")}
	for died := range 8 {
		root := t.TempDir()
		mustWrite(t, root, sampleFiles())
		before := filesBelow(t, root)
		dir, err := os.OpenRoot(root)
		if err != nil {
			t.Fatal(err)
		}
		p, err := currentPlan(t.Context(), dir, changed, pruneOut)
		if err != nil {
			t.Fatal(err)
		}
		s, err := openStage(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		j, err := s.prepare(t.Context(), p.changes)
		if err != nil {
			t.Fatal(err)
		}
		if died > 0 {
			if err := s.writeJournal(j); err != nil {
				t.Fatal(err)
			}
		}
		if done := died - 1; done > 0 {
			part := *j
			part.Entries = j.Entries[:min(done, len(j.Entries))]
			if err := s.rename(&part); err != nil {
				t.Fatal(err)
			}
		}
		s.lock.Close() // as the system does when the process dies
		dir.Close()

		if died == 7 { // it died while it was undoing
			half, _ := os.OpenRoot(root)
			s := &stage{dir: half}
			if err := s.restoreFile(0, j.Entries[0]); err != nil {
				t.Fatal(err)
			}
			half.Close()
		}
		if err := Recover(t.Context(), root); err != nil {
			t.Fatalf("after %d steps: %v", died, err)
		}
		wantFiles(t, filesBelow(t, root), before)
		mustWrite(t, root, changed)
		if stale, err := Compare(root, changed, pruneOut); err != nil || len(stale) > 0 {
			t.Errorf("after %d steps: %v, %v", died, stale, err)
		}
	}
}

func TestRecoverLeavesEdits(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles())
	changed := append(sampleFiles()[2:], goFile("out/mcp.go", "// 2\n"), goFile("out/a/a.go", "// 2\n"))
	interruptedWrite(t, root, changed)
	writeText(t, root, "out/mcp.go", goText+"// edited\n")
	if err := Recover(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	got := filesBelow(t, root)
	if got["out/mcp.go"] != goText+"// edited\n" || got["out/a/a.go"] != goText {
		t.Errorf("mcp.go is %q, want the edit; a.go is %q, want what it was before", got["out/mcp.go"], got["out/a/a.go"])
	}
}

// A journal is input like everything else.
func TestRecoverForgedJournal(t *testing.T) {
	for _, text := range []string{
		"", "{", `{"entries":[{"path":"../evil","existed":true}]}`, `{"entries":[{"path":".git/hooks/pre-commit","existed":true}]}`,
		`{"entries":[{"path":"/evil","existed":true}]}`,
	} {
		root := t.TempDir()
		writeText(t, root, stageDir+"/journal", text)
		writeText(t, root, stageOld+"/0", "evil")
		if err := Recover(t.Context(), root); err == nil {
			t.Errorf("%q was obeyed", text)
		}
		for name := range filesBelow(t, root) {
			if !strings.HasPrefix(name, stageDir) {
				t.Errorf("%q made %s", text, name)
			}
		}
	}
}

func TestWritesWaitForEachOther(t *testing.T) {
	root := t.TempDir()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			text := "// " + strings.Repeat("x", i) + "\n"
			files := []File{goFile("out/mcp.go", text), goFile("out/a/a.go", text), jsonFile("mcpgen.lock", strings.Repeat(" ", i))}
			if _, err := Write(context.Background(), root, files, pruneOut); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	got := filesBelow(t, root)
	if got["out/mcp.go"] != got["out/a/a.go"] {
		t.Errorf("two writes are mixed: %q, %q", got["out/mcp.go"], got["out/a/a.go"])
	}
	if got[stageDir] != "" {
		t.Errorf("%s is left behind, want it removed", stageDir)
	}
}

func TestWriteKeepsPermissions(t *testing.T) {
	root := t.TempDir()
	mustWrite(t, root, sampleFiles())
	name := filepath.Join(root, "out/mcp.go")
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, root, append(sampleFiles()[1:], goFile("out/mcp.go", "// 2\n")))
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want 0640", info.Mode(), err)
	}
}
