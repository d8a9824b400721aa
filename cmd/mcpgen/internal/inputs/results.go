// Package inputs holds what the generator takes of each server: its locked surface, its result schemas, and
// the names of its tools.
package inputs

// Result schemas of tools without an output schema: files that the configuration names, and the shapes in
// observed.json. The precedence is: the server's schema, the user's file, the observed shape.
//
// A user's file is the user's decision, so generate locks its current content. observed.json is mcpgen's
// own file: if it differs from the lock, it is refused like a changed snapshot, until update accepts it.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/conflict"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/mcpgen/mcpgen/schema/observe"
)

// maxResultFile bounds the size of result schemas in the configuration, in bytes.
const maxResultFile = 4 << 20

// Servers holds the generator's input about the servers of a project: the locked state, result schemas and names.
type Servers struct {
	*locks.State
	given map[string]*given // result schemas by server, read on demand
}

// NewServers returns the servers of a project.
func NewServers(st *locks.State) *Servers { return &Servers{State: st} }

// Read reads what is locked anew: see [locks.State.Read].
func (in *Servers) Read(ctx context.Context, con *console.Console) error {
	in.given = map[string]*given{}
	return in.State.Read(ctx, con)
}

// given holds all sources of result schemas for one server, used or not.
type given struct {
	user     map[string]generator.Result // by wire name
	observed *lockfile.Observed          // nil if there is no file
	file     []byte                      // the content of observed.json to write
	before   map[string]generator.Result // results that observe has replaced
}

// readResults reads the result schemas of a server once. The error names all that are unusable.
func (in *Servers) readResults(name string) error {
	if in.given[name] != nil {
		return nil
	}
	g := &given{user: map[string]generator.Result{}}
	var errs []error
	for _, tool := range slices.Sorted(maps.Keys(in.Project.Build[name].Results)) {
		r, err := userResult(in.Project, in.Root, name, tool)
		errs = append(errs, err)
		g.user[tool] = r
	}
	errs = append(errs, in.readObserved(name, g))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	in.given[name] = g
	return nil
}

// Results returns the schemas of the configuration and of observations that type the results of a snapshot's tools.
func (in *Servers) Results(name string, s *schema.Snapshot) (map[string]generator.Result, error) {
	if err := in.readResults(name); err != nil {
		return nil, err
	}
	return in.given[name].of(s), nil
}

// Observed returns the observed result shapes of a server; nil if there are none.
func (in *Servers) Observed(name string) (*lockfile.Observed, error) {
	g := &given{}
	err := in.readObserved(name, g)
	return g.observed, err
}

// userResult reads the schema that the configuration names for a tool.
func userResult(project *config.Project, root, server, tool string) (generator.Result, error) {
	file := path.Clean(project.Build[server].Results[tool])
	key := fmt.Sprintf("%s: servers.%s.results.%s", project.Path, server, tool)
	data, err := readBelow(root, file)
	if errors.Is(err, fs.ErrNotExist) {
		return generator.Result{}, hint.With(fmt.Errorf("%s: %s does not exist", key, file),
			"write the schema there", "remove the line")
	}
	if err != nil {
		return generator.Result{}, fmt.Errorf("%s: %w", key, err)
	}
	if err := CheckResultSchema(data); err != nil {
		return generator.Result{}, fmt.Errorf("%s: %w (named by %s)", file, err, key)
	}
	return generator.Result{Schema: data, File: file}, nil
}

// readBelow reads a file that is below the folder of the configuration, even after following links.
func readBelow(root, name string) ([]byte, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.Open(filepath.FromSlash(name))
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

// readObserved reads the observed shapes of a server, even if its package had another name.
func (in *Servers) readObserved(name string, g *given) error {
	own := in.ObservedPath(name)
	for _, at := range append([]string{own}, locks.PackageFiles(in.Tree, in.Project.Output, "observed.json")...) {
		data, err := in.Tree.ReadFile(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var o *lockfile.Observed
		if err == nil {
			o, err = lockfile.ParseObserved(data)
		}
		switch {
		case err != nil && at == own:
			return locks.InFile(own, err)
		case err == nil && o.Server == name:
			g.observed, g.file = o, data
			return nil
		case err == nil && o.Server == in.Formerly[name]:
			o.Server = name
			g.observed, g.file = o, o.Encode()
			return nil
		}
	}
	return nil
}

// of returns the schemas that type the results of a snapshot's tools.
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

// UpdateResults updates the locked result schemas of a server from the files, and names the changed
// tools. An observed schema that differs from the lock is an error, unless accept allows it; a nil accept
// allows none.
func (in *Servers) UpdateResults(
	ctx context.Context, before *lockfile.LockedServer, name string, s *schema.Snapshot,
	accept func(server, tool string) bool,
) (*lockfile.LockedServer, []string, error) {
	if err := in.readResults(name); err != nil {
		return nil, nil, err
	}
	now, old := in.given[name].of(s), map[string]generator.Result{}
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
			err := fmt.Errorf("%s: the result shape of tool %q differs from the shape in %s",
				in.ObservedPath(name), it.Name, locks.Name)
			restore := "restore the file with git checkout"
			if !slices.ContainsFunc(slices.Collect(maps.Values(before.Tools)), observed) {
				restore = "remove the file" // a merge took the lock of one side, and the file of the other
			}
			errs = append(errs, hint.With(err, restore, "accept it: mcpgen update "+hint.Word(name)))
			continue
		}
		if was, ok := in.given[name].before[it.Name]; ok {
			old[it.Name] = was
		}
		item.Result = want
		locked.Tools[it.Name] = item
		changed = append(changed, it.Name)
	}
	if len(changed) == 0 || len(errs) > 0 {
		return before, nil, errors.Join(errs...)
	}
	next := in.Server(name, s, &locked)
	if err := generator.AssignNames(ctx, next, before, s, old); err != nil {
		return nil, nil, err
	}
	was := next
	was.Locked, was.Results = before, old
	return &locked, changed, generator.KeepOldNames(ctx, was, next, nil)
}

func observed(item lockfile.LockedItem) bool { return item.Result.Source == lockfile.ResultObserved }

// ours reports whether a difference is only about observed.json and not a decision of the user.
func ours(before, now lockfile.LockedResult, tool schema.Item) bool {
	switch {
	case before.Source == lockfile.ResultUser || now.Source == lockfile.ResultUser:
		return false
	case now.Source == lockfile.ResultObserved:
		return true
	}
	return before.Source == lockfile.ResultObserved && !generator.Declares(tool)
}

// LockResults locks the result schemas of an accepted server, with more observed shapes for tools that have none
// here; nil is none.
func (in *Servers) LockResults(s *schema.Snapshot, locked *lockfile.LockedServer, more *lockfile.Observed) error {
	name := s.Server
	if err := in.readResults(name); err != nil {
		return err
	}
	in.given[name].observe(name, more)
	for tool, r := range in.given[name].of(s) {
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

// LockedBefore returns the result schemas that a lock was made with and that still exist.
func (in *Servers) LockedBefore(
	name string, s *schema.Snapshot, locked *lockfile.LockedServer,
) map[string]generator.Result {
	out := in.given[name].of(s)
	maps.DeleteFunc(out, func(tool string, r generator.Result) bool {
		now, err := r.Locked()
		return err != nil || now != locked.Tools[tool].Result
	})
	return out
}

// ObservedFiles returns the files observed.json of the servers whose packages are generated.
func (in *Servers) ObservedFiles(snapshots map[string]*schema.Snapshot) []generator.File {
	var out []generator.File
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		if g := in.given[name]; g != nil && g.file != nil {
			out = append(out, generator.File{Path: in.ObservedPath(name), Data: g.file})
		}
	}
	return out
}

// ResultWarnings names the result schemas of the configuration that have no effect.
func (in *Servers) ResultWarnings(snapshots map[string]*schema.Snapshot) []generator.Warning {
	var out []generator.Warning
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		g := in.given[name]
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
				reason = "the server itself declares a result schema, which is used instead"
			}
			out = append(out, generator.Warning{
				Server: name, Tool: tool, Reason: g.user[tool].File + " has no effect: " + reason})
		}
	}
	return out
}

// CheckResultSchema requires a JSON schema whose references stay in the file. Other unusual parts only
// make the type looser, with a warning. The error names all dangling references.
func CheckResultSchema(data []byte) error {
	if line := conflict.Line(data); line > 0 {
		return hint.With(fmt.Errorf("line %d: git conflict markers", line),
			"choose the lines to keep, and remove the markers")
	}
	doc, err := jsonschema.Parse(data)
	if err != nil {
		return err
	}
	if b := doc.Root.Bool; b != nil || len(doc.Root.Keywords) == 0 {
		return hint.New("the schema does not restrict the result",
			`write a schema such as {"type": "object", "properties": {…}}`)
	}
	return errors.Join(strayReferences(doc, doc.Root)...)
}

// strayReferences returns the errors of references in a schema and its subschemas.
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

// Fold merges a result into the earlier observations of a tool, and reports whether that changed them.
func (in *Servers) Fold(p naming.Pair, result *runtime.Result) (bool, error) {
	var value json.RawMessage
	if err := result.Decode(&value); err != nil {
		return false, exit.Fail(exit.Finding, fmt.Errorf("%s/%s: %w: mcpgen can learn a type only from JSON, "+
			"so it wrote nothing", p.Server, p.Tool, notJSON(err)))
	}
	g := in.given[p.Server]
	observed := &lockfile.Observed{Server: p.Server, Tools: map[string]json.RawMessage{}}
	if g.observed != nil {
		maps.Copy(observed.Tools, g.observed.Tools)
	}
	before := observed.Tools[p.Tool]
	shape, err := observe.Merge(before, value)
	step := fmt.Sprintf("write a schema of your own below servers.%s.results", p.Server)
	if e, ok := errors.AsType[*schema.Error](err); ok {
		return false, hint.With(fmt.Errorf("%s: tool %q: %w", in.ObservedPath(p.Server), p.Tool, e),
			"restore the file with git checkout", step)
	}
	if err != nil {
		err = fmt.Errorf("%s/%s: %w; nothing was written", p.Server, p.Tool, err)
		return false, exit.Fail(exit.Finding, hint.With(err, step))
	}
	observed.Tools[p.Tool] = shape
	g.before = map[string]generator.Result{}
	if before != nil {
		g.before[p.Tool] = generator.Result{Schema: before}
	}
	g.observed, g.file = observed, observed.Encode()
	return !jsontext.Equal(before, shape), nil
}

// notJSON returns why a result has no shape, on one line.
func notJSON(err error) error {
	if e, ok := errors.AsType[*runtime.DecodeError](err); ok && e.Err != nil {
		err = e.Err
	}
	return errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
}

// ChoiceWarnings returns a warning for each server whose tools are all left out by the configuration,
// unless that is explicit.
func (in *Servers) ChoiceWarnings(snapshots map[string]*schema.Snapshot) []generator.Warning {
	var out []generator.Warning
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		choice, tools := in.Server(name, nil, nil), snapshots[name].Tools
		selected := func(it schema.Item) bool { return choice.Selects(it.Name) }
		if len(tools) > 0 && !slices.Contains(choice.Exclude, "*") && !slices.ContainsFunc(tools, selected) {
			out = append(out, generator.Warning{Server: name, Reason: "include and exclude leave out all of its tools"})
		}
	}
	return out
}

// Server returns what the generator takes of one server.
func (in *Servers) Server(name string, s *schema.Snapshot, locked *lockfile.LockedServer) generator.Server {
	b := in.Project.Build[name]
	types := make([]generator.TypeChoice, len(b.Types))
	for i, t := range b.Types {
		types[i] = generator.TypeChoice(t)
	}
	return generator.Server{
		Name: name, Package: cmp.Or(in.Packages[name], b.Package), Snapshot: s, Locked: locked,
		Include: b.Include, Exclude: b.Exclude, Rename: b.Rename, RenameAt: b.RenameAt, Types: types,
		Results: in.given[name].of(s), PlaceNames: b.PlaceNames,
	}
}

// about prefixes an error with the configuration file, if there is one.
func about(project *config.Project, err error) error {
	if project.Path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", project.Path, err)
}

// ObservedTools returns the tools with an observed result among what was read, sorted.
func (in *Servers) ObservedTools(name string) []string {
	if g := in.given[name]; g != nil && g.observed != nil {
		return slices.Sorted(maps.Keys(g.observed.Tools))
	}
	return nil
}

// observe adds observed shapes of a registry for tools that have none here.
func (g *given) observe(name string, more *lockfile.Observed) {
	if more == nil {
		return
	}
	all := &lockfile.Observed{Server: name, Tools: maps.Clone(more.Tools)}
	if g.observed != nil {
		maps.Copy(all.Tools, g.observed.Tools)
	}
	g.observed, g.file = all, all.Encode()
}

// Neutral returns what generates a package from a snapshot and observed shapes, without decisions of a project.
func Neutral(ctx context.Context, snapshot *schema.Snapshot, observed *lockfile.Observed) (generator.Options, error) {
	locked, err := lockfile.LockSnapshot(snapshot)
	if err != nil {
		return generator.Options{}, err
	}
	s := generator.Server{Name: snapshot.Server, Snapshot: snapshot, Locked: locked}
	s.Results = (&given{observed: observed}).of(snapshot)
	opts := generator.Options{Output: "mcp", ImportPath: "mcp", Servers: []generator.Server{s}}
	return opts, generator.AssignNames(ctx, s, nil, nil, nil)
}
