package generator

// Which files change, and whether they may: the decisions of Write and Compare.
// How the changes reach the disk is in stage.go.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gogen"
	"github.com/mcpgen/mcpgen/generator/internal/textgen"
)

// Header is the first line of every generated Go file. A Go file without it is
// never overwritten or removed.
const Header = gogen.Header

// WriteOptions are the settings of [Write] and [Compare].
type WriteOptions struct {
	// Prune are folders, slash paths relative to the root, in which files of
	// ours that are not in the set are stale: Go files and pages with our header,
	// snapshot.json, at most two folders down, and observed.json in a folder that
	// has no snapshot.json any more. Write removes them, and the
	// folders that are then empty; Compare reports them. Files of others are
	// never touched.
	Prune []string
	// DryRun only reports what would be done.
	DryRun bool
}

// Report says what [Write] did, or with DryRun would do: slash paths relative to
// the root, sorted.
type Report struct {
	Written   []string
	Unchanged []string
	Removed   []string
}

// Write brings the files to the disk below root: all of them or, if an error is
// returned, none. A file that is there already with the same content, line
// endings aside, is not touched.
//
// Write never leaves root, not by way of symbolic links either, and never
// replaces a file that is not ours: Go files and pages without our header, JSON
// and lock files whose first member is not "mcpgen", anything else. It names all of those
// before it writes anything.
//
// New files are staged in one folder below root and then renamed. Cancelling ctx
// before the first rename leaves nothing behind; after it the rest is done. What
// a killed process leaves is undone by the next Write or [Recover]. Two Writes to
// one root wait for each other.
func Write(ctx context.Context, root string, files []File, opts WriteOptions) (*Report, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := recoverRoot(ctx, dir); err != nil {
		return nil, err
	}
	p, err := newPlan(dir, files, opts.Prune)
	if err != nil {
		return nil, err
	}
	if opts.DryRun || len(p.changes) == 0 {
		return p.report(), nil
	}
	s, err := openStage(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer s.close()
	// What was decided before the stage was ours may be out of date.
	if p, err = newPlan(dir, files, opts.Prune); err != nil {
		return nil, err
	}
	if err := s.apply(ctx, p.changes); err != nil {
		return nil, err
	}
	return p.report(), nil
}

// State says how a file on disk differs from the one that would be written.
type State string

// The states of a [Stale] file.
const (
	Missing State = "missing" // it is not there
	Changed State = "changed" // it has other content
	Extra   State = "extra"   // it is ours, and would be removed
)

// Stale is a file that [Write] would write or remove.
type Stale struct {
	Path  string // slash path, relative to the root
	State State
}

// Compare returns what [Write] would change, sorted by path, and writes nothing.
// A file that is not ours counts as changed. An interrupted Write is not undone:
// call [Recover] first.
func Compare(root string, files []File, opts WriteOptions) ([]Stale, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	p, err := newPlan(dir, files, opts.Prune)
	if p == nil {
		return nil, err
	}
	var stale []Stale
	for _, c := range p.changes {
		switch {
		case c.data == nil:
			stale = append(stale, Stale{c.path, Extra})
		case c.existed:
			stale = append(stale, Stale{c.path, Changed})
		default:
			stale = append(stale, Stale{c.path, Missing})
		}
	}
	return stale, nil
}

// change is one file to write, or with nil data to remove.
type change struct {
	path    string
	data    []byte
	existed bool
	mode    fs.FileMode // permissions of the file that is replaced
}

type plan struct {
	changes   []change // sorted by path
	unchanged []string
}

func (p *plan) report() *Report {
	r := &Report{Unchanged: p.unchanged}
	for _, c := range p.changes {
		if c.data == nil {
			r.Removed = append(r.Removed, c.path)
		} else {
			r.Written = append(r.Written, c.path)
		}
	}
	return r
}

// newPlan compares files with the disk. If the error is only about files that
// are not ours, the plan is returned too.
func newPlan(dir *os.Root, files []File, prune []string) (*plan, error) {
	p, known := new(plan), map[string]bool{}
	var foreign []error
	for _, f := range files {
		if err := checkPath(f.Path, known); err != nil {
			return nil, err
		}
		c := change{path: f.Path, data: f.Data}
		if c.data == nil {
			c.data = []byte{}
		}
		same, ours, err := c.inspect(dir)
		switch {
		case err != nil:
			return nil, err
		case same:
			p.unchanged = append(p.unchanged, f.Path)
			continue
		case !ours:
			foreign = append(foreign, fmt.Errorf("%s: exists and was not written by mcpgen: move it away, or choose another output or package", f.Path))
		}
		p.changes = append(p.changes, c)
	}
	for _, folder := range prune {
		stale, err := staleFiles(dir, folder, known)
		if err != nil {
			return nil, err
		}
		p.changes = append(p.changes, stale...)
	}
	slices.SortFunc(p.changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	slices.Sort(p.unchanged)
	return p, errors.Join(foreign...)
}

func checkPath(name string, known map[string]bool) error {
	switch {
	case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`+"\x00"):
		return fmt.Errorf("%q is not a path below the root: nothing was written", name)
	case slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return strings.EqualFold(e, ".git") }):
		return fmt.Errorf("%s: that folder is git's own: nothing was written", name)
	case name == stageDir || strings.HasPrefix(name, stageDir+"/"):
		return fmt.Errorf("%s: that folder is mcpgen's own: nothing was written", name)
	case known[name]:
		return fmt.Errorf("%s: written twice: nothing was written", name)
	}
	known[name] = true
	return nil
}

// inspect looks at the file that c would replace: does it have the same content,
// and may it be replaced?
func (c *change) inspect(dir *os.Root) (same, ours bool, err error) {
	info, err := dir.Lstat(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	c.existed, c.mode = true, info.Mode().Perm()
	if !info.Mode().IsRegular() {
		return false, false, nil
	}
	old, err := dir.ReadFile(c.path)
	if err != nil {
		return false, false, err
	}
	return equalText(old, c.data), isOurs(c.path, bytes.NewReader(old)), nil
}

// equalText compares modulo line endings: git may have changed them on checkout.
func equalText(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	crlf, lf := []byte("\r\n"), []byte("\n")
	return bytes.Equal(bytes.ReplaceAll(a, crlf, lf), bytes.ReplaceAll(b, crlf, lf))
}

// isOurs says whether a file of that name and content was written by mcpgen.
func isOurs(name string, r io.Reader) bool {
	switch path.Ext(name) {
	case ".go":
		return startsWithLine(r, Header)
	case ".md":
		return startsWithLine(r, textgen.Header)
	case ".json", ".lock":
		d := json.NewDecoder(r)
		open, err := d.Token()
		if err != nil || open != json.Delim('{') {
			return false
		}
		key, err := d.Token()
		return err == nil && key == "mcpgen"
	}
	return false
}

func startsWithLine(r io.Reader, want string) bool {
	line := make([]byte, len(want)+2)
	n, _ := io.ReadFull(r, line)
	rest, found := bytes.CutPrefix(line[:n], []byte(want))
	return found && (bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r\n")))
}

// staleFiles finds files of ours below folder that are not known.
func staleFiles(dir *os.Root, folder string, known map[string]bool) ([]change, error) {
	if !fs.ValidPath(folder) {
		return nil, fmt.Errorf("%q is not a path below the root: nothing was written", folder)
	}
	var stale []change
	err := fs.WalkDir(dir.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != folder && leaveAlone(dir, folder, name) {
				return fs.SkipDir
			}
			return nil
		}
		c, err := staleFile(dir, name, entry, known)
		if c != nil {
			stale = append(stale, *c)
			known[name] = true // folders may overlap
		}
		return err
	})
	return stale, err
}

// leaveAlone says that a folder is none of ours: too deep for our layout, hidden
// from the go command, or the root of something else.
func leaveAlone(dir *os.Root, folder, name string) bool {
	below := name
	if folder != "." {
		below = strings.TrimPrefix(name, folder+"/")
	}
	base := path.Base(name)
	if strings.Count(below, "/") > 1 || base[0] == '.' || base[0] == '_' {
		return true
	}
	for _, marker := range []string{"go.mod", "mcpgen.yaml", "mcpgen.yml"} {
		if _, err := dir.Lstat(name + "/" + marker); err == nil {
			return true
		}
	}
	return false
}

func staleFile(dir *os.Root, name string, entry fs.DirEntry, known map[string]bool) (*change, error) {
	candidate := path.Ext(name) == ".go" || path.Ext(name) == ".md" || path.Base(name) == "snapshot.json"
	if path.Base(name) == "observed.json" {
		// Only calls can make it again, so it goes with its server alone. (A stale
		// snapshot is not known yet: folders are walked in order.)
		candidate = !known[path.Dir(name)+"/snapshot.json"]
	}
	if known[name] || !candidate || !entry.Type().IsRegular() {
		return nil, nil
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !isOurs(name, f) {
		return nil, nil
	}
	return &change{path: name, existed: true}, nil
}
