// The errors and notices of this package, and how they are printed.

package config

import (
	"errors"

	"github.com/mcpgen/mcpgen/internal/tree"
)

// Error is one problem in one file. The errors of a file are joined; use [errors.AsType] for the first
// one.
type Error struct {
	Path   string   // the file as the caller named it; "" for [Parse]
	Line   int      // 1-based; 0 if the error is about the whole file
	Column int      // 1-based, in characters; 0 if unknown
	Reason string   // what is wrong, beginning with the key it is about
	Steps  []string // next steps, each an alternative; nil if Reason already says it

	cause  error
	server string // the server that another system's file defines wrongly; "" means none
}

// Error returns position, reason and steps: "mcpgen.yaml:12:5: reason; step, or step".
func (e *Error) Error() string {
	at := tree.Position{Path: e.Path, Line: e.Line, Column: e.Column}
	return (&tree.Finding{Position: at, Text: e.Reason, Steps: e.Steps}).Error()
}

// NextSteps returns Steps, which are also the end of Error's text.
func (e *Error) NextSteps() []string { return e.Steps }

// MarshalText returns the text of Error, so that errors in JSON are strings.
func (e *Error) MarshalText() ([]byte, error) { return []byte(e.Error()), nil }

// Unwrap returns the error of the operating system, such as [fs.ErrNotExist], or nil.
func (e *Error) Unwrap() error { return e.cause }

// Notice is something in a file that a reader should know and that is not an error, such as a key without
// effect or a server that is defined twice.
type Notice struct {
	Path   string `json:"path,omitempty"`   // as in [Error]
	Line   int    `json:"line,omitempty"`   // as in [Error]
	Column int    `json:"column,omitempty"` // as in [Error]
	Text   string `json:"text"`

	Steps []string `json:"steps,omitempty"` // as in [Error]
}

// String returns position, text and steps.
func (n Notice) String() string { return n.Err().Error() }

// Err returns the notice as an error, of type [*Error].
func (n Notice) Err() error {
	return &Error{Path: n.Path, Line: n.Line, Column: n.Column, Reason: n.Text, Steps: n.Steps}
}

// Strict returns the notices as errors: keys without effect, servers that are defined twice or ignored,
// files that are not used. It is for programs that require every part of a configuration to have an
// effect. Without notices it returns nil.
func (p *Project) Strict() error {
	errs := make([]error, len(p.Notices))
	for i, n := range p.Notices {
		errs[i] = n.Err()
	}
	return errors.Join(errs...)
}

// errorOf converts an error of a report.
func errorOf(f *tree.Finding) *Error {
	return &Error{
		Path: f.Path, Line: f.Line, Column: f.Column, Reason: f.Text,
		Steps: f.Steps, cause: f.Cause, server: f.Server,
	}
}

// errorsOf converts the errors of a report.
func errorsOf(findings []*tree.Finding) []error {
	errs := make([]error, len(findings))
	for i, f := range findings {
		errs[i] = errorOf(f)
	}
	return errs
}

// noticesOf converts the notices of a report; nil means none.
func noticesOf(findings []*tree.Finding) []Notice {
	var notices []Notice
	for _, f := range findings {
		notices = append(notices, Notice{Path: f.Path, Line: f.Line, Column: f.Column, Text: f.Text, Steps: f.Steps})
	}
	return notices
}

// inOrder joins the errors of a report in file order.
func inOrder(r *tree.Report) error {
	r.Sort()
	return errors.Join(errorsOf(r.Errors)...)
}

// unreadable returns an [*Error] for a failed file operation.
func unreadable(path string, err error, steps ...string) *Error {
	return errorOf(tree.Unreadable(path, err, steps...))
}
