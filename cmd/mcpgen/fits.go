package main

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/urfave/cli/v2"
)

// fits is observe with calls whose results are held against what is locked.
func fits(c *cli.Context) error {
	if c.IsSet("verify") {
		return usage("observe: --call calls the server, and --verify reads results from a file: use one of them")
	}
	var args json.RawMessage
	if c.IsSet("args") {
		if c.Args().Len() != 1 {
			return usage("observe: --args are those of one tool: name it")
		}
		var err error
		if args, err = callArguments(c); err != nil {
			return err
		}
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	found, err := s.Fits(s.ctx, trimmed(c.Args().Slice()), args)
	if err != nil {
		return err
	}
	return s.printFits(found)
}

// printFits prints what breaks schemas, and how many calls said nothing.
func (s *session) printFits(found []workspace.Fit) error {
	fit, broken := 0, 0
	for _, f := range found {
		name := console.Clean(f.Server) + "/" + console.Clean(f.Tool)
		switch {
		case f.Err != nil:
			s.con.Note("%s %s: not known: %s", name, console.Clean(string(f.Args)), console.Clean(f.Err.Error()))
		case f.Wrong != nil:
			broken++
			for _, text := range f.Wrong {
				s.con.Printf("%s %s: %s\n", name, console.Clean(string(f.Args)), console.Clean(text))
			}
		default:
			fit++
			s.con.Detail("%s %s: fits", name, console.Clean(string(f.Args)))
		}
	}
	s.con.Note("%s called: %d fit, %d do not, %d not known", console.Count(len(found), "tool"), fit, broken, len(found)-fit-broken)
	if broken > 0 {
		s.con.Note("for a program to get what fits of such results: decode: lenient, of the server")
	}
	return finding(workspace.FitsCode(found))
}
