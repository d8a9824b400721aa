// Grouping of changes for readers: equal changes are one finding, and findings that break lines of the
// user's module are separate.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// finding is the same change in one or more items of one server.
type finding struct {
	server   string
	severity drift.Severity
	security bool
	rule     drift.Rule
	text     string // what changed, without the item
	remedy   string // what to do; "" if nothing needs to be added
	items    []item // in the order of the report
	changes  int
	sites    []drift.CallSite // of all items, by file and line
}

// item is the item that a change is about.
type item struct {
	kind schema.Kind
	name string
}

// String returns the name of a tool; for other items, the name with its kind.
func (i item) String() string {
	switch i.kind {
	case schema.KindTool:
		return line(i.name)
	case drift.KindServer:
		return "the server itself"
	}
	return title(i.kind, i.name)
}

// touched reports whether a change breaks or may break lines of the user's module.
func touched(c *Change) bool { return len(c.CallSites) > 0 && c.Severity.AtLeast(drift.Unknown) }

// calls reports whether a line calls the changed item without a known use of the changed part.
func calls(s drift.CallSite) bool { return s.Kind == drift.SiteCalls }

// verb describes the relation of a line to a change.
func verb(s drift.CallSite) string {
	if calls(s) {
		return "may use"
	}
	return "uses"
}

// findings groups the wanted changes of a server: the worst first, then security findings, then
// additions, then in the order of the report.
func findings(s *Server, want func(*Change) bool) []finding {
	var out []finding
	known := map[string]int{}
	for i := range s.Changes {
		c := &s.Changes[i]
		if !want(c) {
			continue
		}
		text := summary(c)
		key := strings.Join([]string{string(c.Severity), c.Rule.String(), text}, "\x00")
		at, ok := known[key]
		if !ok {
			at = len(out)
			known[key] = at
			out = append(out, finding{
				server: s.Server, severity: c.Severity, security: c.Class == drift.ClassSecurity,
				rule: c.Rule, text: text, remedy: c.Remedy,
			})
		}
		f := &out[at]
		f.changes++
		if it := (item{c.Kind, c.Name}); len(f.items) == 0 || f.items[len(f.items)-1] != it { // they are sorted by item
			f.items = append(f.items, it)
		}
		f.sites = append(f.sites, c.CallSites...)
	}
	for i := range out {
		out[i].sites = sortedSites(out[i].sites)
	}
	out = joined(out)
	slices.SortStableFunc(out, func(a, b finding) int {
		return cmp.Or(worse(a.severity, b.severity), first(a.security, b.security), first(a.news(), b.news()))
	})
	return out
}

// joined merges findings that only differ in their subject and have the same items, such as "a" is new and
// "b" is new.
func joined(all []finding) []finding {
	var out []finding
	known := map[string]int{}
	subjects := map[int][]string{} // further subjects
	for _, f := range all {
		what, rest := subject(f.text)
		remedy := strings.Replace(f.remedy, what, "", 1)
		key := fmt.Sprint(f.severity, f.rule, rest, remedy, f.items, len(f.sites), linesText(f.sites))
		at, ok := known[key]
		if !ok || what == "" {
			known[key] = len(out)
			out = append(out, f)
			continue
		}
		subjects[at] = append(subjects[at], what)
		out[at].changes += f.changes
	}
	plural := strings.NewReplacer(" is ", " are ", " was ", " were ")
	for at, more := range subjects {
		f := &out[at]
		what, rest := subject(f.text)
		f.text = what + ", " + strings.Join(more, ", ") + plural.Replace(rest)
		f.remedy = strings.Replace(f.remedy, what, "them", 1)
	}
	return out
}

// linesText returns a key for lines: equal lines have equal keys.
func linesText(sites []drift.CallSite) string {
	var b strings.Builder
	for _, s := range sites {
		fmt.Fprintf(&b, "%q:%d,", s.File, s.Line)
	}
	return b.String()
}

// subject splits a sentence into its quoted subject and the rest.
func subject(text string) (what, rest string) {
	if !strings.HasPrefix(text, `"`) {
		return "", text
	}
	end := closing(text)
	return text[:end], text[end:]
}

// news reports whether a finding is about new items.
func (f finding) news() bool { return f.rule.Touch() == ruleid.TouchItemAdded }

// beside reports whether two findings of one item can share a line.
func (f finding) beside(o finding) bool {
	return f.items[0] == o.items[0] && f.severity == o.severity && f.security == o.security
}

// first sorts true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// sortedSites sorts lines by file and number, and drops duplicates.
func sortedSites(sites []drift.CallSite) []drift.CallSite {
	slices.SortStableFunc(sites, func(a, b drift.CallSite) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(sites, func(a, b drift.CallSite) bool { return a.File == b.File && a.Line == b.Line })
}

// block is a set of lines in the user's module, with the findings that break them or concern items they
// call.
type block struct {
	calls    bool
	sites    []drift.CallSite
	findings []finding
}

// blocks groups the findings into one block for each set of lines. Certainly broken lines come first,
// then possibly broken lines, then lines that call a changed item. A broken line is not listed again as a
// call.
func (r *Report) blocks() []block {
	out := r.blocksOf(func(s drift.CallSite) bool { return !calls(s) })
	broken := linesOf(out)
	return append(out, r.blocksOf(func(s drift.CallSite) bool {
		return calls(s) && !slices.ContainsFunc(broken, func(b drift.CallSite) bool {
			return b.File == s.File && b.Line == s.Line
		})
	})...)
}

func (r *Report) blocksOf(want func(drift.CallSite) bool) []block {
	var out []block
	known := map[string]int{}
	for i := range r.Servers {
		for _, f := range findings(&r.Servers[i], touched) {
			f.sites = slices.DeleteFunc(f.sites, func(s drift.CallSite) bool { return !want(s) })
			if len(f.sites) == 0 {
				continue
			}
			key := linesText(f.sites)
			at, ok := known[key]
			if !ok {
				at = len(out)
				known[key] = at
				out = append(out, block{calls: calls(f.sites[0]), sites: f.sites})
			}
			out[at].findings = append(out[at].findings, f)
		}
	}
	slices.SortStableFunc(out, func(a, b block) int {
		return cmp.Or(
			worse(a.findings[0].severity, b.findings[0].severity),
			strings.Compare(a.sites[0].File, b.sites[0].File),
			cmp.Compare(a.sites[0].Line, b.sites[0].Line),
		)
	})
	return out
}

// linesOf returns all lines of blocks.
func linesOf(blocks []block) []drift.CallSite {
	var all []drift.CallSite
	for _, b := range blocks {
		all = append(all, b.sites...)
	}
	return sortedSites(all)
}

// summary describes a change in one line, without the item. If the message does not name the changed
// member, the member is added.
func summary(c *Change) string {
	text := line(strings.TrimSuffix(c.Message, c.Aside))
	where, last := member(c.Path)
	if last != "" && c.Rule != drift.SourceIncompatible &&
		!strings.Contains(text, `"`+last+`"`) && strings.HasPrefix(c.Path, "/") {
		text += " at " + line(where)
	}
	if isResult(c) && !strings.HasPrefix(text, "results ") {
		text += ", in results"
	}
	return shortened(text)
}

// maxQuoted bounds the length of a quoted part in a one-line text, in characters.
const maxQuoted = 48

// shortened shortens the quoted parts of a text.
func shortened(text string) string {
	var b strings.Builder
	for part, quoted := range segments(text) {
		if quoted && utf8.RuneCountInString(part) > maxQuoted {
			part = strings.TrimRight(console.Cut(part, maxQuoted-1), `\…`) + `…"`
		}
		b.WriteString(part)
	}
	return b.String()
}

// member converts a pointer into a schema to the names of the members on its path, and returns the last
// one; "" if there are none.
func member(pointer string) (where, last string) {
	segments := strings.Split(pointer, "/")
	for i := 0; i+1 < len(segments); i++ {
		switch segments[i] {
		case "properties", "$defs", "definitions", "patternProperties":
			i++
			last = strings.NewReplacer("~1", "/", "~0", "~").Replace(segments[i])
			if where != "" {
				where += "."
			}
			where += last
		case "items":
			if where != "" {
				where += "[]"
			}
		}
	}
	return where, last
}

// itemsOf returns all items of findings.
func itemsOf(all []finding) []item {
	var out []item
	known := map[item]bool{}
	for _, f := range all {
		for _, it := range f.items {
			if !known[it] {
				known[it] = true
				out = append(out, it)
			}
		}
	}
	return out
}

// changesIn returns the number of changes in findings.
func changesIn(all []finding) int {
	n := 0
	for _, f := range all {
		n += f.changes
	}
	return n
}

// howMany counts items with their kind.
func howMany(items []item) string {
	kind := items[0].kind
	if slices.ContainsFunc(items, func(i item) bool { return i.kind != kind }) {
		return safetext.Count(len(items), "item")
	}
	return safetext.Count(len(items), string(kind))
}
