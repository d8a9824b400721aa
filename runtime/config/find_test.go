package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		dir   string // below the root, which is the working directory
		want  string
		err   string
	}{
		{"here", []string{"go.mod", "mcpgen.yaml"}, ".", "mcpgen.yaml", ""},
		{"yml", []string{"go.mod", "mcpgen.yml"}, ".", "mcpgen.yml", ""},
		{"json", []string{"go.mod", "mcpgen.json"}, ".", "mcpgen.json", ""},
		{"above", []string{"go.mod", "mcpgen.yaml", "a/b/x"}, "a/b", "mcpgen.yaml", ""},
		{"nearest", []string{"go.mod", "mcpgen.yaml", "a/mcpgen.json", "a/b/x"}, "a/b", "a/mcpgen.json", ""},
		{"not above the module", []string{"mcpgen.yaml", "a/go.mod", "a/b/x"}, "a/b", "", "(the folder of go.mod)"},
		{"in the module's folder", []string{"a/mcpgen.yaml", "a/go.mod", "a/b/x"}, "a/b", "a/mcpgen.yaml", ""},
		{"two", []string{"go.mod", "a/mcpgen.yaml", "a/mcpgen.json"}, "a", "", "mcpgen.yaml: the folder has mcpgen.json too"},
		{"a folder is not a file", []string{"go.mod", "mcpgen.yaml/x"}, ".", "", "no mcpgen.yaml found in"},
		{"a go.mod folder is not a module", []string{"go.mod", "mcpgen.yaml", "a/go.mod/x"}, "a", "mcpgen.yaml", ""},
		{"no module: here", []string{"mcpgen.yaml"}, ".", "mcpgen.yaml", ""},
		{"no module: not above", []string{"mcpgen.yaml", "a/b"}, "a", "", "no mcpgen.yaml found in"},
		{"in the repository's root", []string{"go.mod", "r/.git/HEAD", "r/mcpgen.yaml", "r/a/b"}, "r/a", "r/mcpgen.yaml", ""},
		{"not above the repository", []string{"go.mod", "mcpgen.yaml", "r/.git/HEAD", "r/a/b"}, "r/a", "", "(the root of the repository)"},
		{"not above a worktree", []string{"go.mod", "mcpgen.yaml", "r/.git", "r/a/b"}, "r/a", "", "(the root of the repository)"},
		{"in the home folder", []string{"home/mcpgen.yaml", "home/a/b"}, "home/a", "home/mcpgen.yaml", ""},
		{"not above the home folder", []string{"go.mod", "mcpgen.yaml", "home/a/b"}, "home/a", "", "(your home folder)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			t.Chdir(root)
			t.Setenv("HOME", filepath.Join(root, "home"))
			for _, f := range tt.files {
				writeFile(t, f, "version: 1\n")
			}
			got, err := Find(filepath.FromSlash(tt.dir))
			if got != filepath.FromSlash(tt.want) || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Find(%q) = %q, %v; want %q and an error with %q", tt.dir, got, err, tt.want, tt.err)
			}
			absolute, err2 := Find(filepath.Join(root, tt.dir))
			if err == nil && (err2 != nil || absolute != filepath.Join(root, tt.want)) {
				t.Errorf("absolute: got %q, %v", absolute, err2)
			}
		})
	}
}

// What somebody else put above the working folder starts nothing; the setting that the
// error names allows it.
func TestFindRefusesFilesOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes that let everybody write")
	}
	for _, tt := range []struct {
		name   string
		change func(root string) error
		says   string
	}{
		{"everybody writes the file", func(root string) error { return os.Chmod(filepath.Join(root, "mcpgen.yaml"), 0o646) }, "(mode 0646)"},
		{"everybody writes the folder", func(root string) error { return os.Chmod(root, 0o777) }, "(mode 0777)"},
		{"a group writes both", func(root string) error {
			return errors.Join(os.Chmod(root, 0o775), os.Chmod(filepath.Join(root, "mcpgen.yaml"), 0o664))
		}, ""},
		{"somebody else owns the file", func(root string) error { return os.Chown(filepath.Join(root, "mcpgen.yaml"), 4321, -1) }, "is owned by user 4321"},
		{"somebody else owns the folder", func(root string) error { return os.Chown(root, 4321, -1) }, "is owned by user 4321"},
		{"somebody else linked it", func(root string) error {
			path := filepath.Join(root, "mcpgen.yaml")
			return errors.Join(os.Rename(path, path+".mine"), os.Symlink(path+".mine", path), os.Lchown(path, 4321, -1))
		}, "is owned by user 4321"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			t.Setenv("HOME", root)
			writeFile(t, filepath.Join(root, "mcpgen.yaml"), "version: 1\n")
			writeFile(t, filepath.Join(root, "a/b"), "")
			if err := tt.change(root); errors.Is(err, fs.ErrPermission) {
				t.Skip("only root can give files away")
			} else if err != nil {
				t.Fatal(err)
			}
			above, here := filepath.Join(root, "a"), filepath.Join(root, "mcpgen.yaml")
			got, err := Find(above)
			if tt.says == "" {
				if got != here || err != nil {
					t.Errorf("got %q, %v", got, err)
				}
				return
			}
			if got != "" || err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), safeDirs+"="+root) {
				t.Errorf("got %q, %v; want %q and the setting", got, err, tt.says)
			}
			if got, err := Find(root); got != here || err != nil {
				t.Errorf("in its own folder: got %q, %v", got, err)
			}
			t.Setenv(safeDirs, "/elsewhere"+string(os.PathListSeparator)+filepath.Dir(root))
			if got, err := Find(above); got != here || err != nil {
				t.Errorf("where it is allowed: got %q, %v", got, err)
			}
		})
	}
}

func TestFindFromBelow(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module m\n")
	writeFile(t, filepath.Join(root, "mcpgen.yaml"), "version: 1\n")
	writeFile(t, filepath.Join(root, "a/b/x"), "")
	t.Chdir(filepath.Join(root, "a/b"))
	got, err := Find(".")
	if want := filepath.FromSlash("../../mcpgen.yaml"); err != nil || got != want {
		t.Fatalf("got %q, %v; want %q", got, err, want)
	}
	p, err := Load(got)
	if err != nil || p.Dir != root {
		t.Errorf("the project's folder is %q, %v; want %q", p.Dir, err, root)
	}
}

// TestFindThroughLink stands in a folder that is reached by a symbolic link:
// the parents are those of the path that the user sees.
func TestFindThroughLink(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module m\n")
	writeFile(t, filepath.Join(root, "mcpgen.yaml"), "version: 1\n")
	writeFile(t, filepath.Join(root, "elsewhere/deep/go.mod"), "")
	if err := os.Symlink(filepath.Join(root, "elsewhere/deep/sub"), filepath.Join(root, "link")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	writeFile(t, filepath.Join(root, "elsewhere/deep/sub/x"), "")
	t.Chdir(filepath.Join(root, "link"))
	got, err := Find(".")
	if want := filepath.Join(root, "mcpgen.yaml"); err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestNotFound(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "")
	_, err := Find(root)
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{root, "go.mod", "mcpgen add NAME -- COMMAND"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if _, err := Parse([]byte(example)); err != nil {
		t.Errorf("the example is wrong: %v", err)
	}
}

func TestLoadMissing(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "mcpgen.yaml"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	t.Chdir(t.TempDir())
	writeFile(t, "mcpgen.yaml", "version: 1\nimport: [gone.json]\n")
	if _, err = Load("mcpgen.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestTooLarge(t *testing.T) {
	t.Chdir(t.TempDir())
	large := "version: 1 #" + strings.Repeat("x", maxConfigFile)
	writeFile(t, "mcpgen.yaml", large)
	_, loadErr := Load("mcpgen.yaml")
	_, parseErr := Parse([]byte(large))
	_, readErr := Environment{Read: func(string) ([]byte, error) { return []byte(large), nil }}.Load("edited.yaml")
	_, leftErr := Environment{Read: func(string) ([]byte, error) { return nil, errors.ErrUnsupported }}.Load("mcpgen.yaml")
	for _, err := range []error{loadErr, parseErr, readErr, leftErr} {
		if err == nil || !strings.Contains(err.Error(), "larger than 1048576 bytes") {
			t.Errorf("got %v", err)
		}
	}
}
