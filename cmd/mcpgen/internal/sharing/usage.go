package sharing

// This file records and reads which modules use a server: push --usage stores a record of this module in a
// registry, who lists the records, and can-update names the modules that a version would break.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/sync/errgroup"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

const (
	usageType  = "application/vnd.mcpgen.usage.v1"
	usageLayer = "application/vnd.mcpgen.usage.v1+json"
	moduleKey  = "com.github.mcpgen.module"
	commitKey  = "com.github.mcpgen.commit"
)

// usageTag begins the tag of the last usage that a module pushed. Registries without an API of referrers lose
// entries of their index when several clients push at the same time, but no tags. So Who reads the tags.
const usageTag = "usage-"

// Bounds of the usages of a server.
const (
	maxUsage  = 16 << 20 // bytes of one
	maxUsages = 10_000
)

// Usage records how a module uses a server. It has no text of the module's files.
type Usage struct {
	Form   int    `json:"mcpgen"` // 1
	Module string `json:"module"` // with the folder of the configuration below it
	Commit string `json:"commit,omitempty"`
	// Models reports that the module hands tools to models, which may then call any of them.
	Models bool `json:"models,omitempty"`
	// Partly reports that not all of the module could be searched.
	Partly bool        `json:"partly,omitempty"`
	Items  []UsageItem `json:"items"`

	// Snapshot is the digest of the snapshot that the module uses: of the manifest, not of the layer.
	Snapshot string `json:"snapshot,omitempty"`
}

// UsageItem records how a module uses one item.
type UsageItem struct {
	impact.Usage
	Contract string `json:"contract"` // hash that the module was generated from
}

// PushUsage records in the registry how this module uses the servers whose snapshots are there.
func PushUsage(ctx context.Context, cl *capturing.Client, o Options) ([]Stored, error) {
	servers, err := cl.Targets(o.Servers)
	if err = errors.Join(cl.RequireLock(), err); err != nil {
		return nil, err
	}
	if err = errors.Join(err, requireStored(cl.State, servers)); err != nil {
		return nil, err
	}
	usage, used, err := usageOf(ctx, cl)
	if err != nil {
		return nil, err
	}
	all, err := transfer(cl.State, servers, o.To, func(_ int, r *store.Repository, s endpoint.Server) (
		string, string, error,
	) {
		one, locked := *usage, cl.Lock.Servers[s.Name]
		one.Items = []UsageItem{}
		for _, item := range used[s.Name] {
			one.Items = append(one.Items, UsageItem{item, locked.Items(item.Kind)[item.Name].Contract})
		}
		data, err := json.MarshalIndent(one, "", "  ")
		if err != nil {
			return "", "", err
		}
		tag := usageTag + store.Short(one.Module)
		digest, err := r.Push(ctx, store.Artifact{
			Type: usageType, Layers: map[string][]byte{usageLayer: data}, Subject: locked.Store,
			Annotations: map[string]string{moduleKey: one.Module, commitKey: one.Commit},
		}, tag)
		return tag, digest, err
	})
	return all, exit.Unless(ctx, err)
}

// usageOf searches the module for uses of the servers.
func usageOf(ctx context.Context, cl *capturing.Client) (*Usage, map[string][]impact.Usage, error) {
	con := cl.Console
	defer con.Status("")
	before, _, err := workspace.Sides(ctx, cl.Servers, nil)
	if err != nil {
		return nil, nil, exit.Unless(ctx, err)
	}
	used, models, problems, err := impact.Used(ctx, impact.Options{
		Dir: cl.Root, Root: starter.Repository(cl.Root), Before: before,
		Progress: func(text string) { con.Status("%s …", text) },
	})
	if err != nil {
		return nil, nil, exit.Unless(ctx, err)
	}
	for _, p := range problems {
		err := fmt.Errorf("%s:%d: not searched: %s", p.File, p.Line, p.Reason)
		con.Warn("%v", hint.With(err, "correct it, and push again"))
	}
	u := &Usage{Form: 1, Models: models, Partly: len(problems) > 0}
	file, err := starter.GoMod(cl.Root)
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	u.Module = modfile.ModulePath(data)
	if rel, err := filepath.Rel(filepath.Dir(file), cl.Root); err == nil && rel != "." {
		u.Module += "/" + filepath.ToSlash(rel)
	}
	if commit, err := locks.Git(ctx, cl.Root, "rev-parse", "HEAD"); err == nil {
		u.Commit = strings.TrimSpace(string(commit))
		dirty, err := locks.Git(ctx, cl.Root, "status", "--porcelain", "--untracked-files=no")
		if err != nil || len(dirty) > 0 {
			u.Commit += "-dirty"
		}
	}
	return u, used, nil
}

// NoteNoUsage says that no module has pushed that it uses a server or tool, and what to do. The server "" is each.
func NoteNoUsage(con *console.Console, of, server string) {
	con.Note("no module has pushed that it uses %s", of)
	con.Help(strings.TrimSpace("push it from each module: mcpgen push --usage "+server),
		"if the address of the registry is wrong, correct --to, or store: in mcpgen.yaml")
}

// Who returns the usages of a server that modules have pushed, sorted by module. With
// an item, it returns only usages of that item.
// Usages that cannot be read are in the error.
func Who(ctx context.Context, project *config.Project, server, item string, o Options) ([]Usage, error) {
	r, _, err := capturing.RepositoryOf(project, server, o.To)
	if err != nil {
		return nil, fmt.Errorf("server %q: %w", server, err)
	}
	tags, err := r.Tags(ctx, usageTag)
	if err == nil && len(tags) > maxUsages {
		err = fmt.Errorf("%s has usage records of %d modules; the limit is %d", r.At(""), len(tags), maxUsages)
	}
	if err != nil {
		return nil, exit.Fail(exit.Server, exit.Unless(ctx, err))
	}
	all, errs := make([]Usage, len(tags)), make([]error, len(tags))
	var group errgroup.Group
	group.SetLimit(capturing.MaxTransfers)
	for i, tag := range tags {
		group.Go(func() error {
			a, err := r.Pull(ctx, tag, usageType, maxUsage)
			if err == nil {
				all[i], err = parseUsage(a)
			}
			if err != nil {
				err = hint.With(fmt.Errorf("%s: %w", r.At(tag), err), "run in that module: mcpgen push --usage")
				errs[i] = exit.Fail(exit.Server, err)
			}
			return nil
		})
	}
	_ = group.Wait()
	all = slices.DeleteFunc(all, func(u Usage) bool {
		return u.Form == 0 || item != "" && !slices.ContainsFunc(u.Items, func(i UsageItem) bool { return i.Name == item })
	})
	for i := range all {
		if item != "" {
			all[i].Items = slices.DeleteFunc(all[i].Items, func(i UsageItem) bool { return i.Name != item })
		}
	}
	slices.SortFunc(all, func(a, b Usage) int { return cmp.Compare(a.Module, b.Module) })
	return all, exit.Unless(ctx, errors.Join(errs...))
}

// parseUsage reads a usage. Its author can write anything into it, so it
// decides only what is printed.
func parseUsage(a *store.Artifact) (Usage, error) {
	var u Usage
	if err := json.Unmarshal(a.Layers[usageLayer], &u); err != nil {
		return Usage{}, fmt.Errorf("the usage record in the registry cannot be read: %w", err)
	}
	switch {
	case u.Form != 1:
		return Usage{}, fmt.Errorf("the usage has format %d, but this version of mcpgen reads only format 1", u.Form)
	case u.Module == "" || a.Subject == "":
		return Usage{}, errors.New("the usage record lacks the module or the snapshot")
	}
	u.Snapshot = a.Subject
	return u, nil
}

// Words describes how the module uses the server, or one of its items.
func (u *Usage) Words(item string) []string {
	var out []string
	for _, i := range u.Items {
		text := i.Name + " " + safetext.Count(i.Lines, "line")
		if item != "" {
			var names []string
			for _, use := range i.Uses {
				if !slices.Contains(names, use.Symbol) {
					names = append(names, use.Symbol)
				}
			}
			text = safetext.Count(i.Lines, "line") + ": " + strings.Join(names, ", ")
		}
		out = append(out, text)
	}
	if u.Models {
		out = append(out, "hands tools to models")
	}
	if u.Partly {
		out = append(out, "not all of it was searched")
	}
	return out
}

// Consumer says whether a version of a server breaks one module.
type Consumer struct {
	Usage
	Breaks  bool     `json:"breaks"`  // a change breaks it, or may
	Changes []Affect `json:"changes"` // nil: unknown, as a snapshot could not be read

	Version string `json:"-"` // of the server that the module uses; "" if unknown
}

// Affect is a change that a module's code is about.
type Affect struct {
	Rule    string      `json:"rule"`
	Kind    schema.Kind `json:"kind"`
	Name    string      `json:"name"`
	Path    string      `json:"path"`
	Message string      `json:"message"`
	May     bool        `json:"may,omitempty"` // it depends on what the module sends
	Uses    []Touched   `json:"uses"`
}

// String describes the change on one line.
func (a Affect) String() string {
	may := map[bool]string{true: ", if it sends what is refused", false: ""}[a.May]
	return fmt.Sprintf("%s %s %s at %s: %s%s", a.Kind, a.Name, a.Rule, cmp.Or(a.Path, "/"), a.Message, may)
}

// Touched is a name of the generated package that a change is about.
type Touched struct {
	Symbol string `json:"symbol"`
	Lines  int    `json:"lines"`
}

// CanUpdate judges the change from the snapshot that each module uses to the one of a tag, or a digest, by what
// the module uses. It needs no lock: each usage names its snapshot.
func CanUpdate(ctx context.Context, st *locks.State, server, reference string, o Options) ([]Consumer, error) {
	usages, err := Who(ctx, st.Project, server, "", o)
	if err != nil {
		return nil, err
	}
	r, _, err := capturing.RepositoryOf(st.Project, server, o.To)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(reference, ":") { // a version, else a digest
		reference = store.Tag(reference)
	}
	after := &capturing.Capture{Server: endpoint.Server{Name: server, AllowEmpty: true}}
	if err := after.Pull(ctx, r, reference); err != nil {
		return nil, exit.Fail(exit.Server, exit.Unless(ctx, err))
	}
	out, err := Consumers(ctx, st, r, after, usages)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Consumers judges the change from the snapshot that each module uses to another one. The result has every module;
// the error has the snapshots that could not be read.
func Consumers(ctx context.Context, st *locks.State, r *store.Repository, after *capturing.Capture, usages []Usage) (
	[]Consumer, error,
) {
	known, unread := map[string]*capturing.Capture{after.Store: after}, map[string]error{}
	out, errs := []Consumer{}, []error(nil)
	for _, u := range usages {
		c, at := Consumer{Usage: u}, u.Snapshot
		if known[at] == nil {
			known[at] = &capturing.Capture{Server: endpoint.Server{Name: after.Server.Name, AllowEmpty: true}}
			if err := known[at].Pull(ctx, r, at); err != nil {
				unread[at] = exit.Fail(exit.Server, exit.Unless(ctx, err))
				errs = append(errs, unread[at])
			}
		}
		if unread[at] == nil {
			var err error
			if c.Changes, err = affects(ctx, st, known[at], after, u); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", u.Module, err))
			}
			c.Breaks = len(c.Changes) > 0
			c.Version = jsontext.Text(jsontext.Member(known[at].Snapshot.Identity, "version"))
		}
		out = append(out, c)
	}
	return out, errors.Join(errs...)
}

// affects returns the changes between two snapshots that fail a check and that a module's code is about.
func affects(ctx context.Context, st *locks.State, before, after *capturing.Capture, u Usage) ([]Affect, error) {
	j := judging.Of(st.Project, st.Lock, judging.Flags{})
	s, err := j.Compare(ctx, judging.Comparison{Name: before.Server.Name, Before: before.Snapshot, After: after.Snapshot})
	if err != nil {
		return nil, err
	}
	if len(s.Changes) == 0 { // as for most modules: no names have to be chosen
		return []Affect{}, nil
	}
	found := &drift.Report{Servers: []drift.ServerReport{s}}
	opts := impact.Options{}
	if opts.Before, err = inputs.Neutral(ctx, before.Snapshot, before.Observed); err == nil {
		opts.After, err = inputs.Neutral(ctx, after.Snapshot, after.Observed)
	}
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	var used []impact.Usage
	for _, item := range u.Items {
		used = append(used, item.Usage)
	}
	if err := impact.Touched(ctx, opts, before.Server.Name, used, found); err != nil {
		return nil, exit.Unless(ctx, err)
	}
	out := []Affect{}
	for _, c := range found.Servers[0].Changes {
		if len(c.CallSites) == 0 || !j.Fails(c.Severity) {
			continue
		}
		a := Affect{Rule: c.Rule.String(), Kind: c.Kind, Name: c.Name, Path: c.Path, Message: c.Message, May: true}
		for _, site := range c.CallSites {
			a.May = a.May && site.Kind == drift.SiteCalls
			if i := slices.IndexFunc(a.Uses, func(t Touched) bool { return t.Symbol == site.Symbol }); i >= 0 {
				a.Uses[i].Lines += site.Line
			} else {
				a.Uses = append(a.Uses, Touched{site.Symbol, site.Line})
			}
		}
		out = append(out, a)
	}
	return out, nil
}
