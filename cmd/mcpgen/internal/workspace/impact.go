package workspace

// This file relates changes to the lines that they are about: of the user's module, of snapshots, and of the
// configuration.

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// inCode adds to a report the effects on Go code: changes of the generated API, if the profile includes
// them, the affected lines of the module, and the resulting severities. It returns the parts of the
// module that cannot be searched. Changes to the API are then unknown, unless they break anyway.
func inCode(
	ctx context.Context, in *inputs.Servers, con *console.Console, found *drift.Report,
	captures []*capturing.Capture, j judging.Judge, lines bool,
) ([]report.Unseen, error) {
	changed := map[string]bool{}
	for _, s := range found.Servers {
		if s.Verdict != drift.Unchecked && len(s.Changes) > 0 {
			changed[s.Server] = true
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	before, after, err := Sides(ctx, in, captures)
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
		unseen, err = callSites(ctx, con, in.Root, before, after, found)
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

// inModule returns the options for what uses the generated code in the module at root.
func inModule(root string, before, after generator.Options) impact.Options {
	return impact.Options{Dir: root, Root: starter.Repository(root), Before: before, After: after}
}

// callSites adds the call sites to a report, and returns what could not be searched. The error is ctx's.
func callSites(
	ctx context.Context, con *console.Console, root string, before, after generator.Options, found *drift.Report,
) ([]report.Unseen, error) {
	defer con.Status("")
	o := inModule(root, before, after)
	o.Progress = func(text string) { con.Status("%s …", text) }
	problems, err := impact.Find(ctx, o, found)
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
func Sides(ctx context.Context, in *inputs.Servers, captures []*capturing.Capture) (
	before, after generator.Options, err error,
) {
	d := NewDraft(in, nil, in.Configured, false)
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

// setPositions sets the positions of a report.
func setPositions(st *locks.State, r *report.Report) {
	configs := map[string]report.Position{}
	for _, s := range st.Project.Servers {
		configs[s.Name] = report.Position{File: fromRepository(st.Root, s.Source.Path), Line: s.Source.Line}
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		s.Position = configs[s.Server]
		if len(s.Changes) == 0 {
			continue
		}
		path := st.SnapshotPath(s.Server)
		data, err := st.Tree.ReadFile(path)
		if err != nil {
			data = nil
		}
		for j := range s.Changes {
			s.Changes[j].Position = positionOf(st, s, &s.Changes[j].Change, path, data)
		}
	}
	for i := range r.Stale {
		r.Stale[i].Position = startOf(st, r.Stale[i].Path)
	}
}

// startOf returns the position of a file that mcpgen writes.
func startOf(st *locks.State, file string) report.Position {
	return report.Position{File: fromRepository(st.Root, filepath.Join(st.Root, filepath.FromSlash(file)))}
}

// positionOf returns the line of the changed part in the snapshot, or in the configuration.
func positionOf(st *locks.State, s *report.Server, c *drift.Change, path string, snapshot []byte) report.Position {
	if c.Accept != nil {
		at := report.Position{File: fromRepository(st.Root, st.Project.Path)}
		if i := slices.Index(st.Project.Drift.Ignore, *c.Accept); i >= 0 {
			at.Line = st.Project.Drift.IgnoreLines[i]
		}
		return at
	}
	if c.Path == "/launch" || c.Path == "/artifact" || snapshot == nil {
		return s.Position
	}
	at := startOf(st, path)
	if offset := find(snapshot, c); offset > 0 {
		at.Line = 1 + bytes.Count(snapshot[:offset], []byte("\n"))
	}
	return at
}

// fromRepository returns a path for readers of reports: relative to the folder with .git, or else to the
// project's, with slashes.
func fromRepository(root, path string) string {
	if path == "" {
		return ""
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return starter.Below(starter.Repository(root), abs)
}

// find returns the offset of a changed part in a snapshot's file: the deepest value on its pointer, or
// the item; 0 if there is no such item.
func find(data []byte, c *drift.Change) int {
	path := strings.Split(c.Path, "/")[1:]
	if c.Kind == drift.KindServer {
		return descend(data, 0, path)
	}
	in := map[schema.Kind]struct{ list, name string }{
		schema.KindTool: {"tools", "name"}, schema.KindPrompt: {"prompts", "name"}, schema.KindSkill: {"skills", "uri"},
		schema.KindResource: {"resources", "uri"}, schema.KindTemplate: {"resourceTemplates", "uriTemplate"},
		schema.KindApp: {"apps", "uri"},
	}[c.Kind]
	list := descend(data, 0, []string{in.list})
	if jsontext.First(data[list:]) != '[' {
		return 0
	}
	for items := jsontext.NewItems(data[list:]); items.Next(); {
		if jsontext.Text(jsontext.Member(items.Value, in.name)) == c.Name {
			return descend(data, list+items.Offset(), path)
		}
	}
	return 0
}

// descend follows a pointer's segments from the value at start as far as possible, and returns the offset
// of the last value.
func descend(data []byte, start int, path []string) int {
	for _, segment := range path {
		next := child(data[start:], jsontext.UnescapePointer(segment))
		if next < 0 {
			return start
		}
		start += next
	}
	return start
}

// child returns the offset of a member, or of the element with that index; -1 if there is none.
func child(data []byte, segment string) int {
	kind := jsontext.First(data)
	if kind != '{' && kind != '[' {
		return -1
	}
	items := jsontext.NewItems(data)
	for i := 0; items.Next(); i++ {
		if kind == '{' && string(items.Key()) == segment || kind == '[' && strconv.Itoa(i) == segment {
			return items.Offset()
		}
	}
	return -1
}

// Uses returns the items that the module calls with generated functions. A project without generated code
// has none.
func Uses(ctx context.Context, in *inputs.Servers) ([]impact.Use, []report.Unseen, error) {
	if in.Lock == nil || len(in.Lock.Servers) == 0 {
		return nil, nil, nil
	}
	current, _, err := Sides(ctx, in, nil)
	var found []impact.Use
	var problems []impact.Problem
	if err == nil {
		found, problems, err = impact.Uses(ctx, inModule(in.Root, current, generator.Options{}))
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	return found, unseen(problems, err), nil
}
