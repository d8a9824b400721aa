package workspace

// This file checks a branch against its base, for check --against. Changes of the branch to the lock are
// its acceptances; everything else that does not match is a finding.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// gate is the comparison of a branch with its base.
type gate struct {
	*locks.Other
	repaired map[string][]drift.CallSite // by server
	blind    bool                        // no line could be searched
	unfit    bool                        // files of the branch do not compile, or were not searched
	refused  map[string]bool             // servers whose configured launch differs from the locked one
	public   bool                        // other modules use the generated packages too
}

// against compares the lock with one from elsewhere, which counts as the earlier one. In a commit without
// a lock nothing was locked, so everything is new.
func (r *run) against(ctx context.Context, where string) error {
	o, err := locks.Base(ctx, r.w.Root, r.w.Project.Output, r.w.Tree, where)
	if err != nil {
		return fmt.Errorf("--against %s: %w", where, err)
	}
	if o.Same {
		o.Lock = r.w.Lock
	}
	r.gate = &gate{Other: o, refused: map[string]bool{}}
	names := slices.Collect(maps.Keys(o.Snapshots))
	for name := range r.w.Lock.Servers {
		if o.Snapshots[name] == nil && !o.Alone {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if r.w.InScope(name) {
			if err := r.compareWith(ctx, o, name); err != nil {
				return err
			}
		}
	}
	r.reopened(o)
	return nil
}

// compareWith compares one server with the base.
func (r *run) compareWith(ctx context.Context, o *locks.Other, name string) error {
	now, then := r.w.Lock.Servers[name], o.Lock.Servers[name]
	out := unchanged(name)
	c := judging.Comparison{Name: name, Before: o.Snapshots[name]}
	same := now != nil && (o.Same || then != nil && judging.SameSurface(then, now) &&
		then.Launch.Hash == now.Launch.Hash && (then.Artifact == now.Artifact || now.Artifact != lockfile.Artifact{}))
	var err error
	switch {
	case same:
	case now != nil:
		if c.After, err = r.w.Accepted(name); err != nil {
			r.add(judging.Unknown(name, report.StateInvalid, err), err)
			return nil
		}
		fallthrough
	default:
		if now != nil && then != nil && !o.Alone {
			c.LaunchBefore, c.LaunchAfter = comparableLaunches(r.w.Project, r.w.Root, name, then.Launch, now.Launch)
			c.RanBefore, c.RanAfter = then.Artifact, now.Artifact
			if c.RanAfter == (lockfile.Artifact{}) { // removed from the lock; an empty value would skip the comparison
				c.RanAfter = c.RanBefore
				c.RanAfter.Integrity, c.RanAfter.Tree, c.RanAfter.Systems = "", "", ""
			}
		}
		if out, err = r.judge.Compare(ctx, c); err != nil {
			return err
		}
	}
	if now == nil { // its items say it all
		out.State = report.StateGone
		out.Changes = slices.DeleteFunc(out.Changes, func(c drift.Change) bool { return c.Kind == drift.KindServer })
	}
	r.servers = append(r.servers, r.withLaunch(out))
	return nil
}

// comparableLaunches returns two launches in a form whose hashes can be compared: older versions locked another
// kind of hash. If the configuration no longer has the server, that kind cannot be computed, and both
// launches are unknown.
func comparableLaunches(project *config.Project, root, name string, before, now lockfile.Launch) (
	lockfile.Launch, lockfile.Launch,
) {
	if before.HashOnly() == now.HashOnly() {
		return before, now
	}
	for _, s := range project.Servers {
		if s.Name == name && before.HashOnly() {
			now, _ = config.SameLaunch(before, s, root)
			return before, now
		}
	}
	return lockfile.Launch{}, lockfile.Launch{}
}

// withLaunch adds a finding to a report if the configured launch differs from the locked one.
func (r *run) withLaunch(s drift.ServerReport) drift.ServerReport {
	for _, c := range judging.ChangedLaunches(r.w.Lock, r.w.Root, r.w.Selected()) {
		if c.Server.Name != s.Server {
			continue
		}
		own := c.Judge(r.judge)
		s.Changes = append(own.Changes, s.Changes...)
		if !drift.Severity(s.Verdict).AtLeast(drift.Severity(own.Verdict)) {
			s.Verdict = own.Verdict
		}
		r.errs = append(r.errs, exit.Fail(exit.Finding, c.Err("")))
		r.launches++
		r.refused[s.Server] = true
	}
	return s
}

// fits adds the lines of the branch that do not match its changes, and returns what could not be
// searched.
func (r *run) fits(ctx context.Context, found *drift.Report, lines bool) ([]report.Unseen, error) {
	if r.Same || len(r.Other.Lock.Servers) == 0 {
		return nil, nil
	}
	defer found.Weigh(r.judge.For)
	_, now, err := Sides(ctx, r.w.Servers, nil)
	if err != nil {
		found.Read()
		return []report.Unseen{{Reason: "the packages could not be generated: " + err.Error()}}, exit.Unless(ctx, nil)
	}
	r.public = !slices.Contains(strings.Split(now.ImportPath, "/"), "internal")
	before := asLockedThen(r.w.Servers, now, r.Other)
	if err := r.names(ctx, before, now); err != nil {
		return nil, err
	}
	for name, s := range r.Other.Snapshots {
		if l := r.w.Lock.Servers[name]; l == nil && r.w.InScope(name) {
			folder := path.Base(r.Other.Folders[name])
			if folder == "." { // the snapshot is not in the folder of a package
				folder = gopkg.Of(name)
			}
			was := generator.Server{Name: name, Package: folder, Snapshot: s, Locked: r.Other.Lock.Servers[name]}
			before.Servers = append(before.Servers, was)
		}
	}
	same := func(s generator.Server) bool {
		changed := slices.ContainsFunc(found.Servers, func(o drift.ServerReport) bool {
			return o.Server == s.Name && len(o.Changes) > 0
		})
		return !changed && sameNames(r.Other.Lock.Servers[s.Name], r.w.Lock.Servers[s.Name])
	}
	before.Servers = slices.DeleteFunc(before.Servers, same)
	now.Servers = slices.DeleteFunc(slices.Clone(now.Servers), same)
	if len(before.Servers) == 0 {
		return nil, nil
	}
	if r.judge.Profile == drift.Source {
		if err := sources(ctx, before, now, found, r.judge); err != nil {
			return nil, err
		}
	}
	if !lines {
		found.Read()
		return []report.Unseen{{Reason: "--impact=off: the code of the module was not searched"}}, nil
	}
	base, err := changedFiles(ctx, r.w.Root, r.Other.Commit)
	if err != nil {
		return nil, err
	}
	con := r.w.Console
	defer con.Status("")
	opts := inModule(r.w.Root, before, now)
	opts.Progress = func(text string) { con.Status("%s …", text) }
	fitting, err := impact.Fit(ctx, opts, base, found)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		found.Read()
		r.blind = true
		r.errs = append(r.errs, exit.Fail(exit.Usage, fmt.Errorf("could not load the code of the module: %w", err)))
		return unseen(nil, err), nil
	}
	r.repaired, r.unfit = fitting.Repaired, len(fitting.New) > 0
	return unseen(fitting.Problems, nil), nil
}

// sameNames reports whether two locked servers keep the same Go names. A merge can give other names to the same
// definitions.
func sameNames(before, now *lockfile.LockedServer) bool {
	if before == nil || now == nil {
		return before == now
	}
	same := bytes.Equal(before.Go, now.Go)
	for _, kind := range schema.Kinds() {
		same = same && maps.EqualFunc(before.Items(kind), now.Items(kind), func(a, b lockfile.LockedItem) bool { return bytes.Equal(a.Go, b.Go) })
	}
	return same
}

// changedFiles returns the Go files that differ from their state in a commit. Without a commit they are not
// known.
func changedFiles(ctx context.Context, root, commit string) (impact.Base, error) {
	out := impact.Base{Known: commit != "", Files: map[string][]byte{}}
	if commit == "" {
		return out, nil
	}
	up, err := locks.Git(ctx, root, "rev-parse", "--show-cdup")
	if err != nil {
		return out, err
	}
	top := filepath.Join(root, strings.TrimSpace(string(up)))
	listed, err := locks.Git(ctx, root, "diff", "--no-ext-diff", "--no-renames",
		"--name-status", "-z", commit, "--", ":/*.go")
	if err != nil {
		return out, err
	}
	for entry := range slices.Chunk(strings.Split(string(listed), "\x00"), 2) {
		if len(entry) < 2 {
			break
		}
		name := filepath.Join(top, filepath.FromSlash(entry[1]))
		if out.Files[name] = nil; entry[0] != "A" {
			if out.Files[name], err = locks.Git(ctx, root, "cat-file", "blob", commit+":"+entry[1]); err != nil {
				return out, err
			}
		}
	}
	fresh, err := locks.Git(ctx, root, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/*.go")
	for name := range strings.SplitSeq(string(fresh), "\x00") {
		if name != "" {
			out.Files[filepath.Join(top, filepath.FromSlash(name))] = nil
		}
	}
	return out, err
}

// settle marks the changes that the branch accepts: changes that all lines of the branch match, except
// security findings without an acceptance.
func (r *run) settle(out *report.Report) {
	for i := range out.Servers {
		s := &out.Servers[i]
		s.Repaired = r.repaired[s.Server]
		for j := range s.Changes {
			c := &s.Changes[j]
			c.Accepted = !r.held(s.Server, &c.Change)
			if !c.Accepted && c.Rule == drift.ArtifactChanged {
				c.Severity = drift.Breaking
			}
		}
		s.Sum()
		if now := r.w.Lock.Servers[s.Server]; now != nil && r.Other.Lock.Servers[s.Server] == nil {
			s.Took = took(now)
		}
	}
	out.Sum()
	out.Accepted = judging.AddedAcceptances(r.w.Lock, r.Other.Lock, r.w.InScope)
}

// fixable reports whether fix rewrites any line of the branch that does not fit.
func (r *run) fixable(ctx context.Context, found *report.Report, against string) bool {
	if !found.Any(func(c *report.Change) bool { return len(c.CallSites) > 0 }) {
		return false
	}
	fixed, err := Fix(ctx, r.w.Servers, r.w.Console, FixOptions{Against: against, DryRun: true})
	return err == nil && len(fixed.Files) > 0
}

// held reports whether the branch does not accept a change, or has lines that do not match it.
func (r *run) held(server string, c *drift.Change) bool {
	switch {
	case r.blind, len(c.CallSites) > 0:
		return true
	case c.Class == drift.ClassSource:
		return r.public
	case judging.Gated(c) || c.Rule == drift.ArtifactChanged:
		// A first lock accepts everything in it.
		now := r.w.Lock.Servers[server]
		return now == nil || c.Rule == drift.LaunchChanged && r.refused[server] ||
			len(r.Other.Lock.Servers) > 0 && !judging.IsAccepted(r.Other.Lock.Servers[server], now, c)
	}
	return c.Rule == drift.SurfaceBudgetExceeded
}

// took describes what a first lock includes for a server.
func took(l *lockfile.LockedServer) string {
	var parts []string
	for _, kind := range schema.Kinds() {
		if n := len(l.Items(kind)); n > 0 {
			parts = append(parts, safetext.Count(n, string(kind)))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// maxRebound bounds the names that are reported for one server.
const maxRebound = 20

// names compares the meaning of each Go name with its earlier one: the tool of a function, the place of a
// member or a constant. Renamed tools are not findings, since their functions are renamed too, and
// neither are items that the server removed or renamed: only existing items can be swapped. A lock edited by hand can
// do that within the rules for names, and the compiler does not detect it.
func (r *run) names(ctx context.Context, then, now generator.Options) error {
	before, err := generator.Symbols(ctx, then)
	if err != nil {
		return exit.Unless(ctx, exit.Fail(exit.Usage, err))
	}
	after, err := generator.Symbols(ctx, now)
	if err != nil {
		return exit.Unless(ctx, exit.Fail(exit.Usage, err))
	}
	for _, was := range before {
		i := slices.IndexFunc(after, func(s generator.ServerSymbols) bool { return s.Server == was.Server })
		if i < 0 {
			continue
		}
		s, err := r.w.Accepted(was.Server)
		if err != nil {
			continue // the report has the error
		}
		r.rebound(was, after[i], s)
	}
	return nil
}

// rebound compares the names of one server with the current offer.
func (r *run) rebound(before, after generator.ServerSymbols, offered *schema.Snapshot) {
	was := r.Other.Snapshots[before.Server]
	renamed := drift.RenamedTools(was, offered)
	names := map[string][]generator.Symbol{} // a name shared by several items has several symbols
	for _, a := range after.Symbols {
		names[a.Go] = append(names[a.Go], a)
	}
	found := 0
	for _, b := range before.Symbols {
		at := slices.IndexFunc(names[b.Go], func(a generator.Symbol) bool { return a.Role == b.Role })
		if at < 0 || b.Of != "" || b.IsType() {
			continue
		}
		if slices.ContainsFunc(names[b.Go], func(a generator.Symbol) bool {
			return means(b, a) || b.IsFunc() && a.Role == b.Role && a.Kind == b.Kind && renamed[b.Item] == a.Item
		}) {
			continue
		}
		a, still := names[b.Go][at], slices.ContainsFunc(after.Symbols, func(a generator.Symbol) bool { return means(b, a) })
		meant, now := "", ""
		switch {
		case b.IsFunc() && (still || b.Kind == schema.KindTool):
			meant, now = itemWords(was, b), itemWords(offered, a)
		case !b.IsFunc() && still && a.Item == b.Item && a.Kind == b.Kind:
			meant, now = placeWords(b), placeWords(a)
		}
		if meant == "" {
			continue
		}
		if found++; found <= maxRebound {
			err := fmt.Errorf("%s: the Go name %s used to mean %s, but now means %s", before.Server, b.Go, meant, now)
			r.errs = append(r.errs, exit.Fail(exit.Finding, hint.With(err,
				"restore the names of "+locks.Name+" with git checkout",
				"if the change is intended, give the tool another name: servers."+before.Server+".tools.rename")))
		}
	}
	if found > maxRebound {
		err := fmt.Errorf("%s: and %d more Go names", before.Server, found-maxRebound)
		r.errs = append(r.errs, exit.Fail(exit.Finding, err))
	}
}

// means reports whether two names have the same meaning.
func means(b, a generator.Symbol) bool {
	same := a.Role == b.Role && a.Kind == b.Kind && a.Item == b.Item && a.Value == b.Value
	known := func(p string) bool { return slices.Contains(b.Pointers, p) }
	return same && (b.IsFunc() || slices.ContainsFunc(a.Pointers, known))
}

// itemWords describes what a function calls, with the annotations of a tool.
func itemWords(s *schema.Snapshot, sym generator.Symbol) string {
	text := fmt.Sprintf("the %s %q", sym.Kind, sym.Item)
	for _, it := range s.Tools {
		var def struct {
			Annotations struct {
				ReadOnly    bool `json:"readOnlyHint"`
				Destructive bool `json:"destructiveHint"`
			}
		}
		switch {
		case it.Name != sym.Item || sym.Kind != schema.KindTool || json.Unmarshal(it.Raw, &def) != nil:
		case def.Annotations.ReadOnly:
			text += " (read-only)"
		case def.Annotations.Destructive:
			text += " (destructive)"
		}
	}
	return text
}

func placeWords(sym generator.Symbol) string {
	if sym.Value != "" {
		return "the value " + sym.Value
	}
	return fmt.Sprintf("%q of %q", sym.Pointers[0], sym.Item)
}
