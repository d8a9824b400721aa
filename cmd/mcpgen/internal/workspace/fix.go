package workspace

// This file rewrites the user's code after servers have renamed tools.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// FixOptions are the flags of fix.
type FixOptions struct {
	Against string // the state that the code was written for: a revision or a file; "" detects it
	DryRun  bool   // write nothing
	// Renamed are renames of tools and prompts that are not detected: OLD=NEW, preceded by the server if
	// several have it. Members of tools and arguments of prompts are preceded by server and item:
	// SERVER/TOOL/OLD=NEW.
	Renamed []string
	// Ask is called for each likely rename, in the form of Renamed, with the evidence; nil accepts none. If
	// it returns [ErrQuit], nothing is written.
	Ask func(rename, evidence string) (bool, error)
}

// FixReport is the outcome of a fix.
type FixReport struct {
	Against string   // what the names were compared with, in words
	Files   []string // files that were rewritten, or would be
	Diff    []byte   // unified diff of all files
	Left    []Left   // places that could not be read or stay broken
	// Older is the command that compares with an older lock, if a place is broken for an unknown reason and
	// that lock may explain it; "" otherwise.
	Older string
}

// Left are places that a person has to repair.
type Left struct {
	Places []report.Unseen // each with its problem
	Help   string          // what to do; "" if unknown
}

// unexplained reports whether a place is broken for an unknown reason.
func (f *FixReport) unexplained() bool {
	return slices.ContainsFunc(f.Left, func(l Left) bool { return l.Help == "" })
}

// Fix rewrites the lines of the module that use names which have changed since the state that the options
// name. The errors are the user's side.
func Fix(ctx context.Context, in *inputs.Servers, con *console.Console, o FixOptions) (*FixReport, error) {
	then, where, unknown := thenOf(ctx, in.State, o.Against)
	if unknown != nil && (o.Against != "" || in.Lock == nil || len(in.Lock.Servers) == 0) {
		return nil, exit.Unless(ctx, unknown)
	}
	now, _, err := Sides(ctx, in, nil)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	before := now // what the lock lists can be rewritten without an earlier one
	var base impact.Base
	if unknown == nil {
		then.Rename(in.Lock)
		before = asLockedThen(in, now, then)
		if base, err = changedFiles(ctx, in.Root, then.Commit); err != nil {
			return nil, exit.Unless(ctx, err)
		}
	}
	sure, err := renames(o.Renamed, before, now)
	if err != nil {
		if o.Against == "" && errors.Is(err, errNoMatch) {
			step := older(ctx, in.Project, in.Root, o, func(then *locks.Other, _ string) bool {
				_, err := renames(o.Renamed, asLockedThen(in, now, then), now)
				return err == nil
			})
			err = hint.With(err, "if the code was written for an older lock: "+step)
		}
		return nil, err
	}
	fixed, err := fixAsking(ctx, inModule(in.Root, before, now), base, sure, o.Ask)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	out, edits := fixReport(fixed)
	out.Against = cmp.Or(where, locks.Name)
	if err := leaveRemoved(ctx, in.State, then, out); err != nil {
		return nil, err
	}
	if o.Against != "" {
		against := "mcpgen fix --against " + hint.Word(o.Against) + " --rename"
		for i := range out.Left {
			out.Left[i].Help = strings.ReplaceAll(out.Left[i].Help, "mcpgen fix --rename", against)
		}
	}
	if unknown != nil && len(edits) == 0 {
		return nil, exit.Unless(ctx, unknown)
	}
	if o.Against == "" && len(edits) == 0 && out.unexplained() {
		out.Older = older(ctx, in.Project, in.Root, o, func(_ *locks.Other, commit string) bool {
			fixed, err := Fix(ctx, in, con, FixOptions{Against: commit, DryRun: true, Renamed: o.Renamed})
			helps := func(l Left) bool { return l.Help != "" }
			return err == nil && (len(fixed.Files) > 0 || slices.ContainsFunc(fixed.Left, helps))
		})
	}
	if o.DryRun {
		return out, nil
	}
	d := NewDraft(in, con, in.Configured, false)
	d.UpdateResults(ctx, nil, false)
	changed, err := d.keepUsed(ctx, fixed.Uses)
	switch {
	case err != nil:
		return out, err
	case !changed:
		return out, editing.WriteAll(ctx, in.Root, edits)
	}
	d.edits = edits
	_, _, err = d.Write(ctx, false)
	return out, errors.Join(append(d.Errs, err)...)
}

// leaveRemoved reports the files that import the package of a server which the lock no longer has: a person
// has to change them.
func leaveRemoved(ctx context.Context, st *locks.State, then *locks.Other, out *FixReport) error {
	if then == nil {
		return nil
	}
	var folders []string
	for name, folder := range then.Folders {
		used := slices.Contains(slices.Collect(maps.Values(st.Packages)), path.Base(folder))
		if st.Lock.Servers[name] == nil && st.InScope(name) && !used {
			folders = append(folders, path.Base(folder))
		}
	}
	lines, err := importers(ctx, st.Project, st.Root, folders)
	if len(lines) == 0 || err != nil {
		return err
	}
	for i := range out.Left {
		out.Left[i].Places = slices.DeleteFunc(out.Left[i].Places, func(u report.Unseen) bool {
			return slices.ContainsFunc(lines, func(p impact.Problem) bool { return p.File == u.File && p.Line == u.Line })
		})
	}
	out.Left = slices.DeleteFunc(out.Left, func(l Left) bool { return len(l.Places) == 0 })
	out.Left = append(out.Left, Left{Places: unseen(lines, nil), Help: "the server of this package was removed: " +
		"remove its uses, or restore the server in mcpgen.yaml"})
	return nil
}

// maxOlder bounds the commits whose locks are tried.
const maxOlder = 10

// older returns the command for code that was written for an older lock: the latest lock in the history that
// fits. If none does, the command has a placeholder.
func older(
	ctx context.Context, project *config.Project, root string, o FixOptions,
	fits func(then *locks.Other, commit string) bool,
) string {
	against := "REV, where REV is the commit that the code was written for"
	commits := locks.CommitsOf(ctx, root, locks.Name, "--first-parent", "-m")
	for _, id := range commits[:min(len(commits), maxOlder)] {
		then, err := locks.At(ctx, root, project.Output, id+"^")
		if err == nil && fits(then, then.Commit) {
			against = then.Commit[:12]
			break
		}
	}
	command := "mcpgen fix"
	for _, text := range o.Renamed {
		command += " --rename " + hint.Word(text)
	}
	return command + " --against " + against
}

// keepUsed lists the names by place that the module uses in the lock. It reports whether
// the lock is another one.
func (d *Draft) keepUsed(ctx context.Context, used impact.InUse) (changed bool, err error) {
	for name, s := range d.Snapshots {
		locked := *d.Lock.Servers[name]
		locked.Tools = maps.Clone(locked.Tools)
		err := generator.KeepNames(ctx, d.in.Server(name, s, &locked), func(n string) bool { return used(name, n) })
		if err != nil {
			return false, exit.Unless(ctx, err)
		}
		same := func(x, y lockfile.LockedItem) bool { return bytes.Equal(x.Go, y.Go) }
		if !maps.EqualFunc(locked.Tools, d.Lock.Servers[name].Tools, same) {
			d.Lock.Servers[name], changed = &locked, true
		}
	}
	return changed, nil
}

// searchUsed takes the names by place that the module does not use from the lock. If that
// cannot be found out, they stay.
func (d *Draft) searchUsed(ctx context.Context) error {
	hasKept := func(name string) bool { return generator.HasKept(d.Lock.Servers[name]) }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(d.Snapshots)), hasKept) {
		return nil
	}
	before, _, err := Sides(ctx, d.in, nil)
	var used impact.InUse
	if err == nil {
		used, err = impact.NamesInUse(ctx, inModule(d.in.Root, before, generator.Options{}))
	}
	if err != nil {
		return ctx.Err()
	}
	_, err = d.keepUsed(ctx, used)
	return err
}

// fixReport returns the report of a fix and its edits.
func fixReport(fixed *impact.Fixed) (out *FixReport, edits []*editing.Edit) {
	out = &FixReport{}
	for _, l := range fixed.Left {
		said, help := report.Advice(l.Server, l.Change)
		left := Left{Help: help}
		for _, s := range l.Change.CallSites {
			reason := said
			if s.Error != "" {
				reason += ": " + s.Error
			}
			left.Places = append(left.Places, report.Unseen{File: s.File, Line: s.Line, Reason: reason})
		}
		out.Left = append(out.Left, left)
	}
	for _, p := range unseen(fixed.Problems, nil) {
		out.Left = append(out.Left, Left{Places: []report.Unseen{p}})
	}
	for _, r := range fixed.Rewrites {
		e := &editing.Edit{File: r.File, Path: editing.RealPath(r.Path), Before: r.Before, After: r.After}
		err := hint.With(editing.RefuseLinkOut(r.Path), "change the file by hand")
		if info, gone := os.Stat(e.Path); gone == nil && info.Mode().Perm()&0o222 == 0 { // by a version control system
			err = hint.New("the file is read-only", "make the file writable, then run mcpgen fix again")
		}
		if err != nil {
			out.Left = append(out.Left, Left{Places: []report.Unseen{{File: r.File, Reason: "left as it was: " + err.Error()}}})
			continue
		}
		edits = append(edits, e)
		out.Files = append(out.Files, r.File)
		out.Diff = append(out.Diff, diff.Diff("a/"+r.File, r.Before, "b/"+r.File, r.After)...)
	}
	return out, edits
}

// fixAsking asks about likely renames. A confirmed rename may lead to more: a renamed tool may have
// renamed members.
func fixAsking(
	ctx context.Context, o impact.Options, base impact.Base, sure []impact.Rename,
	ask func(rename, evidence string) (bool, error),
) (*impact.Fixed, error) {
	asked := map[impact.Rename]bool{}
	for {
		fixed, err := impact.Fix(ctx, o, base, sure...)
		if err != nil || ask == nil {
			return fixed, err
		}
		known := len(sure)
		for _, offer := range fixed.Maybe {
			if asked[offer.Rename] {
				continue
			}
			asked[offer.Rename] = true
			yes, err := ask(offer.String(), offer.Evidence)
			if err != nil {
				return nil, err
			}
			if yes {
				sure = append(sure, offer.Rename)
			}
		}
		if len(sure) == known {
			return fixed, nil
		}
	}
}

var errNoMatch = errors.New("0 servers match this rename; want exactly one")

// renames parses OLD=NEW, SERVER/OLD=NEW and SERVER/TOOL/OLD=NEW.
func renames(given []string, before, after generator.Options) ([]impact.Rename, error) {
	var out []impact.Rename
	for _, text := range given {
		var found []impact.Rename
		for _, s := range before.Servers {
			i := slices.IndexFunc(after.Servers, func(t generator.Server) bool { return t.Name == s.Name })
			if i < 0 {
				continue
			}
			rest, now := strings.TrimPrefix(text, s.Name+"/"), after.Servers[i].Snapshot
			for item := range s.Snapshot.Items() {
				if item.Kind != schema.KindTool && item.Kind != schema.KindPrompt {
					continue
				}
				if to, ok := strings.CutPrefix(rest, item.Name+"="); ok && itemOf(now, item.Kind, to) != nil {
					found = append(found, impact.Rename{Server: s.Name, Kind: item.Kind, Before: item.Name, After: to})
				}
				if member, ok := strings.CutPrefix(text, s.Name+"/"+item.Name+"/"); ok {
					to := itemOf(now, item.Kind, calledNow(&item, s.Snapshot, now, out))
					if was, is, _ := strings.Cut(member, "="); to != nil && declares(&item, was) && declares(to, is) {
						found = append(found, impact.Rename{Server: s.Name, Kind: item.Kind, Item: item.Name, Before: was, After: is})
					}
				}
			}
		}
		if len(found) != 1 {
			err := errNoMatch
			if len(found) > 0 {
				err = fmt.Errorf("%s match this rename; want exactly one", safetext.Count(len(found), "server"))
			}
			return nil, hint.With(fmt.Errorf("--rename %s: %w", text, err),
				"write SERVER/OLD=NEW for a tool, SERVER/TOOL/OLD=NEW for a member, with the names that mcpgen list shows")
		}
		out = append(out, found[0])
	}
	return out, nil
}

// calledNow returns the current name of an item. A rename counts if it is in renamed, or if it is certain
// for a tool.
func calledNow(item *schema.Item, before, after *schema.Snapshot, renamed []impact.Rename) string {
	for _, r := range renamed {
		if r.Server == before.Server && r.Kind == item.Kind && r.Item == "" && r.Before == item.Name {
			return r.After
		}
	}
	if to := drift.RenamedTools(before, after)[item.Name]; to != "" && item.Kind == schema.KindTool {
		return to
	}
	return item.Name
}

// itemOf returns an item of a snapshot; nil if there is none.
func itemOf(s *schema.Snapshot, kind schema.Kind, name string) *schema.Item {
	for item := range s.Items() {
		if item.Kind == kind && item.Name == name {
			return &item
		}
	}
	return nil
}

// declares reports whether arguments or results of an item have the member, at any depth.
func declares(item *schema.Item, member string) bool {
	var definition any
	if json.Unmarshal(item.Raw, &definition) != nil {
		return false
	}
	var has func(v any) bool
	has = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, has)
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			_, declared := properties[member]
			return declared || item.Kind == schema.KindPrompt && v["name"] == member ||
				slices.ContainsFunc(slices.Collect(maps.Values(v)), has)
		}
		return false
	}
	return has(definition)
}

// asLockedThen returns the generator's options for the state that was locked then, for servers that still
// exist, with the package names of that time. Result schemas without a file are ignored, as are types: entries
// for what was not there.
func asLockedThen(in *inputs.Servers, now generator.Options, then *locks.Other) generator.Options {
	before := now
	before.Servers, before.Past = nil, true
	for _, s := range now.Servers {
		if then.Snapshots[s.Name] == nil || then.Lock == nil || then.Lock.Servers[s.Name] == nil {
			continue
		}
		locked := *then.Lock.Servers[s.Name]
		s.Snapshot, s.Locked = then.Snapshots[s.Name], &locked
		s.Results = in.LockedBefore(s.Name, s.Snapshot, &locked)
		locked.Tools = maps.Clone(locked.Tools)
		for name, item := range locked.Tools {
			if _, ok := s.Results[name]; !ok {
				item.Result = lockfile.LockedResult{}
				locked.Tools[name] = item
			}
		}
		if folder := then.Folders[s.Name]; folder != "" {
			s.Package = path.Base(folder)
		}
		before.Servers = append(before.Servers, s)
	}
	if folder := then.OutputBefore(in.Project.Output); folder != "" {
		before.Output, before.ImportPath = folder, strings.TrimSuffix(now.ImportPath, now.Output)+folder
	}
	return before
}

// moved reports whether a server had another package in the same output folder.
func moved(st *locks.State, then *locks.Other, server string) bool {
	folder := then.Folders[server]
	return folder != "" && path.Dir(folder) == st.Project.Output &&
		st.Packages[server] != "" && path.Base(folder) != st.Packages[server]
}

// thenOf reads the state that the code was written for, and describes it. It is the named state, the
// checked-out commit if its lock differs, the state before the last update, or the state before the last
// commit that changed the lock.
func thenOf(ctx context.Context, st *locks.State, against string) (*locks.Other, string, error) {
	if against != "" {
		o, err := locks.Elsewhere(ctx, st.Root, st.Project.Output, st.Tree, against)
		if err != nil {
			return nil, "", fmt.Errorf("--against %s: %w", against, err)
		}
		return o, against, nil
	}
	lock, err := st.Tree.ReadFile(locks.Name)
	if err != nil {
		return nil, "", hint.With(fmt.Errorf("%s: %w", locks.Name, err), "run mcpgen generate")
	}
	if head, err := locks.Git(ctx, st.Root, "cat-file", "blob", "HEAD:./"+locks.Name); err == nil {
		o, err := locks.At(ctx, st.Root, st.Project.Output, "HEAD")
		hasMoved := func(name string) bool { return moved(st, o, name) }
		gone := o != nil && (o.OutputBefore(st.Project.Output) != "" ||
			slices.ContainsFunc(slices.Collect(maps.Keys(o.Folders)), hasMoved))
		if gone || !bytes.Equal(head, bytes.ReplaceAll(lock, []byte("\r\n"), []byte("\n"))) {
			return o, "HEAD", err
		}
	}
	if o := st.Replaced(); o != nil {
		return o, "the last replaced lock", nil
	}
	commit, err := locks.Git(ctx, st.Root, "log", "--first-parent", "-m", "-n", "1", "--format=%H", "--", locks.Name)
	if err == nil && len(bytes.TrimSpace(commit)) > 0 {
		before := string(bytes.TrimSpace(commit)) + "^"
		if o, err := locks.At(ctx, st.Root, st.Project.Output, before); err == nil {
			return o, before, nil
		}
	}
	return nil, "", hint.New("no earlier lock to compare with",
		"pass --against with a git revision, an older mcpgen.lock, or a folder that has one")
}
