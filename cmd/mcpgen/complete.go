package main

// This file implements shell completion.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/calling"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/view"
	"github.com/urfave/cli/v2"
)

// completionFlag follows a command line whose last word, possibly empty, is to be completed.
const completionFlag = "--generate-bash-completion"

// plainWord matches words without special meaning in any shell: a server's tool name must not become a
// command.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// complete prints the completions of the last word of a command line, one per line, each followed by a
// tab and its meaning.
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

// completer finds completions for one command line.
type completer struct {
	ctx     context.Context
	app     *cli.App
	line    *commandLine // without the word to complete
	command *cli.Command // nil if there is none
}

// words returns the completions of last, the word as typed so far.
func (c *completer) words(last string) []calling.Word {
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "--") {
		var joined []calling.Word
		for _, w := range c.values(strings.TrimLeft(name, "-"), value) {
			joined = append(joined, calling.Word{Text: name + "=" + w.Text, About: w.About})
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

func commandWords(app *cli.App) []calling.Word {
	var words []calling.Word
	for _, c := range app.Commands {
		words = append(words, calling.Word{Text: c.Name, About: c.Usage})
	}
	return words
}

// flags returns the flags of the command and the global flags.
func (c *completer) flags() []calling.Word {
	flags := c.app.Flags
	if c.command != nil {
		flags = slices.Concat(c.command.Flags, flags)
	}
	var words []calling.Word
	for _, f := range flags {
		about := ""
		if doc, ok := f.(cli.DocGenerationFlag); ok {
			about = strings.ReplaceAll(doc.GetUsage(), "`", "")
		}
		words = append(words, calling.Word{Text: "--" + f.Names()[0], About: about})
	}
	return words
}

// values returns the possible values of a flag, if they can be listed.
func (c *completer) values(flag, last string) []calling.Word {
	switch flag {
	case "servers", "server":
		return c.listed(last)
	case "format":
		return plainWords(report.Formats())
	case "profile":
		if c.command != nil && c.command.Name != "check" {
			if w := c.project(); w != nil {
				return plainWords(slices.Sorted(maps.Keys(w.Project.Profiles)))
			}
			return nil
		}
		return plainWords(drift.Profiles())
	case "for":
		if c.command != nil && c.command.Name == "serve" {
			return plainWords(view.Providers())
		}
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

// listed returns servers for a flag with several servers separated by commas.
func (c *completer) listed(last string) []calling.Word {
	before := last[:strings.LastIndexByte(last, ',')+1]
	var words []calling.Word
	for _, w := range c.servers() {
		words = append(words, calling.Word{Text: before + w.Text, About: w.About})
	}
	return words
}

func plainWords[S ~string](texts []S) []calling.Word {
	var words []calling.Word
	for _, text := range texts {
		words = append(words, calling.Word{Text: string(text)})
	}
	return words
}

// arguments returns the possible next arguments of a command.
func (c *completer) arguments(last string) []calling.Word {
	switch name := c.command.Name; {
	case slices.Contains([]string{"list", "update", "push", "pull", "who", "can-update"}, name),
		name == "remove" && len(c.line.rest) == 0:
		return c.servers()
	case slices.Contains([]string{"call", "hash", "observe"}, name) && len(c.line.rest) == 0,
		name == "policy" && slices.Equal(c.line.rest, []string{"explain"}):
		if w := c.project(); w != nil {
			return calling.ToolWords(w.Servers)
		}
	case name == "call":
		if w := c.project(); w != nil {
			return calling.ArgumentWords(w.Servers, c.line.rest[0], last)
		}
	case len(c.line.rest) == 0:
		return alternatives(c.command.ArgsUsage)
	}
	return nil
}

// alternatives returns the words that begin the alternatives of a usage such as list | grant RULE….
func alternatives(usage string) []calling.Word {
	var words []calling.Word
	for part := range strings.SplitSeq(usage, "|") {
		word, rest, _ := strings.Cut(strings.TrimSpace(part), " ")
		if word == strings.ToLower(word) && plainWord.MatchString(word) {
			words = append(words, calling.Word{Text: word, About: rest})
		}
	}
	return words
}

func (c *completer) servers() []calling.Word {
	w := c.project()
	if w == nil {
		return nil
	}
	return plainWords(w.Names())
}

// project opens the project of the command line; nil if it cannot be read.
func (c *completer) project() *workspace.Workspace {
	w, err := workspace.Open(c.ctx, workspace.Options{
		Config: c.line.values["config"], MCP: trimmed([]string{c.line.values["mcp"]}), Partly: true,
		Options: capturing.Options{Version: version(), Console: &console.Console{Out: io.Discard, Err: io.Discard}},
	})
	if err != nil {
		return nil
	}
	return w
}
