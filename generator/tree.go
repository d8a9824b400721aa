package generator

// What is on the disk at one moment, as every command reads it: with a [Write]
// that was interrupted undone in memory, and never in the middle of one that is
// running. Reading takes no lock and changes nothing.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/generator/internal/textgen"
	"github.com/mcpgen/mcpgen/internal/hint"
)

// Tree is what stood below a root at one moment, as far as mcpgen is concerned
// with it. It does not change when the disk does. Nil is an empty one.
type Tree struct {
	paths   []string // what was asked for
	files   map[string]*treeFile
	folders map[string]bool // all of them; true: not ours, see leaveAlone
}

// treeFile is one file of a tree.
type treeFile struct {
	mode fs.FileMode
	sum  string // of the content, see [sum]; "" if it was not read
	ours bool
	data []byte // of JSON, of locks, and of what was there before an interrupted Write
	err  error  // why it could not be read
}

// retryTree is how long a reader waits for a Write to come to its end before it
// looks again.
const retryTree = 5 * time.Millisecond

// ReadTree reads the paths below root: files, and folders as deep as mcpgen writes
// into them. Paths are slash paths; a missing one is not an error. A file
// that a running or interrupted [Write] has replaced, removed or made is read as
// it was before. Nothing is written, and no other process is kept from anything.
//
// While somebody writes, it looks again until all of what it read stood there at
// the same time, or ctx ends.
func ReadTree(ctx context.Context, root string, paths ...string) (*Tree, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return readTree(ctx, dir, paths)
}

func readTree(ctx context.Context, dir *os.Root, paths []string) (*Tree, error) {
	for {
		r := &treeReader{dir: dir, seen: map[string]fs.FileInfo{},
			tree: &Tree{paths: paths, files: map[string]*treeFile{}, folders: map[string]bool{}}}
		steady, err := r.read()
		switch {
		case steady && err == nil:
			return r.tree, nil
		case steady:
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(retryTree):
		}
	}
}

// treeReader is one attempt at reading a tree.
type treeReader struct {
	dir    *os.Root
	tree   *Tree
	buffer bytes.Buffer           // for one file after the other
	seen   map[string]fs.FileInfo // what every file and folder was when it was read; nil: not there
}

// read reads the files, and reports whether they are steady: neither the journal nor a
// file changed meanwhile, so all of them existed together at one moment.
func (r *treeReader) read() (steady bool, err error) {
	before, err := r.journal()
	if err != nil {
		return true, err
	}
	err = r.collect(before)
	now, journalErr := r.journal()
	if journalErr != nil || !bytes.Equal(before, now) || (before == nil) != (now == nil) {
		return false, errors.Join(err, journalErr)
	}
	for name, was := range r.seen {
		is, lstatErr := r.dir.Lstat(name)
		if lstatErr != nil {
			is = nil
		}
		if !sameInfo(was, is) {
			return false, err
		}
	}
	return true, err
}

func sameInfo(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode() && (a.IsDir() || a.Size() == b.Size())
}

// journal returns the bytes of the journal, or nil if there is none.
func (r *treeReader) journal() ([]byte, error) {
	data, err := r.dir.ReadFile(journalFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return append([]byte{}, data...), err
}

// collect reads all paths, and undoes what the journal says.
func (r *treeReader) collect(journal []byte) error {
	for _, name := range r.tree.paths {
		if !fs.ValidPath(name) {
			return fmt.Errorf("%q is not a path below the root: nothing was written", name)
		}
		if err := r.walk(name); err != nil {
			return err
		}
	}
	if journal == nil {
		return nil
	}
	j, err := parseJournal(journal)
	if err != nil {
		return hint.With(err, "remove the folder "+stageDir+", then use git checkout to restore the files that mcpgen writes")
	}
	for i, e := range j.Entries {
		if err := r.undo(i, e); err != nil {
			return err
		}
	}
	return nil
}

// walk reads a file, or a folder as deep as our files lie.
func (r *treeReader) walk(root string) error {
	return fs.WalkDir(r.dir.FS(), root, func(name string, d fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			if _, again := r.seen[name]; again && !d.IsDir() {
				return nil // paths may overlap
			}
			info, err = r.dir.Lstat(name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			r.seen[name] = nil
			return nil
		}
		if _, direct := os.Stat(filepath.Join(r.dir.Name(), filepath.FromSlash(name))); err != nil && (direct == nil || errors.Is(direct, fs.ErrNotExist)) {
			return hint.With(fmt.Errorf("%s: a link leads out of %s, where nothing is written", name, r.dir.Name()), "replace the link with a folder, or write somewhere else")
		}
		if err != nil {
			return err
		}
		r.seen[name] = info
		if !d.IsDir() {
			r.tree.files[name] = r.file(name, name, info)
			return nil
		}
		foreign := name != root && leaveAlone(r.dir, root, name)
		r.tree.folders[name] = r.tree.folders[name] || foreign
		if foreign {
			return fs.SkipDir
		}
		return nil
	})
}

// file reads the file at a path as the content of name.
func (r *treeReader) file(name, at string, info fs.FileInfo) *treeFile {
	f := &treeFile{mode: info.Mode()}
	ext := path.Ext(name)
	if !f.mode.IsRegular() || !slices.Contains([]string{".go", ".md", ".html", textgen.AttributesName, ".json", ".lock", ".yaml", ".yml"}, ext) {
		return f
	}
	read, kept := r.content, ext == ".json" || ext == ".lock" || at != name
	if kept {
		read = func(at string, _ int64) ([]byte, error) { return r.dir.ReadFile(at) }
	}
	data, err := read(at, info.Size())
	if err != nil {
		f.err = err
		return f
	}
	f.sum, f.ours = sum(data), isOurs(name, data)
	if kept {
		f.data = data
	}
	return f
}

// content reads a file into a buffer that the next file takes: most files are only
// hashed, and fresh memory for each of them costs as much as that.
func (r *treeReader) content(at string, size int64) ([]byte, error) {
	f, err := r.dir.Open(at)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r.buffer.Reset()
	r.buffer.Grow(int(min(size, 64<<20)) + bytes.MinRead)
	_, err = r.buffer.ReadFrom(f)
	return r.buffer.Bytes(), err
}

// undo puts into the tree what was there before an entry of the journal.
func (r *treeReader) undo(i int, e entry) error {
	if !r.tree.covers(e.Path) {
		return nil
	}
	now := r.tree.files[e.Path]
	if _, ok := r.seen[e.Path]; !ok {
		r.seen[e.Path] = nil
	}
	if now != nil && now.err != nil {
		return nil
	}
	switch e.before(now != nil, now != nil && now.mode.IsRegular(), now.sumOf) {
	case asItIs:
	case absent:
		delete(r.tree.files, e.Path)
	case kept:
		info, err := r.dir.Lstat(oldPath(i))
		if err != nil {
			return err
		}
		r.seen[oldPath(i)] = info
		r.tree.files[e.Path] = r.file(e.Path, oldPath(i), info)
	}
	return nil
}

func (f *treeFile) sumOf() string { return f.sum }

// covers reports whether a path was asked for.
func (t *Tree) covers(name string) bool {
	return slices.ContainsFunc(t.paths, func(p string) bool { return p == "." || name == p || strings.HasPrefix(name, p+"/") })
}

// ReadFile returns the content of a JSON file or a lock of the tree, or of another file
// that a running or interrupted [Write] has replaced. A file that was not there is an
// error that is [fs.ErrNotExist]. Do not change the bytes.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	f := t.file(name)
	switch {
	case f == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case f.err != nil:
		return nil, f.err
	case f.data == nil:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return f.data, nil
}

func (t *Tree) file(name string) *treeFile {
	if t == nil {
		return nil
	}
	return t.files[name]
}

// Files returns the paths of all files, sorted.
func (t *Tree) Files() []string {
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.files))
}

// Ours reports whether a file is there and was written by mcpgen.
func (t *Tree) Ours(name string) bool {
	f := t.file(name)
	return f != nil && f.ours
}

// Hash is one hash over the names of all files, and the content of those that
// could be ours. Trees of equal hashes give the same output.
func (t *Tree) Hash() string {
	h := sha256.New()
	for _, name := range t.Files() {
		f := t.files[name]
		fmt.Fprintf(h, "%q %v %s %t\n", name, f.mode.Type(), f.sum, f.err != nil)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// stale finds files of ours that are not known, below a folder or at a file's path.
func (t *Tree) stale(folder string, known map[string]bool, opts WriteOptions) ([]change, error) {
	var out []change
	for _, name := range t.Files() {
		below, ok := strings.CutPrefix(name, folder+"/")
		switch folder {
		case ".":
			below, ok = name, true
		case name:
			below, ok = path.Base(name), true
		}
		if !ok || known[name] || !t.mayHold(folder, name, below) ||
			slices.ContainsFunc(opts.Keep, func(k string) bool { return strings.HasPrefix(name, k+"/") }) {
			continue
		}
		f := t.files[name]
		candidate := slices.Contains([]string{".go", ".md", ".html", textgen.AttributesName}, path.Ext(name)) ||
			slices.Contains([]string{"snapshot.json", "package-lock.json"}, path.Base(name))
		if path.Base(name) == "observed.json" {
			// Only calls can make it again, so it goes with its server alone. (A
			// stale snapshot is not known yet: files come in order.)
			candidate = !known[path.Dir(name)+"/snapshot.json"]
		}
		if !candidate || !f.mode.IsRegular() {
			continue
		}
		if f.err != nil {
			return nil, f.err
		}
		if f.ours {
			out = append(out, change{path: name, existed: true})
			known[name] = true // folders may overlap
		}
	}
	return out, nil
}

// mayHold reports whether our layout below folder has a place for such a file.
func (t *Tree) mayHold(folder, name, below string) bool {
	parts := strings.Split(below, "/")
	for i, part := range parts[:len(parts)-1] {
		at := strings.TrimSuffix(name, "/"+strings.Join(parts[i+1:], "/"))
		if part[0] == '.' || part[0] == '_' || at != folder && t.folders[at] {
			return false
		}
	}
	return true
}

// leaveAlone reports whether a folder is not ours: hidden from the go command, the root of
// something else, or too deep for our layout. The packages of servers may be deeper, where an
// earlier output folder was.
func leaveAlone(dir *os.Root, folder, name string) bool {
	below := name
	if folder != "." {
		below = strings.TrimPrefix(name, folder+"/")
	}
	holds := func(folder string, names ...string) bool {
		return slices.ContainsFunc(names, func(file string) bool {
			_, err := dir.Lstat(folder + "/" + file)
			return err == nil
		})
	}
	base, tooDeep := path.Base(name), strings.Count(below, "/") > 1
	return base[0] == '.' || base[0] == '_' || base == "testdata" || base == "vendor" || holds(name, "go.mod", "mcpgen.yaml", "mcpgen.yml") ||
		tooDeep && !holds(name, "snapshot.json") && !holds(path.Dir(name), "snapshot.json")
}
