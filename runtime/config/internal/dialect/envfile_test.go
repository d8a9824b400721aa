package dialect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzEnvFile reads foreign bytes as a file of variables.
func FuzzEnvFile(f *testing.F) {
	f.Add([]byte("A=1\nexport B='x y'\n# c\nC: d\nD=\"$A\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parseEnv(data); err != nil && err.Error() == "" {
			t.Error("parseEnv has an error without a text")
		}
	})
}

func TestLoadText(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if got, err := loadText(write("token", "from-the-file\r\n")); err != nil || got != "from-the-file" {
		t.Errorf("got %q, %v", got, err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "gone"):                 "no such file",
		write("large", strings.Repeat("x", 1<<17)): "larger than 65536 bytes",
		dir: "is a directory",
	} {
		if _, err := loadText(path); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}
