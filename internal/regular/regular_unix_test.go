//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	join := func(name string) string { return filepath.Join(dir, name) }
	for name, content := range map[string]string{"full": "12345", "long": "123456"} {
		if err := os.WriteFile(join(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(join("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("full", join("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", join("link-to-pipe")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, want string
		err        error
		says       string
	}{
		{path: join("full"), want: "12345"},
		{path: join("link"), want: "12345"},
		{path: join("long"), says: "larger than 5 bytes"},
		{path: join("pipe"), err: ErrNotRegular, says: "pipe: not a regular file"},
		{path: join("link-to-pipe"), err: ErrNotRegular, says: "link-to-pipe: not a regular file"},
		{path: dir, err: syscall.EISDIR, says: "is a directory"},
		{path: "/dev/zero", err: ErrNotRegular, says: "/dev/zero: not a regular file"},
		{path: join("absent"), err: fs.ErrNotExist, says: "absent: no such file"},
		{path: join("full/below"), err: syscall.ENOTDIR, says: "full/below"},
	} {
		data, err := ReadFile(test.path, 5)
		if string(data) != test.want || test.err != nil && !errors.Is(err, test.err) || err == nil && test.says != "" {
			t.Errorf("ReadFile(%q) = %q, %v; want %q, %v", test.path, data, err, test.want, test.err)
		}
		if err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("ReadFile(%q): %v: want %q in it", test.path, err, test.says)
		}
	}
}

// Root's files are everybody's, and under sudo so are those of the caller, whose user a
// variable names; without sudo the variable means nothing.
func TestIsOwn(t *testing.T) {
	for _, tt := range []struct {
		owner     string
		effective int
		sudo      string
		want      bool
	}{
		{"1000", 1000, "", true}, {"0", 1000, "", true}, {"1001", 1000, "", false}, {"1001", 1000, "1001", false},
		{"0", 0, "", true}, {"1000", 0, "", false}, {"1000", 0, "1000", true}, {"1001", 0, "1000", false},
	} {
		if got := isOwn(tt.owner, tt.effective, tt.sudo); got != tt.want {
			t.Errorf("isOwn(%q, %d, %q) = %v", tt.owner, tt.effective, tt.sudo, got)
		}
	}
}
