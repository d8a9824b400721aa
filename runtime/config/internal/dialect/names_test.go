package dialect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNames wants no code of config outside this room to hold the name of a dialect:
// what is special about a system is a field of the table.
func TestNames(t *testing.T) {
	const config = "../.."
	files := 0
	err := filepath.WalkDir(config, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == filepath.Join(config, "internal", "dialect"), path == filepath.Join(config, "internal", "dialecttest"):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && slices.Contains(Names(), text) {
					t.Errorf("%s: %q: make it a field of the table", set.Position(lit.Pos()), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("read %d files: %v", files, err)
	}
}
