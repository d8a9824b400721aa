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

// edit is a change of a text, in one or more items of one server.
type edit struct {
	server string
	items  []item
	at     string
	words  string
	came   int
	marked bool // the item has a breaking finding of class security
}

// edits returns the changed texts. Texts of items with breaking security findings come
// first; the others are sorted by the length of the new text. What several items share is one edit.
func (r *Report) edits() []edit {
	var out []edit
	for i := range r.Servers {
		s := &r.Servers[i]
		known := map[string]int{}
		for _, c := range s.Texts {
			e := edit{server: s.Server, items: []item{{c.Kind, c.Name}}, at: c.Path, words: wordsChanged(c.Before, c.After), came: len(c.After)}
			if e.words == "" {
				was, now := compact(c.Before), compact(c.After)
				e.words = strings.TrimSpace(map[bool]string{true: "was " + was + " "}[c.Before != nil] + map[bool]string{true: "now " + now}[c.After != nil])
			}
			e.marked = slices.ContainsFunc(s.Changes, func(o Change) bool {
				return o.Kind == c.Kind && o.Name == c.Name && o.Class == drift.ClassSecurity && o.Severity == drift.Breaking
			})
			key := c.Path + "\x00" + e.words
			if at, ok := known[key]; ok {
				out[at].items = append(out[at].items, e.items...)
				out[at].marked = out[at].marked || e.marked
				continue
			}
			known[key] = len(out)
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b edit) int { return cmp.Or(first(a.marked, b.marked), cmp.Compare(b.came, a.came)) })
	return out
}

// head says where a text has changed.
func (e edit) head(p *page) string {
	text := line(e.server) + "/" + e.items[0].String()
	if len(e.items) > 1 {
		text = p.several(finding{text: line(e.server), items: e.items}, 2)
	}
	return text + " at " + line(cmp.Or(e.at, "/"))
}

// texts is how many texts have changed.
func (r *Report) texts() int {
	n := 0
	for _, s := range r.Servers {
		n += len(s.Texts)
	}
	return n
}

// WriteTexts writes the changed texts of a report, by the words that went and came. Without
// [Options.All] that is a screen: what does not fit is a line with the command that shows
// it. Texts of items with breaking security findings are whole all the same, and leave the
// others half a screen at least.
func WriteTexts(w io.Writer, r *Report, o Options) error {
	all := r.edits()
	if len(all) == 0 {
		return nil
	}
	p := newPage(&o)
	p.painted("changed texts", caution, func() {
		p.wrap(0, "changed texts: "+safetext.Count(r.texts(), "text")+" that models or people read")
	})
	whole, short := make([]string, len(all)), make([]string, len(all))
	left, folded := maxTextLines-2, 0 // for texts that are not marked; their short lines
	for i, e := range all {
		long, one := newPage(&o), newPage(&o)
		long.wrap(2, e.head(long))
		long.wrap(4, e.words)
		one.wrap(2, e.head(one)+", long: mcpgen check "+ShellWord(e.server)+" --all shows it")
		whole[i], short[i] = long.b.String(), one.b.String()
		if e.marked {
			left -= strings.Count(whole[i], "\n")
		} else {
			folded += strings.Count(short[i], "\n")
		}
	}
	left = max(left, maxTextLines/2) // however much is marked
	room := left - folded
	for i, e := range all {
		if o.All || e.marked {
			p.b.WriteString(whole[i])
			continue
		}
		text := whole[i]
		if more := strings.Count(text, "\n") - strings.Count(short[i], "\n"); more <= room {
			room -= max(more, 0)
		} else {
			text = short[i]
		}
		if left -= strings.Count(text, "\n"); left < 0 {
			p.wrap(2, fmt.Sprintf("and %s more: mcpgen check --all shows them", safetext.Count(len(all)-i, "text")))
			break
		}
		p.b.WriteString(text)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// markdownTexts is the changed texts as markdown, folded away.
func (r *Report) markdownTexts() string {
	var b strings.Builder
	for _, e := range r.edits() {
		if b.Len() == 0 {
			fmt.Fprintf(&b, "\n<details><summary>Changed texts: %d</summary>\n\n", r.texts())
		}
		for _, it := range e.items {
			fmt.Fprintf(&b, "- %s at %s\n", code(e.server+"/"+it.String()), code(cmp.Or(e.at, "/")))
		}
		fmt.Fprintf(&b, "  - %s\n", prose(e.words))
	}
	if b.Len() > 0 {
		b.WriteString("\n</details>\n")
	}
	return b.String()
}
