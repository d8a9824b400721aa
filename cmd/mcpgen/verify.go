package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/urfave/cli/v2"
)

// verify is observe with results that are there already.
func verify(c *cli.Context) error {
	if c.IsSet("args") {
		return usage("observe: --verify calls nothing, so it takes no --args")
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	results, err := s.givenResults(c.String("verify"))
	if err != nil {
		return err
	}
	report, err := s.Verify(s.ctx, c.Args().First(), results)
	if err != nil {
		return err
	}
	s.printVerified(report)
	if !report.Whole() {
		return finding(workspace.ExitFinding)
	}
	return nil
}

// givenResults reads one or several JSON values from a file, or standard input.
func (s *session) givenResults(name string) ([]json.RawMessage, error) {
	var data []byte
	var err error
	where := name
	if name == "-" {
		where = "standard input"
		data, err = readAll(s.ctx, os.Stdin, maxInput)
	} else if data, err = regular.ReadFile(name, maxInput); err != nil {
		err = usage("--verify %s: %v", name, err)
	}
	if err != nil {
		return nil, err
	}
	var results []json.RawMessage
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, usage("--verify: %s: not JSON: %v: write a result as the server sent it, as mcpgen call --json prints it", where, err)
		}
		results = append(results, raw)
	}
	if len(results) == 0 {
		return nil, usage("--verify: %s: there is no result in it", where)
	}
	return results, nil
}

func (s *session) printVerified(r *workspace.VerifyReport) {
	name := console.Clean(r.Server) + "/" + console.Clean(r.Tool)
	if r.Whole() {
		s.con.Note("%s: %d results, all of them read whole by %s.%s", name, len(r.Results), r.Go.Package, r.Go.Func)
		return
	}
	for i, v := range r.Results {
		if v.Error != "" {
			s.con.Printf("%s: result %d: %s\n", name, i+1, console.Clean(v.Error))
		}
		for _, u := range v.Unread {
			s.con.Printf("%s: result %d at %q: %s\n", name, i+1, console.Clean(u.Pointer), console.Clean(u.Reason))
		}
	}
}
