package starter

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/templates"
)

// targetWidth is where the target of a server is cut on a screen.
const targetWidth = 48

// Show prints what was found: each file, and each of its servers with the number
// it is chosen by, or the reason why it is left.
func (p *Plan) Show(w io.Writer) {
	if len(p.Files) == 0 {
		fmt.Fprintln(w, "no server files of other tools were found")
		return
	}
	fmt.Fprintf(w, "found %s:\n", console.Count(len(p.Files), "server file"))
	name, transport := p.widths()
	for _, f := range p.Files {
		fmt.Fprintf(w, "\n%s  (%s, %s)\n", console.Clean(f.Path), f.Format, f.Scope)
		if f.Left != "" {
			fmt.Fprintf(w, "  left: %s\n", console.Clean(f.Left))
		}
		for _, err := range f.Errors {
			fmt.Fprintf(w, "  %s\n", console.Clean(err.Error()))
		}
		if len(f.Servers) == 0 && len(f.Errors) == 0 && f.Left == "" {
			fmt.Fprintln(w, "  no servers")
		}
		for _, s := range f.Servers {
			number, rest := "-", "left: "+s.Left
			if s.Number > 0 {
				number, rest = strconv.Itoa(s.Number), cut(s.Target)
				if len(s.Uses) > 0 {
					rest += "  uses " + strings.Join(s.Uses, ", ")
				}
			}
			fmt.Fprintf(w, "%4s  %-*s  %-*s  %s\n", number, name, console.Clean(s.Name), transport, s.Transport, console.Clean(rest))
		}
	}
}

func (p *Plan) widths() (name, transport int) {
	for _, f := range p.Files {
		for _, s := range f.Servers {
			name, transport = max(name, len(console.Clean(s.Name))), max(transport, len(s.Transport))
		}
	}
	return min(name, 24), transport
}

// cut shortens a target to one column, never inside a character.
func cut(s string) string {
	if runes := []rune(s); len(runes) > targetWidth {
		return string(runes[:targetWidth-1]) + "…"
	}
	return s
}

// The view of templates.Starter. Everything in it is a YAML scalar or the text of
// a comment already.
type (
	view struct {
		Output   string
		Imports  []imported
		Disabled []string

		NoImports, NoDisabled bool // a template has no else
	}
	imported struct{ Path, From, Servers string }
)

// Render is the mcpgen.yaml of the plan: it imports the files that a taken server
// is in, and turns off the other servers of those files.
func (p *Plan) Render() ([]byte, error) {
	v := view{Output: scalar(cmp.Or(p.Output, config.DefaultOutput))}
	systems := map[string]int{} // where the import of a system's name stands
	for _, f := range p.Files {
		var used, off []string
		for _, s := range f.Servers {
			switch {
			case s.Malformed && !p.taken[s.Name]:
				off = append(off, scalar(s.Name))
			case s.Number == 0:
			case p.taken[s.Name]:
				used = append(used, console.Clean(s.Name))
			default:
				off = append(off, scalar(s.Name))
			}
		}
		if len(used) == 0 && !p.imports(f) {
			continue
		}
		v.Disabled = append(v.Disabled, off...)
		if len(used) == 0 {
			continue
		}
		if i, again := systems[f.Format]; again && f.Profile {
			v.Imports[i].Servers += ", " + strings.Join(used, ", ")
			continue
		}
		if f.Profile {
			systems[f.Format] = len(v.Imports)
			v.Imports = append(v.Imports, imported{Path: scalar(f.Format), From: "its files here and on this machine, by its own rules", Servers: strings.Join(used, ", ")})
			continue
		}
		from := f.Format
		if f.Scope == "user" {
			from += ", on this machine only"
		}
		v.Imports = append(v.Imports, imported{Path: scalar(f.Path), From: from, Servers: strings.Join(used, ", ")})
	}
	v.NoImports, v.NoDisabled = len(v.Imports) == 0, len(v.Disabled) == 0
	return templates.Render(templates.Starter, v)
}

// imports reports whether a file without a taken server is imported all the same:
// with its system, for another file of that.
func (p *Plan) imports(f File) bool {
	return f.Profile && slices.ContainsFunc(p.Files, func(other File) bool {
		return other.Format == f.Format && slices.ContainsFunc(other.Servers, func(s Server) bool { return s.Number > 0 && p.taken[s.Name] })
	})
}

// scalar is a text as YAML: plain where that is safe, else in double quotes, in
// which JSON's escapes mean the same.
func scalar(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./~ "
	first := strings.IndexAny(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ./") == 0 || strings.HasPrefix(s, "~/")
	if first && strings.Trim(s, plain) == "" && s == strings.TrimSpace(s) && !reserved[strings.ToLower(s)] {
		return s
	}
	return strconv.QuoteToASCII(s)
}

// reserved are plain scalars that YAML readers do not take as texts.
var reserved = map[string]bool{
	"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true,
	".": true, "..": true, ".inf": true, ".nan": true,
}
