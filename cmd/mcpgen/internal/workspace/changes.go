package workspace

// This file compares two locks for users of the code that was generated from them.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Changes returns the change log from one lock to another. Each is a git revision, a lock, or a folder
// with one; an empty to is the lock of the project. No server is started.
func (w *Workspace) Changes(ctx context.Context, from, to string) (*report.Log, error) {
	var sides [2]*locks.Other
	for i, where := range []string{from, to} {
		file := where
		if file == "" {
			file = filepath.Join(w.Root, locks.Name)
		}
		o, err := locks.Elsewhere(ctx, w.Root, w.Project.Output, w.Tree, file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cmp.Or(where, locks.Name), err)
		}
		sides[i] = o
	}
	out := &report.Log{From: from, To: cmp.Or(to, locks.Name)}
	before, after := sides[0], sides[1]
	found, j := &drift.Report{}, judging.Of(w.Project, w.Lock, judging.Flags{})
	names := maps.Clone(before.Lock.Servers)
	maps.Copy(names, after.Lock.Servers)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, is := before.Lock.Servers[name], after.Lock.Servers[name]
		switch {
		case was == nil:
			out.New = append(out.New, name)
			continue
		case is == nil:
			out.Gone = append(out.Gone, name)
			continue
		}
		s, err := j.Compare(ctx, judging.Comparison{Name: name, Before: before.Snapshots[name], After: after.Snapshots[name],
			LaunchBefore: was.Launch, LaunchAfter: is.Launch, RanBefore: was.Artifact, RanAfter: is.Artifact})
		if err != nil {
			return nil, err
		}
		found.Servers = append(found.Servers, s)
	}
	out.Report = report.Of(drift.Join(found))
	err := w.countAPI(ctx, before, after, out)
	return out, err
}

// countAPI adds the names that the Go packages lost and gained. For a server that is no longer configured
// no package is generated.
func (w *Workspace) countAPI(ctx context.Context, before, after *locks.Other, out *report.Log) error {
	now, _, err := w.Sides(ctx, nil)
	if err != nil {
		return exit.Unless(ctx, err)
	}
	then, later := w.asLockedThen(now, before), w.asLockedThen(now, after)
	lost, err := impact.Source(ctx, then, later)
	if err != nil {
		return exit.Unless(ctx, err)
	}
	for _, server := range slices.Sorted(maps.Keys(lost)) {
		for _, c := range lost[server] {
			out.Lost = append(out.Lost, c.Message)
		}
	}
	was, err := generator.Symbols(ctx, then)
	is, laterErr := generator.Symbols(ctx, later)
	if err := errors.Join(err, laterErr); err != nil {
		return exit.Unless(ctx, err)
	}
	known := map[string]bool{}
	for _, s := range was {
		for _, symbol := range s.Symbols {
			known[s.Server+"."+symbol.Go] = true
		}
	}
	for _, s := range is {
		for _, symbol := range s.Symbols {
			if !known[s.Server+"."+symbol.Go] {
				out.Got++
			}
		}
	}
	return nil
}
