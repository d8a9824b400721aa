package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/logs"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/urfave/cli/v2"
)

func auditCommand() *cli.Command {
	return &cli.Command{
		Name:  "audit",
		Usage: "read the audit log",
		Description: `Prints one line for each record: servers that attached and detached, checks of
permissions (CapabilityCheck), calls and drift. The log says what was called, not what
a server did. Since a server runs with your rights, the record of its start also shows
its command.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "file", Usage: "read `FILE` instead of the project's log"},
			&cli.StringSliceFlag{Name: "server", Usage: "only records of `SERVER`, a name or a pattern"},
			&cli.StringSliceFlag{Name: "tool", Usage: "only records of `TOOL`, a name or a pattern"},
			&cli.StringSliceFlag{Name: "caller",
				Usage: "only calls and checks for the caller `NAME` of mcpgen serve, or a pattern; local is the program itself"},
			&cli.StringSliceFlag{Name: "kind",
				Usage: "only records of `KIND`: attach, detach, restart, CapabilityCheck, call, drift, change, notice"},
			&cli.StringSliceFlag{Name: "decision", Usage: "only records with `DECISION`: allow or deny"},
			&cli.StringFlag{Name: "since",
				Usage: "only records since `TIME`: 2026-01-31, 2026-01-31T12:00:00Z, or 24h for the last day"},
			&cli.BoolFlag{Name: "json", Usage: "print the records as they are in the log, one JSON object on each line"},
		},
		Action: showAudit,
	}
}

func showAudit(c *cli.Context) error {
	filter, err := auditFilter(c, time.Now())
	if err != nil {
		return err
	}
	s, file, err := auditLog(c)
	if err != nil {
		return err
	}
	enc, shown := json.NewEncoder(s.con.Out), 0
	show := func(r audit.Record) error {
		shown++
		if c.Bool("json") {
			return enc.Encode(r)
		}
		s.con.Printf("%s\n", recordText(r))
		return nil
	}
	err = readAudit(s.con, file, filter, show)
	if shown == 0 && err == nil {
		s.con.Note("%s: no records are shown: the log is empty, or the flags exclude all of its records", file)
	}
	return err
}

// readAudit calls each for the records of a log, and warns of its damaged lines.
func readAudit(con *console.Console, file string, filter audit.Filter, each func(audit.Record) error) error {
	damaged, err := logs.ReadAudit(file, filter, each)
	if damaged > 0 {
		con.Warn("%s: %d lines hold no record and were skipped: a crash may have cut them off", file, damaged)
	}
	return err
}

// auditLog returns the file to read. With --file, no project is needed.
func auditLog(c *cli.Context) (*session, string, error) {
	if file := c.String("file"); file != "" {
		if _, err := os.Stat(file); err != nil {
			return nil, "", usage("--file: %v", err)
		}
		return newSession(c), file, nil
	}
	s, err := open(c)
	if err != nil {
		return nil, "", err
	}
	file, err := logs.AuditFile(s.Project)
	if err != nil {
		return nil, "", err
	}
	return s, file, nil
}

// auditKinds returns the kinds of records.
func auditKinds() []string {
	return []string{
		audit.KindAttach, audit.KindDetach, audit.KindRestart, audit.KindCheck,
		audit.KindCall, audit.KindDrift, audit.KindChange, audit.KindNotice,
	}
}

func auditFilter(c *cli.Context, now time.Time) (audit.Filter, error) {
	f := audit.Filter{Servers: c.StringSlice("server"), Tools: c.StringSlice("tool"),
		Callers: c.StringSlice("caller"), Kinds: c.StringSlice("kind"), Decisions: c.StringSlice("decision")}
	if err := f.Check(); err != nil {
		return f, usage("%v", err)
	}
	for i, kind := range f.Kinds {
		if strings.EqualFold(kind, "check") {
			f.Kinds[i] = audit.KindCheck
		} else if !slices.Contains(auditKinds(), kind) {
			return f, hint.With(usage("--kind: no record has the kind %q", kind), "run mcpgen help audit")
		}
	}
	for _, d := range f.Decisions {
		if d != audit.Allowed && d != audit.Denied {
			return f, usage("--decision: want allow or deny, not %q", d)
		}
	}
	var err error
	f.Since, err = pastTime("since", c.String("since"), now)
	return f, err
}

// pastTime parses a flag that is a time or a duration before now; "" is the zero time.
func pastTime(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, hint.With(usage("--%s: %q is not a time", flag, text),
		"write 2026-01-31, 2026-01-31T12:00:00Z, or 24h")
}

// recordText returns a record on one line.
func recordText(r audit.Record) string {
	parts := []string{r.Time.Local().Format("2006-01-02 15:04:05.000"), r.Kind}
	if r.Decision != "" {
		parts = append(parts, r.Decision)
	}
	switch {
	case r.Kind == audit.KindCheck && r.Tool != "" && r.Server == "":
		parts = append(parts, r.Agent)
	case r.Kind == audit.KindCheck && r.Tool != "":
		parts = append(parts, r.Agent, r.Server+"/"+r.Tool)
	case r.Tool != "":
		parts = append(parts, strings.TrimPrefix(r.Server+"/"+r.Tool, "/"))
	case r.Server != "":
		parts = append(parts, r.Server)
	}
	if r.Method != "" {
		parts = append(parts, "("+r.Method+")")
	}
	if r.Caller != "" && r.Caller != audit.LocalCaller {
		parts = append(parts, "by "+hint.Word(r.Caller))
	}
	if r.Kind == audit.KindCall {
		parts = append(parts, fmt.Sprintf("%.1f ms, %d bytes in, %d out", r.Milliseconds, r.ArgsBytes, r.ResultBytes))
	}
	if r.Tools > 0 {
		parts = append(parts, safetext.Count(r.Tools, "tool"))
	}
	for _, text := range []string{r.Launch, r.Detail, r.Error} {
		if text != "" {
			parts = append(parts, "- "+text)
		}
	}
	if r.IsError {
		parts = append(parts, "- the tool reported an error")
	}
	if len(r.Arguments) > 0 {
		parts = append(parts, string(r.Arguments))
	}
	return strings.Join(parts, " ")
}
