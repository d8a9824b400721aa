package golden

import (
	"bytes"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"testing"
)

// TestLinesOfTools wants every line of types.go below the imports to be counted for one
// tool, and real tools to take few.
func TestLinesOfTools(t *testing.T) {
	var all []int
	for _, name := range corpusServers {
		out := generateServers(t, "example.com", "mcp", lockSnapshot(t, corpusSnapshot(t, name)))
		counted := 0
		for _, tool := range out.Tools {
			counted += tool.Lines
			all = append(all, tool.Lines)
		}
		for file, data := range goFiles(out) {
			if path.Base(file) != "types.go" {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, data, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			head := fset.Position(f.Name.End()).Line
			if n := len(f.Decls); n > 0 {
				head = fset.Position(f.Decls[n-1].End()).Line
			}
			if want := bytes.Count(data, []byte("\n")) - head; counted != want {
				t.Errorf("%s: %d lines are counted of %d", file, counted, want)
			}
		}
	}
	slices.Sort(all)
	if median, most := all[len(all)/2], all[len(all)-1]; median > 30 || most > 400 {
		t.Errorf("%d lines in the middle, %d at most", median, most)
	}
}
