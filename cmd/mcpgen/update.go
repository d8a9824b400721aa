package main

import (
	"errors"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/urfave/cli/v2"
)

func updateCommand() *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "accept what the servers offer now",
		ArgsUsage: "[server…]",
		Description: `Attaches to the named servers, or to all, shows what changed since they were
locked as check does, and accepts it: snapshot, lock and code are rewritten. Servers
are independent: one that fails is named and stays as it was, and the exit code is
that of its error. Servers that are not named are left as they are.

A tool with a security finding stays as it was locked, and update exits 1, unless
--accept names each of its findings.`,
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "accept", Usage: "accept a security finding: `SERVER/TOOL/RULE`, or server/rule for the server itself; may be repeated"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what changed, write nothing"},
			&cli.BoolFlag{Name: "strict", Usage: "treat warnings as errors: a tool that is left out or typed more loosely, or one about the configuration"},
		}, reportFlags()...),
		Action: update,
	}
}

func update(c *cli.Context) error {
	r, err := parseReporting(c)
	if err != nil {
		return err
	}
	s, err := openToWrite(c, true)
	if err != nil {
		return err
	}
	defer s.end()
	found, err := s.Update(s.ctx, workspace.UpdateOptions{
		Judging: r.Judging, Servers: trimmed(c.Args().Slice()), Accept: c.StringSlice("accept"),
		DryRun: c.Bool("dry-run"), Strict: c.Bool("strict"), Impact: r.impact,
	})
	if found != nil && found.Report != nil {
		if err := s.printReport(found.Report, r, found.Fails); err != nil {
			return err
		}
	}
	if found == nil {
		return err
	}
	s.printDropped(found.Dropped)
	s.printSummary(found.Summary, found.Report)
	if found.Files != nil {
		s.printFiles(found.Files)
		if usesOldNames(found.Report) {
			s.con.Note("lines that use other names now are rewritten by mcpgen fix")
		}
	}
	s.printLeft(found.Left)
	if found.Files != nil && len(found.Files.Written) > 0 {
		s.con.Note("next: go build ./...")
	}
	s.printHeld(found.Held)
	if len(found.Held) > 0 {
		s.printErrors(err)
		return finding(workspace.ExitCode(errors.Join(err, finding(workspace.ExitFinding))))
	}
	return err
}

// usesOldNames reports whether lines of the module use what has another name now.
func usesOldNames(r *report.Report) bool {
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			if len(c.CallSites) > 0 && (strings.HasSuffix(c.Rule, "-renamed") || strings.HasSuffix(c.Rule, "enum-value-removed")) {
				return true
			}
		}
	}
	return false
}

// printHeld names each finding that was not accepted, once.
func (s *session) printHeld(held []workspace.Withheld) {
	seen := map[string]bool{}
	for _, h := range held {
		if seen[h.Accept] {
			continue
		}
		seen[h.Accept] = true
		item := h.Server
		if h.Change.Name != "" {
			item += "/" + h.Change.Name
		}
		s.con.Error("%s: not accepted, so it stays as it was locked: %s: look at it, then run mcpgen update --accept %s",
			item, h.Change.Message, h.ShellAccept())
	}
}
