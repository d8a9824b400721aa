package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/fleet"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// checkFleet checks all projects of a fleet, and prints one report.
func checkFleet(c *cli.Context, r *reporting) error {
	for _, other := range []string{"config", "mcp", "servers", "against"} {
		if c.IsSet(other) {
			return usage("--fleet and --%s exclude each other", other)
		}
	}
	if !slices.Contains([]report.Format{report.Text, report.JSON, report.Markdown, report.GitHub}, r.format) {
		return hint.With(usage("--fleet cannot write a report in the format %s", r.format),
			"use text, json, markdown or github")
	}
	f, err := fleet.Load(c.String("fleet"))
	if err == nil {
		err = f.Shard(c.String("shard"))
	}
	if err != nil {
		return err
	}
	s := newSession(c)
	if !c.IsSet("timeout") {
		s.ctx = c.Context
	}
	done := 0
	s.con.Status("0 of %s", safetext.Count(len(f.Projects), "project"))
	how := fmt.Sprint(version(), r.format, r.all, r.Flags)
	all, oldest, err := f.Run(s.ctx, c.String("resume"), how, func(ctx context.Context, p fleet.Project) fleet.Outcome {
		return checkOne(ctx, c, r, p)
	}, func() { done++; s.con.Status("%d of %s", done, safetext.Count(len(f.Projects), "project")) })
	s.con.Status("")
	if err != nil {
		if c.String("resume") != "" {
			err = hint.With(err, "to continue, run the same command again")
		}
		return err
	}
	if !oldest.IsZero() {
		s.con.Note("%s has results of an earlier run, which are not checked again; the oldest is from %s",
			c.String("resume"), oldest.Format(time.RFC3339))
	}
	return printFleet(s.con, all, r.format)
}

// checkOne checks a project of a fleet, as check does in its folder, within the default time.
func checkOne(ctx context.Context, c *cli.Context, r *reporting, p fleet.Project) fleet.Outcome {
	var out, problems bytes.Buffer
	con := &console.Console{
		Out: &out, Err: &problems, Program: programFor(c.App, " --config "+hint.Word(p.Config)),
		Quiet: true, Verbose: c.Bool("verbose"),
	}
	var end context.CancelFunc
	if !c.IsSet("timeout") {
		ctx, end = context.WithTimeout(ctx, defaultTimeout)
		defer end()
	}
	opts := optionsOf(c, con)
	opts.Config, opts.Only = p.Config, nil
	var found *workspace.CheckReport
	w, err := workspace.Open(ctx, opts)
	if err == nil {
		found, err = checkProject(ctx, w, r, "")
	}
	o := fleet.Outcome{}
	if err != nil {
		printErrors(con, err)
		o.Code = exit.Code(err)
		if errors.Is(err, context.DeadlineExceeded) {
			o.Code = exit.Server
		}
	} else {
		o.Code = found.Code
		o.Report, err = json.Marshal(found.Report)
		if err != nil { // cannot happen: its parts are plain
			o.Code = exit.Server
		}
	}
	if o.Code != exit.OK || found == nil || !found.Clean() {
		o.Text = out.String()
	}
	o.Errors = problems.String()
	return o
}

// printFleet prints the reports of the projects that have something to say, and the numbers.
func printFleet(con *console.Console, all []fleet.Outcome, format report.Format) error {
	codes, servers := map[int]int{}, 0
	for i, o := range all {
		var one report.Report
		if json.Unmarshal(o.Report, &one) == nil {
			servers += len(one.Servers)
		}
		codes[o.Code]++
		switch {
		case format == report.JSON:
			all[i].Text, all[i].State, all[i].At = "", "", time.Time{}
			continue
		case o.Text+o.Errors == "":
			continue
		case format == report.Markdown:
			con.Printf("# %s\n\n", o.Project)
		case format == report.Text:
			con.Printf("== %s\n", o.Project)
		}
		fmt.Fprint(con.Out, o.Text)
		if format == report.Text {
			fmt.Fprint(con.Out, o.Errors)
		} else {
			fmt.Fprint(con.Err, o.Errors)
		}
	}
	code := fleet.WorstCode(all)
	if format == report.JSON {
		if err := printJSON(con.Out, struct {
			Code     int             `json:"code"`
			Projects []fleet.Outcome `json:"projects"`
		}{code, all}); err != nil {
			return err
		}
	}
	con.Note("%s, %s: %d fine, %d with findings, %d unknown, %d invalid",
		safetext.Count(len(all), "project"), safetext.Count(servers, "server"),
		codes[exit.OK], codes[exit.Finding], codes[exit.Server], codes[exit.Usage])
	return finding(code)
}
