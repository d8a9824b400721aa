package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Mutant is one change of the code, and the test that has to notice it.
type Mutant struct {
	Name    string // set/name
	Promise string
	Package string
	Test    string // a test, a fuzz target, or a script: launch.txtar
	Edits   []Edit
}

// Edit is a text of a file that is replaced.
type Edit struct {
	File          string
	Before, After []byte
}

// Load reads the mutants of a set, or of all sets, of the project in a folder, and checks
// that each of them can still be applied.
func Load(root, set string) ([]Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(root, "golden/mutants", "*"+set, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, path := range paths {
		m, err := parse(path)
		if err == nil {
			err = m.check(root)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, m)
	}
	return all, nil
}

func parse(path string) (Mutant, error) {
	m := Mutant{Name: filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar")}
	a, err := txtar.ParseFile(path)
	if err != nil {
		return m, err
	}
	lines := strings.Split(strings.TrimSpace(string(a.Comment)), "\n")
	command := strings.Fields(lines[len(lines)-1])
	if len(lines) < 2 || len(command) != 2 || len(a.Files) == 0 || len(a.Files)%2 != 0 {
		return m, fmt.Errorf("want the promise, then PACKAGE TEST, then sections before and after")
	}
	m.Promise, m.Package, m.Test = lines[0], command[0], command[1]
	for i := 0; i < len(a.Files); i += 2 {
		file, ok := strings.CutSuffix(a.Files[i].Name, " before")
		if !ok || a.Files[i+1].Name != file+" after" {
			return m, fmt.Errorf("sections %q and %q: want FILE before, then FILE after", a.Files[i].Name, a.Files[i+1].Name)
		}
		m.Edits = append(m.Edits, Edit{file, bytes.TrimSuffix(a.Files[i].Data, []byte("\n")), bytes.TrimSuffix(a.Files[i+1].Data, []byte("\n"))})
	}
	return m, nil
}

// check reports an edit that cannot be made.
func (m Mutant) check(root string) error {
	for _, e := range m.Edits {
		data, err := os.ReadFile(filepath.Join(root, e.File))
		if err != nil {
			return err
		}
		if n := bytes.Count(data, e.Before); n != 1 {
			return fmt.Errorf("%s has the text before %d times, want once:\n%s", e.File, n, e.Before)
		}
	}
	return nil
}

// pattern selects the test.
func (m Mutant) pattern() string {
	if script, ok := strings.CutSuffix(m.Test, ".txtar"); ok {
		return "^TestScript$/^" + script + "$"
	}
	return "^" + m.Test + "$"
}
