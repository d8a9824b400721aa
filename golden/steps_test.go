package golden

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stepRooms are the rooms whose errors the console of the command shows.
var stepRooms = []string{"cmd", "generator", "internal", "runtime/attach", "runtime/config", "runtime/endpoint", "runtime/live", "runtime/policy", "runtime/skills", "schema"}

// nextStep is the beginning of a next step inside an error's own line.
var nextStep = regexp.MustCompile(`[:;] (to \w+[^:;]*[:,] )?(if [^:;]*, )?(add|allow|ask|attach|begin again|call|change|check|choose|connect|correct|create|define|edit|fix|give|install|keep|look|mend|move|name|pass|pin|raise|remove|rename|replace|report|restore|review|run|set|sign in|start|store|take|this has to be|trust|try|unlock|update|use|write) `)

// Next steps are given to package hint, so that they stand on lines of their own.
func TestSteps(t *testing.T) {
	for _, room := range stepRooms {
		err := filepath.WalkDir(filepath.Join("..", room), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "vet"): // what go vet prints is one line
				return filepath.SkipDir
			}
			if filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") {
				checkSteps(t, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkSteps looks at the texts that errors of a file begin with.
func checkSteps(t *testing.T, path string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	check := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
				return false // it is visited by itself
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				if m := nextStep.FindString(text + " "); m != "" {
					t.Errorf("%v: %q is a next step inside the line of an error: give it to hint.With", files.Position(lit.Pos()), m)
				}
			}
			return true
		})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) > 0 && slices.Contains([]string{"Errorf", "New", "Note", "Sprintf", "Warn", "fail", "problem", "usage"}, called(n)) {
				check(n.Args[0])
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Reason" || key.Name == "Text") {
				check(n.Value)
			}
		}
		return true
	})
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
