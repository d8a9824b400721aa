// The errors and notices of this package, and how they are printed.

package config

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// Error is one thing that is wrong in one file. The errors of a file are
// joined; use [errors.AsType] for the first one.
type Error struct {
	Path   string // the file as the caller named it; "" for [Parse]
	Line   int    // 1-based; 0 if the error is about the whole file
	Column int    // 1-based, in characters; 0 if unknown
	Reason string // what is wrong, beginning with the key it is about
	Hint   string // what to do; "" if the reason says it

	cause    error
	server   string // the row of another system's file that it is about; "" is none
	imported bool   // about an import that cannot be read
}

// Error gives place, reason and hint: "mcpgen.yaml:12:5: reason; hint".
func (e *Error) Error() string {
	text := place{e.Path, e.Line, e.Column}.String() + ": " + e.Reason
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap returns what the operating system said, such as [fs.ErrNotExist], or
// nil.
func (e *Error) Unwrap() error { return e.cause }

// Notice is something in a file that a reader should know and that is not an
// error: a key without effect, a server that is defined twice.
type Notice struct {
	Path   string // as in [Error]
	Line   int    // as in [Error]
	Column int    // as in [Error]
	Text   string
}

// String gives place and text.
func (n Notice) String() string {
	return place{n.Path, n.Line, n.Column}.String() + ": " + n.Text
}

// Strict makes errors of the notices: keys without effect, servers that are
// defined twice or left out, files that are not used. It is for those who want a
// configuration in which everything counts. Nil is that.
func (p *Project) Strict() error {
	errs := make([]error, len(p.Notices))
	for i, n := range p.Notices {
		errs[i] = &Error{Path: n.Path, Line: n.Line, Column: n.Column, Reason: n.Text}
	}
	return errors.Join(errs...)
}

// place is a position in a file.
type place struct {
	path         string
	line, column int
}

// String leaves out what is unknown.
func (p place) String() string {
	text := p.path
	if text == "" {
		text = "mcpgen.yaml"
	}
	if p.line > 0 {
		text += ":" + strconv.Itoa(p.line)
		if p.column > 0 {
			text += ":" + strconv.Itoa(p.column)
		}
	}
	return text
}

// report collects what is found while one file is read.
type report struct {
	path    string
	errs    []*Error
	notices []Notice
}

func (r *report) problem(p tree.Problem) {
	reason := p.Reason
	if p.At != "" {
		reason = string(p.At) + ": " + reason
	}
	r.errs = append(r.errs, &Error{Path: r.path, Line: p.Pos.Line, Column: p.Pos.Column, Reason: reason, Hint: p.Hint})
}

func (r *report) problems(all []tree.Problem) {
	for _, p := range all {
		r.problem(p)
	}
}

func (r *report) fail(pos tree.Pos, at tree.Path, reason, hint string) {
	r.problem(tree.Problem{Pos: pos, At: at, Reason: reason, Hint: hint})
}

func (r *report) notice(pos tree.Pos, at tree.Path, text string) {
	if at != "" {
		text = string(at) + ": " + text
	}
	r.notices = append(r.notices, Notice{Path: r.path, Line: pos.Line, Column: pos.Column, Text: text})
}

// sort brings errors and notices into the order of the file.
func (r *report) sort() {
	slices.SortStableFunc(r.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	slices.SortStableFunc(r.notices, func(a, b Notice) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// err joins the errors.
func (r *report) err() error {
	r.sort()
	joined := make([]error, len(r.errs))
	for i, e := range r.errs {
		joined[i] = e
	}
	return errors.Join(joined...)
}

// unreadable makes an [*Error] of a failed file operation. The reason leaves
// out the path, which the error begins with.
func unreadable(path string, err error, hint string) *Error {
	reason := err.Error()
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		reason = strings.TrimSpace("cannot " + pathErr.Op + ": " + pathErr.Err.Error())
	}
	return &Error{Path: path, Reason: reason, Hint: hint, cause: err}
}
