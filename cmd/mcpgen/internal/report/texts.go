// Changed texts that models and people read, word by word.

package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

const (
	maxTextLines = 40 // lines that [WriteTexts] writes without [Options.All]
	longText     = 12 // longer texts are folded
)

// edit is a changed text in one or more items of one server.
type edit struct {
	server  string
	changes []Change
	came    int  // number of added words
	marked  bool // an item has a breaking security finding
}

// edits returns the changed and new texts, and changed details that do not count. Texts of items with breaking
// security findings come first; the others are sorted by the length of the new text. The same change in
// several items is one edit.
func (r *Report) edits() []edit {
	var out []edit
	for i := range r.Servers {
		s := &r.Servers[i]
		known := map[string]int{}
		for j, c := range s.whole().Changes {
			if !c.IsText() && c.New == "" && (j < len(s.Changes) || c.Words == "") {
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
				out = append(out, edit{server: s.Server, came: c.came()})
			}
			out[at].changes, out[at].marked = append(out[at].changes, c), out[at].marked || marked
		}
	}
	slices.SortStableFunc(out, func(a, b edit) int {
		return cmp.Or(first(a.marked, b.marked), cmp.Compare(b.came, a.came))
	})
	return out
}

// shownWords returns the changed words, or the message if there are none.
func (c *Change) shownWords() string { return cmp.Or(c.Words, c.New, line(c.Message)) }

// came returns the number of added words.
func (c *Change) came() (n int) {
	for _, part := range strings.Split(c.shownWords(), "{+")[1:] {
		text, _, _ := strings.Cut(part, "+}")
		n += len(strings.Fields(text))
	}
	return n
}

// head returns which items a changed text belongs to.
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

// texts returns the number of changed texts, of other changes with new text, and of changes that do not
// count.
func (r *Report) texts() (texts, with, off int) {
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			switch {
			case c.IsText():
				texts++
			case c.New != "":
				with++
			}
		}
		off += len(s.Off)
	}
	return texts, with, off
}

// textsTitle returns the heading of the changed texts.
func (r *Report) textsTitle() string {
	readers := "that models or people read"
	if r.Any(func(c *Change) bool { return c.Read }) {
		readers = "that this module hands to models"
		if len(r.Unseen) > 0 {
			readers = "that models may read: part of this module could not be searched"
		}
	}
	var parts []string
	texts, with, off := r.texts()
	if texts > 0 {
		parts = append(parts, safetext.Count(texts, "text")+" "+readers)
	}
	if with > 0 {
		parts = append(parts, safetext.Count(with, "other change")+" with new text")
	}
	if off > 0 {
		parts = append(parts, safetext.Count(off, "change")+" that no rule counts")
	}
	if texts+off == 0 {
		return "new texts: " + safetext.Count(with, "change")
	}
	return "changed texts: " + strings.Join(parts, "; ")
}

// Folded is a change that a text omits or shortens.
type Folded struct {
	Server string
	Change drift.Change
}

// WriteTexts writes the changed texts of a report with their removed and added words. With [Options.All]
// it writes nothing, since the report itself shows them. Otherwise it writes one screen: a long text, or
// one that does not fit, is one line, with a command that shows all of them. Texts of items with breaking
// security findings are always written in full; at least half a screen is left for the others. WriteTexts
// returns the folded changes.
func WriteTexts(w io.Writer, r *Report, o Options) ([]Folded, error) {
	all := r.edits()
	if len(all) == 0 || o.All {
		return nil, nil
	}
	p := newPage(&o)
	p.painted("changed texts", caution, func() { p.wrap(0, r.textsTitle()) })
	var whole []string
	marked, others := 0, 0 // lines
	for _, e := range all {
		one := newPage(&o)
		one.wrap(2, e.head(one))
		one.wrap(4, e.changes[0].shownWords())
		whole = append(whole, one.b.String())
		if n := strings.Count(one.b.String(), "\n"); e.marked {
			marked += n
		} else {
			others += n
		}
	}
	left := max(maxTextLines-2-marked, maxTextLines/2) // for unmarked texts
	room := left
	if others > left {
		room -= left / 3 // for the lines of folded texts
	}
	var folded []edit
	for i, e := range all {
		n := strings.Count(whole[i], "\n")
		if !e.marked && (n > room || n > longText && others > left) {
			folded = append(folded, e)
			continue
		}
		if !e.marked {
			room, left = room-n, left-n
		}
		p.b.WriteString(whole[i])
	}
	p.folded(folded, left)
	var out []Folded
	for _, e := range folded {
		for _, c := range e.changes {
			out = append(out, Folded{e.server, c.Change})
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return out, err
}

// folded lists the items of folded texts, in the lines that are left.
func (p *page) folded(edits []edit, left int) {
	if len(edits) == 0 {
		return
	}
	p.wrap(2, "cut short; mcpgen check --all shows them:")
	left -= 2 // this line, and one with the count
	for i, e := range edits {
		one := newPage(p.o)
		one.wrap(4, e.head(one))
		if left -= strings.Count(one.b.String(), "\n"); left < 0 {
			p.wrap(4, "and "+safetext.Count(len(edits)-i, "text")+" more")
			return
		}
		p.b.WriteString(one.b.String())
	}
}
