// The short report. It shows first the broken lines of the user's module, then breaking changes that
// touch no line, and counts of the rest. It fits a screen.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// MaxLines bounds the text without [Options.All] and [Options.Lines]. The summary and the next step that
// check prints fit on the same screen.
const MaxLines = 37

// density says how much of each part is shown. The rest is counted.
type density struct {
	wrap   bool // long texts are wrapped; otherwise they are cut
	blocks int  // blocks of broken lines
	sites  int  // lines per block
	per    int  // findings per block
	names  int  // lines for the names of a finding
	shown  int  // servers with findings
	items  int  // findings per server; 0 only counts them
	mild   int  // harmless findings per server; 0 only counts them
	others int  // other entries: servers, files
}

// densities returns the ways to show a report, the most detailed first. The last one fits any report.
func densities() []density {
	const all = 1 << 30
	return []density{
		{true, all, all, all, 3, all, all, 5, all},
		{true, 12, 6, 4, 2, all, 12, 3, 8},
		{false, 10, 4, 3, 2, 20, 8, 2, 6},
		{false, 8, 3, 3, 1, 10, 5, 1, 4},
		{false, 6, 2, 2, 1, 6, 3, 1, 3},
		{false, 6, 2, 2, 1, 6, 3, 0, 3},
		{false, 4, 2, 2, 1, 4, 2, 0, 3},
		{false, 3, 1, 1, 1, 3, 1, 0, 1},
		{false, 3, 1, 1, 1, 3, 0, 0, 1},
		{false, 1, 1, 1, 1, 1, 0, 0, 0},
	}
}

func writeText(r *Report, o *Options) ([]byte, error) {
	if o.All {
		p := newPage(o)
		p.brief(r, densities()[0], densities()[0], r.blocks(), nil)
		if p.b.Len() > 0 {
			p.line("")
		}
		p.full(r)
		return []byte(p.b.String()), nil
	}
	return []byte(r.screen(o)), nil
}

// FewLines bounds the text for commands that print other output too.
const FewLines = 21

// screen returns the text that fits: as much as possible about the user's code, then as much as possible
// of the rest.
func (r *Report) screen(o *Options) string {
	blocks, parts := r.blocks(), r.parts()
	var out string
	lines := func(yours, rest density, parts []part) int {
		p := newPage(o)
		p.brief(r, yours, rest, blocks, parts)
		out = p.b.String()
		return strings.Count(out, "\n")
	}
	limit := cmp.Or(o.Lines, MaxLines)
	all := densities()
	for i, yours := range all {
		if i+1 < len(all) && lines(yours, yours, nil) > limit*2/3 { // the part about the user's code
			continue
		}
		for _, rest := range all {
			if lines(yours, rest, parts) <= limit {
				return out
			}
		}
	}
	return out
}

// part is the changes under one heading.
type part struct {
	head  node
	want  func(*Change) bool
	limit func(density) int // nil: shown elsewhere
	found [][]finding       // by server; servers without findings are empty
}

// parts returns the changes that break no searched line: changes to review, breaking changes for callers,
// exceeded budgets, and harmless changes.
func (r *Report) parts() []part {
	items, mild := func(d density) int { return d.items }, func(d density) int { return d.mild }
	counted := func(severity drift.Severity) func(*Change) bool {
		return func(c *Change) bool { return c.Severity == severity && !calm(c) }
	}
	budget := func(c *Change) bool {
		return c.Rule == drift.SurfaceBudgetExceeded && c.Severity.AtLeast(drift.Unknown)
	}
	broken := func(c *Change) bool {
		return c.Severity.AtLeast(drift.Unknown) && !touched(c) && !budget(c) && !c.Accepted
	}
	security := func(c *Change) bool { return broken(c) && c.Class == drift.ClassSecurity }
	unused := "breaks, but your code does not use it"
	if len(r.Unseen) > 0 {
		unused = "breaks, but mcpgen cannot tell whether your code uses it"
	}
	all := []part{
		{head: node{lead: "review before you accept", color: bad}, limit: items, want: security},
		{head: node{lead: unused, color: bad}, limit: items, want: func(c *Change) bool { return broken(c) && !security(c) }},
		{head: node{lead: "exceeds a budget", text: "exceeds a budget", color: bad}, limit: items, want: budget},
		{head: node{lead: "accepted here, and no line of this module breaks by it", color: good}, limit: mild,
			want: func(c *Change) bool { return c.Accepted && c.Severity.AtLeast(drift.Unknown) }},
		{head: node{lead: "warnings", color: caution}, limit: mild, want: counted(drift.Warning)},
		{head: node{lead: "changed, and nothing breaks", color: good}, limit: mild, want: counted(drift.Info)},
		{head: node{lead: "changed texts"}, want: calm},
	}
	for i := range all {
		for j := range r.Servers {
			all[i].found = append(all[i].found, findings(&r.Servers[j], all[i].want))
		}
	}
	return all
}

// brief writes the broken lines, then the parts, then the state of the servers and of the generated
// files.
func (p *page) brief(r *Report, yours, d density, blocks []block, parts []part) {
	sections := p.yours(r, blocks, yours)
	if parts != nil {
		sections = append(sections, p.unchecked(r, d)...)
		for _, part := range parts {
			if part.limit != nil { // texts have their own section
				sections = append(sections, p.section(part, d)...)
			}
		}
		sections = append(sections, p.files(r, d)...)
	}
	for i, s := range sections {
		if i > 0 && (len(s.kids) > 0 || len(sections[i-1].kids) > 0) {
			p.line("")
		}
		p.node(s, "", "")
	}
}

// yours returns the nodes about the user's code.
func (p *page) yours(r *Report, blocks []block, d density) []node {
	var out []node
	calling := slices.IndexFunc(blocks, func(b block) bool { return b.calls })
	if calling < 0 {
		calling = len(blocks)
	}
	if calling > 0 {
		lead := "breaks your code"
		if blocks[0].findings[0].severity == drift.Unknown {
			lead = "may break your code"
		}
		out = append(out, p.lines(node{lead: lead, color: bad}, blocks[:calling], d))
	}
	if calling < len(blocks) {
		lead := "uses a changed tool, but may still work"
		out = append(out, p.lines(node{lead: lead, color: caution}, blocks[calling:], d))
	}
	if len(blocks)+len(r.Unseen) == 0 && r.changed() && r.known() {
		out = append(out, node{text: "no change breaks a line of this module", lead: "nothing", color: good})
	}
	if len(r.Unseen) > 0 {
		head := node{lead: "could not search your code for calls", color: caution}
		head.text = head.lead + ": more lines may break than are listed"
		for _, u := range r.Unseen {
			text := strings.TrimSpace(line(Position{u.File, u.Line}.String()) + " " + line(u.Reason))
			head.kids = append(head.kids, node{text: text, cut: !d.wrap})
		}
		head.kids = most(head.kids, d.others)
		out = append(out, head)
	}
	return out
}

// lines returns blocks under a heading.
func (p *page) lines(head node, blocks []block, d density) node {
	sites := linesOf(blocks)
	files := slices.CompactFunc(slices.Clone(sites), func(a, b drift.CallSite) bool { return a.File == b.File })
	head.text = fmt.Sprintf("%s: %s in %s",
		head.lead, safetext.Count(len(sites), "line"), safetext.Count(len(files), "file"))
	for i, b := range blocks {
		if i == d.blocks {
			left := len(linesOf(blocks[i:]))
			head.kids = append(head.kids, andMore(left, "line"))
			break
		}
		head.kids = append(head.kids, p.block(b, d)...)
	}
	return head
}

// known reports whether every server was checked.
func (r *Report) known() bool {
	return !slices.ContainsFunc(r.Servers, func(s Server) bool {
		return !slices.Contains([]string{StateChecked, StateNew, StateGone, StateUnlocked}, s.State)
	})
}

// changed reports whether there is a change to review. An exceeded budget is not a change.
func (r *Report) changed() bool {
	return r.Any(func(c *Change) bool {
		return c.Rule != drift.SurfaceBudgetExceeded && !c.Accepted && c.Severity.AtLeast(drift.Warning)
	})
}

// block returns nodes with lines of code, what breaks them, and what to do.
func (p *page) block(b block, d density) []node {
	var out []node
	for i, s := range b.sites {
		if i == d.sites {
			out = append(out, node{text: "and " + safetext.Count(len(b.sites)-i, "line") + " more"})
			break
		}
		at := line(Position{s.File, s.Line}.String())
		source := line(s.Source)
		if source == "" {
			source = verb(s) + " " + line(s.Symbol)
		}
		n := node{lead: at, text: at + "  " + source, color: place, cut: true}
		if d.wrap && !fits(n.text, p.width-2) {
			n.text, n.kids = at, []node{{text: source, cut: true}}
		}
		out = append(out, n)
	}
	last := &out[len(out)-1]
	var remedies []string
	for i, f := range b.findings {
		if i == d.per {
			last.kids = append(last.kids, andMore(len(b.findings)-i, "finding"))
			break
		}
		n := node{text: line(f.server) + "/" + f.items[0].String() + ": " + f.text, cut: !d.wrap}
		if len(f.items) > 1 {
			n.text = line(f.server) + ": " + p.several(f, min(d.names, 2))
		}
		if f.severity == drift.Unknown {
			n.lead, n.color = "unknown", caution
			n.text = "unknown: " + n.text
		}
		last.kids = append(last.kids, n)
		if f.remedy != "" && !slices.Contains(remedies, f.remedy) {
			remedies = append(remedies, f.remedy)
		}
	}
	if i := slices.IndexFunc(b.sites, func(s drift.CallSite) bool { return s.Error != "" }); i >= 0 && d.wrap {
		last.kids = append(last.kids, node{text: "the compiler: " + line(b.sites[i].Error)})
	}
	for _, way := range remedies {
		last.kids = append(last.kids, node{lead: "→", text: "→ " + way, color: good, cut: !d.wrap})
	}
	return out
}

// section returns changes by server, with counts.
func (p *page) section(part part, d density) []node {
	head, limit := part.head, part.limit(d)
	changes, servers := 0, 0
	var each []string // servers with counts, if only these are shown
	for _, found := range part.found {
		n := changesIn(found)
		if n == 0 {
			continue
		}
		changes += n
		if servers++; servers > d.shown && limit > 0 {
			continue
		}
		if limit == 0 {
			each = append(each, fmt.Sprintf("%s %d", line(found[0].server), n))
			continue
		}
		server := node{kids: p.findings(found, limit, d)}
		server.text = line(found[0].server) + ": " + safetext.Count(n, "change") + " in " + howMany(itemsOf(found))
		if len(server.kids) == 1 {
			server = server.kids[0]
			server.text = line(found[0].server) + ": " + server.text
		}
		head.kids = append(head.kids, server)
	}
	if changes == 0 {
		return nil
	}
	if servers > d.shown && limit > 0 {
		head.kids = append(head.kids, andMore(servers-d.shown, "server"))
	}
	head.text = cmp.Or(head.text, head.lead+": "+safetext.Count(changes, "change"))
	if each != nil {
		head.text, head.cut = head.text+": "+strings.Join(each, ", "), true
	}
	return []node{head}
}

// findings returns the findings of one server. A finding of several items is one line with their names;
// the other findings of an item share one line.
func (p *page) findings(all []finding, limit int, d density) []node {
	var out []node
	var changes []int // by node
	var single []finding
	for _, f := range all {
		if len(f.items) > 1 {
			changes = append(changes, f.changes)
			out = append(out, p.marked(f, node{text: p.several(f, d.names), cut: !d.wrap}))
		} else {
			single = append(single, f)
		}
	}
	shared := len(out)
	for i, f := range single {
		if slices.ContainsFunc(single[:i], f.beside) {
			continue // shown on the line of the first finding of its item
		}
		text, n := f.text, f.changes
		for _, o := range single[i+1:] {
			if o.beside(f) {
				text += "; " + o.text
				n += o.changes
			}
		}
		if n > f.changes {
			text = safetext.Count(n, "change") + ": " + text
		}
		changes = append(changes, n)
		out = append(out, p.marked(f, node{text: f.items[0].String() + ": " + text, cut: !d.wrap}))
	}
	if all[0].severity == drift.Info && len(out) > limit {
		limit = min(limit, shared, 2) // among harmless changes, those shared by many items matter most
	}
	if out = most(out, limit); len(out) == len(changes) {
		return out
	}
	left := 0
	for _, n := range changes[limit:] {
		left += n
	}
	if over := len(changes) - limit; left > over {
		out[limit].text = fmt.Sprintf("and %d more with %s: --all lists them", over, safetext.Count(left, "change"))
	}
	return out
}

// marked adds "unknown" or "security" to a finding of that kind.
func (p *page) marked(f finding, n node) node {
	switch {
	case f.severity == drift.Unknown:
		n.lead, n.color = "unknown", caution
	case f.security && f.severity == drift.Warning:
		n.lead, n.color = "security", bad
	default:
		return n
	}
	n.text = n.lead + ": " + n.text
	return n
}

// several returns a finding of several items, with as many of their names as fit in a number of lines.
func (p *page) several(f finding, lines int) string {
	text := f.text + ": " + howMany(f.items) + ": "
	mixed := slices.ContainsFunc(f.items, func(i item) bool { return i.kind != f.items[0].kind })
	room := lines*(p.width-10) - columns(text)
	for i, it := range f.items {
		name := line(it.name)
		if mixed {
			name = it.String()
		}
		if i > 0 {
			name = ", " + name
		}
		more := fmt.Sprintf(" and %d more", len(f.items)-i)
		if i > 0 && columns(name)+columns(more) > room {
			return text + more
		}
		text += name
		room -= columns(name)
	}
	return text
}

// unchecked returns the servers that could not be checked, and the removed ones.
func (p *page) unchecked(r *Report, d density) []node {
	var out []node
	for i := range r.Servers {
		if s := &r.Servers[i]; s.Verdict == drift.Unchecked || s.State == StateGone {
			out = append(out, node{lead: line(s.Server), text: line(s.Server) + ": " + standing(s), color: bad, cut: !d.wrap})
		}
	}
	return most(out, d.others)
}

// files returns the outdated generated files, and the servers without changes.
func (p *page) files(r *Report, d density) []node {
	var out []node
	for _, f := range r.Stale {
		out = append(out, node{text: line(f.Path) + ": " + line(f.State), cut: !d.wrap})
	}
	out = most(out, d.others)
	out = append(out, p.repaired(r, d)...)
	var accepted []node
	for _, a := range r.Accepted {
		text := "accepted here: " + line(a.String())
		accepted = append(accepted, node{lead: "accepted here", text: text, color: caution, cut: !d.wrap})
	}
	out = append(out, most(accepted, d.others)...)
	if r.Error != "" {
		out = append(out, node{text: "the generated files could not be compared"})
	}
	var same, silent []string
	for _, s := range r.Servers {
		if text := UnofferedText(s.Unoffered); text != "" {
			out = append(out, node{lead: line(s.Server), text: line(s.Server) + ": " + text, color: caution, cut: !d.wrap})
		}
		switch {
		case s.Took != "":
			out = append(out, node{lead: line(s.Server), text: line(s.Server) + ": " + standing(&s), color: good, cut: !d.wrap})
		case s.Verdict != drift.Unchanged || s.State == StateGone:
		case len(s.Off) > 0:
			silent = append(silent, line(s.Server))
		default:
			same = append(same, line(s.Server))
		}
	}
	if len(silent) > 0 {
		lead := "changed, but all rules about the change are off"
		text := lead + ": " + strings.Join(silent, ", ") + ": --all shows it"
		out = append(out, node{lead: lead, text: text, color: caution, cut: !d.wrap})
	}
	if len(same) > 0 {
		out = append(out, node{lead: "no drift", text: "no drift: " + strings.Join(same, ", "), color: good, cut: !d.wrap})
	}
	return out
}

// repaired returns the lines that changes broke and the branch repaired.
func (p *page) repaired(r *Report, d density) []node {
	head := node{lead: "repaired here", color: good, cut: !d.wrap}
	for _, s := range r.Servers {
		for _, site := range s.Repaired {
			at := Position{site.File, site.Line}.String()
			head.kids = append(head.kids, node{text: line(at) + "  " + line(site.Source), cut: true})
		}
	}
	if len(head.kids) == 0 {
		return nil
	}
	head.text = head.lead + ": " + safetext.Count(len(head.kids), "line") + ", with their numbers before the repair"
	head.kids = most(head.kids, d.others)
	return []node{head}
}

// andMore counts things that are not shown.
func andMore(n int, noun string) node {
	return node{text: "and " + safetext.Count(n, noun) + " more: --all lists them"}
}

// most keeps n nodes and counts the rest. If only one more remains, it is shown instead of counted.
func most(nodes []node, n int) []node {
	if len(nodes) <= n+min(n, 1) {
		return nodes
	}
	return append(nodes[:n:n], node{text: fmt.Sprintf("and %d more: --all lists them", len(nodes)-n)})
}
