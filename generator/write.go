package generator

// Which files change, and whether they may: the decisions of Write and Compare.
// How the changes reach the disk is in stage.go.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gogen"
	"github.com/mcpgen/mcpgen/generator/internal/textgen"
	"github.com/mcpgen/mcpgen/internal/hint"
)

// Header is the first line of every generated Go file. A Go file without it is
// never overwritten or removed.
const Header = gogen.Header

// WriteOptions are the settings of [Write] and [Compare].
type WriteOptions struct {
	// Prune are files and folders, slash paths relative to the root, in which files of
	// ours that are not in the set are stale: Go files and pages with our header,
	// snapshot.json and package-lock.json, at most two folders down or in the package of a server, and
	// observed.json in a folder that has no snapshot.json any more. Write removes them, and the
	// folders that are then empty; Compare reports them. Files of others are
	// never touched.
	Prune []string
	// Keep are folders below those of Prune in which nothing is stale.
	Keep []string
	// Base is what the files were made from. Where the disk is not so any more
	// when it is to be written, Write fails with [ErrChanged]. It has to cover all
	// files and the folders of Prune. Nil is whatever is there.
	Base *Tree
	// Edits are changes of files that are not ours, which reach the disk together with
	// the files or not at all. They are in no report.
	Edits []Edit
}

// Edit is a file of somebody else that becomes another one.
type Edit struct {
	Path   string // slash path, relative to the root; not a symbolic link
	Before []byte // what it has to be still, byte for byte; nil: there must be none
	After  []byte
}

// ErrEdited is the error of a [Write] one of whose Edits is about a file that is not as it
// was: somebody else has written it meanwhile.
var ErrEdited = hint.New("another program changed the file during the run, so mcpgen did not write the file", "run mcpgen again")

// ErrChanged is the error of a [Write] whose Base is out of date: somebody else
// has written meanwhile. Read the tree and make the files again.
var ErrChanged = hint.New("another program changed the files during the run", "run mcpgen again")

// ForeignError is a file that is in the way of one that would be written, and
// that mcpgen did not write.
type ForeignError struct {
	Path string // slash path, relative to the root
}

// Error names the file and the ways out.
func (e *ForeignError) Error() string {
	return hint.Text(e.Path+": exists and was not written by mcpgen", e.NextSteps())
}

// NextSteps returns the ways out, which Error ends with.
func (e *ForeignError) NextSteps() []string {
	return []string{"move it away", "choose another output or package"}
}

// Report says what [Write] did: slash paths relative to
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
// before it writes anything, except for those of files that yield, which it leaves.
//
// New files are staged in one folder below root and then renamed. Cancelling ctx
// before the first rename leaves nothing behind; after it the rest is done. What
// a killed process leaves is undone by the next Write or [Recover], and until then
// by [ReadTree] in memory. Two Writes to one root wait for each other.
//
// Each file that is in the way is a [*ForeignError] in what is returned.
func Write(ctx context.Context, root string, files []File, opts WriteOptions) (*Report, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := recoverRoot(ctx, dir); err != nil {
		return nil, err
	}
	p, err := currentPlan(ctx, dir, files, opts)
	if err != nil {
		return nil, err
	}
	if len(p.changes)+len(opts.Edits) == 0 {
		return p.report(), nil
	}
	s, err := openStage(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.write(ctx, files, opts)
}

// write carries out the plan, made anew: what was decided before the stage was
// ours may be out of date.
func (s *stage) write(ctx context.Context, files []File, opts WriteOptions) (*Report, error) {
	base := opts.Base
	if base != nil {
		now, err := readTree(ctx, s.dir, base.paths)
		if err != nil {
			return nil, err
		}
		if now.Hash() != base.Hash() {
			return nil, ErrChanged
		}
	}
	p, err := currentPlan(ctx, s.dir, files, opts)
	if err != nil {
		return nil, err
	}
	edits, err := s.edits(opts.Edits, p.changes)
	if err != nil {
		return nil, err
	}
	if err := s.apply(ctx, append(edits, p.changes...)); err != nil {
		return nil, err
	}
	return p.report(), nil
}

// edits are the changes of files of others, each of which has to be as it was.
func (s *stage) edits(edits []Edit, beside []change) ([]change, error) {
	var out []change
	known := map[string]bool{}
	for _, c := range beside {
		known[c.path] = true
	}
	for _, e := range edits {
		if err := checkPath(e.Path, known); err != nil {
			return nil, err
		}
		info, err := s.dir.Lstat(e.Path)
		var now []byte
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Before == nil:
			out = append(out, change{path: e.Path, data: e.After})
			continue
		case err == nil && info.Mode().IsRegular():
			now, err = s.dir.ReadFile(e.Path)
		}
		if err != nil {
			return nil, err
		}
		if e.Before == nil || !bytes.Equal(now, e.Before) {
			return nil, fmt.Errorf("%s: %w", e.Path, ErrEdited)
		}
		out = append(out, change{path: e.Path, data: e.After, existed: true, mode: info.Mode().Perm()})
	}
	return out, nil
}

// State describes how a file on disk differs from its new content.
type State string

// The states of a [Stale] file.
const (
	Missing      State = "missing" // it is not there
	stateChanged State = "changed" // it has other content
	stateExtra   State = "extra"   // it is ours, and would be removed
)

// Stale is a file that [Write] would write or remove.
type Stale struct {
	Path  string // slash path, relative to the root
	State State
}

// Compare returns what [Write] would change, sorted by path, and writes nothing.
// The error has a [*ForeignError] for each file that is not ours; the changes are returned as well.
// After an interrupted Write it sees the files from before, see [ReadTree].
func Compare(root string, files []File, opts WriteOptions) ([]Stale, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	p, err := currentPlan(context.Background(), dir, files, opts)
	if p == nil {
		return nil, err
	}
	var stale []Stale
	for _, c := range p.changes {
		switch {
		case c.data == nil:
			stale = append(stale, Stale{c.path, stateExtra})
		case c.existed:
			stale = append(stale, Stale{c.path, stateChanged})
		default:
			stale = append(stale, Stale{c.path, Missing})
		}
	}
	return stale, err
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

// currentPlan compares files with opts.Base, or with the disk.
func currentPlan(ctx context.Context, dir *os.Root, files []File, opts WriteOptions) (*plan, error) {
	tree := opts.Base
	if tree == nil {
		paths := slices.Clone(opts.Prune)
		for _, f := range files {
			if err := checkPath(f.Path, map[string]bool{}); err != nil {
				return nil, err
			}
			paths = append(paths, f.Path)
		}
		var err error
		if tree, err = readTree(ctx, dir, paths); err != nil {
			return nil, err
		}
	}
	return newPlan(tree, files, opts)
}

// newPlan compares files with a tree. If the error is only about files that are
// not ours, the plan is returned too.
func newPlan(tree *Tree, files []File, opts WriteOptions) (*plan, error) {
	p, known := new(plan), map[string]bool{}
	var foreign []error
	for _, f := range files {
		if err := checkPath(f.Path, known); err != nil {
			return nil, err
		}
		if !tree.covers(f.Path) {
			return nil, fmt.Errorf("%s: mcpgen did not read the folder of this file, so it wrote nothing", f.Path)
		}
		c := change{path: f.Path, data: f.Data}
		if c.data == nil {
			c.data = []byte{}
		}
		same, ours, err := c.inspect(tree)
		switch {
		case err != nil:
			return nil, err
		case same:
			p.unchanged = append(p.unchanged, f.Path)
			continue
		case !ours && f.Yields:
			continue
		case !ours:
			foreign = append(foreign, &ForeignError{f.Path})
			continue
		}
		p.changes = append(p.changes, c)
	}
	for _, folder := range opts.Prune {
		stale, err := tree.stale(folder, known, opts)
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
		return fmt.Errorf("%s: duplicate file: nothing was written", name)
	}
	known[name] = true
	return nil
}

// inspect looks at the file that c would replace: does it have the same content,
// and may it be replaced?
func (c *change) inspect(tree *Tree) (same, ours bool, err error) {
	f := tree.file(c.path)
	_, folder := tree.folders[c.path]
	switch {
	case folder:
		return false, false, nil
	case f == nil:
		return false, true, nil
	case f.err != nil:
		return false, false, f.err
	}
	c.existed, c.mode = true, f.mode.Perm()
	return f.sum == sum(c.data), f.ours, nil
}

// isOurs says whether a file of that name and content was written by mcpgen.
func isOurs(name string, data []byte) bool {
	switch path.Ext(name) {
	case ".go":
		return startsWithLine(data, Header)
	case ".md", ".html":
		return startsWithLine(data, textgen.Header)
	case textgen.AttributesName:
		return startsWithLine(data, textgen.AttributesHeader)
	case ".json", ".lock":
		d := json.NewDecoder(bytes.NewReader(data))
		open, err := d.Token()
		if err != nil || open != json.Delim('{') {
			return false
		}
		key, err := d.Token()
		return err == nil && key == "mcpgen"
	}
	return false
}

func startsWithLine(data []byte, want string) bool {
	rest, found := bytes.CutPrefix(data, []byte(want))
	return found && (bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r\n")))
}
