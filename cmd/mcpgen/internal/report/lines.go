// Lines of the user's module with all their findings, which every format shows first, and the report in one line.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// ownLine is a line that breaks, or may break.
type ownLine struct {
	drift.CallSite          // of the worst finding
	found          []onLine // the worst first
}

// onLine is one change that breaks a line, or may break it.
type onLine struct {
	server *Server
	change *Change
	site   drift.CallSite
}

// ownLines returns the lines: certainly broken lines first, then by the severity of their findings, then
// by file and number.
func (r *Report) ownLines() []ownLine {
	var out []ownLine
	known := map[Position]int{}
	for s, c := range r.ByServer() {
		if !touched(c) {
			continue
		}
		for _, site := range c.CallSites {
			at, ok := known[Position{site.File, site.Line}]
			if !ok {
				at = len(out)
				known[Position{site.File, site.Line}] = at
				out = append(out, ownLine{})
			}
			out[at].found = append(out[at].found, onLine{s, c, site})
		}
	}
	for i := range out {
		l := &out[i]
		slices.SortStableFunc(l.found, func(a, b onLine) int {
			return cmp.Or(first(!calls(a.site), !calls(b.site)), first(a.site.Error != "", b.site.Error != ""),
				worse(a.change.Severity, b.change.Severity))
		})
		l.CallSite = l.found[0].site
	}
	slices.SortFunc(out, func(a, b ownLine) int {
		return cmp.Or(first(!calls(a.CallSite), !calls(b.CallSite)),
			worse(a.found[0].change.Severity, b.found[0].change.Severity),
			strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// at returns the position of a line.
func (l *ownLine) at() Position { return Position{l.File, l.Line} }

// fails reports whether a finding of the line fails the check.
func (l *ownLine) fails(o *Options) bool {
	return slices.ContainsFunc(l.found, func(f onLine) bool { return o.fails(f.change) })
}

// says describes how one change affects a line of source. It may return several lines.
func (f onLine) says() string {
	text := verb(f.site) + " " + f.site.Symbol + "; " + f.change.Rule.String() + ": " + f.change.Message
	if f.site.Error != "" {
		text += "\nthe compiler: " + f.site.Error
	}
	if f.change.Remedy != "" {
		text += "\n→ " + f.change.Remedy
	}
	return text
}

// item names what a change is about, with its server.
func (f onLine) item() string { return f.server.Server + ": " + title(f.change.Kind, f.change.Name) }

// maxOnLine bounds the changes that are listed for one line.
const maxOnLine = 3

// says describes the changes that affect l, at most maxOnLine of them.
func (l *ownLine) says() string {
	text := l.found[0].says()
	for i, f := range l.found[1:] {
		if i+1 == maxOnLine {
			text += "\nand " + safetext.Count(len(l.found)-maxOnLine, "change") + " more"
			break
		}
		text += "\n" + f.item() + ": " + f.change.Rule.String() + ": " + f.change.Message
	}
	return text
}

// maxEdits bounds the changed texts that are listed after the lines.
const maxEdits = 5

// beside summarizes the findings not shown with the lines: hidden lines, files that were not searched, servers
// that were not checked, and other changes. Fails reports whether any of it fails the check.
func (r *Report) beside(o *Options, hidden []ownLine) (text []string, fails bool) {
	say := func(failing bool, format string, args ...any) {
		text, fails = append(text, fmt.Sprintf(format, args...)), fails || failing
	}
	if len(hidden) > 0 {
		fails := func(l ownLine) bool { return l.fails(o) }
		say(slices.ContainsFunc(hidden, fails), "and %s more of your code", safetext.Count(len(hidden), "line"))
	}
	for _, u := range r.Unseen {
		say(false, "could not search your code for calls: %s",
			strings.TrimSpace(Position{u.File, u.Line}.String()+" "+u.Reason))
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		if s.Verdict == drift.Unchecked {
			say(true, "%s: could not be checked: %s", s.Server, s.reason())
		}
		if unoffered := UnofferedText(s.Unoffered); unoffered != "" {
			say(false, "%s: %s", s.Server, unoffered)
		}
		if s.Took != "" {
			say(false, "%s: %s", s.Server, standing(s))
		}
	}
	for _, part := range r.parts() {
		if part.limit == nil {
			continue // texts, which come after the other changes
		}
		all, shown := slices.Concat(part.found...), ""
		if i := slices.IndexFunc(all, func(f finding) bool { return f.severity.AtLeast(drift.Unknown) }); i >= 0 {
			shown = ", such as " + all[i].server + "/" + all[i].items[0].String() + ": " + all[i].text
		}
		if n := changesIn(all); n > 0 {
			say(part.fails(r, o), "%s: %s%s", part.head.lead, safetext.Count(n, "change"), shown)
		}
	}
	if all := r.edits(); len(all) > 0 {
		fails := func(p part) bool { return p.limit == nil && p.fails(r, o) }
		say(slices.ContainsFunc(r.parts(), fails), "%s", r.textsTitle())
		for i, e := range all {
			if i == maxEdits {
				say(false, "and %s more", safetext.Count(len(all)-i, "text"))
				break
			}
			say(false, "%s: %s", e.head(newPage(&Options{})), console.Cut(e.changes[0].shownWords(), maxCode/2))
		}
	}
	if n := r.repaired(); n > 0 {
		say(false, "repaired here: %s", safetext.Count(n, "line"))
	}
	for _, a := range r.Accepted {
		say(false, "accepted here: %s", a)
	}
	for _, f := range r.Stale {
		say(true, "%s: %s: run mcpgen generate and commit the result", f.Path, f.State)
	}
	if r.Error != "" {
		say(true, "the generated files could not be compared: %s", r.Error)
	}
	return text, fails
}

// fails reports whether one of the part's changes fails the check.
func (p *part) fails(r *Report, o *Options) bool {
	return r.Any(func(c *Change) bool { return p.want(c) && o.fails(c) })
}

// repaired returns how many lines the branch repaired.
func (r *Report) repaired() int {
	n := 0
	for _, s := range r.Servers {
		n += len(s.Repaired)
	}
	return n
}

// Count returns the number of changes of a severity that are not accepted.
func (r *Report) Count(s drift.Severity) int {
	return r.count(func(c *Change) bool { return c.Severity == s && !c.Accepted })
}

// Clean reports whether servers were checked without any change, outdated file or unknown result.
func (r *Report) Clean() bool {
	texts, _, off := r.texts()
	return len(r.Servers) > 0 && r.Verdict == drift.Unchanged &&
		len(r.Accepted)+texts+off == 0 && len(r.Stale) == 0 && r.Error == ""
}

// Summary returns one line for a person: the number of checked servers, and changes by severity.
func (r *Report) Summary() string {
	var checked, unlocked, unknown int
	for _, s := range r.Servers {
		switch s.State {
		case StateChecked, StateNew, StateGone:
			checked++
		case StateUnlocked:
			unlocked++
		default:
			unknown++
		}
	}
	first := cmp.Or(checked, unlocked, unknown)
	_, rest, _ := strings.Cut(counts(checked, "checked", unlocked, "not locked", unknown, "unknown"), " ")
	text := safetext.Count(first, "server") + " " + rest
	if first == 0 {
		text = "no server"
	}
	accepted := r.count(func(c *Change) bool { return c.Accepted })
	warnings := r.Count(drift.Warning)
	changes := counts(r.Count(drift.Breaking), "breaking", r.Count(drift.Unknown), "unknown",
		warnings, nounOf(warnings, "warning"), r.Count(drift.Info), "info", accepted, "accepted")
	texts, _, off := r.texts()
	switch {
	case changes != "":
		text += ": " + changes
	case texts+off+unlocked+unknown == 0:
		text += ": no change"
	}
	if texts+off > 0 {
		text += "; " + counts(texts, "of texts", off, "not counted")
	}
	if len(r.Stale) > 0 {
		text += fmt.Sprintf("; stale files: %d", len(r.Stale))
	}
	return text
}

// nounOf returns a noun in the form that follows a number.
func nounOf(n int, noun string) string {
	_, noun, _ = strings.Cut(safetext.Count(n, noun), " ")
	return noun
}
