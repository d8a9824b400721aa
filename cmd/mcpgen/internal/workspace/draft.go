package workspace

// This file defines drafts: the state of the project that a run prepares. Servers are independent: an
// error of one server keeps its lock entry and its package, and does not stop the others.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Draft is the project as a run would leave it.
type Draft struct {
	in        *inputs.Servers
	con       *console.Console
	Lock      *lockfile.Lock
	Snapshots map[string]*schema.Snapshot // of the servers whose packages are generated
	trees     map[string][]byte           // locked trees of their dependencies
	kept      []string                    // servers of the lock that stay unchanged
	dropped   []string                    // servers that are removed from the lock, sorted
	Errs      []error                     // errors of single servers
	KeepStale bool                        // no file is removed
	Frozen    bool                        // nothing new is locked
	reorder   bool                        // accepted items take the server's order, even if nothing else changed
	whole     bool                        // an error of one server prevents all writing
	namesOnly bool                        // only the names of the code are made; no file is written
	pending   []*editing.Edit             // of the configuration, to be written with everything else
	edits     []*editing.Edit             // of the user's code, likewise
}

// NewDraft starts with the lock. The packages of the servers for which made returns true are generated
// again, the others stay unchanged; a nil made means the servers that --servers selects. Under drop, servers
// that were removed from the configuration leave the lock.
func NewDraft(in *inputs.Servers, con *console.Console, made func(name string) bool, drop bool) *Draft {
	d := &Draft{in: in, con: con, Lock: lockfile.NewLock()}
	d.Snapshots, d.trees = map[string]*schema.Snapshot{}, map[string][]byte{}
	if made == nil {
		made = in.InScope
	}
	for _, name := range slices.Sorted(maps.Keys(in.Lock.Servers)) {
		if drop && in.InScope(name) && in.Gone(name) {
			d.dropped = append(d.dropped, name)
			continue
		}
		d.Lock.Servers[name] = in.Lock.Servers[name]
		if !made(name) {
			d.kept = append(d.kept, name)
			continue
		}
		if !in.Configured(name) && in.Absent(name) == "" {
			d.kept = append(d.kept, name)
			if !in.Gone(name) {
				d.Errs = append(d.Errs, &serverError{name, fmt.Errorf("%s: left as it was: %s", name, in.Project.Why(name))})
			}
			continue
		}
		s, err := in.Snapshot(name)
		if err == nil {
			err = d.tree(name, nil, in.Lock.Servers[name])
		}
		if err != nil {
			d.fail(name, err)
			continue
		}
		d.Snapshots[name] = s
	}
	return d
}

// tree adds the locked tree of a server's dependencies: the captured one, or the existing file.
func (d *Draft) tree(name string, captured []byte, locked *lockfile.LockedServer) error {
	delete(d.trees, name)
	hash := locked.Artifact.Tree
	if hash == "" {
		return nil
	}
	isLocked := func(data []byte) bool { return data != nil && lockfile.TextHash(string(data)) == hash }
	elsewhere := locks.PackageFiles(d.in.Tree, d.in.Project.Output, artifact.TreeFile)
	for _, file := range append([]string{d.in.TreePath(name)}, elsewhere...) {
		if isLocked(captured) {
			break
		}
		captured, _ = d.in.Tree.ReadFile(file)
		captured = regular.WithLF(captured)
	}
	if !isLocked(captured) {
		return hint.With(fmt.Errorf("%s: the hash of the file differs from the hash in %s", d.in.TreePath(name), locks.Name),
			"restore the file with git checkout", "run mcpgen update "+hint.Word(name))
	}
	d.trees[name] = captured
	return nil
}

// fail restores the lock entry of a server, keeps its package, and records the error.
func (d *Draft) fail(name string, err error) {
	d.Errs = append(d.Errs, &serverError{name, err})
	delete(d.Snapshots, name)
	delete(d.Lock.Servers, name)
	if before := d.in.Lock.Servers[name]; before != nil {
		d.Lock.Servers[name] = before
		d.kept = append(d.kept, name)
	}
}

// UpdateResults updates the result schemas in the lock from the files. An observed schema that differs
// from the locked one is an error, unless accept allows it; a nil accept allows none. Under frozen every
// difference is an error.
func (d *Draft) UpdateResults(ctx context.Context, accept func(server, tool string) bool, frozen bool) {
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		locked, changed, err := d.in.UpdateResults(ctx, d.Lock.Servers[name], name, d.Snapshots[name], accept)
		switch {
		case err != nil:
			d.fail(name, err)
		case frozen && len(changed) > 0:
			d.fail(name, exit.Fail(exit.Finding, hint.With(fmt.Errorf("%s: the result schemas of %s differ from the locked ones",
				locks.Name, name+"/"+strings.Join(changed, ", "+name+"/")), "run mcpgen generate and commit the result")))
		default:
			d.Lock.Servers[name] = locked
		}
	}
}

// Accept locks what a server offers, with the Go names that had to be numbered and the old names of
// renamed tools. The capture is not changed.
func (d *Draft) Accept(ctx context.Context, taken *capturing.Capture) {
	name, c := taken.Server.Name, *taken
	err := c.Hash()
	if err == nil {
		err = d.lockCapture(ctx, &c, d.Lock.Servers[name])
	}
	if err != nil {
		d.fail(name, err)
		return
	}
	if err := d.tree(name, c.Tree, c.Locked); err != nil {
		d.fail(name, err)
		return
	}
	d.Lock.Servers[name], d.Snapshots[name] = c.Locked, c.Snapshot
	d.kept = slices.DeleteFunc(d.kept, func(k string) bool { return k == name })
}

// lockCapture completes a capture before it is locked.
func (d *Draft) lockCapture(ctx context.Context, c *capturing.Capture, before *lockfile.LockedServer) error {
	in, name := d.in, c.Server.Name
	old := in.OldSnapshot(name)
	if !d.reorder {
		c.Snapshot = c.Locked.KeepOrder(c.Snapshot, before, old)
	}
	if err := in.LockResults(c.Snapshot, c.Locked, c.Observed); err != nil {
		return err
	}
	now, results := in.Server(name, c.Snapshot, c.Locked), in.LockedBefore(name, old, before)
	if err := generator.AssignNames(ctx, now, before, old, results); err != nil {
		return err
	}
	inputs.KeepDecisions(before, c.Locked)
	if before != nil {
		c.Locked.Artifact = before.Artifact.Join(c.Locked.Artifact)
	}
	if old == nil {
		return nil
	}
	was := in.Server(name, old, before)
	was.Results = in.LockedBefore(name, old, before)
	return generator.KeepOldNames(ctx, was, in.Server(name, c.Snapshot, c.Locked), drift.RenamedTools(old, c.Snapshot))
}

// locked returns the servers that the lock did not have before.
func (d *Draft) locked() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		if d.in.Lock.Servers[name] == nil {
			out = append(out, name)
		}
	}
	return out
}

// removed returns the servers whose packages a write removed; nil for a nil report.
func (d *Draft) removed(by *generator.Report) []string {
	if by == nil {
		return nil
	}
	return d.dropped
}

// usersOfDropped returns the lines of the module that import the packages of dropped servers.
func (d *Draft) usersOfDropped(ctx context.Context) ([]impact.Problem, error) {
	var folders []string
	for _, name := range d.dropped {
		if folder, _ := d.in.PackageOf(name); folder != "" {
			folders = append(folders, folder)
		}
	}
	return importers(ctx, d.in.Project, d.in.Root, folders)
}

// importers returns the lines of the module that import packages below the output.
func importers(ctx context.Context, project *config.Project, root string, folders []string) ([]impact.Problem, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	importPath, err := importPath(project, root)
	if err != nil {
		return nil, err
	}
	for i, folder := range folders {
		folders[i] = path.Join(importPath, folder)
	}
	return impact.Importers(ctx, impact.Options{Dir: root, Root: starter.Repository(root)}, folders...)
}

// gone returns the servers that are kept although they were removed from the configuration.
func (d *Draft) gone() []string {
	return slices.DeleteFunc(slices.Clone(d.kept), func(name string) bool {
		return !d.in.InScope(name) || !d.in.Gone(name)
	})
}

// Options returns the input of the generator, and the names that clashed.
func (d *Draft) Options(strict bool) (generator.Options, []naming.Clash, error) {
	in := d.in
	opts := generator.Options{Output: in.Project.Output, Strict: strict, Base: in.Tree, NamesOnly: d.namesOnly}
	opts.Fakes, opts.Docs = in.Project.Fakes, string(in.Project.Docs)
	var err error
	if opts.ImportPath, err = importPath(in.Project, in.Root); err != nil {
		return opts, nil, err
	}
	opts.Command = program(in.Project, in.Root)
	all := maps.Clone(d.Snapshots)
	for _, name := range d.kept {
		folder, s := in.PackageOf(name)
		if folder != "" {
			kept := generator.Kept{Server: name, Package: folder}
			if s != nil {
				listed := in.Server(name, s, d.Lock.Servers[name])
				kept.Listed = &listed
			}
			opts.Kept = append(opts.Kept, kept)
		}
		if s != nil {
			all[name] = s
		}
	}
	if in.Project.Docs == config.HTML {
		if opts.Facts, err = PolicyFacts(in, all); err != nil {
			return opts, nil, err
		}
	}
	qualified, clashes, err := in.Qualify(all)
	if err != nil {
		return opts, nil, err
	}
	for _, kept := range opts.Kept {
		if kept.Listed != nil {
			kept.Listed.Names = qualified[kept.Server]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		d.Lock.Servers[name] = in.Pinned(name, d.Lock.Servers[name], qualified[name])
		s := in.Server(name, d.Snapshots[name], d.Lock.Servers[name])
		s.Names = qualified[name]
		opts.Servers = append(opts.Servers, s)
	}
	return opts, clashes, nil
}

// render generates all files that change. A server that cannot be generated is reverted with fail. Nil
// means that there is nothing to write.
func (d *Draft) render(ctx context.Context, strict bool) (*Rendered, error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		opts, clashes, err := d.Options(strict)
		if err != nil {
			return nil, err
		}
		if strict && d.refuse(clashes) {
			continue
		}
		if len(opts.Servers) == 0 && (len(d.dropped) == 0 || len(opts.Kept) == 0) {
			switch {
			case len(d.in.Project.Servers)+len(d.kept)+len(d.Errs) > 0:
				return nil, nil
			case !d.in.Locked && len(d.pending) == 0: // otherwise the last server was removed
				return nil, hint.With(fmt.Errorf("%s: no server to generate for", d.in.Project.Path),
					"add one: mcpgen add NAME -- COMMAND")
			}
		}
		opts.Progress = func(done, all int) {
			d.con.Status("generating %d of %s", done, safetext.Count(all, "tool"))
		}
		opts.Restore = func(server string) []string {
			if steps := locks.SameCommit(ctx, d.in.Root, d.in.Project.Output); steps != nil {
				return steps
			}
			return []string{"find what was locked, and compare it with the server: mcpgen update " + hint.Word(server)}
		}
		out, err := generator.Generate(ctx, opts)
		d.con.Status("")
		if err == nil {
			if d.Frozen && d.failAll(mergedNames(out.Warnings)) {
				continue
			}
			d.lockShapes(out.Shapes)
			return d.rendered(out, d.clashWarnings(clashes)), nil
		}
		if ctx.Err() != nil || !d.blame(err) {
			return nil, exit.Unless(ctx, err)
		}
	}
}

// mergedNames returns the findings, by server, about names that the lock has twice since a merge: only a run that may
// write the lock resolves them.
func mergedNames(warnings []generator.Warning) map[string][]error {
	out := map[string][]error{}
	for _, w := range warnings {
		if w.Merged {
			w.Step = "run mcpgen generate and commit the result"
			out[w.Server] = append(out[w.Server], exit.Fail(exit.Finding, w.Err()))
		}
	}
	return out
}

// lockShapes locks the short names of types, so that they stay the same, and the names that resolve a merge, unless
// nothing new may be locked.
func (d *Draft) lockShapes(shapes []generator.ShapeName) {
	if d.Frozen || len(shapes) == 0 {
		return
	}
	for name := range d.Snapshots {
		d.Lock.Servers[name] = generator.LockShapes(name, d.Lock.Servers[name], shapes)
	}
}

// blame calls fail for the servers of errors. It reports whether there are any.
func (d *Draft) blame(err error) bool {
	of := map[string][]error{}
	for _, err := range exit.Flatten(err) {
		if e, ok := errors.AsType[*generator.ServerError](err); ok {
			of[e.Server] = append(of[e.Server], e.Err)
		} else if e, ok := errors.AsType[*generator.ForeignError](err); ok {
			name := d.ownerOf(e.Path)
			of[name] = append(of[name], e)
		}
	}
	return d.failAll(of)
}

// failAll calls fail for servers, each with its errors. It reports whether any of them was in the draft.
func (d *Draft) failAll(wrong map[string][]error) bool {
	failed := false
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		if d.Snapshots[name] != nil {
			d.fail(name, errors.Join(wrong[name]...))
			failed = true
		}
	}
	return failed
}

// ownerOf returns the server whose package contains a file, or "".
func (d *Draft) ownerOf(file string) string {
	for name := range d.Snapshots {
		if strings.HasPrefix(file, path.Dir(d.in.SnapshotPath(name))+"/") {
			return name
		}
	}
	return ""
}

// writeOptions returns which files may be removed.
func (d *Draft) writeOptions() generator.WriteOptions {
	in := d.in
	opts := generator.WriteOptions{Base: in.Tree}
	if !d.KeepStale {
		opts.Prune = []string{in.Project.Output}
	}
	for _, name := range d.kept {
		folder, _ := in.PackageOf(name)
		if folder == "" {
			// The folder of its package is unknown, so it may be any.
			opts.Keep = append(opts.Keep, d.foldersOfOthers()...)
			continue
		}
		opts.Keep = append(opts.Keep, path.Join(in.Project.Output, folder))
	}
	return opts
}

// foldersOfOthers returns the folders of packages that this run neither generates nor drops.
func (d *Draft) foldersOfOthers() []string {
	known := map[string]bool{}
	for name := range d.Snapshots {
		known[path.Dir(d.in.SnapshotPath(name))] = true
	}
	for _, name := range d.dropped {
		folder, _ := d.in.PackageOf(name)
		known[path.Join(d.in.Project.Output, folder)] = true
	}
	var out []string
	for _, file := range d.in.Tree.Files() {
		for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
			if path.Dir(folder) == d.in.Project.Output && !known[folder] && !slices.Contains(out, folder) {
				out = append(out, folder)
			}
		}
	}
	return out
}

// Write writes the draft to disk. A server whose files collide with others is reverted. The report is nil
// if nothing was generated; if the error is [generator.ErrChanged], the caller must build another draft.
func (d *Draft) Write(ctx context.Context, strict bool) (*generator.Report, *Rendered, error) {
	for {
		out, err := d.render(ctx, strict)
		if out == nil || err != nil {
			return nil, nil, err
		}
		if added := editing.Added(d.pending); added != nil && d.Snapshots[added.Name] == nil || d.whole && len(d.Errs) > 0 {
			return nil, nil, nil // it cannot be locked
		}
		opts := d.writeOptions()
		var elsewhere []*editing.Edit
		opts.Edits, elsewhere = editing.Split(d.in.Root, append(slices.Clone(d.pending), d.edits...))
		report, err := generator.Write(ctx, d.in.Root, out.files, opts)
		if err == nil {
			err = editing.SaveAll(ctx, elsewhere)
		}
		switch {
		case err == nil:
			d.pending = nil
			warn(d.con, out.warnings, len(report.Written) > 0)
			return report, out, nil
		case errors.Is(err, generator.ErrChanged):
			return nil, nil, err
		case ctx.Err() != nil || !d.blame(err):
			return nil, nil, exit.Unless(ctx, err)
		}
	}
}
