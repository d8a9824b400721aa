package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/logs"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/urfave/cli/v2"
)

func ledgerCommand() *cli.Command {
	return &cli.Command{
		Name:  "ledger",
		Usage: "list the tools that an agent had, and when",
		Description: `Prints the tools of each run. A run is one program or command that attached to servers,
from its start to its end. A run that was killed left no record of its end, so its tools
stay listed. --calls also reads the audit log. For each call of a tool, it prints the
content key of the definition that the agent had at that time, and how many tools the
agent had. With --json, it prints that definition and all these tools.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "at",
				Usage: "list the tools of `TIME`: 2026-01-31, 2026-01-31T12:00:00Z, or 24h for a day ago; by default now"},
			&cli.StringSliceFlag{Name: "server", Usage: "only tools or calls of `SERVER`, a name or a pattern"},
			&cli.BoolFlag{Name: "calls", Usage: "list the tools for each call in the audit log"},
			&cli.BoolFlag{Name: "json",
				Usage: "print one JSON object on each line: for each run, or with --calls for each call"},
		},
		Action: showLedger,
	}
}

func showLedger(c *cli.Context) error {
	if c.Bool("calls") && c.IsSet("at") {
		return hint.With(usage("--at and --calls exclude each other"), "pass one of them")
	}
	servers := audit.Filter{Servers: c.StringSlice("server"), Kinds: []string{audit.KindCall}}
	if err := servers.Check(); err != nil {
		return usage("--server: %v", err)
	}
	now := time.Now()
	at, err := pastTime("at", c.String("at"), now)
	if err != nil {
		return err
	}
	if at.IsZero() {
		at = now
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	file, err := logs.LedgerFile(s.Project)
	if err != nil {
		return err
	}
	runs, damaged, err := logs.ReadLedger(file)
	if err != nil {
		return err
	}
	for _, d := range damaged {
		s.con.Warn("%s:%d: the line holds no entry and was skipped: %s", file, d.Line, d.Reason)
	}
	if !c.Bool("calls") {
		had := logs.ToolsAt(runs, at, servers.Servers)
		if len(had) == 0 {
			step := ""
			if last := logs.LastEnrolled(runs); !last.IsZero() {
				step = "to see the tools of the last run, pass --at " + last.UTC().Format(time.RFC3339Nano)
			}
			s.con.Note("%v", hint.With(fmt.Errorf("%s: no program had tools at that time", file), step))
		}
		return printRuns(s.con, had, c.Bool("json"))
	}
	log, err := logs.AuditFile(s.Project)
	if err != nil {
		return err
	}
	return readAudit(s.con, log, servers, func(r audit.Record) error {
		if r.Method != "" {
			return nil // about a prompt or a resource
		}
		return printSeen(s.con, logs.SeeCall(runs, r), c.Bool("json"))
	})
}

// printRuns prints the tools of runs.
func printRuns(con *console.Console, all []logs.RunTools, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(con.Out)
		for _, h := range all {
			if err := enc.Encode(h); err != nil {
				return err
			}
		}
		return nil
	}
	for _, h := range all {
		con.Printf("run %s, process %d: %s\n", h.Run, h.PID, safetext.Count(len(h.Tools), "tool"))
		t := con.Table()
		for _, e := range h.Tools {
			t.Row("  "+e.Server+"/"+e.Capability.Tool, e.Key, "since "+e.At.Local().Format("2006-01-02 15:04:05.000"))
		}
		t.Print()
	}
	return nil
}

// printSeen prints the tools that an agent had when it made a call.
func printSeen(con *console.Console, c logs.CallSeen, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(con.Out).Encode(c)
	}
	had := fmt.Sprintf("%s, one of %d tools of run %s", c.Key, len(c.Tools), c.Call.Run)
	switch {
	case c.Unknown != "":
		had = "unknown: " + c.Unknown
	case c.Definition == nil:
		had = fmt.Sprintf("not one of the %d tools of run %s", len(c.Tools), c.Call.Run)
	case c.Call.Key != "" && c.Call.Key != c.Key:
		had += "; locked as " + c.Call.Key
	}
	con.Printf("%s %s %s/%s %s\n",
		c.Call.Time.Local().Format("2006-01-02 15:04:05.000"), c.Call.Decision, c.Call.Server, c.Call.Tool, had)
	return nil
}
