package main

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"
	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "print the configuration, each value with its source",
		Description: `Prints values as they are written: does not replace variables, and masks what looks
like a secret. --found instead lists the server files of other programs on this machine
and in this project, without using them.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "schema", Usage: "print the JSON Schema of mcpgen.yaml, for editors"},
			&cli.BoolFlag{Name: "found", Usage: "print the server files of other programs that were found"},
			&cli.BoolFlag{Name: "strict",
				Usage: "treat warnings as errors: a key without effect, a server that is defined twice or left out"},
		},
		Action: func(c *cli.Context) error {
			switch {
			case c.Bool("schema") && c.Bool("found"):
				return hint.With(usage("config: --schema and --found exclude each other"), "pass one of them")
			case c.Bool("schema"):
				return printJSON(c.App.Writer, configSchema())
			case c.Bool("found"):
				return found(c)
			}
			return effective(c)
		},
	}
}

// effective prints the effective configuration.
func effective(c *cli.Context) error {
	s := newSession(c)
	read, err := workspace.ReadConfiguration(s.ctx, optionsOf(c, s.con))
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, read)
	}
	w := s.con.Table()
	for _, v := range read.Settings {
		w.Row(position(v.Path, v.Line, v.Column, "("+cmp.Or(v.From, "default")+")"), v.Key+" = "+v.Value)
	}
	for _, l := range read.Left {
		w.Row(position(l.Path, l.Line, l.Column, ""), fmt.Sprintf("# %s: %s", l.Server, l.Reason))
	}
	w.Print()
	for _, n := range read.Notices {
		s.con.Warn("%v", n.Err())
	}
	return nil
}

// found prints the server files on the machine.
func found(c *cli.Context) error {
	s := newSession(c)
	env, err := live.Environment()
	if err != nil {
		return usage("%v", err)
	}
	all := config.Discover(env)
	if c.Bool("json") {
		return printJSON(c.App.Writer, append([]config.Found{}, all...))
	}
	if len(all) == 0 {
		s.con.Printf("no server files of other programs\n")
	}
	for _, f := range all {
		w := s.con.Table()
		w.Row(fmt.Sprintf("%s (%s, %s)%s", f.Path, f.Format, f.Scope, reason(f.Left)))
		for _, one := range f.Servers {
			w.Row(fmt.Sprintf("  line %d", one.Line), one.Name+reason(one.Left), one.Target)
		}
		for _, e := range f.Errors {
			w.Row("  error: " + e.Error())
		}
		for _, n := range f.Notices {
			w.Row("  note: " + n.String())
		}
		w.Print()
	}
	return nil
}

func reason(left string) string {
	if left == "" {
		return ""
	}
	return " [" + left + "]"
}

func position(path string, line, column int, none string) string {
	if path == "" {
		return none
	}
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d:%d", path, line, column)
}

// configSchema returns the JSON Schema of mcpgen.yaml, made by reflection.
func configSchema() json.Marshaler {
	r := &jsonschema.Reflector{ExpandedStruct: true, RequiredFromJSONSchemaTags: true}
	s := r.Reflect(config.File{})
	s.ID = ""
	s.Title = "mcpgen.yaml"
	return s
}
