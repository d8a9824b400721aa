package golden

// What the compiler makes of generated code. Most of the time that a package takes
// to compile goes into functions, and there are more of them than can be read in
// its source.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
)

// A generic of the runtime, or a type whose methods name a type of reflect, would
// bring some fifty functions of reflect into every generated package that names it.
func TestNothingOfReflectIsCompiledAgain(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-S", "-o", os.DevNull, "./cases/types").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	functions := 0
	for line := range strings.Lines(string(out)) {
		name, _, ok := strings.Cut(line, " STEXT ")
		if !ok {
			continue
		}
		functions++
		if strings.Contains(name, "reflect.") {
			t.Errorf("%s is compiled in a package that only calls the runtime", name)
		}
	}
	if functions < 50 {
		t.Fatalf("only %d functions were found in\n%.2000s", functions, out)
	}
}

// A program links the references of the tools that it calls, and no others: nothing
// that runs before main makes them.
func TestUnusedReferencesAreNotLinked(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./links/call").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range everything.Manifest().Refs() {
		if linked := bytes.Contains(binary, []byte(ref.Pin)); linked != (ref.Name == "get-sum") {
			t.Errorf("the pin of %s, of which links/call calls get-sum alone: linked %t", ref.Name, linked)
		}
	}
}
