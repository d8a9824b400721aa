package textgen

// The pages of the catalogue, in HTML. Every text of a server, of a lock or of a
// repository reaches a page as a string through plain or line: package html/template
// escapes it for the position where it stands, and these two remove what a reader
// would not see. No value here has a type that html/template takes for markup.

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/templates"
)

// IndexName is the name of the catalogue's first page, in the output folder.
const IndexName = "index.html"

// HTMLName is the name of a server's page within the package's folder.
func HTMLName(p *ir.Package) string { return p.Name + ".html" }

// renderHTML fills a template of the catalogue and puts the header before it.
func renderHTML(name string, view any) ([]byte, error) {
	text, err := templates.HTML(name, view)
	if err != nil {
		return nil, err
	}
	return append([]byte(Header+"\n"), text...), nil
}

// plain is a text of several lines as a reader sees it.
func plain(s string) string { return strings.TrimSpace(visible(s)) }

// line is a text on one line.
func line(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }

// goText is Go code, with its tabs.
func goText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || safetext.Visible(r) {
			return r
		}
		return -1
	}, s)
}

// paragraphs are the parts of a text between blank lines. Line breaks within them
// stay.
func paragraphs(s string) []string {
	var out []string
	blank := true
	for l := range strings.SplitSeq(plain(s), "\n") {
		l = strings.TrimRight(l, " ")
		switch {
		case l == "":
		case blank:
			out = append(out, l)
		default:
			out[len(out)-1] += "\n" + l
		}
		blank = l == ""
	}
	return out
}

func plains(list []string) []string { return each(list, line) }

type labelled struct{ Label, Value string }

// tag is a short fact about an item.
type tag struct{ Class, Text, Title string }

// entry is an item, on the page of its server and in the index.
type entry struct {
	ID, Name, Href, Brief string
	Risk                  string   // key of its effect
	Words                 string   // searched in the index as well as name and brief
	Tags                  []tag    // short facts
	Text                  []string // the server's words
	Go, Signature         string
	Example               string
	Args                  []field
	NoArgs                bool // a tool that takes none
	Result, ResultText    string
	Types                 []declared
	TypeCount             int
	Notes                 []string
	Known                 []known
	Changes               []string // that break a module
}

// known are the facts about an item that its definition does not have.
type known struct {
	Label, Value string
	Mark, Class  string // a word of state; may be ""
	List         []string
	Sites        []htmlSite
}

type htmlSite struct{ At, Href, Code string }

// effect describes what a call may do, by the server's annotations.
type effect struct {
	Key, Label, Text string
	Count            int
}

// effects are all of them, the mildest first.
func effects() []effect {
	return []effect{
		{Key: "reads", Label: "reads", Text: "The server says that the tool changes nothing."},
		{Key: "writes", Label: "writes", Text: "The server says that the tool only adds."},
		{Key: "destroys", Label: "may destroy", Text: "The server says that the tool may delete or overwrite."},
		{Key: "unstated", Label: "unstated", Text: "The server does not say what the tool does, so the tool may delete or overwrite."},
	}
}

// effectOf classifies a tool by the protocol's rules: destructiveHint means something
// for a tool alone that is not read-only.
func effectOf(h ir.Hints) effect {
	all := effects()
	switch {
	case h.ReadOnly != nil && *h.ReadOnly:
		return all[0]
	case h.Destructive != nil && *h.Destructive:
		return all[2]
	case h.Destructive != nil:
		return all[1]
	}
	return all[3]
}

// hintText returns the server's claims about a tool's effects, word for word.
func hintText(h ir.Hints) string {
	var says []string
	for _, hint := range []struct {
		name  string
		value *bool
	}{{"readOnlyHint", h.ReadOnly}, {"destructiveHint", h.Destructive}, {"idempotentHint", h.Idempotent}, {"openWorldHint", h.OpenWorld}} {
		if hint.value != nil {
			says = append(says, hint.name+" "+strconv.FormatBool(*hint.value))
		}
	}
	if says == nil {
		return "No annotations."
	}
	return "Annotated " + strings.Join(says, ", ") + "."
}

// number writes n with a comma every three digits.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return number(n) + " " + thing + "s"
}

// catalogue makes the pages over the same servers.
type catalogue struct {
	title    string
	packages []*ir.Package
	facts    pagefacts.Facts
}

// entry is an item with everything that its server's page shows.
func (c *catalogue) entry(p *ir.Package, kind string, x listed) entry {
	e := entry{
		ID: x.goName, Go: x.goName, Name: cmp.Or(line(x.wire), x.goName), Href: path.Join(p.Name, HTMLName(p)) + "#" + x.goName,
		Brief: plainBrief(x.doc.Server), Text: paragraphs(x.doc.Server), Notes: plains(x.doc.Notes),
	}
	if x.args != nil {
		e.Args = html().fields(x.args)
	}
	if x.read != "" {
		e.Notes = append(e.Notes, x.read+" reads what such a URI names.")
	}
	f := c.facts.Items[pagefacts.ItemID{Server: p.Server, Kind: kind, Name: x.wire}]
	e.Tags, e.Known = tagsOf(f), c.known(f)
	if x.tool != nil {
		e.addCall(p, x.tool)
	}
	return e
}

// addCall adds how a tool is called, what it returns, and what is known of tools alone.
func (e *entry) addCall(p *ir.Package, t *ir.Tool) {
	kind := effectOf(t.Hints)
	e.Risk = kind.Key
	e.Tags = append([]tag{{"risk " + kind.Key, kind.Label, kind.Text}, {"size", "≈ " + count(t.Tokens, "token"), "what a model reads of the tool, estimated as bytes / 4"}}, e.Tags...)
	result := gotext.ResultType(t.Result)
	e.Signature = line(fmt.Sprintf("(ctx context.Context, args %s, opts ...runtime.CallOption) (%s, error)", t.Args.Go, result))
	e.Example = goText(exampleOf(p, t))
	e.NoArgs = len(t.Args.Fields) == 0
	e.Result = line(result)
	if t.Result == nil {
		e.ResultText = "The server declares no schema for it."
	}
	for _, d := range typesOf(t) {
		e.Types = append(e.Types, html().declared(d))
	}
	e.TypeCount = len(e.Types)
	e.Known = append([]known{
		{Label: "Effect", Value: kind.Text + " " + hintText(t.Hints)},
		{Label: "Cost", Value: fmt.Sprintf("≈ %s for the name, description and input schema (%s).", count(t.Tokens, "token"), count(t.Size, "byte"))},
		{Label: "Name for models", Value: line(t.Qualified)},
	}, e.Known...)
}

// tagsOf returns the facts in the index that a reader has to act on.
func tagsOf(f pagefacts.ItemFacts) []tag {
	var out []tag
	if n := len(f.Sites); n > 0 {
		out = append(out, tag{"calls", count(n, "call"), "lines of this module"})
	}
	if n := len(f.Users); n > 0 {
		out = append(out, tag{"used", count(n, "module"), "modules that pushed that they use it"})
	}
	if d := f.Access.Decision; d == "denied" || d == "ask" {
		out = append(out, tag{d, accessWord(d), line(f.Access.Reason)})
	}
	if s := f.Drift.State; s != "" && s != "unchanged" {
		out = append(out, tag{driftClass(s), "drift: " + line(s), strings.Join(plains(f.Drift.Changes), "; ")})
	}
	if len(f.Marks) > 0 {
		out = append(out, tag{"breaking", "marked", strings.Join(plains(f.Marks), "; ")})
	}
	return out
}

// known are the facts of an item, each with what is not known.
func (c *catalogue) known(f pagefacts.ItemFacts) []known {
	access := known{Label: "Policy", Value: "None, so every program of this project may call it."}
	if f.Access.Decision != "" {
		access = known{Label: "Policy", Mark: accessWord(f.Access.Decision), Class: line(f.Access.Decision), Value: line(f.Access.Reason)}
		if f.Access.Rule != "" {
			access.Value = "by the rule " + line(f.Access.Rule)
			if f.Access.File != "" {
				access.Value += " in " + line(f.Access.File)
			}
		}
	}
	out := []known{access}
	switch {
	case f.Drift.State != "":
		out = append(out, known{Label: "Drift", Mark: line(f.Drift.State), Class: driftClass(f.Drift.State), List: plains(f.Drift.Changes)})
	case !c.facts.Live:
		out = append(out, known{Label: "Drift", Value: "As it was locked; the running server was not compared."})
	}
	if len(f.Marks) > 0 {
		out = append(out, known{Label: "Text", Mark: "marked", Class: "breaking", Value: "by a heuristic: read the text yourself", List: plains(f.Marks)})
	}
	if len(f.Users) > 0 {
		out = append(out, known{Label: "Used by", List: firstWords(f.Users)})
	}
	if c.facts.Code == nil {
		return out
	}
	calls := known{Label: "Called from", Value: "No line of this module."}
	if len(f.Sites) > 0 {
		calls.Value = ""
		for _, s := range f.Sites {
			if !strings.HasPrefix(s.Href, "https://") {
				s.Href = ""
			}
			calls.Sites = append(calls.Sites, htmlSite{At: fmt.Sprintf("%s:%d", line(s.File), s.Line), Href: s.Href, Code: line(s.Code)})
		}
	}
	return append(out, calls)
}

func accessWord(decision string) string {
	switch decision {
	case "allowed":
		return "allowed"
	case "ask":
		return "asks first"
	}
	return "denied"
}

// driftClass is how a state of drift is coloured.
func driftClass(state string) string {
	switch state {
	case "breaking", "unknown", "warning", "unchanged", "new":
		return state
	}
	return "other"
}

func plainBrief(s string) string { return line(firstSentence(s)) }

func html() writer {
	return writer{line, line, plain, func(t *ir.Type) string { return line(link().ReplaceAllString(lead(t), "$1")) }}
}
