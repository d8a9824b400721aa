package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/urfave/cli/v2"
)

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, end := context.WithCancel(ctx) // stops everything that waits for this command line
	defer end()
	app := newApp(stdout, stderr, programName(args))
	if last := len(args) - 1; last > 1 && args[last] == completionFlag {
		complete(ctx, app, args[1:last], stdout)
		return exit.OK
	}
	err := app.RunContext(ctx, reorderArgs(app, args))
	if err == nil {
		return exit.OK
	}
	if !errors.Is(err, errReported) {
		con := &console.Console{Out: stdout, Err: stderr, Program: programOf(app)}
		con.Color = app.Metadata[noColor] == nil && console.WantColor(stderr)
		shown := slices.DeleteFunc(exit.Flatten(err), func(e error) bool {
			return ctx.Err() != nil && errors.Is(e, context.Canceled)
		})
		for _, cause := range exit.Causes(errors.Join(shown...)) {
			con.Error("%v", cause)
		}
		if ctx.Err() != nil {
			con.Error("interrupted")
		}
	}
	return exit.Code(err)
}

// noColor is the flag, and the key in the app's metadata that keeps its value for errors printed after the run.
const noColor = "no-color"

// errReported is an error whose text a command has already printed.
var errReported = errors.New("reported")

// finding returns the exit code of a command that has printed its findings, as an error.
func finding(code int) error {
	if code == exit.OK {
		return nil
	}
	return &exit.Failure{Code: code, Err: errReported}
}

func newApp(stdout, stderr io.Writer, name string) *cli.App {
	app := &cli.App{
		Name:        "mcpgen",
		HelpName:    name,
		Usage:       "typed Go packages for MCP servers",
		UsageText:   name + " [flags] command [flags] [arguments]",
		Description: appDescription,
		Version:     version(),
		Writer:      stdout,
		ErrWriter:   stderr,
		HideVersion: true,
		// Names may contain commas; lists of names are split where they are read.
		DisableSliceFlagSeparator: true,
		Flags:                     globalFlags(),
		CustomAppHelpTemplate:     strings.Replace(cli.AppHelpTemplate, allCommands, commandsTemplate, 1),
		Action: func(c *cli.Context) error {
			if name := c.Args().First(); c.Args().Present() {
				step := cmp.Or(nearest.Question(name, commandNames(c.App)), "list the commands: mcpgen help")
				return hint.With(usage("no command is called %q", name), step)
			}
			if len(trimmed(c.StringSlice("mcp"))) > 0 { // what an agent started with these flags would get
				return status(c, true)
			}
			return cli.ShowAppHelp(c)
		},
		Before: func(c *cli.Context) error {
			if c.Bool(noColor) {
				c.App.Metadata[noColor] = true
			}
			nameProject(c)
			return noNegatives(c, c.App.Flags)
		},
		OnUsageError: func(c *cli.Context, err error, _ bool) error {
			return flagError(err, "mcpgen", c.App.Flags, "run mcpgen help")
		},
		ExitErrHandler: func(*cli.Context, error) {},
	}
	for _, group := range commandGroups() {
		for _, c := range group.commands {
			c.Category = group.title
		}
		app.Commands = append(app.Commands, group.commands...)
	}
	plainFlags(app.Flags)
	p := programOf(app)
	app.Description = p.Hint(app.Description)
	for _, c := range app.Commands {
		plainFlags(c.Flags)
		c.CustomHelpTemplate = strings.Replace(cli.CommandHelpTemplate, categoryTemplate, "", 1)
		c.HideHelpCommand = true // "help" is an ordinary argument
		c.Description = p.Hint(c.Description)
		if c.OnUsageError == nil {
			c.OnUsageError = func(c *cli.Context, err error, _ bool) error {
				return flagError(err, c.Command.Name, slices.Concat(c.Command.Flags, c.App.Flags),
					"run mcpgen help "+c.Command.Name)
			}
		}
		c.Before = func(c *cli.Context) error {
			if err := noNegatives(c, c.Command.Flags); err != nil || c.Command.ArgsUsage != "" {
				return err
			}
			return noArguments(c)
		}
	}
	return app
}

// commandGroup is a group of commands on the first screen of help.
type commandGroup struct {
	title    string
	commands []*cli.Command
}

// commandGroups returns all commands in groups. The library sorts the groups by their titles.
func commandGroups() []commandGroup {
	return []commandGroup{
		{"Begin", []*cli.Command{initCommand(), addCommand(), removeCommand(), generateCommand(), schemaCommand()}},
		{"Call", []*cli.Command{listCommand(), callCommand(), observeCommand(), serveCommand()}},
		{"Keep up with servers", []*cli.Command{
			checkCommand(), updateCommand(), upgradeCommand(), changesCommand(), fixCommand(), vetCommand(), ciCommand(),
		}},
		{"Look", []*cli.Command{statusCommand(), mcpCommand(), configCommand(), docsCommand(), hashCommand()}},
		{"Share", []*cli.Command{pushCommand(), pullCommand(), signCommand(), whoCommand(), canUpdateCommand()}},
		{"Policy, secrets and logs", []*cli.Command{
			policyCommand(), secretsCommand(), trustCommand(), auditCommand(), ledgerCommand(),
		}},
		{"Your shell", []*cli.Command{completionCommand(), versionCommand()}},
	}
}

// commandsTemplate lists the commands in their groups. The library's template also has a line for the
// command "help", and the aliases of commands.
const commandsTemplate = `{{range .VisibleCategories}}{{if .Name}}
   {{.Name}}:{{range .VisibleCommands}}
     {{printf "%-12s" .Name}} {{.Usage}}{{end}}{{end}}{{end}}`

// allCommands is the line of the library's template that commandsTemplate replaces.
const allCommands = `{{template "visibleCommandCategoryTemplate" .}}`

// categoryTemplate is the part of the library's template that help of one command omits: the first screen
// shows the groups.
const categoryTemplate = `{{if .Category}}

CATEGORY:
   {{.Category}}{{end}}`

// plainFlags removes the defaults of boolean flags from help.
func plainFlags(flags []cli.Flag) {
	for _, f := range flags {
		if b, ok := f.(*cli.BoolFlag); ok {
			b.DisableDefaultText = true
		}
	}
}

// flagWidth is the width of flags' texts, so that help fits a terminal of 80 columns.
const flagWidth = 46

// flagText lists each flag once in help, also a repeatable one, and wraps its text.
func flagText(library cli.FlagStringFunc) cli.FlagStringFunc {
	return func(f cli.Flag) string {
		flag, text, _ := strings.Cut(library(f), "\t")
		flag, _, _ = strings.Cut(flag, " [ ")
		line := 0
		for word := range strings.FieldsSeq(text) {
			switch width := utf8.RuneCountInString(word) + 1; {
			case line == 0:
				flag += "\t" + word
				line = width
			case line+width > flagWidth:
				flag += "\n   \t" + word
				line = width
			default:
				flag += " " + word
				line += width
			}
		}
		return flag
	}
}

// namedProject is the key in the metadata in which [programOf] finds the flags that name a project.
const namedProject = "project"

// programOf returns how the user started this program and named the project.
func programOf(app *cli.App) console.Program {
	project, _ := app.Metadata[namedProject].(string)
	return programFor(app, project)
}

// programFor is programOf for flags that name a project.
func programFor(app *cli.App, project string) console.Program {
	commands, without := commandNames(app), []string{"init", "schema", "trust", "completion", "version"}
	if strings.Contains(project, " --mcp ") {
		without = append(without, "add")
		if _, err := config.Find("."); err == nil { // these use the servers of that configuration
			without = append(without, "remove", "generate", "check", "update", "fix", "docs", "observe", "push", "pull")
		}
	}
	about := slices.DeleteFunc(slices.Clone(commands), func(name string) bool { return slices.Contains(without, name) })
	return console.NewProgram(app.HelpName, project, append(commands, "help"), about)
}

// nameProject stores the flags with which the user named the project.
func nameProject(c *cli.Context) {
	project := ""
	if config := c.String("config"); config != "" {
		project += " --config " + hint.Word(config)
	}
	if mcp := trimmed(c.StringSlice("mcp")); len(mcp) > 0 {
		project += " --mcp " + hint.Word(strings.Join(mcp, ","))
	}
	c.App.Metadata[namedProject] = project
}

func commandNames(app *cli.App) []string {
	var names []string
	for _, c := range app.Commands {
		names = append(names, c.Names()...)
	}
	return names
}

// flagError converts an error of the flag package, whose only information is its text, for a command with
// these flags. It replaces the library's suggestion for an unknown flag, which may be far from similar.
func flagError(err error, command string, flags []cli.Flag, help string) error {
	text := strings.TrimSuffix(err.Error(), ": parse error")
	at := strings.LastIndex(text, " -")
	if at < 0 {
		return hint.With(usage("%s", text), help)
	}
	name := strings.TrimLeft(text[at+1:], "-")
	typed := "--" + name
	if len(name) == 1 {
		typed = "-" + name
	}
	var names []string
	for _, f := range flags {
		names = append(names, "--"+f.Names()[0])
		if _, ok := f.(*cli.DurationFlag); ok && slices.Contains(f.Names(), name) &&
			strings.HasPrefix(text, "invalid value") {
			return usage("%s %s: want a duration such as 30s", text[:at], typed)
		}
	}
	if strings.HasPrefix(text, "flag provided but not defined") {
		return hint.With(usage("%s has no flag %q", command, typed), cmp.Or(nearest.Question("--"+name, names), help))
	}
	return hint.With(usage("%s %s", text[:at], typed), help)
}

const appDescription = `Begin with mcpgen add NAME -- COMMAND, or with mcpgen init.

mcpgen reads the servers from mcpgen.yaml, found in the working directory or
above it, up to go.mod or the repository's root. It locks what they offer in
mcpgen.lock and writes one typed Go package per server.

Exit codes: 0 fine; 1 a finding (drift, stale output, a tool's own error);
2 usage, configuration, lock or files; 3 a server could not be reached or
understood, so its state is unknown; 130 interrupted.`

func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Usage: "read `FILE` instead of mcpgen.yaml"},
		&cli.StringSliceFlag{Name: "servers",
			Usage: "use only the servers `A,B` (also: " + strings.Join(config.ScopeVariables(), ", ") + ")"},
		&cli.StringSliceFlag{Name: "mcp",
			Usage: "use the servers of `PATH`: a system such as tallow, a file or a folder (./tallow); may be repeated"},
		&cli.DurationFlag{Name: "timeout", Value: defaultTimeout, DefaultText: "5m, or 10m if a server may be installed",
			Usage: "stop after `DURATION`; 0 means no limit"},
		&cli.BoolFlag{Name: "verbose", Usage: "print more on standard error"},
		&cli.BoolFlag{Name: "quiet", Usage: "print only data, warnings and errors"},
		&cli.BoolFlag{Name: noColor, Usage: "no colors (also: NO_COLOR)"},
	}
}

// usage returns an error about the command line.
func usage(format string, args ...any) error {
	return &exit.Failure{Code: exit.Usage, Err: fmt.Errorf(format, args...)}
}

// cannotAsk returns the error of a command, or of its flag, that has a question but no terminal.
func cannotAsk(what string, steps ...string) error {
	return hint.With(usage("%s: standard input is not a terminal, so mcpgen cannot ask", what), steps...)
}

// session holds what every command needs.
type session struct {
	*workspace.Workspace
	con *console.Console
	ctx context.Context // ends at the latest when the command line ends
}

// open opens the project of a command line for reading.
func open(c *cli.Context) (*session, error) { return openFor(c, false, false) }

// openOwn is open for commands about the servers of an mcpgen.yaml.
func openOwn(c *cli.Context) (*session, error) {
	if err := ownServers(c); err != nil {
		return nil, err
	}
	return open(c)
}

// openFor is open with further options.
func openFor(c *cli.Context, write, partly bool, edits ...*editing.Edit) (*session, error) {
	s := newSession(c)
	opts := optionsOf(c, s.con)
	opts.Write, opts.Partly, opts.Edits = write, partly, edits
	if name := c.Command.Name; name == "serve" || name == "list" {
		if opts.Profile = c.String("profile"); opts.Profile != "" && c.IsSet("agent") {
			return nil, usage("--profile and --agent exclude each other: each selects servers")
		}
	}
	if err := chooseAgent(c.String("agent"), &opts); err != nil {
		return nil, err
	}
	w, err := workspace.Open(s.ctx, opts)
	if err != nil {
		return nil, err
	}
	if !c.IsSet("timeout") && !c.Bool("interactive") && w.MayInstall() {
		s.limit(c, installTimeout)
	}
	if s.Workspace = w; w.System != "" {
		c.App.Metadata[namedProject] = " --mcp " + hint.Word(w.System)
		s.con.Program = programOf(c.App)
	}
	return s, nil
}

// agentFlag returns the flag that selects the servers by an agent's file.
func agentFlag() cli.Flag {
	return &cli.StringFlag{Name: "agent",
		Usage: "use only the servers that the agent file `FILE` lists under mcpServers in its front matter"}
}

// chooseAgent selects the servers of an agent's file; "" has no effect.
func chooseAgent(file string, opts *workspace.Options) error {
	if file == "" || opts.Typed { // --servers is more specific
		return nil
	}
	agent, err := config.LoadAgent(file)
	if err != nil {
		return err
	}
	for _, n := range agent.Notices {
		opts.Console.Warn("%v", n.Err())
	}
	opts.Only, opts.OnlyBy = agent.Servers, "--agent "+hint.Word(file)
	return nil
}

// optionsOf returns the options from the flags that every command has.
func optionsOf(c *cli.Context, con *console.Console) workspace.Options {
	o := workspace.Options{
		Config: c.String("config"), MCP: trimmed(c.StringSlice("mcp")), Strict: c.Bool("strict"),
		Command: lineOf(c).typed, Line: lineOf(c).words, Options: capturing.Options{Console: con, Version: version()},
		Only: config.Scope(os.LookupEnv), OnlyBy: strings.Join(config.ScopeVariables(), ", "),
	}
	o.Signed = capturing.Signatures{Require: c.Bool("require-signature"), Signers: c.String("signers")}
	if names := c.StringSlice("servers"); strings.Join(names, "") != "" {
		o.Only, o.OnlyBy, o.Typed = append([]string{}, trimmed(names)...), "--servers", true
	}
	if c.Command.Name == "add" || c.Command.Name == "remove" { // about the server in their argument
		o.Only = nil
	}
	if c.IsSet("timeout") {
		o.Timeout = c.Duration("timeout")
	}
	return o
}

// newSession returns a session without a project.
func newSession(c *cli.Context) *session {
	s := &session{ctx: c.Context, con: &console.Console{
		Out: c.App.Writer, Err: c.App.ErrWriter, Program: programOf(c.App),
		Quiet: c.Bool("quiet"), Verbose: c.Bool("verbose"),
		Color: !c.Bool(noColor) && console.WantColor(c.App.ErrWriter),
	}}
	// With --interactive, time for a person to read and answer is unlimited by default.
	if d := c.Duration("timeout"); d > 0 && (c.IsSet("timeout") || !c.Bool("interactive")) {
		s.limit(c, d)
	}
	return s
}

// The default of --timeout, and the default for servers that may have to be installed first.
const (
	defaultTimeout = 5 * time.Minute
	installTimeout = 10 * time.Minute
)

// limit ends the command after a time.
func (s *session) limit(c *cli.Context, d time.Duration) {
	late := &exit.Failure{Code: exit.Server, Err: hint.With(fmt.Errorf("not done after %s", d), "raise --timeout")}
	ctx, end := context.WithTimeoutCause(c.Context, d, late)
	context.AfterFunc(c.Context, end)
	s.ctx = ctx
}

// openToWrite is open for commands that write lock and code, unless the flags forbid writing. If the
// project has its own configuration, --mcp is refused. Under partly, unreadable server files do not stop
// the other servers.
func openToWrite(c *cli.Context, partly bool) (*session, error) {
	if err := ownServers(c); err != nil {
		return nil, err
	}
	return openFor(c, !c.Bool("check") && !c.Bool("dry-run"), partly)
}

// ownServers refuses --mcp if an mcpgen.yaml defines the servers of lock and code.
func ownServers(c *cli.Context) error {
	if len(c.StringSlice("mcp")) == 0 {
		return nil
	}
	if path, err := config.Find("."); err == nil {
		return hint.With(usage("--mcp: the servers of this project are in %s, and mcpgen %s accepts no others",
			path, c.Command.Name),
			fmt.Sprintf("add the server file to mcpgen.yaml: import: [%s]", strings.Join(trimmed(c.StringSlice("mcp")), ", ")))
	}
	return nil
}

// trimmed splits values at commas, and drops spaces and empty parts.
func trimmed(values []string) []string {
	var out []string
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// noNegatives refuses negative durations.
func noNegatives(c *cli.Context, flags []cli.Flag) error {
	for _, f := range flags {
		if f, ok := f.(*cli.DurationFlag); ok && c.Duration(f.Name) < 0 {
			return hint.With(usage("--%s: %v is negative", f.Name, c.Duration(f.Name)), "pass a duration such as 30s")
		}
	}
	return nil
}

// noArguments refuses positional arguments.
func noArguments(c *cli.Context) error {
	if !c.Args().Present() {
		return nil
	}
	name, first := c.Command.Name, c.Args().First()
	step := "run mcpgen help " + name
	switch name {
	case "generate", "check", "status":
		read, err := workspace.ReadConfiguration(c.Context, optionsOf(c, newSession(c).con))
		if err == nil && slices.ContainsFunc(read.Settings, func(s config.Setting) bool { return s.Server == first }) {
			step = fmt.Sprintf("for one server: mcpgen %s --servers %s", name, hint.Word(first))
		}
	}
	return hint.With(usage("%s takes no arguments, but got %q", name, first), step)
}
