package vet

// The checks under go vet, which loads packages, caches what it learns of them and
// applies fixes.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mcpgen/mcpgen/generator/internal/code"
)

// Options choose what [Run] looks at.
type Options struct {
	// Dir is the folder that packages are named from; "" is the working directory.
	Dir string
	// Tool is a program that calls [Main], such as mcpgen itself.
	Tool string
	// Packages are patterns of the go command; nil is ./... .
	Packages []string
	// Tags are build tags, separated by commas.
	Tags string
}

// Diagnostic is one mistake.
type Diagnostic struct {
	File    string `json:"file"` // relative to the folder of the options, with slashes, if it is below it
	Line    int    `json:"line"`
	Column  int    `json:"column"` // in bytes, from 1
	Check   string `json:"check"`  // name of the analyzer
	Message string `json:"message"`
	Fixable bool   `json:"fixable"` // [Fix] corrects it
}

// IsTool reports whether a program is run by go vet with these arguments, and has to
// call [Main].
func IsTool(args []string) bool {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") && len(args) > 1 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || filepath.Base(args[len(args)-1]) == "vet.cfg"
}

// Main answers go vet by the arguments of the process, and ends it.
func Main() { unitchecker.Main(analyzers()...) }

// Run returns the mistakes in packages and their tests, in order of position. The
// error is that they cannot be compiled, that go vet cannot be run, or ctx's.
func Run(ctx context.Context, o Options) ([]Diagnostic, error) {
	out, err := o.vet(ctx, "-json")
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(cmp.Or(o.Dir, "."))
	if err != nil {
		return nil, err
	}
	found, err := parse(out, dir)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Check, b.Check), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(found), nil // a package and its tests share files
}

// Fix writes the corrections of all mistakes that have one into the files. The errors
// are those of [Run].
func Fix(ctx context.Context, o Options) error {
	_, err := o.vet(ctx, "-fix")
	return err
}

// Diff returns what [Fix] would change, as a unified diff, and changes nothing. The
// errors are those of [Run].
func Diff(ctx context.Context, o Options) ([]byte, error) {
	out, err := o.vet(ctx, "-fix", "-diff")
	if len(out) > 0 {
		return out, nil // with a diff go vet exits 1
	}
	return nil, err
}

// vet runs go vet and returns what it printed.
func (o Options) vet(ctx context.Context, flags ...string) ([]byte, error) {
	args := append([]string{"vet", "-vettool=" + o.Tool}, flags...)
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	packages := o.Packages
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), packages...)...)
	cmd.Dir = o.Dir
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err == nil:
		return out.Bytes(), nil
	}
	if text := strings.TrimSpace(problems.String()); text != "" {
		err = errors.New(text)
	}
	return out.Bytes(), fmt.Errorf("go vet: %w", err)
}

// parse reads the objects that go vet -json prints, one for each package, with lines
// of comment between them.
func parse(out []byte, dir string) ([]Diagnostic, error) {
	d := json.NewDecoder(bytes.NewReader(comment.ReplaceAll(out, nil)))
	var found []Diagnostic
	for {
		var packages map[string]map[string]json.RawMessage
		if err := d.Decode(&packages); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("go vet -json: %w", err)
		}
		for _, checks := range packages {
			for check, raw := range checks {
				list, err := diagnostics(check, raw, dir)
				if err != nil {
					return nil, err
				}
				found = append(found, list...)
			}
		}
	}
}

var comment = regexp.MustCompile(`(?m)^#.*$`)

func diagnostics(check string, raw json.RawMessage, dir string) ([]Diagnostic, error) {
	var list []struct {
		Posn    string            `json:"posn"`
		Message string            `json:"message"`
		Fixes   []json.RawMessage `json:"suggested_fixes"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		var failed struct {
			Error string `json:"error"`
		}
		if json.Unmarshal(raw, &failed) == nil && failed.Error != "" {
			err = errors.New(failed.Error)
		}
		return nil, fmt.Errorf("%s: %w", check, err)
	}
	var out []Diagnostic
	for _, d := range list {
		file, line, column := code.Position(d.Posn)
		if column == 0 {
			return nil, fmt.Errorf("%s: cannot read this position in go vet's output: %q", check, d.Posn)
		}
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			file = rel
		}
		out = append(out, Diagnostic{
			File: filepath.ToSlash(file), Line: line, Column: column, Check: check, Message: d.Message, Fixable: len(d.Fixes) > 0,
		})
	}
	return out, nil
}
