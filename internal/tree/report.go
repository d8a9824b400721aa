package tree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
)

// Position is a position in a file.
type Position struct {
	Path         string // as shown; "" is mcpgen.yaml
	Line, Column int    // 1-based; 0 is unknown
}

// String omits what is unknown.
func (p Position) String() string {
	text := cmp.Or(p.Path, "mcpgen.yaml")
	if p.Line > 0 {
		text += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			text += ":" + strconv.Itoa(p.Column)
		}
	}
	return text
}

// Finding is a problem in a file, or something that a reader should know.
type Finding struct {
	Position
	Text   string   // the message, beginning with the key that it is about
	Steps  []string // next steps, each an alternative; nil if Text already says it
	Server string   // the server that it is about, if the server can be excluded; "" means none
	Cause  error    // the error of the operating system; nil means none
}

// Error returns position, text and steps.
func (f *Finding) Error() string {
	text := f.Position.String() + ": " + f.Text
	if len(f.Steps) > 0 {
		text += "; " + hint.Join(f.Steps)
	}
	return text
}

// Unwrap returns Cause.
func (f *Finding) Unwrap() error { return f.Cause }

// Unreadable returns the finding for a failed file operation. Its text omits the path, which is in the
// position.
func Unreadable(path string, err error, steps ...string) *Finding {
	reason := err.Error()
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		reason = strings.TrimSpace("cannot " + pathErr.Op + ": " + pathErr.Err.Error())
	}
	return &Finding{Position: Position{Path: path}, Text: reason, Steps: steps, Cause: err}
}

// Report collects the findings while one file is read.
type Report struct {
	Path    string
	Skipped int // lines of the file before the text that is read
	Errors  []*Finding
	Notices []*Finding
}

// Fail adds an error about the value at a path; "" is the file. Empty steps are ignored.
func (r *Report) Fail(pos Pos, at Path, reason string, steps ...string) {
	r.Errors = append(r.Errors, r.finding(pos, at, reason, steps))
}

// FailErr is [Report.Fail] with the text and the next steps of an error.
func (r *Report) FailErr(pos Pos, at Path, err error) {
	text, steps := hint.Apart(err.Error(), err, nil)
	r.Fail(pos, at, text, steps...)
}

// Doubles adds an error for each duplicate of these keys of a mapping; without keys, of all keys. It returns
// true for a mapping without duplicates.
func (r *Report) Doubles(n *Node, at Path, keys ...string) bool {
	none := true
	for _, m := range n.Shadowed {
		if len(keys) > 0 && !slices.Contains(keys, m.Name) {
			continue
		}
		none = false
		last, _ := n.Get(m.Name)
		r.Fail(last.Pos, at.Key(m.Name), "the key is duplicated, first in line "+strconv.Itoa(m.Pos.Line+r.Skipped), "keep one of them")
	}
	return none
}

// NoteDoubles adds a notice for each duplicate of a key of a mapping, but of these keys. The last one counts,
// as in other readers.
func (r *Report) NoteDoubles(n *Node, at Path, but ...string) {
	if n == nil {
		return
	}
	for _, m := range n.Shadowed {
		if !slices.Contains(but, m.Name) {
			r.Note(m.Pos, at.Key(m.Name), "the key is duplicated, and the last value is used")
		}
	}
}

// Note adds a notice. Empty steps are ignored.
func (r *Report) Note(pos Pos, at Path, text string, steps ...string) {
	r.Notices = append(r.Notices, r.finding(pos, at, text, steps))
}

func (r *Report) finding(pos Pos, at Path, text string, steps []string) *Finding {
	steps = slices.DeleteFunc(slices.Clone(steps), func(step string) bool { return step == "" })
	return &Finding{Position: r.At(pos), Text: below(at, text), Steps: steps}
}

// At returns a position in the file.
func (r *Report) At(pos Pos) Position { return Position{r.Path, pos.Line + r.Skipped, pos.Column} }

func below(at Path, text string) string {
	if at == "" {
		return text
	}
	return string(at) + ": " + text
}

// Err returns the errors, sorted by position, with their next steps, or nil.
func (r *Report) Err() error {
	r.Sort()
	errs := make([]error, len(r.Errors))
	for i, e := range r.Errors {
		errs[i] = hint.With(fmt.Errorf("%s: %s", e.Position, e.Text), e.Steps...)
	}
	return errors.Join(errs...)
}

// Sort sorts errors and notices by position.
func (r *Report) Sort() {
	inOrder := func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	}
	slices.SortStableFunc(r.Errors, inOrder)
	slices.SortStableFunc(r.Notices, inOrder)
}

// Suggest returns the next step for an unknown word: the nearest known word, or all known words if none
// is near.
func Suggest(word string, known []string) string {
	if question := nearest.Question(word, known); question != "" || len(known) == 0 {
		return question
	}
	return "known here: " + strings.Join(known, ", ")
}
