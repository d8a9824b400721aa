package lockfile

// This file parses a lock strictly, because anybody may have edited it.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// ParseLock reads a lock of form 3, or of form 1 or 2, whose servers become Unordered. It is strict, because
// anybody may have edited a lock: unknown forms, unknown or missing members, malformed hashes and keys,
// duplicate names and git conflict markers are errors. Decisions of generators are passed through unchanged.
//
// The errors are of type [*schema.Error], joined if there are several, each with line, column and the next
// step.
func ParseLock(data []byte) (*Lock, error) {
	v, err := parseFile(data, "lock", lockSteps(), lockForm, 2, 1)
	if err != nil {
		return nil, err
	}
	r := fileReader{data: data, form: formOf(v), steps: lockSteps()}
	r.order(v, []string{"mcpgen", "contracts", "servers"}, "")
	lock := NewLock()
	lock.Revision = r.revision(v.Get("contracts"))
	r.each(v.Get("servers"), "/servers", v.Pos, func(m *tree.Member, pointer string) {
		lock.Servers[m.Name] = r.server(&m.Value, pointer)
	})
	if err := joinErrors(r.errs); err != nil {
		return nil, err
	}
	return lock, nil
}

// revision reads the revision of the contract hashes and rejects revisions newer than this version's.
func (r *fileReader) revision(v *tree.Value) int {
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	switch {
	case v.Kind != tree.Number || err != nil || n < 0:
		r.fail(v.Pos, "/contracts", "must be a number")
	case n > schema.ContractRevision:
		r.fail(v.Pos, "/contracts", fmt.Sprintf("this version of mcpgen knows contract hashes up to revision %d", schema.ContractRevision), "use the version of mcpgen that wrote the lock")
	}
	return n
}

// each calls f for the members of an object.
func (r *fileReader) each(v *tree.Value, pointer string, parent int32, f func(m *tree.Member, pointer string)) {
	if v == nil {
		r.fail(parent, pointer, "missing")
		return
	}
	if !r.object(v, pointer) {
		return
	}
	for i := range v.Kids {
		m := &v.Kids[i]
		if m.Name == "" || tree.HasSurrogate(m.Name) {
			r.fail(m.NamePos, pointer, fmt.Sprintf("the name %s is not allowed", tree.Quote(m.Name)))
			continue
		}
		f(m, pointer+"/"+jsontext.EscapePointer(m.Name))
	}
}

func (r *fileReader) server(v *tree.Value, pointer string) *LockedServer {
	if !r.object(v, pointer) {
		return nil
	}
	known := []string{"source", "identity", "protocol", "capabilities", "clientCapabilities", "launch", "artifact", "store", "instructions", "accepted", "go", "unordered"}
	switch r.form {
	case 2:
		known = known[:len(known)-1]
	case 1:
		known = []string{"identity", "protocol", "capabilities", "clientCapabilities", "launch", "artifact", "instructions", "package"}
	}
	for _, l := range lists() {
		known = append(known, l.member)
	}
	r.order(v, known, pointer)
	s := &LockedServer{
		Source:             r.source(v.Get("source"), pointer+"/source"),
		Identity:           r.raw(v, "identity"),
		Capabilities:       r.raw(v, "capabilities"),
		ClientCapabilities: r.raw(v, "clientCapabilities"),
		Protocol:           r.text(v, "protocol", pointer),
		Launch:             r.launch(v.Get("launch"), pointer+"/launch"),
		Artifact:           r.artifact(v.Get("artifact"), pointer+"/artifact"),
		Store:              r.hash(v, "store", pointer),
		Instructions:       r.hash(v, "instructions", pointer),
		Accepted:           r.accepted(v.Get("accepted"), pointer+"/accepted"),
		Go:                 r.decided(v, pointer, "package"),
		Unordered:          r.form < lockForm || r.isTrue(v, "unordered", pointer),
	}
	for _, l := range lists() {
		m := v.Get(l.member)
		if m == nil && l.kind != schema.KindTool {
			continue
		}
		items := map[string]LockedItem{}
		r.each(m, pointer+"/"+l.member, v.Pos, func(m *tree.Member, pointer string) {
			items[m.Name] = r.item(l.kind, &m.Value, pointer)
		})
		*s.list(l.kind) = items
	}
	return s
}

func (r *fileReader) item(kind schema.Kind, v *tree.Value, pointer string) LockedItem {
	if !r.object(v, pointer) {
		return LockedItem{}
	}
	known := []string{"contract", "full", "key", "result", "suffix", "place", "accepted", "go"}
	if r.form == 1 {
		known = []string{"contract", "full", "key", "result", "was", "suffix", "names"}
	}
	r.order(v, known, pointer)
	r.need(v, pointer, "contract", "full")
	if kind == schema.KindTool {
		r.need(v, pointer, "key")
	} else {
		for _, name := range []string{"key", "result", "was", "suffix"} {
			if m := v.Get(name); m != nil {
				r.fail(m.Pos, pointer+"/"+name, "only tools have one")
			}
		}
	}
	return LockedItem{
		Contract: r.hash(v, "contract", pointer),
		Full:     r.hash(v, "full", pointer),
		Key:      r.word(v, "key", pointer, isKey, "must be bk_ and 32 hexadecimal digits"),
		Result:   r.result(v.Get("result"), pointer+"/result"),
		Suffix:   r.word(v, "suffix", pointer, suffixSyntax().MatchString, "must be 8 to 40 hexadecimal digits in lower case"),
		Place:    r.place(v.Get("place"), pointer+"/place"),
		Accepted: r.accepted(v.Get("accepted"), pointer+"/accepted"),
		Go:       r.decided(v, pointer, "names", "was"),
	}
}

// isTrue reads a member that is true or absent.
func (r *fileReader) isTrue(v *tree.Value, name, pointer string) bool {
	m := v.Get(name)
	if m != nil && m.Kind != tree.True {
		r.fail(m.Pos, pointer+"/"+name, "must be true, or absent")
	}
	return m != nil
}

// decided reads a generator's decisions, an object. Form 1 keeps them in the given members.
func (r *fileReader) decided(v *tree.Value, pointer string, members ...string) json.RawMessage {
	if r.form == 1 {
		w := fileWriter{}
		w.open()
		for _, name := range members {
			if m := v.Get(name); m != nil && (m.Kind != tree.Object || len(m.Kids) > 0) {
				w.raw(name, r.raw(v, name))
			}
		}
		if w.empty {
			return nil
		}
		w.close()
		return w.buf
	}
	m := v.Get("go")
	if m == nil || !r.object(m, pointer+"/go") || len(m.Kids) == 0 {
		return nil
	}
	return r.raw(v, "go")
}

// orNil returns nil for an empty map.
func orNil(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

// result reads a locked result schema.
func (r *fileReader) result(v *tree.Value, pointer string) LockedResult {
	if v == nil || !r.object(v, pointer) {
		return LockedResult{}
	}
	r.order(v, []string{"source", "hash"}, pointer)
	out := LockedResult{Source: resultSource(r.text(v, "source", pointer)), Hash: r.hash(v, "hash", pointer)}
	if out.Source != ResultUser && out.Source != ResultObserved {
		r.fail(v.Pos, pointer+"/source", fmt.Sprintf("must be %q or %q", ResultUser, ResultObserved))
	}
	r.need(v, pointer, "hash")
	return out
}

var suffixSyntax = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{8,40}$`) })

// word reads a text that must satisfy is; "" if absent.
func (r *fileReader) word(v *tree.Value, name, pointer string, is func(string) bool, reason string) string {
	m := v.Get(name)
	if m == nil {
		return ""
	}
	if m.Kind != tree.String || !is(m.Text) {
		r.fail(m.Pos, pointer+"/"+name, reason)
		return ""
	}
	return m.Text
}

// hash reads a hash; "" if absent.
func (r *fileReader) hash(v *tree.Value, name, pointer string) string {
	return r.word(v, name, pointer, isHash, "must be sha256: and 64 hexadecimal digits in lower case")
}

// isHash reports whether s has the form of a hash of package schema.
func isHash(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(digits) == 64 && isHex(digits)
}

// isKey reports whether s is a content key.
func isKey(s string) bool {
	digits, ok := strings.CutPrefix(s, "bk_")
	return ok && len(digits) == 32 && isHex(digits)
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
