package lockfile

// This file reads the common parts of snapshot and lock files: version, conflict markers, ordered members,
// positions.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/conflict"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// The values of the member "mcpgen", the first of every file.
const (
	lockForm     = 3 // of a lock; forms 1 and 2 can be read too
	snapshotForm = 1 // of a snapshot, and of observed shapes
)

// restoreSteps returns the next steps for errors about a damaged snapshot, which update rewrites. Every
// command, including update, fails on a damaged lock, so lockSteps differ.
func restoreSteps() []string {
	return []string{"restore the file with git checkout", "run mcpgen update"}
}

func lockSteps() []string {
	return []string{"restore the file with git checkout", "remove it and run mcpgen generate"}
}

// parseFile parses a file and checks its form against forms. Errors carry the steps.
func parseFile(data []byte, what string, steps []string, forms ...int) (*tree.Value, error) {
	if line := conflict.Line(data); line > 0 {
		return nil, hint.With(&schema.Error{Line: line, Column: 1, Reason: "git conflict markers"},
			"take the same side of mcpgen.lock and of all snapshots, also of those that git merged "+
				"(git restore --source=HEAD --staged --worktree mcpgen.lock FOLDER), then run mcpgen generate",
			"see what only the other side has accepted: mcpgen check")
	}
	v, err := tree.ParseFile(data)
	if err == nil && v.Kind != tree.Object {
		err = &schema.Error{Reason: fmt.Sprintf("the %s is %v, not an object", what, v.Kind), Offset: int(v.Pos)}
	}
	if err == nil && (len(v.Kids) == 0 || v.Kids[0].Name != "mcpgen") {
		err = &schema.Error{Reason: fmt.Sprintf("not a %s of mcpgen: the first member must be \"mcpgen\"", what), Offset: int(v.Pos)}
	}
	if err != nil {
		return nil, hint.With(locate(err, data), steps...)
	}
	if first := &v.Kids[0]; !slices.Contains(forms, formOf(v)) {
		e := &schema.Error{Pointer: "/mcpgen", Reason: fmt.Sprintf("this version of mcpgen reads format %d", forms[0]), Offset: int(first.NamePos)}
		return nil, hint.With(locate(e, data), append([]string{"use the version of mcpgen that wrote the " + what}, steps...)...)
	}
	return v, nil
}

// formOf returns the form of a file, or 0 if it is not a number.
func formOf(v *tree.Value) int {
	first := &v.Kids[0]
	n, err := strconv.Atoi(first.Text)
	if first.Kind != tree.Number || err != nil {
		return 0
	}
	return n
}

// locate fills in line and column of an error in data.
func locate(e *schema.Error, data []byte) *schema.Error {
	before := data[:min(max(e.Offset, 0), len(data))]
	e.Line = bytes.Count(before, []byte{'\n'}) + 1
	e.Column = len(before) - bytes.LastIndexByte(before, '\n')
	return e
}

// fileReader reads members of a file and collects errors.
type fileReader struct {
	data  []byte
	form  int      // of a lock
	steps []string // hints of every error
	errs  []error
}

func (r *fileReader) fail(pos int32, pointer, reason string, steps ...string) {
	e := &schema.Error{Pointer: pointer, Reason: reason, Offset: int(pos)}
	r.errs = append(r.errs, hint.With(locate(e, r.data), append(steps, r.steps...)...))
}

// order rejects unknown and misplaced members.
func (r *fileReader) order(v *tree.Value, known []string, pointer string) {
	next := 0
	for i := range v.Kids {
		m := &v.Kids[i]
		at := slices.Index(known, m.Name)
		switch {
		case at < 0:
			r.fail(m.NamePos, pointer+"/"+jsontext.EscapePointer(m.Name), "unknown member")
		case at < next:
			r.fail(m.NamePos, pointer+"/"+m.Name, fmt.Sprintf("must come before %q", known[next-1]))
		default:
			next = at + 1
		}
	}
}

// object rejects values that are not objects.
func (r *fileReader) object(v *tree.Value, pointer string) bool {
	if v.Kind != tree.Object {
		r.fail(v.Pos, pointer, fmt.Sprintf("must be an object, is %v", v.Kind))
	}
	return v.Kind == tree.Object
}

// need rejects an object that lacks one of the members.
func (r *fileReader) need(v *tree.Value, pointer string, names ...string) {
	for _, name := range names {
		if v.Get(name) == nil {
			r.fail(v.Pos, pointer+"/"+name, "missing")
		}
	}
}

func (r *fileReader) text(v *tree.Value, name, pointer string) string {
	m := v.Get(name)
	if m == nil {
		return ""
	}
	return r.asText(m, pointer+"/"+name)
}

func (r *fileReader) asText(v *tree.Value, pointer string) string {
	if v.Kind != tree.String || tree.HasSurrogate(v.Text) {
		r.fail(v.Pos, pointer, "must be a text")
		return ""
	}
	return strings.Clone(v.Text) // a substring would keep the whole file in memory
}

// raw returns the bytes of a member, or nil if it is absent.
func (r *fileReader) raw(v *tree.Value, name string) json.RawMessage {
	m := v.Get(name)
	if m == nil {
		return nil
	}
	return m.Raw(r.data)
}

// list is a list of a snapshot or a lock and the member that contains it.
type list struct {
	member string
	kind   schema.Kind
}

func lists() []list {
	return []list{{"tools", schema.KindTool}, {"prompts", schema.KindPrompt}, {"resources", schema.KindResource}, {"resourceTemplates", schema.KindTemplate}, {"skills", schema.KindSkill}, {"apps", schema.KindApp}}
}

// items reads one list.
func (r *fileReader) items(v *tree.Value, l list) []schema.Item {
	m := v.Get(l.member)
	if m == nil {
		return nil
	}
	if m.Kind != tree.Array {
		r.fail(m.Pos, "/"+l.member, "must be an array")
		return nil
	}
	items := make([]schema.Item, 0, len(m.Kids))
	for i := range m.Kids {
		def := &m.Kids[i].Value
		pointer := "/" + l.member + "/" + strconv.Itoa(i)
		name, err := tree.ItemName(def, string(l.kind), l.kind.NameMember())
		if err != nil {
			r.fail(int32(err.Offset), pointer+err.Pointer, err.Reason)
			continue
		}
		if n := len(items); n > 0 && items[n-1].Name >= name {
			if items[n-1].Name == name {
				r.fail(def.Pos, pointer, fmt.Sprintf("second %s named %s", l.kind, tree.Quote(name)))
			} else {
				r.fail(def.Pos, pointer, fmt.Sprintf("%s must come before %s: items are sorted by name", tree.Quote(name), tree.Quote(items[n-1].Name)))
			}
			continue
		}
		items = append(items, schema.Item{Kind: l.kind, Name: name, Raw: def.Raw(r.data)})
	}
	if len(items) == 0 {
		return nil
	}
	return items
}

// joinErrors joins the first 50 errors and counts the rest.
func joinErrors(errs []error) error {
	const most = 50
	if len(errs) > most {
		rest := len(errs) - most
		errs = append(slices.Clone(errs[:most]), fmt.Errorf("and %d more", rest))
	}
	return errors.Join(errs...)
}
