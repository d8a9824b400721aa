// What models and people read differently, word by word.

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// maxTextLines bounds what [WriteTexts] writes without [Options.All].
const maxTextLines = 40

// edit is a change that is shown by its words, in one or more items of one server.
type edit struct {
	server  string
	changes []Change
	came    int
	marked  bool // an item has a breaking finding of class security
}

// edits returns the changed texts, and those of other changes beside the contract that do
// not count. Those of items with breaking security findings come first; the others are sorted by the length of the
// new text. What several items share is one edit.
func (r *Report) edits() []edit {
	var out []edit
	for i := range r.Servers {
		s := &r.Servers[i]
		known := map[string]int{}
		for j, c := range s.whole().Changes {
			if j < len(s.Changes) && !c.IsText() || j >= len(s.Changes) && c.Words == "" {
				continue
			}
			marked := slices.ContainsFunc(s.Changes, func(o Change) bool {
				return o.Kind == c.Kind && o.Name == c.Name && o.Class == drift.ClassSecurity && o.Severity == drift.Breaking
			})
			key := c.Path + "\x00" + c.shownWords()
			at, ok := known[key]
			if !ok {
				at = len(out)
				known[key] = at
				out = append(out, edit{server: s.Server, came: len(c.After)})
			}
			out[at].changes, out[at].marked = append(out[at].changes, c), out[at].marked || marked
		}
	}
	slices.SortStableFunc(out, func(a, b edit) int { return cmp.Or(first(a.marked, b.marked), cmp.Compare(b.came, a.came)) })
	return out
}

// shownWords is how a change is shown: its words, or what it says.
func (c *Change) shownWords() string { return cmp.Or(c.Words, line(c.Message)) }

// head says where a text has changed.
func (e edit) head(p *page) string {
	at := finding{text: line(e.server)}
	for _, c := range e.changes {
		at.items = append(at.items, item{c.Kind, c.Name})
	}
	text := at.text + "/" + at.items[0].String()
	if len(at.items) > 1 {
		text = p.several(at, 2)
	}
	return text + " at " + line(cmp.Or(e.changes[0].Path, "/"))
}

// texts is how many texts have changed, and how many other changes do not count.
func (r *Report) texts() (texts, off int) {
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			if c.IsText() {
				texts++
			}
		}
		off += len(s.Off)
	}
	return texts, off
}

// textsTitle is the heading of the changed texts.
func (r *Report) textsTitle() string {
	readers := "that models or people read"
	if slices.ContainsFunc(slices.Collect(r.All()), func(c *Change) bool { return c.Read }) {
		readers = "that models read by way of this module"
		if len(r.Unseen) > 0 {
			readers = "that models may read: not all of this module was searched for what hands tools to them"
		}
	}
	var parts []string
	texts, off := r.texts()
	if texts > 0 {
		parts = append(parts, safetext.Count(texts, "text")+" "+readers)
	}
	if off > 0 {
		parts = append(parts, safetext.Count(off, "change")+" that the rules do not count")
	}
	return "changed texts: " + strings.Join(parts, "; ")
}

// Folded is a change that a text does not show, or not all of it.
type Folded struct {
	Server string
	Change drift.Change
}

// WriteTexts writes the changed texts of a report, by the words that went and came. Without
// [Options.All], with which the report itself has them, that is a screen: what does not fit
// is a line with the command that shows it. Texts of items with breaking security findings
// are whole all the same, and leave the others half a screen at least. It returns what is
// not shown whole.
func WriteTexts(w io.Writer, r *Report, o Options) ([]Folded, error) {
	all := r.edits()
	if len(all) == 0 || o.All {
		return nil, nil
	}
	p := newPage(&o)
	p.painted("changed texts", caution, func() { p.wrap(0, r.textsTitle()) })
	whole, short := make([]string, len(all)), make([]string, len(all))
	left, lines := maxTextLines-2, 0 // for texts that are not marked; their short lines
	for i, e := range all {
		long, one := newPage(&o), newPage(&o)
		long.wrap(2, e.head(long))
		long.wrap(4, e.changes[0].shownWords())
		one.wrap(2, e.head(one)+", long: mcpgen check --all --servers "+ShellWord(e.server)+" shows it")
		whole[i], short[i] = long.b.String(), one.b.String()
		if e.marked {
			left -= strings.Count(whole[i], "\n")
		} else {
			lines += strings.Count(short[i], "\n")
		}
	}
	left = max(left, maxTextLines/2) // however much is marked
	room := left - lines
	var folded []Folded
	fold := func(edits ...edit) {
		for _, e := range edits {
			for _, c := range e.changes {
				folded = append(folded, Folded{e.server, c.Change})
			}
		}
	}
	for i, e := range all {
		if e.marked {
			p.b.WriteString(whole[i])
			continue
		}
		text, long := whole[i], false
		if more := strings.Count(text, "\n") - strings.Count(short[i], "\n"); more > room {
			text, long = short[i], true
		} else {
			room -= max(more, 0)
		}
		if left -= strings.Count(text, "\n"); left < 0 {
			p.wrap(2, fmt.Sprintf("and %s more: mcpgen check --all shows them", safetext.Count(len(all)-i, "text")))
			fold(all[i:]...)
			break
		}
		if p.b.WriteString(text); long {
			fold(e)
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return folded, err
}
