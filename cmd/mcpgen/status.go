package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/urfave/cli/v2"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "attach to the servers and report their state",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON array"},
			&cli.BoolFlag{Name: "tools", Usage: "print a table of the servers, and the tools of each"},
			agentFlag(),
		},
		Action: func(c *cli.Context) error { return status(c, c.Bool("tools")) },
	}
}

// mcpCommand is tallow's command for the servers and their tools.
func mcpCommand() *cli.Command {
	return &cli.Command{
		Name:   "mcp",
		Usage:  "the same as status --tools",
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON array"}, agentFlag()},
		Action: func(c *cli.Context) error { return status(c, true) },
	}
}

func status(c *cli.Context, tools bool) error {
	s, err := open(c)
	if err != nil {
		return err
	}
	all, err := workspace.Status(s.ctx, s.Client)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("json"):
		err = printJSON(s.con.Out, all)
	case tools:
		printAgents(s.con, all)
		err = printTools(s.con, s.Project, all)
	default:
		printAgents(s.con, all)
		printStatus(s.con, all)
	}
	return errors.Join(err, finding(workspace.StatusCode(all)))
}

// printTools prints a table of the servers, followed by the built-in tools and those of each server,
// under the names that models see, with the beginning of their descriptions.
func printTools(con *console.Console, project *config.Project, all []workspace.ServerStatus) error {
	if len(all) == 0 {
		con.Printf("no servers configured\n")
	} else {
		w := con.Table()
		w.Row("SERVER", "STATE", "TRANSPORT", "IDENTITY", "RESTARTS LEFT", "TRUST", "DRIFT")
		for _, st := range all {
			w.Row(st.Server, st.State, st.Transport, identity(&st),
				strconv.Itoa(st.RestartsLeft), cmp.Or(st.Trust, "-"), cmp.Or(st.Drift, "-"))
		}
		w.Print()
	}
	native, err := workspace.NativeSpecs(project)
	if native != nil {
		printSpecs(con, nativeTitle+" ("+safetext.Count(len(native), "tool")+")", &workspace.ServerStatus{Specs: native})
	}
	for _, st := range all {
		printSpecs(con, st.Server+": "+stateLine(&st), &st)
	}
	return err
}

// identity returns a server's own name and version, for a column of a table.
func identity(st *workspace.ServerStatus) string {
	return cmp.Or(safetext.Cut(strings.TrimSpace(st.Name+" "+st.Version), 60), "-")
}

// printAgents prints one line for each agent whose manifest defines servers.
func printAgents(con *console.Console, all []workspace.ServerStatus) {
	seen := map[workspace.Agent]bool{}
	for _, st := range all {
		if st.Agent == nil || seen[*st.Agent] {
			continue
		}
		seen[*st.Agent] = true
		a := st.Agent
		text := "agent " + cmp.Or(strings.TrimSpace(a.Name+" "+a.Version), "without a name") + " of " + a.File
		if a.TrustLevel != "" {
			text += ", trust level " + a.TrustLevel
		}
		con.Printf("%s\n", text)
	}
}

// printSpecs prints a heading, the description of a server, its tools, and its problem.
func printSpecs(con *console.Console, heading string, st *workspace.ServerStatus) {
	con.Printf("\n%s\n", heading)
	if st.Description != "" {
		con.Printf("  %s\n", st.Description)
	}
	printWhy(con, "  ", st)
	w := con.Table()
	for _, spec := range st.Specs {
		w.Row("  "+spec.Name, console.FirstSentence(spec.Description, 76))
	}
	w.Print()
}

// stateLine returns the state of a server as a line above its tools, in tallow's form.
func stateLine(st *workspace.ServerStatus) string {
	switch {
	case st.Error != "":
		return failedState(st)
	case st.State == string(attach.Ready):
		return "● connected (" + safetext.Count(len(st.Specs), "tool") + ")"
	}
	return "○ " + st.State
}

// failedState returns the state of a server with an error. A ready server could not be listed.
func failedState(st *workspace.ServerStatus) string {
	if st.State == string(attach.Ready) {
		return "✗ not listed"
	}
	return "✗ " + st.State
}

// printStatus prints a row for each server, followed by the errors of servers that are down, and with
// --verbose the tools of the others.
func printStatus(con *console.Console, all []workspace.ServerStatus) {
	if len(all) == 0 {
		con.Printf("no servers configured\n")
	}
	w := con.Table()
	for _, st := range all {
		switch {
		case st.Error != "":
			w.Row(st.Server, failedState(&st), "-", st.Transport)
		default:
			pid := ""
			if st.PID != 0 {
				pid = "pid " + strconv.Itoa(st.PID)
			}
			w.Row(st.Server, "● connected", safetext.Count(st.Tools, "tool"), st.Transport, identity(&st), st.Drift, pid)
		}
	}
	rows := w.Rows()
	for i, st := range all {
		con.Printf("%s\n", rows[i])
		printWhy(con, "    ", &st)
		if len(st.Unanswered) > 0 {
			con.Printf("    the key client declares %s, but mcpgen commands decline such requests\n",
				strings.Join(st.Unanswered, ", "))
		}
		if text := report.UnofferedText(st.Unoffered); text != "" {
			con.Printf("    %s\n", text)
		}
		for _, problem := range st.Problems {
			con.Printf("    %s\n", console.Clean(problem))
		}
		if st.Uncompared != "" {
			con.Printf("    %s: mcpgen cannot know which bytes the command runs\n", console.Clean(st.Uncompared))
		}
		if st.Protocol != "" {
			con.Detail("%s: protocol %s", st.Server, st.Protocol)
		}
		if len(st.Reworded) > 0 {
			con.Detail("%s: the texts of these items differ, and models read the locked texts: %s",
				st.Server, strings.Join(st.Reworded, ", "))
		}
		for line := range strings.Lines(st.Listing) {
			con.Detail("%s", strings.TrimSuffix(line, "\n"))
		}
		if st.SkippedLines > 0 {
			con.Detail("%s: %d lines on its standard output were not messages and were skipped", st.Server, st.SkippedLines)
		}
		if d := st.Dropped; d != (attach.Dropped{}) {
			con.Detail("%s: the server exceeded its limits, so mcpgen dropped %d messages that were too large, "+
				"%d notifications and requests, %d log lines", st.Server, d.Oversized, d.Unasked, d.Log)
		}
	}
}

// printWhy prints the problem of a server, and the next steps.
func printWhy(con *console.Console, indent string, st *workspace.ServerStatus) {
	lines, steps := st.Why()
	for _, line := range lines {
		con.Printf("%s%s\n", indent, line)
	}
	for _, step := range steps {
		con.Printf("%shelp: %s\n", indent, con.Program.Hint(step))
	}
}

// printJSON prints v as indented JSON, ending in a newline. Characters that control a terminal are
// escaped.
func printJSON(w io.Writer, v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	if err == nil {
		_, err = w.Write(safetext.JSON(text.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}
