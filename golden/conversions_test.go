package golden

// What the generated packages promise to those who call them: a value from one call
// goes into the next as it is.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/golden/project"
)

// The agents of the examples convert nothing, and neither do their tests.
func TestNoConversions(t *testing.T) {
	found, err := project.Conversions("..", "./examples/quickstart/agent", "./examples/agent/...", "./examples/drift/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range found {
		t.Errorf("%s: a conversion between structs", place)
	}
}

// What would be a conversion is found.
func TestConversions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/x\n\ngo 1.26\n",
		"x.go": `package x

type A struct{ Name, Kind string }
type B struct{ Name, Kind string }
type C = A

var (
	a    = A{"n", "k"}
	as   = []C{C(a)} // the same type
	b    = B(a) // 1
	more = *(*[]B)(nil)
	p    = (*B)(&a) // 2
	lit  = B{Name: a.Name, Kind: a.Kind} // 3
	half = B{Name: a.Name}
	turn = B{Name: a.Kind, Kind: a.Name}
	text = []byte(a.Name)
)
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, err := project.Conversions(dir, ".")
	if err != nil || len(found) != 3 {
		t.Errorf("found %q, %v; want 3", found, err)
	}
}
