package locks

import (
	"os"
	"path/filepath"
	"testing"
)

// In a hook, git has variables about the folder that it was started in, and users have settings
// that change what git prints.
func TestGitInHook(t *testing.T) {
	root := t.TempDir()
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "diff.relative")
	t.Setenv("GIT_CONFIG_VALUE_0", "true")
	git := func(dir string, args ...string) string {
		t.Helper()
		out, err := Git(t.Context(), dir, args...)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	git(root, "init", "-q")
	sub := filepath.Join(root, "sub")
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(sub, "a")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("1\n")
	git(root, "add", ".")
	git(root, "-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "one")
	write("2\n")

	t.Setenv("GIT_DIR", filepath.Join(root, ".git"))
	t.Setenv("GIT_PREFIX", "elsewhere/")
	if got := git(sub, "cat-file", "blob", "HEAD:./a"); got != "1\n" {
		t.Errorf("sub/a is %q", got)
	}
	if got := git(sub, "diff", "--name-only", "HEAD"); got != "sub/a\n" {
		t.Errorf("the changed file is %q", got)
	}
}
