package workspace

// Result schemas of tools that declare none: those that the configuration names,
// and the shapes in observed.json. What a server declares counts first, then the
// user's file, then what was observed.
//
// A user's file is the user's decision, so generate locks what it says now.
// observed.json is mcpgen's own file: one that is not what was locked is refused
// as a changed snapshot is, and accepted by update.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/conflict"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// maxResultFile bounds the files that the configuration names.
const maxResultFile = 4 << 20

// given is what there is for the results of one server, used or not.
type given struct {
	user     map[string]generator.Result // by wire name
	observed *lockfile.Observed          // nil if there is no file
	file     []byte                      // observed.json as it is to be on disk
	before   map[string]generator.Result // what observe has replaced
}

// readResults reads the result schemas of a server, once. All that cannot be used
// are named.
func (w *Workspace) readResults(name string) error {
	if w.given[name] != nil {
		return nil
	}
	g := &given{user: map[string]generator.Result{}}
	var errs []error
	for _, tool := range slices.Sorted(maps.Keys(w.Project.Build[name].Results)) {
		r, err := w.userResult(name, tool)
		errs = append(errs, err)
		g.user[tool] = r
	}
	errs = append(errs, w.readObserved(name, g))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	w.given[name] = g
	return nil
}

// userResult reads the schema that the configuration names for a tool.
func (w *Workspace) userResult(server, tool string) (generator.Result, error) {
	file := path.Clean(w.Project.Build[server].Results[tool])
	key := fmt.Sprintf("%s: servers.%s.results.%s", w.Project.Path, server, tool)
	data, err := w.readBelow(file)
	if errors.Is(err, fs.ErrNotExist) {
		return generator.Result{}, hint.With(fmt.Errorf("%s: %s does not exist", key, file), "write the schema there", "remove the line")
	}
	if err != nil {
		return generator.Result{}, fmt.Errorf("%s: %w", key, err)
	}
	if err := checkResultSchema(data); err != nil {
		return generator.Result{}, fmt.Errorf("%s: %w (named by %s)", file, err, key)
	}
	return generator.Result{Schema: data, File: file}, nil
}

// readBelow reads a file that lies below the folder of the configuration, also
// when links are followed.
func (w *Workspace) readBelow(name string) ([]byte, error) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxResultFile+1))
	if err == nil && len(data) > maxResultFile {
		err = fmt.Errorf("%s: larger than %d MiB", name, maxResultFile>>20)
	}
	return data, err
}

// readObserved reads the shapes that were observed of a server. Its package may
// have had another name.
func (w *Workspace) readObserved(name string, g *given) error {
	own := w.observedPath(name)
	for _, at := range append([]string{own}, w.packageFiles("observed.json")...) {
		data, err := w.tree.ReadFile(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var o *lockfile.Observed
		if err == nil {
			o, err = lockfile.ParseObserved(data)
		}
		switch {
		case err != nil && at == own:
			return inFile(own, err)
		case err == nil && o.Server == name:
			g.observed, g.file = o, data
			return nil
		}
	}
	return nil
}

// observedPath is where a server's observed.json belongs.
func (w *Workspace) observedPath(name string) string {
	return path.Join(path.Dir(w.snapshotPath(name)), "observed.json")
}

// of returns the schemas by which the results of a snapshot's tools are typed.
func (g *given) of(s *schema.Snapshot) map[string]generator.Result {
	if g == nil || s == nil || len(g.user) == 0 && g.observed == nil {
		return nil
	}
	out := map[string]generator.Result{}
	for _, it := range s.Tools {
		r, ok := g.user[it.Name]
		if !ok && g.observed != nil {
			r.Schema, ok = g.observed.Tools[it.Name]
		}
		if ok && !generator.Declares(it) {
			out[it.Name] = r
		}
	}
	return out
}

// updateServerResults brings what is locked of a server's result schemas up to date
// with the files, and names the tools that it changed. An observed schema that
// differs from the locked one is an error, unless accept allows it; nil allows none.
func (w *Workspace) updateServerResults(ctx context.Context, before *lockfile.LockedServer, name string, s *schema.Snapshot, accept func(server, tool string) bool) (*lockfile.LockedServer, []string, error) {
	if err := w.readResults(name); err != nil {
		return nil, nil, err
	}
	now, old := w.given[name].of(s), map[string]generator.Result{}
	var changed []string
	var errs []error
	locked := *before
	locked.Tools = maps.Clone(before.Tools)
	for _, it := range s.Tools {
		item, known := locked.Tools[it.Name]
		var want lockfile.LockedResult
		r, given := now[it.Name]
		var err error
		if given {
			want, err = r.Locked()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: the result schema of tool %q: %w", name, it.Name, err))
		}
		if !known || err != nil {
			continue
		}
		if item.Result == want {
			if given {
				old[it.Name] = r
			}
			continue
		}
		if ours(item.Result, want, it) && (accept == nil || !accept(name, it.Name)) {
			errs = append(errs, hint.With(fmt.Errorf("%s: the shape of tool %q differs from the one in %s", w.observedPath(name), it.Name, LockName),
				"restore it with git checkout", "accept it: mcpgen update "+report.ShellWord(name)))
			continue
		}
		if was, ok := w.given[name].before[it.Name]; ok {
			old[it.Name] = was
		}
		item.Result = want
		locked.Tools[it.Name] = item
		changed = append(changed, it.Name)
	}
	if len(changed) == 0 || len(errs) > 0 {
		return before, nil, errors.Join(errs...)
	}
	if err := generator.AssignNames(ctx, w.generatorServer(name, s, &locked), before, s, old); err != nil {
		return nil, nil, err
	}
	return &locked, changed, nil
}

// ours reports whether a difference is about observed.json alone, and no decision
// of the user's.
func ours(before, now lockfile.LockedResult, tool schema.Item) bool {
	switch {
	case before.Source == lockfile.ResultUser || now.Source == lockfile.ResultUser:
		return false
	case now.Source == lockfile.ResultObserved:
		return true
	}
	return before.Source == lockfile.ResultObserved && !generator.Declares(tool)
}

// lockResults locks the result schemas of a server that is accepted as it is.
func (w *Workspace) lockResults(name string, s *schema.Snapshot, locked *lockfile.LockedServer) error {
	for tool, r := range w.given[name].of(s) {
		item, ok := locked.Tools[tool]
		if !ok {
			continue
		}
		var err error
		if item.Result, err = r.Locked(); err != nil {
			return fmt.Errorf("%s: the result schema of tool %q: %w", name, tool, err)
		}
		locked.Tools[tool] = item
	}
	return nil
}

// lockedBefore returns the result schemas that a lock was made with, as far as
// they are still there.
func (w *Workspace) lockedBefore(name string, s *schema.Snapshot, locked *lockfile.LockedServer) map[string]generator.Result {
	out := w.given[name].of(s)
	maps.DeleteFunc(out, func(tool string, r generator.Result) bool {
		now, err := r.Locked()
		return err != nil || now != locked.Tools[tool].Result
	})
	return out
}

// observedFiles are the files observed.json of the servers whose packages are made.
func (w *Workspace) observedFiles(snapshots map[string]*schema.Snapshot) []generator.File {
	var out []generator.File
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		if g := w.given[name]; g != nil && g.file != nil {
			out = append(out, generator.File{Path: w.observedPath(name), Data: g.file})
		}
	}
	return out
}

// resultWarnings names the result schemas of the configuration that have no
// effect.
func (w *Workspace) resultWarnings(snapshots map[string]*schema.Snapshot) []generator.Warning {
	var out []generator.Warning
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		g := w.given[name]
		if g == nil {
			continue
		}
		used := g.of(snapshots[name])
		for _, tool := range slices.Sorted(maps.Keys(g.user)) {
			if _, ok := used[tool]; ok {
				continue
			}
			reason := "the server has no such tool"
			if slices.ContainsFunc(snapshots[name].Tools, func(it schema.Item) bool { return it.Name == tool }) {
				reason = "the server declares a result schema itself, which takes its place"
			}
			out = append(out, generator.Warning{Server: name, Tool: tool, Reason: g.user[tool].File + " has no effect: " + reason})
		}
	}
	return out
}

// checkResultSchema wants JSON that is a schema whose references stay in the
// file. Anything else that is unusual makes the type looser, with a warning. All
// references that lead nowhere are named.
func checkResultSchema(data []byte) error {
	if line := conflict.Line(data); line > 0 {
		return hint.With(fmt.Errorf("line %d: git conflict markers", line), "decide what stays of both sides, and remove the markers")
	}
	doc, err := jsonschema.Parse(data)
	if err != nil {
		return err
	}
	if b := doc.Root.Bool; b != nil || len(doc.Root.Keywords) == 0 {
		return hint.New("it says nothing about the result", `write a schema such as {"type": "object", "properties": {…}}`)
	}
	return errors.Join(strayReferences(doc, doc.Root)...)
}

// strayReferences says what is wrong with the references of a schema and of all in it.
func strayReferences(doc *jsonschema.Document, s *jsonschema.Schema) []error {
	var errs []error
	if s.Ref != "" {
		_, err := doc.Follow(s)
		errs = append(errs, err)
	}
	for _, child := range s.Children(true) {
		errs = append(errs, strayReferences(doc, child)...)
	}
	return errs
}
