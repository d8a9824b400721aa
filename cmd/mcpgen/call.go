package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/calling"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func callCommand() *cli.Command {
	return &cli.Command{
		Name:      "call",
		Usage:     "call one tool",
		ArgsUsage: "NAME [key=value… | @FILE]",
		Description: `NAME is a qualified name such as github__list_prs, or server/tool. Prints the text of
the result. If the tool reports an error, the exit code is 1.

A value is text where the locked definition of the tool allows a string, and JSON
elsewhere. If the definition allows all values, a value is JSON if it is valid JSON. A
key that is given several times is a list. If the locked definition does not allow the
arguments, call fails and starts no server. If the lock leaves out the tool, call starts
the server and reports the reason.

Images are shown in terminals that can show them (kitty, Ghostty, iTerm2, WezTerm).
--save saves them, and everything else that is not text.

  mcpgen call github/list_prs repo=anomalyco/opencode state=open page=2
  mcpgen call github/create_issue @issue.json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args", Value: "{}", Usage: "the arguments, a `JSON` object; - reads it from standard input"},
			&cli.BoolFlag{Name: "json", Usage: "print the whole result as the server sent it"},
			&cli.StringFlag{Name: "save",
				Usage: "write images, audio and files of the result into `DIR`; nothing there is overwritten"},
			agentFlag(),
		},
		Action: call,
	}
}

func call(c *cli.Context) error {
	given := c.Args().Tail()
	switch {
	case !c.Args().Present():
		return hint.With(usage("call needs the NAME of a tool"), "list the names: mcpgen list")
	case len(given) > 0 && c.IsSet("args"):
		return hint.With(usage("call: the arguments are given twice, with --args and as %q", given[0]),
			"pass only one of the two")
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
		if args, err = calling.Arguments(s.Servers, c.Args().First(), given); err != nil {
			return err
		}
	}
	result, err := calling.Call(s.ctx, s.Client, c.Args().First(), args)
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
		printResult(s.con, result, saved)
	}
	if err == nil && result.IsError {
		return finding(exit.Finding)
	}
	return err
}

// callArguments returns the value of --args, which must be a JSON object.
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
		return nil, hint.With(usage("--args: not a JSON object: %v", err), `write it as --args '{"key": "value"}'`)
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

// wantObject returns an error if the text is not a JSON object.
func wantObject(text []byte) error {
	var value any
	err := json.Unmarshal(text, &value)
	if _, ok := value.(map[string]any); err == nil && !ok {
		err = errors.New("it does not begin with {")
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok && wrong.Offset >= int64(len(text)) && !json.Valid(text) {
		err = errors.New("it ends too early")
	}
	return err
}

// saveBlocks writes the binary blocks of a result into a folder. It returns a path for each block, "" for
// blocks without bytes.
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

// printResult prints the text of a result, and a line for each other block with the path where it was
// saved; saved may be nil. For a terminal the text is cleaned, for a file or pipe it is unchanged.
func printResult(con *console.Console, r *runtime.Result, saved []string) {
	print := func(text string) { fmt.Fprint(con.Out, text) }
	if console.IsTerminal(con.Out) {
		print = con.PrintText
	}
	if len(r.Content) == 0 && len(r.Structured) > 0 {
		print(string(r.Structured) + "\n")
	}
	unsaved := 0
	for i, block := range r.Content {
		if block.Text != "" || block.Type == protocol.ContentText {
			print(strings.TrimSuffix(block.Text, "\n") + "\n")
			continue
		}
		where := ""
		switch {
		case saved != nil && saved[i] != "":
			where = ": " + saved[i]
		case len(block.Data) > 0:
			unsaved++
		}
		showImage(con.Out, block, os.Getenv)
		what := strings.Join(strings.Fields(block.Type+" "+block.MIMEType+" "+block.URI), " ")
		con.Printf("[%s, %d bytes]%s\n", what, len(block.Data), where)
	}
	if unsaved > 0 {
		con.Help("save the blocks that are not text: pass --save DIR")
	}
}

// maxShown bounds the size of an image that is shown in a terminal, in bytes.
const maxShown = 8 << 20

// showImage writes an image to a terminal that supports images, and reports whether it did. Image data
// only reaches the terminal as base64.
func showImage(w io.Writer, block runtime.Content, lookup func(string) string) bool {
	if !console.IsTerminal(w) || block.Type != protocol.ContentImage ||
		len(block.Data) == 0 || len(block.Data) > maxShown {
		return false
	}
	text, ok := inlineImage(block, lookup)
	if ok {
		fmt.Fprintln(w, text)
	}
	return ok
}

// inlineImage returns an image in the format of the terminal that the environment names: kitty's graphics
// protocol, for PNG only, or iTerm2's.
func inlineImage(block runtime.Content, lookup func(string) string) (string, bool) {
	data := base64.StdEncoding.EncodeToString(block.Data)
	switch {
	case slices.Contains([]string{"iTerm.app", "WezTerm", "vscode"}, lookup("TERM_PROGRAM")):
		return fmt.Sprintf("\x1b]1337;File=inline=1;size=%d:%s\a", len(block.Data), data), true
	case block.MIMEType == "image/png" &&
		(lookup("KITTY_WINDOW_ID") != "" || slices.Contains([]string{"xterm-kitty", "xterm-ghostty"}, lookup("TERM"))):
		return kittyImage(data), true
	}
	return "", false
}

// kittyImage splits a PNG into pieces of 4096 bytes, as https://sw.kovidgoyal.net/kitty/graphics-protocol
// requires.
func kittyImage(data string) string {
	var b strings.Builder
	for i, first := 0, "a=T,f=100,"; i < len(data); i, first = i+4096, "" {
		end, more := min(i+4096, len(data)), 1
		if end == len(data) {
			more = 0
		}
		fmt.Fprintf(&b, "\x1b_G%sm=%d;%s\x1b\\", first, more, data[i:end])
	}
	return b.String()
}

// notInName matches characters that are replaced in names of saved files.
var notInName = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// saveBlock writes the bytes of a block into a new file of a folder, and returns its path. The folder is
// created if necessary. No file is overwritten.
func saveBlock(dir, tool string, block runtime.Content) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", usage("--save: %v", err)
	}
	base := strings.Trim(notInName.ReplaceAllString(tool, "-"), "-.")
	for n := 1; ; n++ {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d%s", base, n, extension(block.MIMEType)))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", usage("--save: %v", err)
		}
		_, err = f.Write(block.Data)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", usage("--save: %v", errors.Join(err, os.Remove(path)))
		}
		return path, nil
	}
}

// extension returns the file extension for a MIME type; .bin if unknown.
func extension(mimeType string) string {
	known := map[string]string{
		"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
		"audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/ogg": ".ogg",
		"application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt",
	}
	kind, _, err := mime.ParseMediaType(mimeType)
	if err != nil {
		return ".bin"
	}
	if ending := known[kind]; ending != "" {
		return ending
	}
	if endings, err := mime.ExtensionsByType(kind); err == nil && len(endings) > 0 {
		return endings[0] // sorted by the library
	}
	return ".bin"
}
