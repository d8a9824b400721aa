package golden

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// promises.txt names the tests behind each promise of SECURITY.md: they all have to be there.
func TestSecurityPage(t *testing.T) {
	page, err := os.ReadFile("promises.txt")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "bin" || e.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".txtar"):
			there[e.Name()] = true
		case strings.HasSuffix(path, "_test.go"):
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declared.FindAllSubmatch(data, -1) {
				there[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("(?m)^\t(\\S+)$").FindAllSubmatch(page, -1)
	if len(named) < 40 {
		t.Fatalf("promises.txt names %d tests; want those of all its promises", len(named))
	}
	for _, m := range named {
		if !there[string(m[1])] {
			t.Errorf("promises.txt names %s, and there is no such test", m[1])
		}
	}
}
