// Servers that a project does not have because their files were not used.

package config

import (
	"errors"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Skipped is a file, or the project's file of a system, that was ignored as a whole, with its servers.
type Skipped struct {
	Path    string   // the file, or the name of a system without a file in the project
	Reason  string   // why, such as untrusted
	Hint    string   // the next step; "" if Reason says it
	Servers []string // names of the file's known servers, sorted
}

// PartialError is the error of a project that could only be read in part: some of its server files, or
// servers in them, are wrong.
type PartialError struct {
	Project *Project // the usable part; never nil
	Err     error    // all errors
}

// Error returns the text of Err.
func (e *PartialError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *PartialError) Unwrap() error { return e.Err }

// Without returns the locked servers whose imports cannot be read on this machine, sorted, and the error
// without these imports.
func (e *PartialError) Without(lock *lockfile.Lock) (absent []string, rest error) {
	left := map[string]bool{}
	for _, u := range e.Project.Unread {
		for name, l := range lock.Servers {
			if l.Source.File != "" && l.Source.Scope == u.Source.Scope && l.Source.File == u.Source.File {
				left[u.Err.Error()] = true
				absent = append(absent, name)
			}
		}
	}
	slices.Sort(absent)
	return absent, withoutErrors(e.Err, left)
}

// withoutErrors returns an error without those joined errors that have one of the texts.
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

// partial returns p, with the errors of its files as a PartialError. A problem of p itself is returned
// without p.
func partial(p *Project, problem, files error) (*Project, error) {
	switch {
	case problem != nil:
		return nil, errors.Join(files, problem)
	case files != nil:
		return nil, &PartialError{p, files}
	}
	return p, nil
}

// Gone reports whether no file defines a server with this name any more, for certain. It is not certain
// while a file has a disabled or unusable definition of the server, or if any file was ignored as a
// whole.
func (p *Project) Gone(name string) bool {
	return len(p.Skipped) == 0 && !p.defines(name)
}

// defines reports whether a file defines a server, even in an unusable way.
func (p *Project) defines(name string) bool {
	return slices.Contains(p.lost, name) ||
		slices.ContainsFunc(p.Definitions, func(d Definition) bool { return d.Server.Name == name })
}

// Undefined reports that no readable file mentions a server: none defines it, not even in an unusable
// way, and no ignored file has it.
func (p *Project) Undefined(name string) bool {
	return !p.defines(name) && !slices.ContainsFunc(p.Skipped,
		func(s Skipped) bool { return slices.Contains(s.Servers, name) })
}

// Left reports whether an ignored file has a server with the name, and no file defines it.
func (p *Project) Left(name string) bool {
	return !p.defines(name) && !p.Undefined(name)
}

// Why returns why a project lacks a server that is not [Project.Gone], and the next step; "" if the
// project has it.
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

// String returns the file, the reason and the next step.
func (s Skipped) String() string {
	text := s.Path + ": not used (" + s.Reason + ")"
	if s.Hint != "" {
		text += "; " + s.Hint
	}
	return text
}

// skippedFile describes a file that is ignored as a whole.
func skippedFile(f *dialect.File, reason, hint string) Skipped {
	s := Skipped{Path: f.Path, Reason: reason, Hint: hint}
	for _, r := range slices.Concat(f.Rows, f.Broken) {
		s.Servers = append(s.Servers, r.Server.Name)
	}
	slices.Sort(s.Servers)
	s.Servers = slices.Compact(s.Servers)
	return s
}

// notice returns the warning for a file that is not used.
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

// skip records an ignored file.
func (l *loader) skip(s Skipped) {
	l.skipped = append(l.skipped, s)
	l.imports = append(l.imports, s.notice())
}

// missing records that a system has no file in the project, which may have been removed. Files of the
// user or the machine are not recorded: most people do not have them.
func (l *loader) missing(d dialect.Dialect, found []foundFile) {
	if slices.ContainsFunc(found, func(f foundFile) bool { return f.Scope == dialect.ScopeProject }) ||
		len(found) > 0 && len(d.InProject()) == 0 {
		return
	}
	l.skipped = append(l.skipped, Skipped{Path: d.Name, Reason: "it has no file in this project"})
}

// leaves records the servers that a used file does not provide.
func (l *loader) leaves(f *dialect.File) {
	l.lost = append(l.lost, f.Lost...)
	if f.Unread != "" {
		l.skipped = append(l.skipped, skippedFile(f, f.Unread, ""))
	}
}
