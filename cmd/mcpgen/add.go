package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func addCommand() *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "add a server, lock it and write its package",
		ArgsUsage: "NAME -- COMMAND ARGS… | NAME URL",
		Description: `Writes the server into mcpgen.yaml and keeps the rest of the file, comments too. If
there is no mcpgen.yaml, add makes one beside go.mod. Then locks the server and writes
its package, as generate does. If the server cannot be locked, add changes nothing.
For an npm package without a version or a tag, add writes the version that ran.

  mcpgen add files -- npx -y @modelcontextprotocol/server-filesystem .
  mcpgen add github --header 'Authorization=Bearer ${env:GITHUB_TOKEN}' https://api.githubcopilot.com/mcp/
  mcpgen add search --env SEARCH_KEY -- search-mcp --verbose`,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "env", Usage: "pass an environment variable to the server: " +
				"`NAME` passes your own variable, NAME=VALUE a fixed value that is not a secret; may be repeated"},
			&cli.StringSliceFlag{Name: "header", Usage: "send the header `NAME=VALUE` to the server; " +
				"${env:X} in VALUE stands for the environment variable X; may be repeated"},
			moreFlag(),
			&cli.StringFlag{Name: "transport",
				Usage: "connect to the URL by `TRANSPORT`, which is http or sse; by default mcpgen tries both"},
			&cli.BoolFlag{Name: "yes",
				Usage: "lock the server without the tools that cannot be used, with a warning instead of exit 1"},
		},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return hint.With(usage("%v", err), "write -- before a command with flags: mcpgen add NAME -- COMMAND ARGS…")
		},
		Action: addServer,
	}
}

func removeCommand() *cli.Command {
	return &cli.Command{
		Name:      "remove",
		Usage:     "remove a server and its package",
		ArgsUsage: "NAME",
		Description: `Takes the server out of mcpgen.yaml, with the comment directly above it, and keeps the
rest of the file. Then removes its lock entry and its package.`,
		Action: removeServer,
	}
}

// hostAndPort matches an address without a scheme. No program has such a name.
var hostAndPort = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]+(/|$)`)

// hostName matches an address without a scheme, unless it is a file.
var hostName = regexp.MustCompile(`^([A-Za-z0-9-]+\.)+[A-Za-z]{2,}(/.*)?$`)

// fileOrFlag matches an argument of an interpreter or a package runner rather than a program.
var fileOrFlag = regexp.MustCompile(`^[-@]|\.(py|[cm]?[jt]s|rb|go|php|jar|sh)$`)

// isProgram reports whether a word names an executable program.
func isProgram(word string) bool {
	_, err := exec.LookPath(word)
	return err == nil
}

// otherScheme matches an address with a scheme, possibly unsupported. A drive of Windows does not match.
var otherScheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):/`)

func addServer(c *cli.Context) error {
	if err := ownServer(c); err != nil {
		return err
	}
	if len(c.StringSlice("mcp")) > 0 {
		return hint.With(usage("--mcp: the server is written into an mcpgen.yaml"), "leave --mcp out")
	}
	name, s, err := newServer(c)
	if err != nil {
		return err
	}
	edit, err := editing.AddServer(c.Context, c.String("config"), name, s)
	if err != nil {
		return err
	}
	locked, err := generateEdited(c, edit, name, func(s *session) {
		if edit.Pinned != "" {
			s.con.Note("added %s to %s as %s, the version that was just started", name, edit.File, edit.Pinned)
		} else {
			s.con.Note("added %s to %s", name, edit.File)
		}
	})
	switch {
	case errors.Is(err, generator.ErrEdited): // a concurrent add was faster
		return addServer(c)
	case locked:
	case edit.Created:
		newSession(c).con.Note("%s was not added", name)
	default:
		newSession(c).con.Note("%s was not added, and %s is unchanged", name, edit.File)
	}
	return err
}

// ownServer refuses --servers for a command about the server that its argument names.
func ownServer(c *cli.Context) error {
	if c.IsSet("servers") {
		return usage("--servers: %s takes the name of the server as its argument: leave --servers out", c.Command.Name)
	}
	return ownServers(c)
}

func removeServer(c *cli.Context) error {
	if c.NArg() != 1 {
		return hint.With(usage("remove takes one NAME, but got %d arguments", c.NArg()), "list the names: mcpgen config")
	}
	if err := ownServer(c); err != nil {
		return err
	}
	name := c.Args().First()
	if s, err := openToWrite(c, true); err == nil && s.Absent(name) != "" {
		report, err := s.Generate(s.ctx, workspace.GenerateOptions{Removed: name})
		if report == nil {
			return err
		}
		return printGenerated(s.con, s.State, report, false, err)
	}
	edit, err := editing.RemoveServer(c.Context, c.String("config"), name)
	if err != nil {
		return err
	}
	_, err = generateEdited(c, edit, "", func(s *session) { s.con.Note("removed %s from %s", name, edit.File) })
	return err
}

// newServer returns the server that a command line describes.
func newServer(c *cli.Context) (name string, s config.Entry, err error) {
	args := c.Args().Slice()
	// No word precedes the --.
	if l := lineOf(c); len(l.rest) > 0 && slices.Index(l.words, "--") == len(l.words)-len(l.rest)-1 {
		return "", s, hint.With(usage("add needs the NAME of the server before --"), "mcpgen add NAME -- COMMAND ARGS…")
	}
	if len(args) < 2 {
		return "", s, hint.With(usage("add: the NAME of the server, or its command or address, is missing"),
			"mcpgen add NAME -- COMMAND ARGS…", "mcpgen add NAME URL")
	}
	name = args[0]
	scheme := otherScheme.FindStringSubmatch(args[1])
	if isWeb := scheme != nil && (strings.EqualFold(scheme[1], "http") || strings.EqualFold(scheme[1], "https")); isWeb {
		if len(args) > 2 {
			return "", s, usage("add: %q follows the address, which takes no arguments", args[2])
		}
		s.URL = args[1]
	} else if len(args) == 2 && hostAndPort.MatchString(args[1]) {
		err := usage("add: %q is not an address: an address begins with http:// or https://", args[1])
		return "", s, hint.With(err, "mcpgen add "+hint.Word(name)+" http://"+hint.Word(args[1]))
	} else if len(args) == 2 && hostName.MatchString(args[1]) && !isProgram(args[1]) && !fileOrFlag.MatchString(args[1]) {
		err := usage("add: %q is neither a program nor an address that begins with https:// or http://", args[1])
		return "", s, hint.With(err, "mcpgen add "+hint.Word(name)+" https://"+hint.Word(args[1]))
	} else if isProgram(name) && !isProgram(args[1]) && fileOrFlag.MatchString(args[1]) {
		words := []string{"mcpgen add NAME --"}
		for _, arg := range args {
			words = append(words, hint.Word(arg))
		}
		return "", s, hint.With(usage("add: the NAME of the server is missing before the program %q", name),
			strings.Join(words, " "))
	} else if scheme != nil {
		err := usage("add: %q is neither a command nor an address that begins with http:// or https://", args[1])
		if path, ok := strings.CutPrefix(args[1], "file://"); ok && strings.HasPrefix(path, "/") {
			return "", s, hint.With(err, "start the program: mcpgen add "+hint.Word(name)+" -- "+hint.Word(path))
		}
		return "", s, hint.With(err, "mcpgen add NAME URL", "mcpgen add NAME -- COMMAND ARGS…")
	} else {
		s.Command, s.Args = args[1], args[2:]
	}
	s.Transport = c.String("transport")
	for _, v := range c.StringSlice("env") {
		key, value, ok := strings.Cut(v, "=")
		if !ok {
			value = "${env:" + key + "}"
		}
		s.Env = append(s.Env, endpoint.Var{Name: key, Value: value})
	}
	for _, v := range c.StringSlice("header") {
		key, value, ok := strings.Cut(v, "=")
		if !ok {
			return "", s, usage("--header %q: want NAME=VALUE", v)
		}
		s.Headers = append(s.Headers, endpoint.Var{Name: key, Value: value})
	}
	switch {
	case s.URL != "" && len(s.Env) > 0:
		err = usage("--env is only for a server with a command, but this server has an address")
		return "", s, hint.With(err, "pass --header")
	case s.URL == "" && len(s.Headers)+len(s.Transport) > 0:
		err = usage("--header and --transport are only for a server with an address, but this server has a command")
		return "", s, hint.With(err, "pass --env")
	}
	return name, s, refuseSecrets(&s)
}

// refuseSecrets returns an error if the entry contains what looks like a secret.
func refuseSecrets(s *config.Entry) error {
	const inPlace = "write ${env:NAME} in its place, and set the variable NAME"
	refuse := func(where, step string) error {
		return hint.With(usage("add: %s looks like a secret, but mcpgen.yaml must not hold secrets", where), step)
	}
	for _, v := range s.Env {
		if isPlainSecret(v.Name, v.Value) {
			return refuse(fmt.Sprintf("env %q", v.Name), "set the variable "+v.Name+" and pass --env "+v.Name)
		}
	}
	for _, h := range s.Headers {
		if isPlainSecret(h.Name, h.Value) {
			return refuse(fmt.Sprintf("header %q", h.Name), inPlace)
		}
	}
	for i, arg := range s.Args {
		name, value, pair := strings.Cut(arg, "=")
		if header, rest, ok := strings.Cut(arg, ":"); ok && !pair && !strings.HasPrefix(rest, "//") {
			name, value, pair = header, rest, true
		}
		if !pair {
			name, value = "", arg
		}
		if !pair && i > 0 && strings.HasPrefix(s.Args[i-1], "-") && !strings.HasPrefix(arg, "-") {
			name = s.Args[i-1]
		}
		if isPlainSecret(name, value) || isPlainSecret("", arg) {
			return refuse(fmt.Sprintf("argument %d of %q", i+1, s.Command), inPlace)
		}
	}
	if isPlainSecret("", s.URL) {
		return refuse("the address", inPlace)
	}
	return nil
}

var (
	// variables matches references in mcpgen.yaml.
	variables = regexp.MustCompile(`\$\{[^{}]*\}|\{\{secret:[^{}]*\}\}`)
	// scheme matches the text before a credential in a header.
	scheme = regexp.MustCompile(`(?i)^\s*(?:bearer|basic|token|apikey)?\s*$`)
)

// isPlainSecret reports whether a value looks like a secret, by its name and apart from its variables.
// Numbers and booleans are not secrets, whatever the name: MAX_TOKENS=4096.
func isPlainSecret(name, value string) bool {
	plain := variables.ReplaceAllString(value, "")
	if _, err := strconv.ParseFloat(plain, 64); err == nil {
		return false
	}
	if _, err := strconv.ParseBool(plain); err == nil {
		return false
	}
	found := slices.DeleteFunc(credentials.Credentials(plain), func(s string) bool { return s == "" })
	return len(found) > 0 || credentials.NamesSecret(strings.TrimLeft(name, "-")) && !scheme.MatchString(plain)
}

// generateEdited generates code from a changed configuration and prints the outcome. Locked reports
// whether the server added is in the lock afterwards. An empty added means that the edit adds no server.
func generateEdited(c *cli.Context, edit *editing.Edit, added string, done func(*session)) (locked bool, err error) {
	if err := c.Set("config", edit.File); err != nil {
		return false, err
	}
	s, err := openFor(c, true, true, edit)
	if err != nil {
		return false, err
	}
	for i := range s.Project.Servers {
		if server := &s.Project.Servers[i]; server.Name == added {
			server.Source.Line = 0 // its entry is only kept if it is locked
		}
	}
	tuneCollector()
	report, err := s.Generate(s.ctx, workspace.GenerateOptions{Yes: c.Bool("yes")})
	if report == nil || added != "" && !slices.Contains(report.Locked, added) {
		return false, err
	}
	done(s)
	err = printGenerated(s.con, s.State, report, c.Bool("yes"), err)
	return true, errors.Join(err, printMore(s.ctx, s.Client, c.Bool("more")))
}
