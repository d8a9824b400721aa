package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
)

// printSummary prints one line for each server that a run was about: its tools, those
// with typed results, what changed by the report of an update, nil otherwise, and how
// long it took to list it.
func (s *session) printSummary(servers []workspace.ServerSummary, changes *report.Report) {
	if len(servers) == 0 || s.con.Quiet {
		return
	}
	var text bytes.Buffer
	w := newTable(&text)
	for _, one := range servers {
		tools := console.Count(one.Tools, "tool")
		if one.Offered != one.Tools {
			tools = fmt.Sprintf("%d of %s", one.Tools, console.Count(one.Offered, "tool"))
		}
		cells := []string{one.Server, tools, console.Count(one.Typed, "typed result")}
		for _, other := range []struct {
			n    int
			what string
		}{{one.Prompts, "prompt"}, {one.Resources, "resource"}, {one.Skills, "skill"}} {
			if other.n > 0 {
				cells[2] += ", " + console.Count(other.n, other.what)
			}
		}
		if changes != nil {
			cells = append(cells, changesOf(changes, one.Server))
		}
		if one.Took > 0 {
			round := 100 * time.Millisecond
			if one.Took < time.Second {
				round = time.Millisecond
			}
			cells = append(cells, one.Took.Round(round).String())
		}
		w.row(cells...)
	}
	_ = w.flush() // memory takes everything
	for line := range strings.Lines(text.String()) {
		s.con.Note("%s", strings.TrimRight(line, "\n"))
	}
	s.printLong(servers)
}

// maxLong bounds the tools that printLong names.
const maxLong = 3

// printLong names tools that take very much code, and says how to do without them, in one
// line.
func (s *session) printLong(servers []workspace.ServerSummary) {
	var named []string
	exclude, all := "", 0
	for _, one := range servers {
		for _, t := range one.Long {
			if all++; all <= maxLong {
				named = append(named, fmt.Sprintf("%s/%s %d", t.Server, t.Tool, t.Lines))
			}
			if exclude == "" {
				exclude = fmt.Sprintf("servers.%s.tools: {exclude: [%q]}", t.Server, t.Tool)
			}
		}
	}
	if all > maxLong {
		named = append(named, fmt.Sprintf("and %d more tools", all-maxLong))
	}
	if all > 0 {
		s.con.Note("more than %d lines of types: %s: to do without one: %s", workspace.MaxToolLines, strings.Join(named, ", "), exclude)
	}
}

// changesOf counts the changes of one server.
func changesOf(r *report.Report, server string) string {
	for _, one := range r.Servers {
		if one.Server == server && len(one.Changes) > 0 {
			return console.Count(len(one.Changes), "change")
		}
	}
	return "no change"
}

// printNext prints how the tools of servers that were just locked are called.
func (s *session) printNext(locked []string) {
	switch {
	case len(locked) == 1:
		s.con.Note("next: mcpgen list %s", report.ShellWord(locked[0]))
	case len(locked) > 1:
		s.con.Note("next: mcpgen list")
	}
}
