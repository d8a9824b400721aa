package starter

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/templates"
)

// targetWidth is the width at which the target of a server is cut on a screen.
const targetWidth = 48

// Show prints each file that was found, with its servers: their numbers, or why they cannot be selected.
func (p *Plan) Show(con *console.Console) {
	if len(p.Files) == 0 {
		con.Printf("no server files of other tools were found\n")
		return
	}
	con.Printf("found %s:\n", safetext.Count(len(p.Files), "server file"))
	name, transport := 0, 0
	for _, f := range p.Files {
		for _, s := range f.Servers {
			name, transport = min(max(name, len(s.Name)), 24), max(transport, len(s.Transport))
		}
	}
	for _, f := range p.Files {
		how := ", imported"
		switch {
		case f.Left != "":
			how = ""
		case f.Import == "":
			how = ", copied"
		}
		con.Printf("\n%s  (%s, %s%s)\n", f.Path, f.Format, f.Scope, how)
		if f.Left != "" {
			con.Printf("  left: %s\n", f.Left)
		}
		for _, err := range f.Errors {
			con.Printf("  %s\n", err.Error())
		}
		if len(f.Servers) == 0 && len(f.Errors) == 0 && f.Left == "" {
			con.Printf("  no servers\n")
		}
		for _, s := range f.Servers {
			number, rest := "-", "left: "+s.Left
			if s.Number > 0 {
				number, rest = strconv.Itoa(s.Number), console.Cut(p.shortened(s.Target), targetWidth)
				if len(s.Uses) > 0 {
					rest += "  uses " + strings.Join(s.Uses, ", ")
				}
			}
			con.Printf("%4s  %-*s  %-*s  %s\n", number, name, s.Name, transport, s.Transport, rest)
		}
		if f.Profile && f.Import == "" && f.Left == "" {
			con.Printf("  to use the names and rules of %s, too: %s init --import %s\n", f.Format, con.Program.Name(), f.Format)
		}
	}
}

// shortened abbreviates the folders of the project and of the user in a text.
func (p *Plan) shortened(text string) string {
	const separator = string(filepath.Separator)
	if p.Dir != "" {
		text = strings.ReplaceAll(text, p.Dir+separator, "")
	}
	if p.Home != "" {
		text = strings.ReplaceAll(text, p.Home+separator, "~"+separator)
	}
	return text
}

// First returns a first mcpgen.yaml without servers, for packages below a folder.
func First(output string) ([]byte, error) {
	return templates.Render("mcpgen.yaml.tmpl", struct{ Output string }{yamlText(cmp.Or(output, config.DefaultOutput))})
}

// Apply returns an mcpgen.yaml with the selected servers, and otherwise unchanged. It imports the files
// with a selected server and disables their other servers; servers of other files are copied. If the text
// cannot be edited, the error says what to write by hand.
func (p *Plan) Apply(text []byte) ([]byte, error) {
	var err error
	imports := p.imported()
	for _, used := range imports {
		if text, err = AddImport(text, used.name, used.from+": "+strings.Join(used.servers, ", ")); err != nil {
			return nil, err
		}
	}
	enabled := false
	for _, f := range p.Files {
		for _, s := range f.Servers {
			taken := s.Number > 0 && p.taken[s.Name]
			isImport := func(i imported) bool { return i.name == f.Import }
			switch {
			case f.Import == "" && taken:
				text, err = AddServer(text, s.Name, *s.Entry, "copied from "+f.Path+" ("+f.Format+")")
			case f.Import != "" && !taken && (s.Number > 0 || s.Malformed) && slices.ContainsFunc(imports, isImport):
				text, err = AddServer(text, s.Name, config.Entry{Enabled: &enabled}, "")
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return text, nil
}

// imported is one import with its selected servers.
type imported struct {
	name, from string
	servers    []string
}

// imported returns the imports with a selected server, in the order of the files.
func (p *Plan) imported() []imported {
	var out []imported
	for f, s := range p.usable() {
		if f.Import == "" || !p.taken[s.Name] {
			continue
		}
		i := slices.IndexFunc(out, func(other imported) bool { return other.name == f.Import })
		if i >= 0 {
			out[i].servers = append(out[i].servers, s.Name)
			continue
		}
		from := f.Format
		switch {
		case f.Import == f.Format:
			from = "all its server files, in this project and on this machine, under its own rules"
		case f.Scope != "project":
			from += ", on this machine only"
		}
		out = append(out, imported{f.Import, from, []string{s.Name}})
	}
	return out
}
