package workspace

// This file relates changes to the lines of the user's module that they affect.

import (
	"context"
	"errors"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// inCode adds to a report the effects on Go code: changes of the generated API, if the profile includes
// them, the affected lines of the module, and the resulting severities. It returns the parts of the
// module that cannot be searched. Changes to the API are then unknown, unless they break anyway.
func (w *Workspace) inCode(ctx context.Context, found *drift.Report, captures []*Capture, j judging.Judge, lines bool) ([]report.Unseen, error) {
	changed := map[string]bool{}
	for _, s := range found.Servers {
		if s.Verdict != drift.Unchecked && len(s.Changes) > 0 {
			changed[s.Server] = true
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	before, after, err := w.Sides(ctx, captures)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		// A project that cannot be generated is reported elsewhere: check reports files that cannot be compared,
		// and update repairs it.
		found.Read()
		found.Weigh(j.For)
		return []report.Unseen{{Reason: "the packages could not be generated: " + err.Error()}}, nil
	}
	others := func(s generator.Server) bool { return !changed[s.Name] }
	before.Servers = slices.DeleteFunc(before.Servers, others)
	after.Servers = slices.DeleteFunc(after.Servers, others)
	if j.Profile == drift.Source {
		if err := sources(ctx, before, after, found, j); err != nil {
			return nil, err
		}
	}
	unseen := []report.Unseen{{Reason: "--impact=off: the code of the module was not searched"}}
	if lines {
		unseen, err = w.callSites(ctx, before, after, found)
	} else {
		err = impact.MayBreak(ctx, impact.Options{Before: before, After: after}, found)
	}
	found.Weigh(j.For)
	return unseen, exit.Unless(ctx, err)
}

// sources adds the changes in the Go API of the generated packages.
func sources(ctx context.Context, before, after generator.Options, found *drift.Report, j judging.Judge) error {
	changes, err := impact.Source(ctx, before, after)
	if err != nil {
		return exit.Unless(ctx, err)
	}
	for server, list := range changes {
		found.Add(server, list, j.For(server))
	}
	return nil
}

// callSites adds the call sites to a report, and returns what could not be searched. The error is ctx's.
func (w *Workspace) callSites(ctx context.Context, before, after generator.Options, found *drift.Report) ([]report.Unseen, error) {
	con := w.Options.Console
	defer con.Status("")
	problems, err := impact.Find(ctx, impact.Options{
		Dir: w.Root, Root: starter.Repository(w.Root), Before: before, After: after,
		Progress: func(text string) { con.Status("%s …", text) },
	}, found)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return unseen(problems, err), nil
}

// unseen returns the problems of a search, and the error that ended it.
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

// Sides returns the generator's options for the locked state, and for the state if the captures were
// accepted. Servers that cannot be generated are in neither.
func (w *Workspace) Sides(ctx context.Context, captures []*Capture) (before, after generator.Options, err error) {
	d := w.NewDraft(w.Configured, false)
	d.UpdateResults(ctx, nil, false)
	if before, _, err = d.Options(false); err != nil {
		return before, after, err
	}
	for _, c := range captures {
		d.Accept(ctx, c)
	}
	if after, _, err = d.Options(false); err == nil && len(before.Servers)+len(after.Servers) == 0 {
		err = errors.Join(d.Errs...)
	}
	return before, after, err
}
