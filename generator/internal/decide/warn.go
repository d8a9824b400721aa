package decide

// Warnings: what was left out or typed more loosely, each once, all of them.

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
)

// maxWarnings bounds the warnings of one tool. A schema that provokes more is
// not read by anybody.
const maxWarnings = 100

// warner gathers the warnings of items, of one kind or of tools.
type warner struct {
	server string
	kind   schema.Kind // "" for tools
	list   []Warning
	seen   map[Warning]bool
	count  map[ItemID]int
}

func newWarner(server string, kind schema.Kind) *warner {
	return &warner{server: server, kind: kind, seen: map[Warning]bool{}, count: map[ItemID]int{}}
}

func (w *warner) add(item, pointer, reason string, steps ...string) {
	w.take(Warning{Server: w.server, Kind: w.kind, Tool: item, Pointer: pointer, Reason: reason, Step: hint.Join(steps)})
}

// take adds a warning, unless it is known or there are too many of its item.
func (w *warner) take(warning Warning) {
	if w.seen[warning] {
		return
	}
	w.seen[warning] = true
	id := ItemID{warning.Kind, warning.Tool}
	w.count[id]++
	switch n := w.count[id]; {
	case n == maxWarnings && id.Name != "":
		w.list = append(w.list, Warning{
			Server: w.server, Kind: id.Kind, Tool: id.Name, Reason: "more warnings like these are not shown"})
	case n < maxWarnings || id.Name == "":
		w.list = append(w.list, warning)
	}
}

// takeAll adds the warnings of another warner, as if they had been given to w.
func (w *warner) takeAll(from *warner) {
	for _, warning := range from.list {
		w.take(warning)
	}
}

// sorted returns the warnings in the order of their places.
func (w *warner) sorted() []Warning {
	slices.SortStableFunc(w.list, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Tool, b.Tool),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Reason, b.Reason))
	})
	return w.list
}

// Strict makes the warnings an error that names all of them.
func Strict(warnings []Warning) error {
	var errs []error
	for _, w := range warnings {
		if !w.Merged {
			errs = append(errs, w.Err())
		}
	}
	if len(errs) > 0 {
		errs = append(errs, hint.New("the definitions above cannot be generated exactly",
			"to use looser types, generate without --strict"))
	}
	return errors.Join(errs...)
}

// String puts the position first: server/tool, pointer, reason, step.
func (w Warning) String() string { return w.Err().Error() }

// Err returns the warning as an error, with its next step.
func (w Warning) Err() error {
	place := clean(w.Server)
	if w.Kind != "" {
		place += "/" + clean(string(w.Kind)+" "+w.Tool)
	} else if w.Tool != "" {
		place += "/" + clean(w.Tool)
	}
	if w.Pointer != "" {
		place += " " + clean(w.Pointer)
	}
	return hint.New(place+": "+w.Reason, w.Step)
}

// clean makes a server's text fit to be shown on a line: what is not printable
// is escaped, and the middle of a long text is left out.
func clean(text string) string {
	q := strconv.Quote(text)
	return cut(q[1:len(q)-1], 300)
}

// quote is clean in quotation marks.
func quote(text string) string { return cut(strconv.Quote(text), 300) }

// cut shortens text to about n bytes.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	head, tail := n-40, len(text)-30
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + " … " + text[tail:]
}

// sentenceList joins words with commas and a last "and".
func sentenceList(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}
