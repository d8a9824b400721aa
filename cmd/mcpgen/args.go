package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// reorderArgs puts flags where the parser looks for them: global ones before the
// command, the command's own right behind it. urfave/cli stops at the first
// positional argument; ours may stand anywhere. What follows "--" stays.
func reorderArgs(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	a := argOrder{global: takesValue(app.Flags), app: app, any: map[string]bool{}}
	for _, c := range app.Commands {
		maps.Copy(a.any, takesValue(c.Flags))
	}
	a.walk(args[1:])
	app.Metadata = map[string]any{typed: a.typed, lineGiven: args[1:]}
	if asked := a.helpFor(); asked != nil {
		return append([]string{args[0]}, asked...)
	}
	out := append([]string{args[0]}, a.globals...)
	if a.command != "" {
		out = append(out, a.command)
	}
	out = append(out, a.own...)
	if len(a.rest) > 0 && slices.ContainsFunc(a.rest, func(s string) bool { return strings.HasPrefix(s, "-") && s != "-" }) {
		out = append(out, "--")
	}
	return append(out, a.rest...)
}

// argOrder is the state of one walk over a command line.
type argOrder struct {
	app     *cli.App
	global  map[string]bool // flag -> takes a value
	local   map[string]bool // of the command, once it is known
	any     map[string]bool // of all commands, for flags before the command
	command string
	typed   string // the first word, which may be another system's
	help    bool   // --help stands somewhere

	globals, own, rest []string
}

func (a *argOrder) walk(args []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			a.rest = append(a.rest, args[i+1:]...)
			return
		case strings.HasPrefix(arg, "-") && arg != "-":
			i += a.flag(arg, args[i+1:])
		case a.command == "":
			a.setCommand(arg)
		default:
			a.rest = append(a.rest, arg)
		}
	}
}

// flag files one flag and reports how many further arguments it took.
func (a *argOrder) flag(arg string, next []string) int {
	name, _, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	switch {
	case slices.Contains(cli.HelpFlag.Names(), name):
		a.help = true
		return 0
	case arg == "--version" && a.command == "":
		a.setCommand("version")
		return 0
	}
	dst := &a.own
	value, known := a.local[name]
	if !known {
		if value, known = a.global[name]; known || a.command == "" {
			dst = &a.globals
		}
		if !known && a.command == "" {
			value, known = a.any[name]
		}
	}
	*dst = append(*dst, arg)
	if !known || !value || joined || len(next) == 0 {
		return 0
	}
	*dst = append(*dst, next[0])
	return 1
}

// helpFor is the command line for what the user wants explained; nil if the user
// wants no help. A word that is no command is left to the error that says so.
func (a *argOrder) helpFor() []string {
	topic := a.command
	switch {
	case topic == "help" || topic == "h":
		if len(a.rest) == 0 {
			return []string{"help"}
		}
		topic = a.rest[0]
	case !a.help:
		return nil
	case topic == "":
		return []string{"help"}
	}
	if a.app.Command(topic) == nil {
		return []string{topic}
	}
	return []string{"help", topic}
}

// setCommand takes the first positional argument. Flags before it that are not
// global ones belong to it.
func (a *argOrder) setCommand(name string) {
	if a.typed == "" {
		a.typed = name
	}
	if name == "tools" { // list and call, as Covenant's users write them
		return
	}
	switch name { // trust, as tallow's users write it
	case "trust-project":
		name, a.rest = "trust", append(a.rest, "add")
	case "trust-status":
		name, a.rest = "trust", append(a.rest, "status")
	case "untrust-project":
		name, a.rest = "trust", append(a.rest, "remove")
	}
	a.command = name
	c := a.app.Command(name)
	if c == nil {
		return
	}
	a.local = takesValue(c.Flags)
	early := a.globals
	a.globals = nil
	for i := 0; i < len(early); i++ {
		i += a.flag(early[i], early[i+1:])
	}
}

// takesValue lists flags, each with whether it takes a value.
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
