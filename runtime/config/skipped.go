// What is known of servers that a project does not have.

package config

import (
	"errors"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Skipped is a file, or the project's file of a system, whose servers a project does not
// have because it was left out as a whole.
type Skipped struct {
	Path    string   // the file, or the name of a system that has none in the project
	Reason  string   // why, such as untrusted
	Hint    string   // what to do; "" if the reason says it
	Servers []string // names of the servers in it, as far as they are known, sorted
}

// PartialError is the error of a project that could only be read in part: some of
// its server files, or servers in them, are wrong.
type PartialError struct {
	Project *Project // what can be used; never nil
	Err     error    // all that is wrong
}

// Error names all that is wrong.
func (e *PartialError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *PartialError) Unwrap() error { return e.Err }

// Without returns the names of the servers that are locked and whose imports cannot be read
// here, sorted, and the error without that of those imports. An import is not left out if it
// is gone by an edit; nil: none is.
func (e *PartialError) Without(lock *lockfile.Lock, edited func(lockfile.Source) bool) (absent []string, rest error) {
	left := map[string]bool{}
	for _, u := range e.Project.Unread {
		for name, l := range lock.Servers {
			if l.Source.File != "" && l.Source.Scope == u.Source.Scope && l.Source.File == u.Source.File && (edited == nil || !edited(u.Source)) {
				left[u.Err.Error()] = true
				absent = append(absent, name)
			}
		}
	}
	slices.Sort(absent)
	return absent, withoutErrors(e.Err, left)
}

// withoutErrors is an error without those that are joined in it and have some texts.
func withoutErrors(err error, texts map[string]bool) error {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil || texts[err.Error()]:
		return nil
	case !ok:
		return err
	}
	var rest []error
	for _, one := range joined.Unwrap() {
		rest = append(rest, withoutErrors(one, texts))
	}
	return errors.Join(rest...)
}

// partial is the result of a reading: p, unless that has a problem of its own, and
// what is wrong with its files.
func partial(p *Project, problem, files error) (*Project, error) {
	switch {
	case problem != nil:
		return nil, errors.Join(files, problem)
	case files != nil:
		return nil, &PartialError{p, files}
	}
	return p, nil
}

// Gone reports whether it is certain that no file defines a server of this name
// any more. It is not while a file defines it that is disabled or that cannot be
// used, nor while any file was left out as a whole.
func (p *Project) Gone(name string) bool {
	return len(p.Skipped) == 0 && !slices.Contains(p.lost, name) &&
		!slices.ContainsFunc(p.Definitions, func(d Definition) bool { return d.Server.Name == name })
}

// Why says why a project does not have a server that is not [Project.Gone], and
// what to do; "" if the project has it.
func (p *Project) Why(name string) string {
	if _, ok := p.Build[name]; ok {
		return ""
	}
	for _, d := range p.Definitions {
		if d.Server.Name == name && d.Left != "" {
			return d.Position().String() + ": left out: " + d.Left
		}
	}
	i := slices.IndexFunc(p.Skipped, func(s Skipped) bool { return slices.Contains(s.Servers, name) })
	switch {
	case i >= 0:
		return p.Skipped[i].String()
	case slices.Contains(p.lost, name):
		return "its definition cannot be used"
	}
	var all []string
	for _, s := range p.Skipped {
		all = append(all, s.String())
	}
	return strings.Join(all, "; ")
}

// String gives the file, the reason and what to do.
func (s Skipped) String() string {
	text := s.Path + ": not used (" + s.Reason + ")"
	if s.Hint != "" {
		text += "; " + s.Hint
	}
	return text
}

// skippedFile is what is known of a file that is left out as a whole.
func skippedFile(f *dialect.File, reason, hint string) Skipped {
	s := Skipped{Path: f.Path, Reason: reason, Hint: hint}
	for _, r := range slices.Concat(f.Rows, f.Broken) {
		s.Servers = append(s.Servers, r.Server.Name)
	}
	slices.Sort(s.Servers)
	s.Servers = slices.Compact(s.Servers)
	return s
}

// notice is the warning for a file that is not used.
func (s Skipped) notice() Notice {
	names := make([]string, len(s.Servers))
	for i, name := range s.Servers {
		names[i] = tree.Quote(name)
	}
	n := Notice{Path: s.Path, Text: "not used (" + s.Reason + "): the servers " + strings.Join(names, ", ")}
	if s.Hint != "" {
		n.Steps = []string{s.Hint}
	}
	return n
}

// skip leaves a file out.
func (l *loader) skip(s Skipped) {
	l.skipped = append(l.skipped, s)
	l.imports = append(l.imports, s.notice())
}

// missing notes that a system has no file in the project, so that one may have been
// removed. Other files are a user's or a machine's own, which most do not have.
func (l *loader) missing(d dialect.Dialect, found []foundFile) {
	if slices.ContainsFunc(found, func(f foundFile) bool { return f.Scope == dialect.ScopeProject }) ||
		len(found) > 0 && len(d.InProject()) == 0 {
		return
	}
	l.skipped = append(l.skipped, Skipped{Path: d.Name, Reason: "it has no file in this project",
		Hint: "if the server is gone for good, remove its package and its entry in mcpgen.lock"})
}

// leaves notes what a file that counts has and does not give.
func (l *loader) leaves(f *dialect.File) {
	l.lost = append(l.lost, f.Lost...)
	if f.Unread != "" {
		l.skipped = append(l.skipped, skippedFile(f, f.Unread, ""))
	}
}
