package generator

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A journal and what lies beside it come from the disk: whatever they say,
// nothing outside the root, and no file that was there, is changed without its
// journal entry naming it rightly.
func FuzzRecover(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `{"entries":[{"path":"a.go","sum":"","existed":true}]}`, `{"entries":[{"path":"a.go","sum":"x","existed":false}],"folders":["d"]}`,
		`{"entries":[{"path":"../x","existed":true}],"folders":["../y","/","."]}`, `{"entries":[{"path":"keep.go","sum":"","existed":true}]}`, `{"folders":["keep.go","d/keep.go"]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		outer := t.TempDir()
		root := filepath.Join(outer, "root")
		writeText(t, root, "keep.go", "package keep\n")
		writeText(t, root, "d/keep.go", "package d\n")
		writeText(t, root, journalFile, text)
		writeText(t, root, oldPath(0), "old")
		_ = Recover(t.Context(), root)
		for _, name := range []string{"keep.go", "d/keep.go"} {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Error(err)
			}
		}
		if text := filesBelow(t, outer)["root/keep.go"]; text != "package keep\n" {
			t.Errorf("keep.go was changed to %q, want %q", text, "package keep\n")
		}
		entries, err := fs.ReadDir(os.DirFS(outer), ".")
		if err != nil || len(entries) != 1 {
			t.Errorf("beside the root: %v, %v; want the root alone", entries, err)
		}
	})
}

func FuzzIsOurs(f *testing.F) {
	for _, seed := range []string{Header, Header + "\n", Header + "\r\n", Header + " ", `{"mcpgen":1}`, ` { "mcpgen"`, `{"a":{"mcpgen":1}}`, `["mcpgen"]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if isOurs("x.go", []byte(text)) && !strings.HasPrefix(text, Header) {
			t.Errorf("a Go file without our header is ours: %q", text)
		}
		if isOurs("x.json", []byte(text)) && !strings.Contains(text, "mcpgen") && !strings.Contains(text, `\u`) {
			t.Errorf("a JSON file without mcpgen is ours: %q", text)
		}
		if isOurs("x.txt", []byte(text)) {
			t.Errorf("a text file is ours: %q", text)
		}
	})
}
