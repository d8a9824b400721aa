package main

// This file answers shells that ask how a command line may go on.

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/urfave/cli/v2"
)

// completionFlag stands behind a command line whose last word is to be completed; that
// word may be empty.
const completionFlag = "--generate-bash-completion"

// plainWord is a word that no shell reads as anything else: what servers call their
// tools must not become a command.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// complete prints the words that the last one of a command line may become, one a line,
// each with a tab and what it means.
func complete(ctx context.Context, app *cli.App, words []string, out io.Writer) {
	last := words[len(words)-1]
	line := parseLine(app, words[:len(words)-1])
	c := &completer{ctx: ctx, app: app, line: line, command: app.Command(line.command)}
	for _, w := range c.words(last) {
		if strings.HasPrefix(w.Text, last) && plainWord.MatchString(w.Text) {
			fmt.Fprintln(out, strings.TrimRight(w.Text+"\t"+console.Clean(w.About), "\t"))
		}
	}
}

// completer finds the words for one command line.
type completer struct {
	ctx     context.Context
	app     *cli.App
	line    *commandLine // without the word that is completed
	command *cli.Command // nil if it has none
}

// words are those that may come next; last is what is typed of it.
func (c *completer) words(last string) []workspace.Word {
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "--") {
		var joined []workspace.Word
		for _, w := range c.values(strings.TrimLeft(name, "-"), value) {
			joined = append(joined, workspace.Word{Text: name + "=" + w.Text, About: w.About})
		}
		return joined
	}
	switch {
	case c.line.open != "":
		return c.values(c.line.open, last)
	case strings.HasPrefix(last, "-"):
		return c.flags()
	case c.command == nil:
		return commandWords(c.app)
	}
	return c.arguments(last)
}

func commandWords(app *cli.App) []workspace.Word {
	var words []workspace.Word
	for _, c := range app.Commands {
		words = append(words, workspace.Word{Text: c.Name, About: c.Usage})
	}
	return words
}

// flags are those of the command, and those that all commands have.
func (c *completer) flags() []workspace.Word {
	flags := c.app.Flags
	if c.command != nil {
		flags = slices.Concat(c.command.Flags, flags)
	}
	var words []workspace.Word
	for _, f := range flags {
		about := ""
		if doc, ok := f.(cli.DocGenerationFlag); ok {
			about = strings.ReplaceAll(doc.GetUsage(), "`", "")
		}
		words = append(words, workspace.Word{Text: "--" + f.Names()[0], About: about})
	}
	return words
}

// values are those of a flag, as far as there are few.
func (c *completer) values(flag, last string) []workspace.Word {
	switch flag {
	case "servers", "server":
		return c.listed(last)
	case "format":
		return plainWords(report.Formats())
	case "profile":
		return plainWords(drift.Profiles())
	case "for":
		return plainWords(policy.Grammars())
	case "text":
		return plainWords(hashTexts[:])
	case "kind":
		if c.command != nil && c.command.Name == "hash" {
			return plainWords(schema.Kinds())
		}
		return plainWords(auditKinds())
	}
	return plainWords(map[string][]string{
		"fail-on":   {string(drift.Breaking), string(drift.Warning), string(drift.Info)},
		"impact":    {"on", "off"},
		"transport": {"http", "sse"},
		"decision":  {audit.Allowed, audit.Denied},
	}[flag])
}

// listed are servers for a flag that takes several with commas between them.
func (c *completer) listed(last string) []workspace.Word {
	before := last[:strings.LastIndexByte(last, ',')+1]
	var words []workspace.Word
	for _, w := range c.servers() {
		words = append(words, workspace.Word{Text: before + w.Text, About: w.About})
	}
	return words
}

func plainWords[S ~string](texts []S) []workspace.Word {
	var words []workspace.Word
	for _, text := range texts {
		words = append(words, workspace.Word{Text: string(text)})
	}
	return words
}

// arguments are those that a command may have next.
func (c *completer) arguments(last string) []workspace.Word {
	switch name := c.command.Name; {
	case name == "list" || name == "update" || name == "remove" && len(c.line.rest) == 0:
		return c.servers()
	case (name == "call" || name == "hash" || name == "observe" || name == "policy" && slices.Equal(c.line.rest, []string{"explain"})) && (len(c.line.rest) == 0 || name == "policy"):
		if w := c.project(); w != nil {
			return w.ToolWords()
		}
	case name == "call":
		if w := c.project(); w != nil {
			return w.ArgumentWords(c.line.rest[0], last)
		}
	case len(c.line.rest) == 0:
		return alternatives(c.command.ArgsUsage)
	}
	return nil
}

// alternatives are the words that a usage such as list | grant RULE… begins with.
func alternatives(usage string) []workspace.Word {
	var words []workspace.Word
	for part := range strings.SplitSeq(usage, "|") {
		word, rest, _ := strings.Cut(strings.TrimSpace(part), " ")
		if word == strings.ToLower(word) && plainWord.MatchString(word) {
			words = append(words, workspace.Word{Text: word, About: rest})
		}
	}
	return words
}

func (c *completer) servers() []workspace.Word {
	w := c.project()
	if w == nil {
		return nil
	}
	return plainWords(w.Names())
}

// project is what the command line is about; nil if it cannot be read.
func (c *completer) project() *workspace.Workspace {
	w, err := workspace.Open(c.ctx, workspace.Options{
		Config: c.line.values["config"], MCP: trimmed([]string{c.line.values["mcp"]}), Version: version(), Partly: true,
		Console: &console.Console{Out: io.Discard, Err: io.Discard},
	})
	if err != nil {
		return nil
	}
	return w
}
