package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/calling"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/urfave/cli/v2"
)

func listCommand() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "list tools and the Go functions that call them",
		ArgsUsage: "[server… | server/tool…]",
		Description: `Lists the named servers, or all, from the lock, and starts no server. With --live it
asks the servers instead. For a named tool, it prints everything: what the tool does,
its arguments, and all that the server says about the members of arguments and results.

--json prints one array of tool specs in the protocol's form, where name is the
qualified name that models see. Further members are server, tool, key, go (package,
import, func, args, result), tokens, id and left_out. A tool has an id only if models
do not accept its name by the naming scheme, such as mcp.github.list_prs: the id is that
name. left_out is true if the configuration leaves the tool out.
The command "tools list", which is Covenant's spelling, prints the specs without these
further members.

Tokens estimate what a model reads of a tool: the bytes of name, description and input
schema as compact JSON, divided by 4. A server's tokens count only the tools that its
key tools: selects. The key budget: limits the sum.

With --profile, the list has what mcpgen serve offers in that profile, to callers that
have no rules of their own.

A line that begins with ! names a security rule that the item's text matches: read that
text yourself. check applies the same rules to new text. They are a heuristic, and list
does not leave out an item because of them.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "live", Usage: "list from the servers instead of the lock"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON array of tool specs"},
			&cli.StringFlag{Name: "profile", Usage: "list what the profile `NAME` of mcpgen.yaml offers"},
			agentFlag(),
		},
		Action: list,
	}
}

func list(c *cli.Context) error {
	s, err := open(c)
	if err != nil {
		return err
	}
	servers, tools := calling.PickTools(s.Servers, trimmed(c.Args().Slice()))
	if len(servers) > 0 {
		if _, err := s.Targets(servers); err != nil {
			return err
		}
		s.Only = servers
	}
	live := c.Bool("live") || s.Project.Path == ""
	foreign := lineOf(c).typed != c.Command.Name // another system's command, such as tools list
	if foreign && !s.Locked {                    // other systems have no lock
		live = true
	}
	listing, err := workspace.List(s.ctx, s.Client, live)
	if listing == nil {
		return err
	}
	if tools != nil {
		if err := errors.Join(err, calling.Keep(s.Client, listing, tools, live)); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		var specs any = listing.Specs
		if foreign {
			specs = protocolSpecs(listing.Specs)
		}
		return cmp.Or(printJSON(s.con.Out, specs), err)
	}
	if err := workspace.Mark(s.ctx, s.State, listing); err != nil {
		return err
	}
	if tools != nil {
		printWhole(s.con, listing)
		return err
	}
	printListing(s.con, listing)
	var absent []string
	if !foreign && !c.IsSet("mcp") { // their files need not have what the project locks
		absent = s.AbsentNames()
	}
	for _, name := range absent {
		s.con.Note("%s: not listed: %s", name, s.Absent(name))
	}
	if err == nil && len(listing.Servers)+len(listing.Unlocked)+len(absent) == 0 {
		step := "add one: mcpgen add NAME -- COMMAND"
		if c.IsSet("mcp") {
			step = "" // the warnings of the files say why
		}
		s.con.Note("%v", hint.New("no servers, so there is nothing to list", step))
	}
	return err
}

// protocolSpecs returns tools in the protocol's form.
func protocolSpecs(tools []workspace.ToolSpec) []runtime.Spec {
	specs := make([]runtime.Spec, len(tools))
	for i, t := range tools {
		specs[i] = t.Spec
	}
	return specs
}

// printWhole prints everything that a caller has to know about tools.
func printWhole(con *console.Console, l *workspace.Listing) {
	marks := map[string]judging.Marks{}
	for _, server := range l.Servers {
		marks[server.Server] = server.Marks
	}
	for i, t := range l.Specs {
		if i > 0 {
			con.Printf("\n")
		}
		con.Printf("%s%s\n", shownName(t), leftOut(t))
		printText(con, "  ", t.Description)
		printMark(con, "  ", marks[t.ServerName].Line(schema.KindTool, t.ToolName))
		if t.Go != nil {
			con.Printf("\n  import %q\n", t.Go.Import)
			con.Printf("  %s(ctx, %s) (%s, error)\n", t.Go.Func, t.Go.Args, t.Go.Result)
		}
		arguments := calling.ArgumentsOf(t.InputSchema)
		call, width := []string{"mcpgen call " + hint.Word(t.ServerName+"/"+t.ToolName)}, 0
		for _, a := range arguments {
			if a.Required {
				call = append(call, a.String())
			}
			width = max(width, utf8.RuneCountInString(a.String()))
		}
		con.Printf("\n  %s\n", con.Program.Hint(strings.Join(call, " ")))
		for _, a := range arguments {
			line := fmt.Sprintf("    %-*s  %s", width, a.String(), console.FirstSentence(a.Doc, maxBrief))
			con.Printf("%s\n", strings.TrimRight(line, " "))
		}
		printTexts(con, "arguments", t.InputSchema)
		printTexts(con, "result", t.OutputSchema)
	}
}

// printTexts prints what a server says about members, without what the list of arguments shows in full.
func printTexts(con *console.Console, of string, schema json.RawMessage) {
	heading := "\n  " + of + ":\n"
	for _, text := range calling.TextsOf(schema) {
		listed := of == "arguments" && !strings.ContainsAny(text.Member, ".[{")
		if listed && console.FirstSentence(text.Text, maxBrief) == console.Clean(text.Text) {
			continue
		}
		con.Printf(heading+"    %s\n", text.Member)
		printText(con, "      ", text.Text)
		heading = ""
	}
}

// printText prints a server's text of several lines.
func printText(con *console.Console, indent, text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		con.Printf("%s\n", strings.TrimRight(indent+line, " \r\n"))
	}
}

// maxBrief is the most characters of a text on the line of what it describes.
const maxBrief = 76

// nativeTitle is the heading of tools that belong to no server.
const nativeTitle = "native"

// printListing prints the servers' items, one line each.
func printListing(con *console.Console, l *workspace.Listing) {
	for _, server := range l.Servers {
		con.Printf("%s (%s, ≈ %s)%s\n", cmp.Or(server.Server, nativeTitle), safetext.Count(len(server.Tools), "tool"),
			safetext.Count(server.Tokens, "token"), importOf(server.Tools))
		printMark(con, "  ", server.Marks.Line("", ""))
		width := 0
		for _, t := range server.Tools {
			width = max(width, utf8.RuneCountInString(shownName(t)))
		}
		for _, t := range server.Tools {
			con.Printf("  %-*s  ≈ %s%s\n", width, shownName(t), safetext.Count(t.Tokens, "token"), leftOut(t))
			if t.Go != nil {
				con.Printf("    %s(ctx, %s) (%s, error)\n", t.Go.Func, t.Go.Args, t.Go.Result)
			}
			if text := console.FirstSentence(t.Description, maxBrief); text != "" {
				con.Printf("    %s\n", text)
			}
			printMark(con, "    ", server.Marks.Line(schema.KindTool, t.ToolName))
		}
		var kind schema.Kind
		for _, it := range server.Others {
			if it.Kind != kind {
				kind = it.Kind
				title := map[schema.Kind]string{schema.KindTemplate: "resource template"}[kind]
				con.Printf("  %ss:\n", cmp.Or(title, string(kind)))
			}
			con.Printf("    %s\n", it.Name)
			printMark(con, "      ", server.Marks.Line(it.Kind, it.Name))
		}
	}
	if len(l.Unlocked) > 0 {
		err := errors.New("these servers are not locked, so their tools are not listed: " + strings.Join(l.Unlocked, ", "))
		con.Note("%v", hint.With(err, "lock the servers: mcpgen generate", "list the current tools: mcpgen list --live"))
	}
}

// shownName returns a tool's name in the naming scheme.
func shownName(t workspace.ToolSpec) string { return cmp.Or(t.ID, t.Name) }

// leftOut says that the configuration leaves a tool out; "" if it does not.
func leftOut(t workspace.ToolSpec) string {
	if !t.LeftOut {
		return ""
	}
	return ", left out by the configuration"
}

// importOf returns the package with the functions of a server's tools, after a colon; "" if there is
// none.
func importOf(tools []workspace.ToolSpec) string {
	for _, t := range tools {
		if t.Go != nil {
			return ": " + t.Go.Import
		}
	}
	return ""
}

// printMark prints the marks of an item; "" prints nothing.
func printMark(con *console.Console, indent, text string) {
	if text != "" {
		con.Printf("%s%s\n", indent, text)
	}
}
