// The report in one line.

package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Count returns the number of changes of a severity that are not accepted.
func (r *Report) Count(s drift.Severity) int {
	n := 0
	for c := range r.All() {
		if c.Severity == s && !c.Accepted {
			n++
		}
	}
	return n
}

// Clean reports whether servers were checked without any change, outdated file or unknown result.
func (r *Report) Clean() bool {
	texts, _, off := r.texts()
	return len(r.Servers) > 0 && r.Verdict == drift.Unchanged && len(r.Accepted)+texts+off == 0 && len(r.Stale) == 0 && r.Error == ""
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
	accepted := 0
	for c := range r.All() {
		if c.Accepted {
			accepted++
		}
	}
	changes := counts(r.Count(drift.Breaking), "breaking", r.Count(drift.Unknown), "unknown", r.Count(drift.Warning), nounOf(r.Count(drift.Warning), "warning"), r.Count(drift.Info), "info", accepted, "accepted")
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
