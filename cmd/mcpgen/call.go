package main

import (
	"encoding/json"
	"errors"
	"os"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/urfave/cli/v2"
)

func callCommand() *cli.Command {
	return &cli.Command{
		Name:      "call",
		Usage:     "call one tool",
		ArgsUsage: "NAME [key=value… | @FILE]",
		Description: `NAME is a qualified name such as github__list_prs, or server/tool. Prints the
text of the result. A tool that reports an error exits 1.

A value is a text where the locked definition of the tool takes one, and JSON
otherwise; a key that is given twice is a list. Arguments that the locked definition
does not take are an error, and nothing is started.

Images are shown in terminals that can (kitty, Ghostty, iTerm2, WezTerm), and saved with
--save, as is all that is no text.

  mcpgen call github/list_prs repo=anomalyco/opencode state=open page=2
  mcpgen call github/create_issue @issue.json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args", Value: "{}", Usage: "the arguments, a `JSON` object; - reads it from standard input"},
			&cli.BoolFlag{Name: "json", Usage: "print the whole result as the server sent it"},
			&cli.StringFlag{Name: "save", Usage: "write images, audio and files of the result into `DIR`; nothing there is overwritten"},
		},
		Action: call,
	}
}

func call(c *cli.Context) error {
	given := c.Args().Tail()
	switch {
	case !c.Args().Present():
		return usage("call: want the NAME of a tool: run mcpgen list for the names")
	case len(given) > 0 && c.IsSet("args"):
		return usage("call: the arguments are given twice, with --args and as %q: leave one of them out", given[0])
	}
	args, err := callArguments(c)
	if err == nil && len(given) == 1 && strings.HasPrefix(given[0], "@") {
		args, err = fileArguments(given[0][1:])
		given = nil
	}
	if err != nil {
		return err
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	if len(given) > 0 {
		if args, err = s.Arguments(c.Args().First(), given); err != nil {
			return err
		}
	}
	result, err := s.Call(s.ctx, c.Args().First(), args)
	if err != nil {
		return err
	}
	var saved []string
	if c.IsSet("save") {
		saved, err = saveBlocks(c.String("save"), c.Args().First(), result)
	}
	switch {
	case err != nil:
	case c.Bool("json"):
		err = printJSON(s.con.Out, result.Raw)
	default:
		s.printResult(result, saved)
	}
	if err == nil && result.IsError {
		return finding(workspace.ExitFinding)
	}
	return err
}

// callArguments reads --args and checks that it is a JSON object.
func callArguments(c *cli.Context) (json.RawMessage, error) {
	text := c.String("args")
	if text == "-" {
		s := newSession(c)
		data, err := readAll(s.ctx, os.Stdin, maxInput)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	if err := wantObject([]byte(text)); err != nil {
		return nil, usage("--args: not a JSON object: %v: write it as --args '{\"key\": \"value\"}'", err)
	}
	return json.RawMessage(text), nil
}

// fileArguments reads the arguments of a call from a file.
func fileArguments(name string) (json.RawMessage, error) {
	data, err := regular.ReadFile(name, maxInput)
	if err != nil {
		return nil, usage("@%s: %v", name, err)
	}
	if err := wantObject(data); err != nil {
		return nil, usage("@%s: not a JSON object: %v", name, err)
	}
	return data, nil
}

// wantObject is nil for the text of a JSON object.
func wantObject(text []byte) error {
	var value any
	err := json.Unmarshal(text, &value)
	if _, ok := value.(map[string]any); err == nil && !ok {
		err = errors.New("no { at its beginning")
	}
	return err
}

// saveBlocks writes what is no text of a result into a folder, and returns a path for
// each block, "" for those without bytes.
func saveBlocks(dir, tool string, r *runtime.Result) ([]string, error) {
	saved := make([]string, len(r.Content))
	for i, block := range r.Content {
		if len(block.Data) == 0 {
			continue
		}
		var err error
		if saved[i], err = saveBlock(dir, tool, block); err != nil {
			return nil, err
		}
	}
	return saved, nil
}

// printResult prints the text of a result, and a line for each other block, with the
// path where it was saved; nil is nowhere. A terminal gets the text cleaned; a file or
// pipe gets it as it is.
func (s *session) printResult(r *runtime.Result, saved []string) {
	clean := func(t string) string { return t }
	if console.IsTerminal(s.con.Out) {
		clean = console.CleanText
	}
	if len(r.Content) == 0 && len(r.Structured) > 0 {
		s.con.Printf("%s\n", clean(string(r.Structured)))
	}
	unsaved := 0
	for i, block := range r.Content {
		if block.Text != "" || block.Type == runtime.ContentText {
			s.con.Printf("%s\n", clean(strings.TrimSuffix(block.Text, "\n")))
			continue
		}
		where := ""
		switch {
		case saved != nil && saved[i] != "":
			where = ": " + saved[i]
		case len(block.Data) > 0:
			unsaved++
		}
		showImage(s.con.Out, block, os.Getenv)
		what := strings.Join(strings.Fields(console.Clean(block.Type+" "+block.MIMEType+" "+block.URI)), " ")
		s.con.Printf("[%s, %d bytes]%s\n", what, len(block.Data), console.Clean(where))
	}
	if unsaved > 0 {
		s.con.Note("pass --save DIR to keep what is no text")
	}
}
