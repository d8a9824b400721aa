package textgen

// The two kinds of pages of the catalogue: the index over all servers, and the page
// of one.

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
)

// HTMLIndex renders the index over all servers, which are in order of their names.
// Title names the project.
func HTMLIndex(title string, packages []*ir.Package, facts pagefacts.Facts) ([]byte, error) {
	c := &catalogue{title: line(title), packages: packages, facts: facts}
	return renderHTML("index", c.index())
}

// HTMLPage renders the page of one server, whose package has an import path. Facts may
// be about others, too.
func HTMLPage(title, importPath string, p *ir.Package, facts pagefacts.Facts) ([]byte, error) {
	c := &catalogue{title: line(title), packages: []*ir.Package{p}, facts: facts}
	view := c.server(p)
	view.Import = line(importPath)
	text, err := renderHTML("server", view)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Server, err)
	}
	return text, nil
}

// indexPage is the content of the index.
type indexPage struct {
	Title, Lede, Footer string
	Heading             []string // parts between which a line may break
	Stats               []labelled
	Search              finder
	Servers             []indexServer
	Consumers           string // page of the modules that use the servers; "" if there is none
	Map                 chart
	History             *historyView
	Reading             []labelled
}

type indexServer struct {
	ID, Name, Href, Facts, Brief string
	Entries                      []entry
}

// finder is a search box.
type finder struct {
	Label     string
	Risks     []effect
	Elsewhere string // page that has more to find; may be ""
}

// serverPage is the content of a server's page.
type serverPage struct {
	Title, Index, Name, Lede, Import, Footer string
	Stats                                    []labelled
	Search                                   finder
	Words                                    []string
	Map                                      *chart // nil: none
	Sections                                 []htmlSection
	History                                  *historyView
}

type htmlSection struct {
	ID, Heading string
	Count       int
	Items       []entry
}

func (c *catalogue) sections(p *ir.Package) []htmlSection {
	var out []htmlSection
	for _, g := range groups(p) {
		s := htmlSection{ID: g.id, Heading: g.heading, Count: len(g.items)}
		for _, x := range g.items {
			s.Items = append(s.Items, c.entry(p, g.kind, x))
		}
		out = append(out, s)
	}
	return out
}

// footer names the sources of the pages.
func (c *catalogue) footer() string {
	if c.facts.Code == nil {
		return "Written by mcpgen from the configuration, the lock and the snapshots of the project. Lines that call a tool and the history of the lock are in the catalogue that mcpgen docs writes."
	}
	return "Written by mcpgen docs from the configuration, the lock and its history, the snapshots and the code of the project."
}

func (c *catalogue) index() indexPage {
	v := indexPage{
		Title: "MCP catalogue of " + c.title, Heading: strings.SplitAfter(c.title, "/"), Footer: c.footer(),
		Search: finder{Label: "Search tools and arguments", Risks: effects()},
		Map:    c.chart(), History: c.history(""), Reading: c.reading(),
	}
	if c.facts.Consumers != nil {
		v.Consumers = ConsumersName
	}
	var tools, other, size, calls int
	for _, p := range c.packages {
		s := indexServer{ID: "server-" + p.Name, Name: line(p.Server), Href: path.Join(p.Name, HTMLName(p)), Brief: plainBrief(p.Doc.Server)}
		own := 0
		for _, section := range c.sections(p) {
			for _, e := range section.Items {
				e.Words = searchWords(e)
				if section.ID != "tools" {
					e.Tags = append([]tag{{Text: strings.TrimSuffix(strings.ToLower(section.Heading), "s")}}, e.Tags...)
				}
				s.Entries = append(s.Entries, e)
			}
		}
		for _, t := range p.Tools {
			own += t.Tokens
			e := effectOf(t.Hints)
			for i := range v.Search.Risks {
				if v.Search.Risks[i].Key == e.Key {
					v.Search.Risks[i].Count++
				}
			}
		}
		calls += c.calls(p)
		s.Facts = count(len(p.Tools), "tool") + " · ≈ " + count(own, "token")
		tools, size, other = tools+len(p.Tools), size+own, other+len(s.Entries)-len(p.Tools)
		v.Servers = append(v.Servers, s)
	}
	v.Lede = fmt.Sprintf("What the agents of this project can do: %s of %s, with their Go calls, their effects and what they cost a model to read.", count(tools, "tool"), count(len(c.packages), "server"))
	v.Stats = []labelled{{"servers", number(len(c.packages))}, {"tools", number(tools)}}
	if other > 0 {
		v.Stats = append(v.Stats, labelled{"prompts and resources", number(other)})
	}
	v.Stats = append(v.Stats, labelled{"tokens of definitions", "≈ " + number(size)})
	if c.facts.Code != nil {
		v.Stats = append(v.Stats, labelled{"calls in the code", number(calls)})
	}
	return v
}

// maxSearch is how many bytes of an item the index has for its search alone.
const maxSearch = 1000

// searchWords are what a search of the index finds an item by, beside its name and
// the first sentence about it: the names of function and arguments, then the text.
func searchWords(e entry) string {
	words := []string{e.Go}
	for _, a := range e.Args {
		words = append(words, a.Wire)
	}
	text := strings.Join(append(words, e.Text...), " ")
	if len(text) > maxSearch {
		text = strings.ToValidUTF8(text[:maxSearch], "")
	}
	return text
}

// calls counts the lines that call a server.
func (c *catalogue) calls(p *ir.Package) int {
	n := 0
	for id, f := range c.facts.Items {
		if id.Server == p.Server {
			n += len(f.Sites)
		}
	}
	return n
}

func (c *catalogue) server(p *ir.Package) serverPage {
	v := serverPage{
		Title: line(p.Server) + " · MCP catalogue of " + c.title, Index: "../" + IndexName, Name: line(p.Server), Footer: c.footer(),
		Search: finder{Label: "Search this server", Elsewhere: "../" + IndexName},
		Words:  paragraphs(p.Doc.Server), Map: c.calledChart(p), Sections: c.sections(p), History: c.history(p.Server),
	}
	if p.Title != "" {
		v.Lede = strings.TrimSpace("It calls itself "+line(p.Title)+" "+line(p.Version)) + "."
	}
	size := 0
	for _, t := range p.Tools {
		size += t.Tokens
	}
	for _, s := range v.Sections {
		v.Stats = append(v.Stats, labelled{strings.ToLower(s.Heading), number(s.Count)})
	}
	v.Stats = append(v.Stats, labelled{"tokens of definitions", "≈ " + number(size)})
	if c.facts.Code != nil {
		v.Stats = append(v.Stats, labelled{"calls in the code", number(c.calls(p))})
	}
	return v
}

// reading explains the words of the pages, and lists what is unknown.
func (c *catalogue) reading() []labelled {
	out := []labelled{
		{"Effect", "The claim of the server in its annotations: reads, writes, may destroy. It is not checked and grants nothing. A tool without a claim counts as destructive, by the protocol."},
		{"Tokens", "The bytes of name, description and input schema as compact JSON, divided by 4. A model reads that much of a tool before it calls it."},
	}
	if c.facts.Policy != "" {
		out = append(out, labelled{"Policy", line(c.facts.Policy)})
	} else {
		out = append(out, labelled{"Policy", "The project has none: every tool may be called. The key policy of mcpgen.yaml holds one."})
	}
	if c.facts.Live {
		out = append(out, labelled{"Drift", "How the running server differs from what was locked when these pages were written."})
	} else {
		out = append(out, labelled{"Drift", "These are the locked definitions. mcpgen check compares the running servers with them; mcpgen docs --live adds the differences here."})
	}
	switch code := c.facts.Code; {
	case code == nil:
		out = append(out, labelled{"Calls", "The code of the module was not searched for the lines that call a tool; mcpgen docs does that."})
	case len(code.Unseen) > 0:
		out = append(out, labelled{"Calls", "Lines of the module that call generated functions, without tests. Not searched: " + strings.Join(plains(code.Unseen), "; ") + "."})
	default:
		out = append(out, labelled{"Calls", "Lines of the module that call generated functions, without tests."})
	}
	return out
}
