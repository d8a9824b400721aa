package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Mutant is one change of the code, and the test that has to notice it.
type Mutant struct {
	Name    string // set/name
	Group   string // the first line of its file: the promise, the system, the room
	Package string
	Test    string // a test, TestSeed/004-15, a fuzz target, or a script: launch.txtar
	Edits   []Edit
	Reason  string // why no change of the code can break it; then there is no test and no edit
}

// Edit is a text of a file that is replaced.
type Edit struct {
	File          string
	Before, After []byte
}

// Load reads the mutants of a set, or of all sets, of the project in a folder, and checks
// that each of them can still be applied.
func Load(root, set string) ([]Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(root, "golden/mutants", cmp.Or(set, "*"), "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	var errs []error
	seen := map[string]string{}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		group, _, _ := strings.Cut(string(a.Comment), "\n")
		for _, f := range a.Files {
			m, err := parse(f)
			m.Group = group
			m.Name = filepath.Base(filepath.Dir(path)) + "/" + m.Name
			if err == nil && seen[m.Name] != "" {
				err = fmt.Errorf("the name stands in %s, too", seen[m.Name])
			}
			if err == nil {
				err = m.check(root)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", path, m.Name, err))
			}
			seen[m.Name] = path
			all = append(all, m)
		}
	}
	return all, errors.Join(errs...)
}

// parse reads a section: its name is "NAME PACKAGE [TEST]"; a line of it is a FILE, or "-"
// with a line before, or "+" with a line after.
func parse(f txtar.File) (Mutant, error) {
	head := strings.Fields(f.Name)
	m := Mutant{Name: head[0]}
	switch len(head) {
	case 1:
		m.Reason = strings.Join(strings.Fields(string(f.Data)), " ")
		if m.Reason == "" {
			return m, fmt.Errorf("want NAME PACKAGE [TEST] and a change, or the reason why there is none")
		}
		return m, nil
	case 2:
		m.Package, m.Test = head[1], "TestSeed/"+m.Name[:min(len(m.Name), len("000-00"))]
	case 3:
		m.Package, m.Test = head[1], head[2]
	default:
		return m, fmt.Errorf("want NAME PACKAGE [TEST], got %q", f.Name)
	}
	file, last := "", byte(0)
	for line := range strings.Lines(string(f.Data)) {
		text := strings.TrimSuffix(line, "\n")
		kind := (text + " ")[0]
		switch {
		case text == "":
			continue
		case kind != '-' && kind != '+':
			file, kind = text, 0
		case kind == '-' && last != '-':
			m.Edits = append(m.Edits, Edit{File: file, Before: []byte(text[1:])})
		case kind == '-':
			e := &m.Edits[len(m.Edits)-1]
			e.Before = append(e.Before, "\n"+text[1:]...)
		case last == 0:
			return m, fmt.Errorf("nothing stands before %q", text)
		case last == '-':
			m.Edits[len(m.Edits)-1].After = []byte(text[1:])
		default:
			e := &m.Edits[len(m.Edits)-1]
			e.After = append(e.After, "\n"+text[1:]...)
		}
		last = kind
	}
	if len(m.Edits) == 0 {
		return m, fmt.Errorf("it changes nothing")
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

// arguments returns the arguments that select the test, and the text that the test prints if it passes.
func (m Mutant) arguments() (args []string, passed string) {
	if script, ok := strings.CutSuffix(m.Test, ".txtar"); ok { // -short leaves out the long ones
		return []string{"-test.run=^Test(Long)?Script$/^" + script + "$"}, "Script/" + script + " ("
	}
	return []string{"-test.short", "-test.run=^" + strings.ReplaceAll(m.Test, "/", "$/^") + "$"}, "--- PASS: " + m.Test + " ("
}
