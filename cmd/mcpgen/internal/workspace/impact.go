package workspace

// This file joins what changed with the lines of the user's module that it
// touches.

import (
	"context"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// impact fills in the call sites of a report of live servers. A module that
// cannot be searched is named in the report: the changes are what they are.
func (r *run) impact(ctx context.Context, found *drift.Report) error {
	before, after, err := r.w.sides(r.captures)
	if err != nil {
		return nil // the files cannot be compared either, which the report says
	}
	r.unseen, err = r.w.callSites(ctx, before, after, found)
	return err
}

// callSites fills in the call sites of a report, and returns what could not be
// searched. The error is ctx's.
func (w *Workspace) callSites(ctx context.Context, before, after generator.Options, found *drift.Report) ([]report.Unseen, error) {
	problems, err := impact.Find(ctx, impact.Options{
		Dir: w.Root, Root: w.repository(), Before: before, After: after,
	}, found)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var out []report.Unseen
	for _, p := range problems {
		out = append(out, report.Unseen{File: p.File, Line: p.Line, Reason: p.Reason})
	}
	if err != nil {
		out = append(out, report.Unseen{Reason: err.Error()})
	}
	return out, nil
}

// sides are what the generator made the packages of, and what it would make them
// of if the captures were accepted.
func (w *Workspace) sides(captures []*Capture) (before, after generator.Options, err error) {
	lock, _ := w.keptLock()
	snapshots, err := w.snapshots(slices.Sorted(maps.Keys(lock.Servers)))
	if err != nil {
		return before, after, err
	}
	if _, err := w.settleResults(lock, snapshots, nobody); err != nil {
		return before, after, err
	}
	if before, err = w.generatorOptions(lock, snapshots, false); err != nil {
		return before, after, err
	}
	next := &schema.Lock{Revision: lock.Revision, Servers: maps.Clone(lock.Servers)}
	offered := maps.Clone(snapshots)
	if err := w.accept(next, offered, captures); err != nil {
		return before, after, err
	}
	after, err = w.generatorOptions(next, offered, false)
	return before, after, err
}
