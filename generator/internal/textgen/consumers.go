package textgen

// The page of the catalogue about the modules that use the servers.

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// ConsumersName is the name of the page of consumers, in the folder of the index.
const ConsumersName = "consumers.html"

// maxWords is how many bytes a page shows of one text of a module.
const maxWords = 300

// consumersPage is the content of the page of consumers.
type consumersPage struct {
	Title, Index, Lede, Note, Footer string
	Stats                            []labelled
	Search                           finder
	Servers                          []indexServer
}

// HTMLConsumers renders the page of the modules that use the servers, which are in order of their names. Facts
// has such modules.
func HTMLConsumers(title string, packages []*ir.Package, facts pagefacts.Facts) ([]byte, error) {
	c := &catalogue{title: line(title), packages: packages, facts: facts}
	return renderHTML("consumers", c.consumers())
}

func (c *catalogue) consumers() consumersPage {
	v := consumersPage{
		Title: "Consumers · MCP catalogue of " + c.title, Index: IndexName, Note: line(c.facts.Consumers.Note),
		Lede:   "The modules that use the servers, as they said with mcpgen push --usage, and whether the definitions in this catalogue would break them.",
		Search: finder{Label: "Search modules and tools"},
		Footer: "mcpgen docs wrote this page from what modules pushed to the registry, which has no argument values of their calls.",
	}
	modules, breaking := map[string]bool{}, map[string]bool{}
	for _, p := range c.packages {
		s := indexServer{ID: "server-" + p.Name, Name: line(p.Server), Href: path.Join(p.Name, HTMLName(p))}
		breaks := 0
		for _, m := range c.facts.Consumers.Modules {
			if m.Server != p.Server {
				continue
			}
			modules[m.Module] = true
			if m.State == "breaks" {
				breaking[m.Module] = true
				breaks++
			}
			s.Entries = append(s.Entries, consumerEntry(m))
		}
		if s.Entries != nil {
			s.Facts = fmt.Sprintf("%s · %s would break", count(len(s.Entries), "module"), number(breaks))
			v.Servers = append(v.Servers, s)
		}
	}
	v.Stats = []labelled{{"modules", number(len(modules))}, {"servers in use", number(len(v.Servers))}, {"modules that would break", number(len(breaking))}}
	return v
}

// consumerEntry is a module that uses a server.
func consumerEntry(m pagefacts.Consumer) entry {
	commit, state := safetext.Clip(m.Commit, 12), m.State
	e := entry{Name: safetext.Words(m.Module, maxWords), Brief: strings.Join(firstWords(m.Uses), ", "), Changes: firstWords(m.Changes)}
	if commit != "" {
		e.Tags = append(e.Tags, tag{Text: line(commit), Title: "commit of the module"})
	}
	e.Tags = append(e.Tags,
		tag{Text: safetext.Words(strings.TrimPrefix(m.Version, "sha256:"), 20), Title: "version of the server that the module uses"},
		tag{map[string]string{"breaks": "breaking", "unknown": "unknown"}[state], state, "with the definitions in this catalogue"})
	return e
}

// firstWords returns the first texts, cut, and how many more there are.
func firstWords(list []string) []string {
	out := each(list[:min(len(list), maxNames)], func(s string) string { return safetext.Words(s, maxWords) })
	if more := len(list) - len(out); more > 0 {
		out = append(out, "and "+number(more)+" more")
	}
	return out
}
