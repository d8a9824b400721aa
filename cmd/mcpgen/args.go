package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// reorderArgs moves flags to where the parser expects them: global flags before the command, the
// command's own flags directly after it. urfave/cli stops at the first positional argument; mcpgen allows
// flags anywhere. Arguments after "--" stay.
func reorderArgs(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	l := parseLine(app, args[1:])
	app.Metadata = map[string]any{typedLine: l}
	if topic := l.helpFor(app); topic != nil {
		return append([]string{args[0]}, topic...)
	}
	out := append([]string{args[0]}, l.globals...)
	switch {
	case takesValue(app.Flags)[l.open]: // last, since the parser would use the next word as its value
		return out
	case l.open != "" && app.Command(l.command) != nil:
		return append(out, l.command, "--"+l.open)
	case l.command == "":
		out = slices.Concat(out, l.early)
	case app.Command(l.command) == nil: // a flag before it may be misspelled, so that its value looks like the command
		out = slices.Concat(out, l.early, []string{l.command}, l.own)
	default:
		out = slices.Concat(out, []string{l.command}, l.early, l.own)
	}
	if slices.ContainsFunc(l.rest, func(s string) bool { return strings.HasPrefix(s, "-") && s != "-" }) {
		out = append(out, "--")
	}
	return append(out, l.rest...)
}

// typedLine is the key of the [commandLine] in the app's metadata.
const typedLine = "line"

// lineOf returns the command line as typed.
func lineOf(c *cli.Context) *commandLine {
	l, _ := c.App.Metadata[typedLine].(*commandLine)
	return cmp.Or(l, &commandLine{})
}

// commandLine is a parsed command line.
type commandLine struct {
	words   []string // all words, without the program's name
	typed   string   // the first word, possibly another system's command
	command string   // the mcpgen command for it
	help    bool     // --help is present

	globals    []string // flags of all commands
	early, own []string // other flags, before and after the command
	rest       []string // arguments

	values map[string]string // values of flags
	open   string            // a flag at the end whose value is missing
}

// flagsOf returns the flags of a command; nil for "" and an unknown one.
func flagsOf(app *cli.App, command string) []cli.Flag {
	if c := app.Command(command); c != nil {
		return c.Flags
	}
	return nil
}

// parseLine separates flags, their values and arguments. A flag name takes a value in all commands or in
// none, so that it may precede its command; --tools of serve, which does not, has to follow it.
func parseLine(app *cli.App, words []string) *commandLine {
	l := &commandLine{words: words, values: map[string]string{}}
	global := takesValue(app.Flags)
	takes := maps.Clone(global)
	for _, c := range app.Commands {
		maps.Copy(takes, takesValue(c.Flags))
	}
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(strings.TrimLeft(words[i], "-"), "=")
		switch {
		case words[i] == "--":
			l.rest = append(l.rest, words[i+1:]...)
			return l
		case words[i] == "-" || !strings.HasPrefix(words[i], "-"):
			l.argument(words[i])
			continue
		case slices.Contains(cli.HelpFlag.Names(), name):
			l.help = true
			continue
		case words[i] == "--version" && l.command == "":
			l.argument("version")
			continue
		}
		flags := &l.own
		if _, ok := global[name]; ok {
			flags = &l.globals
		} else if l.command == "" {
			flags = &l.early
		}
		*flags = append(*flags, words[i])
		takesOne, own := takesValue(flagsOf(app, l.command))[name]
		switch {
		case own && !takesOne, !own && !takes[name]:
		case joined:
			l.values[name] = value
		case i+1 == len(words):
			l.open = name
		default:
			i++
			l.values[name] = words[i]
			*flags = append(*flags, words[i])
		}
	}
	return l
}

// argument adds a word that is not a flag. The first one is the command.
func (l *commandLine) argument(word string) {
	if l.command != "" {
		l.rest = append(l.rest, word)
		return
	}
	l.typed = cmp.Or(l.typed, word)
	l.command, l.rest = spelled(word)
}

// spelled returns the command of a word, which may be another system's spelling, and its first arguments.
func spelled(word string) (command string, rest []string) {
	switch word {
	case "tools": // list or call, in Covenant's spelling
		return "", nil
	case "trust-project": // trust, in tallow's spelling
		return "trust", []string{"add"}
	case "trust-status":
		return "trust", []string{"status"}
	case "untrust-project":
		return "trust", []string{"remove"}
	}
	return word, nil
}

// helpFor returns the command line for the help that the user asked for; nil if there is none. For an
// unknown command it is nil too, so that the error names the command.
func (l *commandLine) helpFor(app *cli.App) []string {
	topic := l.command
	switch {
	case topic == "help" || topic == "h":
		if len(l.rest) == 0 {
			return []string{"help"}
		}
		command, _ := spelled(l.rest[0])
		topic = cmp.Or(command, "list")
	case !l.help:
		return nil
	case topic == "":
		return []string{"help"}
	}
	if app.Command(topic) == nil {
		return []string{topic}
	}
	return []string{"help", topic}
}

// takesValue returns the names of flags, each with whether it takes a value.
func takesValue(flags []cli.Flag) map[string]bool {
	out := map[string]bool{}
	for _, f := range flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			out[name] = !isBool
		}
	}
	return out
}
