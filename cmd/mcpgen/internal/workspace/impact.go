package workspace

// This file joins what changed with the lines of the user's module that it
// touches.

import (
	"context"
	"errors"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// inCode joins to a report what becomes of Go code: changes of the generated API
// where the profile asks for them, and the lines of the module that any change
// touches. A module that cannot be searched is named in what is returned: the
// changes are what they are.
func (w *Workspace) inCode(ctx context.Context, found *drift.Report, captures []*Capture, j config.Judgement, lines bool) ([]report.Unseen, error) {
	if !lines && j.Profile != drift.Source || !slices.ContainsFunc(found.Servers, func(s drift.ServerReport) bool { return s.Verdict != drift.Unchecked }) {
		return nil, nil
	}
	before, after, err := w.sides(ctx, captures)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		// A project that cannot be generated is told of elsewhere: by check as
		// files that cannot be compared, and update is what repairs it.
		return []report.Unseen{{Reason: "the packages could not be generated: " + err.Error()}}, nil
	}
	if j.Profile == drift.Source {
		if err := w.sources(ctx, before, after, found, j); err != nil {
			return nil, err
		}
	}
	if !lines {
		return nil, nil
	}
	return w.callSites(ctx, before, after, found)
}

// sources joins what changes in the Go API of the generated packages.
func (w *Workspace) sources(ctx context.Context, before, after generator.Options, found *drift.Report, j config.Judgement) error {
	changes, err := impact.Source(ctx, before, after)
	if err != nil {
		return unless(ctx, err)
	}
	for server, list := range changes {
		found.Add(server, list, w.driftOptions(server, j))
	}
	return nil
}

// callSites fills in the call sites of a report, and returns what could not be
// searched. The error is ctx's.
func (w *Workspace) callSites(ctx context.Context, before, after generator.Options, found *drift.Report) ([]report.Unseen, error) {
	w.opts.Console.Status("looking for the lines that use what changed …")
	defer w.opts.Console.Status("")
	problems, err := impact.Find(ctx, impact.Options{
		Dir: w.Root, Root: w.repository(), Before: before, After: after,
	}, found)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return unseen(problems, err), nil
}

// unseen are the problems of a search, and the error that ended it.
func unseen(problems []impact.Problem, err error) []report.Unseen {
	var out []report.Unseen
	for _, p := range problems {
		out = append(out, report.Unseen{File: p.File, Line: p.Line, Reason: p.Reason})
	}
	if err != nil {
		out = append(out, report.Unseen{Reason: err.Error()})
	}
	return out
}

// sides are what the generator made the packages of, and what it would make them
// of if the captures were accepted. Servers that cannot be generated are in neither.
func (w *Workspace) sides(ctx context.Context, captures []*Capture) (before, after generator.Options, err error) {
	d := w.newDraft(w.configured, false)
	d.updateResults(ctx, nobody, false)
	if before, _, err = d.options(false); err != nil {
		return before, after, err
	}
	for _, c := range captures {
		d.accept(ctx, c)
	}
	if after, _, err = d.options(false); err == nil && len(before.Servers)+len(after.Servers) == 0 {
		err = errors.Join(d.errs...)
	}
	return before, after, err
}
