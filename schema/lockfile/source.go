package lockfile

// This file records where a server is configured and which findings were accepted.

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Source is the file that configures a server, by names that are the same on every machine. The zero value is
// unknown.
type Source struct {
	Scope   Scope
	Dialect string // such as claude-code; "" is mcpgen's own format
	// File is a slash path: relative to the lock for a project's file, below the home directory after ~/ for a
	// user's file; "" for machine-wide files and all others.
	File string
}

// Scope is the owner of a configuration file.
type Scope string

// The scopes.
const (
	ScopeProject Scope = "project"
	ScopeUser    Scope = "user" // outside the project: the user's or the machine's
)

// String returns a name of the file for messages.
func (s Source) String() string {
	switch {
	case s.File != "":
		return s.File
	case s.Dialect != "":
		return "a file of " + s.Dialect
	}
	return "a file outside of the project"
}

// Acceptance is an accepted finding with the hashes of its subject: an item, or the launch, instructions or
// identity of a server.
type Acceptance struct {
	Rule   string
	Before string // "" if it did not exist
	After  string // "" if it no longer exists
}

// maxAccepted bounds the acceptances of an item, and those of a server itself.
const maxAccepted = 20

// Accept appends an acceptance to list, unless it is present, and drops the oldest beyond 20.
func Accept(list []Acceptance, a Acceptance) []Acceptance {
	if slices.Contains(list, a) {
		return list
	}
	list = append(slices.Clone(list), a)
	return list[max(0, len(list)-maxAccepted):]
}

func (w *fileWriter) source(s Source) {
	if s == (Source{}) {
		return
	}
	w.name("source")
	w.open()
	w.text("scope", string(s.Scope))
	w.text("dialect", s.Dialect)
	w.text("file", s.File)
	w.close()
}

func (w *fileWriter) accepted(all []Acceptance) {
	if len(all) == 0 {
		return
	}
	w.list("accepted", len(all), func(i int) {
		w.indent++
		w.open()
		w.text("rule", all[i].Rule)
		w.text("before", all[i].Before)
		w.text("after", all[i].After)
		w.close()
		w.indent--
	})
}

// maxPath bounds the file of a source, in bytes.
const maxPath = 4096

var (
	dialectSyntax = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`) })
	ruleSyntax    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,127}$`) })
)

// source reads where a server is configured.
func (r *fileReader) source(v *tree.Value, pointer string) Source {
	if v == nil || !r.object(v, pointer) {
		return Source{}
	}
	r.order(v, []string{"scope", "dialect", "file"}, pointer)
	s := Source{
		Scope:   Scope(r.text(v, "scope", pointer)),
		Dialect: r.word(v, "dialect", pointer, dialectSyntax().MatchString, "must be a name of small letters, digits and hyphens"),
		File:    r.text(v, "file", pointer),
	}
	switch s.Scope {
	case ScopeProject:
		if s.File == "" || !isSlashPath(s.File) {
			r.fail(v.Pos, pointer+"/file", "must be a slash path relative to the lock")
		}
	case ScopeUser:
		if rest, below := strings.CutPrefix(s.File, "~/"); s.File != "" && (!below || !isSlashPath(rest) || strings.HasPrefix(rest, "..")) {
			r.fail(v.Pos, pointer+"/file", "must be a slash path after ~/")
		}
	default:
		r.fail(v.Pos, pointer+"/scope", fmt.Sprintf("must be %q or %q", ScopeProject, ScopeUser))
	}
	return s
}

// isSlashPath reports whether text is a clean relative slash path.
func isSlashPath(text string) bool {
	return text != "." && !path.IsAbs(text) && path.Clean(text) == text && len(text) <= maxPath && !strings.ContainsAny(text, "\\\x00\n\r") && !strings.HasPrefix(text, "~")
}

// accepted reads acceptances.
func (r *fileReader) accepted(v *tree.Value, pointer string) []Acceptance {
	switch {
	case v == nil:
		return nil
	case v.Kind != tree.Array:
		r.fail(v.Pos, pointer, fmt.Sprintf("must be an array, is %v", v.Kind))
		return nil
	case len(v.Kids) > maxAccepted:
		r.fail(v.Pos, pointer, fmt.Sprintf("must have at most %d elements", maxAccepted), "remove the oldest")
		return nil
	}
	var out []Acceptance
	for i := range v.Kids {
		e, at := &v.Kids[i].Value, pointer+"/"+strconv.Itoa(i)
		if !r.object(e, at) {
			continue
		}
		r.order(e, []string{"rule", "before", "after"}, at)
		r.need(e, at, "rule")
		out = append(out, Acceptance{
			Rule:   r.word(e, "rule", at, ruleSyntax().MatchString, "must be the name of a rule"),
			Before: r.hash(e, "before", at), After: r.hash(e, "after", at),
		})
	}
	return out
}

// Locate sets line and column of an error whose pointer refers to the file data.
func Locate(data []byte, e *schema.Error) {
	v, err := tree.ParseFile(data)
	if err != nil {
		return
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(e.Pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		next := v.Get(part)
		if next == nil {
			break
		}
		v = next
	}
	e.Offset = int(v.Pos)
	locate(e, data)
}
