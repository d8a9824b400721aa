package workspace

// Data about a project in the user's cache folder. If it is lost, the next run is a full one.
//
// A record lets generate end at once if there is nothing to do. After a run without open problems, it
// stores one hash over all inputs and outputs of the run. While the hash is unchanged, another run would
// do nothing.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/natefinch/atomic"
)

// record is the stored data of a run.
type record struct {
	State string `json:"state"`
	Files int    `json:"files"` // generated files
	Loose int    `json:"loose"` // warnings that the next run has, too
}

// remembered returns the record of the last run if the project is unchanged since, or nil.
func remembered(st *locks.State, verbose bool, o GenerateOptions) *record {
	path, err := locks.CachePath(st.Project, st.Root, "generated.json")
	if err != nil || verbose {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var r record
	if json.Unmarshal(data, &r) != nil || r.State == "" {
		return nil
	}
	if state, err := state(st, o, st.Tree); err != nil || state != r.State {
		return nil
	}
	return &r
}

// remember stores the state after a run if it matches the files on disk. Failures are ignored.
func remember(ctx context.Context, o GenerateOptions, d *Draft, made *Rendered) {
	st := d.in.State
	path, err := locks.CachePath(st.Project, st.Root, "generated.json")
	if err != nil {
		return
	}
	tree, err := locks.ReadTree(ctx, st.Project, st.Root)
	if err != nil {
		return
	}
	opts := d.writeOptions()
	opts.Base = tree
	if stale, err := generator.Compare(st.Root, made.files, opts); err != nil || len(stale) > 0 {
		return // the files were changed in the meantime
	}
	state, err := state(st, o, tree)
	if err != nil {
		return
	}
	lasting := slices.DeleteFunc(slices.Clone(made.warnings), func(w generator.Warning) bool { return w.Merged })
	data, err := json.Marshal(record{State: state, Files: len(made.files), Loose: len(lasting)})
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	_ = atomic.WriteFile(path, bytes.NewReader(data))
}

// state hashes everything that generate depends on and everything in tree, which it writes.
func state(st *locks.State, o GenerateOptions, tree *generator.Tree) (string, error) {
	h := sha256.New()
	if err := hashProgram(h); err != nil {
		return "", err
	}
	importPath, err := importPath(st.Project, st.Root)
	if err != nil {
		return "", err
	}
	p := st.Project
	fmt.Fprintf(h, "%q %q %q %q %q %t %t %q %q\n", p.Output, p.Naming, importPath, program(p, st.Root),
		p.Docs, p.Fakes, o.Strict, p.Disabled, st.Only)
	for _, s := range p.Servers {
		fmt.Fprintf(h, "%q\n", s.Name)
	}
	if p.Docs == config.HTML { // its pages show the permissions
		if err := json.NewEncoder(h).Encode([]any{p.Policy, p.Rules}); err != nil {
			return "", err
		}
	}
	var files []string
	for _, name := range slices.Sorted(maps.Keys(p.Build)) {
		b := p.Build[name]
		fmt.Fprintf(h, "%q %q\n", name, fmt.Sprint(b)) // fmt sorts maps
		files = slices.AppendSeq(files, maps.Values(b.Results))
	}
	slices.Sort(files)
	for _, name := range files {
		if err := hashFile(h, filepath.Join(st.Root, filepath.FromSlash(name))); err != nil {
			return "", err
		}
	}
	fmt.Fprintln(h, tree.Hash())
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashProgram hashes the identity of this build: another build may write other files.
func hashProgram(h hash.Hash) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	return nil
}

func hashFile(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%q %d\n", path, info.Size())
	_, err = io.Copy(h, f)
	return err
}
