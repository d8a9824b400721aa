// The report as text for a terminal, with or without colors.

package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Limits of the text. The JSON form is complete.
const (
	maxSites   = 60   // call sites of one change
	maxWitness = 4000 // bytes
)

// full writes every change, by server and item, with values, witnesses and call sites.
func (p *page) full(r *Report) {
	for i := range r.Servers {
		p.server(&r.Servers[i])
	}
	for _, f := range r.Stale {
		p.wrap(0, line(f.Path)+": "+line(f.State))
	}
	for _, n := range p.repaired(r, densities()[0]) {
		p.node(n, "", "")
	}
	for _, a := range r.Accepted {
		p.wrap(0, "accepted here: "+line(a.String())+": "+line(a.Before)+" → "+line(a.After))
	}
	if r.Error != "" {
		p.wrap(0, "the generated files could not be compared")
	}
}

// page is a text that is wrapped to a width.
type page struct {
	b     strings.Builder
	width int
	o     *Options
}

func newPage(o *Options) *page {
	p := &page{width: o.Width, o: o}
	if p.width <= 0 {
		p.width = 80
	}
	return p
}

func (p *page) server(s *Server) {
	p.wrap(0, line(s.Server)+": "+standing(s))
	if text := UnofferedText(s.Unoffered); text != "" {
		p.wrap(2, text)
	}
	for _, g := range groups(s.whole()) {
		p.wrap(2, title(g.kind, g.name))
		for _, c := range g.changes {
			p.change(s.Server, c)
		}
	}
}

// standing describes the state of a server. The command prints separately, as an error, why a server
// could not be checked.
func standing(s *Server) string {
	switch {
	case s.Took != "":
		return "first locked here: " + line(s.Took)
	case s.State == StateUnlocked:
		return "not locked: run mcpgen generate and commit the result"
	case s.State == StateRefused:
		return "could not be checked: the launch changed, and mcpgen starts the server only after you accept the new launch"
	case s.Verdict == drift.Unchecked:
		return "could not be checked: " + s.State
	case s.State == StateGone:
		return "gone"
	case s.Verdict == drift.Unchanged && len(s.Off) > 0:
		return "changed, but all rules about the change are off"
	}
	verdict := map[drift.Verdict]string{
		drift.Unchanged:               "no drift",
		drift.Verdict(drift.Info):     "changed, and nothing breaks",
		drift.Verdict(drift.Warning):  "changed, with warnings",
		drift.Verdict(drift.Unknown):  "changed, and it is unknown whether that breaks",
		drift.Verdict(drift.Breaking): "breaking changes",
	}[s.Verdict]
	if s.State == StateNew {
		return "new; " + verdict
	}
	return verdict
}

func (p *page) change(server string, c *Change) {
	label := string(c.Severity)
	if c.Class == drift.ClassSecurity {
		label += " security"
	}
	head := label + " " + c.Rule.String()
	if c.Path != "" {
		head += " at " + line(c.Path)
	}
	p.painted(label, severityColor(c.Severity), func() { p.wrap(4, head) })
	p.wrap(6, line(c.Message))
	p.wrap(6, c.New)
	if c.Severity.AtLeast(drift.Warning) && c.Words == "" && (c.New == "" || c.Class != drift.ClassSecurity) {
		p.values(c)
	}
	p.witness(server, c)
	for i, site := range c.CallSites {
		if i == maxSites {
			p.wrap(6, "and "+strconv.Itoa(len(c.CallSites)-i)+" more lines: --format json lists them")
			break
		}
		p.wrap(6, line(Position{site.File, site.Line}.String())+" "+verb(site)+" "+line(site.Symbol))
	}
	if p.o.Verbose && c.AfterHash != "" {
		p.line("      after:")
		p.line("      " + line(c.AfterHash))
	}
}

// painted colors the first occurrence of a word in what write writes.
func (p *page) painted(word string, c color, write func()) {
	start := p.b.Len()
	write()
	if !p.o.Color || c == "" || word == "" {
		return
	}
	written := p.b.String()
	p.b.Reset()
	p.b.WriteString(written[:start] + strings.Replace(written[start:], word, "\x1b["+string(c)+"m"+word+"\x1b[0m", 1))
}

// color holds the parameters of an ANSI sequence.
type color string

// The colors.
const (
	bad     color = "1;31"
	caution color = "33"
	good    color = "32"
	place   color = "36"
)

// severityColor returns the color of a severity.
func severityColor(s drift.Severity) color {
	return map[drift.Severity]color{drift.Breaking: bad, drift.Unknown: "35", drift.Warning: caution, drift.Info: place}[s]
}

// node is a line with the nodes below it.
type node struct {
	text  string
	lead  string // the part of the text that is colored
	color color
	cut   bool // the text is cut at the end of the line instead of wrapped
	kids  []node
}

// node writes a node after a margin. The nodes below it are drawn as a tree if [Options.Tree] is set,
// else indented.
func (p *page) node(n node, margin, more string) {
	p.painted(n.lead, n.color, func() {
		switch room := p.width - columns(margin); {
		case !n.cut:
			p.words(margin, more+"  ", n.text)
		case fits(n.text, room):
			p.line(margin + n.text)
		default:
			p.line(margin + head(n.text, room-1) + "…")
		}
	})
	for i, kid := range n.kids {
		switch {
		case !p.o.Tree:
			p.node(kid, more+"  ", more+"  ")
		case i+1 == len(n.kids):
			p.node(kid, more+"└ ", more+"  ")
		default:
			p.node(kid, more+"├ ", more+"│ ")
		}
	}
}

// values writes the values before and after a change.
func (p *page) values(c *Change) {
	was, now := shown(c)
	if was != "" {
		p.clipped("      was ", was)
	}
	if now != "" {
		p.clipped("      now ", now)
	}
}

// shown returns the values before and after a change, unless its message contains them. For a change of a
// whole definition the message is enough.
func shown(c *Change) (was, now string) {
	if c.Path == "" {
		return "", ""
	}
	if text := compact(c.Before); c.Before != nil && !strings.Contains(c.Message, text) {
		was = text
	}
	if text := compact(c.After); c.After != nil && !strings.Contains(c.Message, text) {
		now = text
	}
	return was, now
}

// clipped writes a prefix and as much of a value as fits on the line.
func (p *page) clipped(prefix, text string) {
	room := p.width - len(prefix)
	if !fits(text, room) {
		text = head(text, room-1) + "…"
	}
	p.line(prefix + text)
}

// witness writes the value that a change breaks: as a call that can be pasted into a shell, or as JSON.
func (p *page) witness(server string, c *Change) {
	switch text := compact(c.Witness); {
	case c.Witness == nil:
	case len(text) > maxWitness:
		p.wrap(6, "the example value has "+strconv.Itoa(len(text))+" bytes: --format json shows it")
	case isCall(c):
		p.wrap(6, proof(c)+":")
		p.command(server, c)
	default:
		p.wrap(6, proof(c)+":")
		p.broken(8, 8, tokens(text), "", "")
	}
}

// proof describes what the witness of a change shows.
func proof(c *Change) string {
	switch {
	case isCall(c):
		return "this call worked before and is now refused"
	case isResult(c):
		return "this result is newly possible"
	}
	return "this value was valid before and is no longer valid"
}

// command writes a call, if necessary over several lines: a shell passes line breaks between JSON tokens
// like spaces.
func (p *page) command(server string, c *Change) {
	if text := "        " + command(server, c); columns(text) <= p.width {
		p.line(text)
		return
	}
	p.line("        mcpgen call " + hint.Word(server+"/"+c.Name) + ` \`)
	p.broken(10, 12, tokens(compact(c.Witness)), "--args '", "'")
}

// broken fills lines with the tokens of a JSON text. A token that is too long for a line continues at the
// beginning of the next line, and the shell joins the two.
func (p *page) broken(indent, more int, parts []string, open, end string) {
	cur := strings.Repeat(" ", indent) + open
	first := true
	for _, part := range parts {
		if !first && !fits(part, p.width-columns(cur)-len(end)) {
			p.line(cur)
			cur = strings.Repeat(" ", more)
		}
		for end != "" && !fits(part, p.width-columns(cur)-len(end)) {
			piece := head(part, p.width-2-columns(cur))
			p.line(cur + piece + end + `\`)
			cur, part = end, part[len(piece):]
		}
		for end == "" && !fits(part, p.width-columns(cur)) {
			piece := head(part, p.width-columns(cur))
			p.line(cur + piece)
			cur, part = strings.Repeat(" ", more), console.Inert(part[len(piece):])
		}
		cur += part
		first = false
	}
	p.line(cur + end)
}

// wrap writes words on as many lines as necessary.
func (p *page) wrap(indent int, text string) {
	margin := strings.Repeat(" ", indent)
	p.words(margin, margin+"  ", text)
}

// words writes words after a margin; lines after the first begin with the margin more.
func (p *page) words(margin, more, text string) {
	cur := margin
	for word := range strings.FieldsSeq(text) {
		word = console.Inert(word)
		if cur != margin && !fits(word, p.width-columns(cur)-1) {
			p.line(cur)
			margin, cur = more, more
		}
		if cur != margin {
			cur += " "
		}
		for !fits(word, p.width-columns(cur)) {
			piece := head(word, p.width-columns(cur))
			p.line(cur + piece)
			margin, cur, word = more, more, console.Inert(word[len(piece):])
		}
		cur += word
	}
	if cur != margin {
		p.line(cur)
	}
}

// line writes one line, made inert for the program that runs mcpgen.
func (p *page) line(text string) {
	p.b.WriteString(console.Inert(text))
	p.b.WriteByte('\n')
}

// columns returns the width of a text in a terminal.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += column(r)
	}
	return n
}

// prefix returns the number of bytes of a text that fit in a number of columns.
func prefix(text string, room int) int {
	for i, r := range text {
		if room -= column(r); room < 0 {
			return i
		}
	}
	return len(text)
}

// fits reports whether a text fits in a number of columns. It reads no more of the text than necessary.
func fits(text string, room int) bool { return room >= 0 && prefix(text, room) == len(text) }

// column returns the width of a character: two for characters in Unicode blocks that are wide in every
// terminal.
func column(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6,
		r >= 0x1F300 && r <= 0x1FAFF, r >= 0x20000 && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// head returns as much of a text as fits in a number of columns, and at least one character.
func head(text string, room int) string {
	_, first := utf8.DecodeRuneInString(text)
	return text[:max(first, prefix(text, room))]
}
