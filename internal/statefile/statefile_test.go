package statefile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// asWriter makes this test binary a process that counts up in a file.
const asWriter = "STATEFILE_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(asWriter); path != "" {
		if err := countUp(path, 25); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// countUp adds one to the number in a file, n times.
func countUp(path string, n int) error {
	for range n {
		err := File{Path: path}.Update(context.Background(), func(data []byte) ([]byte, error) {
			before, err := strconv.Atoi(strings.TrimSpace("0" + string(data)))
			return []byte(strconv.Itoa(before+1) + "\n"), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "file")
	f := File{Path: path, Private: true}
	if data, err := f.Read(); data != nil || err != nil {
		t.Errorf("got %q, %v", data, err)
	}
	write := func(text string) error {
		return f.Update(t.Context(), func([]byte) ([]byte, error) { return []byte(text), nil })
	}
	if err := write("one"); err != nil {
		t.Fatal(err)
	}
	data, err := f.Read()
	if err != nil || string(data) != "one" {
		t.Errorf("got %q, %v", data, err)
	}
	if runtime.GOOS != "windows" {
		for p, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", p, info.Mode(), err)
			}
		}
	}
	refuse := errors.New("no")
	if err := f.Update(t.Context(), func([]byte) ([]byte, error) { return []byte("two"), refuse }); !errors.Is(err, refuse) {
		t.Errorf("got %v", err)
	}
	if data, _ := f.Read(); string(data) != "one" {
		t.Errorf("an update that failed left %q", data)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 2 { // it and its lock
		t.Errorf("left %v", left)
	}
}

// Others must not read secrets, and not write what decides something.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	path := filepath.Join(t.TempDir(), "file")
	for _, tt := range []struct {
		mode    os.FileMode
		private bool
		ok      bool
	}{{0o600, true, true}, {0o640, true, false}, {0o604, true, false}, {0o644, false, true}, {0o664, false, false}, {0o646, false, false}} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		_, err := File{Path: path, Private: tt.private}.Read()
		if (err == nil) != tt.ok || err != nil && (!errors.Is(err, ErrOpen) || !strings.Contains(err.Error(), "chmod 600")) {
			t.Errorf("%o, private %v: %v", tt.mode, tt.private, err)
		}
	}
	if _, err := (File{Path: t.TempDir()}).Read(); err == nil {
		t.Error("Read of a folder has no error, want one")
	}
}

// Several goroutines of several processes: no update is lost.
func TestConcurrent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "count")
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			cmd := exec.CommandContext(t.Context(), self)
			cmd.Env = append(os.Environ(), asWriter+"="+path)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		work.Go(func() {
			if err := countUp(path, 25); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if data, err := os.ReadFile(path); err != nil || string(data) != "100\n" {
		t.Errorf("got %q, %v", data, err)
	}
}

// Where the system's own variables say nothing, as in a container, the folder of
// the user is that of USERPROFILE.
func TestPathWithoutHome(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, "")
	}
	home := t.TempDir()
	t.Setenv("USERPROFILE", home)
	if got, err := Path("trust.json"); err != nil || got != filepath.Join(home, ".config", "mcpgen", "trust.json") {
		t.Errorf("got %q, %v", got, err)
	}
	t.Setenv("USERPROFILE", "")
	if got, err := Path("trust.json"); err == nil {
		t.Errorf("got %q", got)
	}
}
