package lockfile

// This file is where a server is configured, and what was accepted of it.

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

// Source is the file that configures a server, by names that are the same on every
// machine. The zero value is unknown.
type Source struct {
	Scope   Scope
	Dialect string // such as claude-code; "" is mcpgen's own
	// File is a slash path: relative to the lock for a project's file, below the user's
	// folder after ~/ for a user's; "" is one of a machine or anywhere else.
	File string
}

// Scope says whose file it is.
type Scope string

// The scopes.
const (
	ScopeProject Scope = "project"
	ScopeUser    Scope = "user" // what is not the project's: a user's own, or the machine's
)

// String names the file, for messages.
func (s Source) String() string {
	switch {
	case s.File != "":
		return s.File
	case s.Dialect != "":
		return "a file of " + s.Dialect
	}
	return "a file outside of the project"
}

// Acceptance is a finding that was accepted, with hashes of what it is about: the item,
// or of a server its launch, its instructions or its identity.
type Acceptance struct {
	Rule   string
	Before string // "" if it was not there
	After  string // "" if it is gone
}

// MaxAccepted bounds the acceptances of an item, and of a server itself.
const MaxAccepted = 20

// Accept appends what was accepted to list, once, and drops the oldest beyond
// [MaxAccepted].
func Accept(list []Acceptance, a Acceptance) []Acceptance {
	if slices.Contains(list, a) {
		return list
	}
	list = append(slices.Clone(list), a)
	return list[max(0, len(list)-MaxAccepted):]
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

// isSlashPath reports whether text is a relative path in its shortest form.
func isSlashPath(text string) bool {
	return text != "." && !path.IsAbs(text) && path.Clean(text) == text && len(text) <= maxPath && !strings.ContainsAny(text, "\\\x00\n\r") && !strings.HasPrefix(text, "~")
}

// accepted reads what was accepted.
func (r *fileReader) accepted(v *tree.Value, pointer string) []Acceptance {
	switch {
	case v == nil:
		return nil
	case v.Kind != tree.Array:
		r.fail(v.Pos, pointer, fmt.Sprintf("must be an array, is %v", v.Kind))
		return nil
	case len(v.Kids) > MaxAccepted:
		r.fail(v.Pos, pointer, fmt.Sprintf("has at most %d elements", MaxAccepted), "remove the oldest")
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

// Locate fills in line and column of an error whose pointer leads into the file data.
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
