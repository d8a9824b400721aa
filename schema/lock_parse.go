package schema

// This file reads a lock, strictly: anybody may have edited it.

import (
	"fmt"
	"go/token"
	"regexp"
	"strconv"
)

// lockMembers returns the members of a locked server, in their order.
func lockMembers() []string {
	return []string{
		"identity", "protocol", "capabilities", "clientCapabilities", "launch", "artifact", "instructions", "package",
		"tools", "prompts", "resources", "resourceTemplates",
	}
}

// MaxFormer bounds the former names of a tool in [LockedItem.Was].
const MaxFormer = 20

// lockItemMembers returns the members of a locked item, in their order.
func lockItemMembers() []string {
	return []string{"contract", "full", "key", "result", "was", "suffix", "names"}
}

// ParseLock reads a lock. It is strict, because a lock is input that anybody
// may have edited: another version, unknown or missing members, hashes and keys
// of another form, Go names that are no exported identifiers, JSON pointers
// that are none, duplicate names and git conflict markers are errors.
//
// The errors are of type [*Error], joined if there are several, each with line
// and column and what to do next.
func ParseLock(data []byte) (*Lock, error) {
	v, err := parseFile(data, "lock", lockHint)
	if err != nil {
		return nil, err
	}
	r := lockReader{fileReader{data: data, hint: lockHint}}
	r.order(v, []string{"mcpgen", "contracts", "servers"}, "")
	lock := NewLock()
	lock.Revision = r.revision(v.get("contracts"))
	r.each(v.get("servers"), "/servers", v.pos, func(m *member, pointer string) {
		lock.Servers[m.name] = r.server(&m.value, pointer)
	})
	if err := joinErrors(r.errs); err != nil {
		return nil, err
	}
	return lock, nil
}

type lockReader struct{ fileReader }

// revision reads the revision of the contract hashes. Those of a newer version
// cannot be judged.
func (r *lockReader) revision(v *value) int {
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(v.text)
	switch {
	case v.kind != numberValue || err != nil || n < 0:
		r.fail(v.pos, "/contracts", "must be a number")
	case n > ContractRevision:
		r.fail(v.pos, "/contracts", fmt.Sprintf("this version of mcpgen knows contract hashes up to revision %d: use the version of mcpgen that wrote the lock", ContractRevision))
	}
	return n
}

// each calls f for the members of an object.
func (r *lockReader) each(v *value, pointer string, parent int32, f func(m *member, pointer string)) {
	if v == nil {
		r.fail(parent, pointer, "missing")
		return
	}
	if v.kind != objectValue {
		r.fail(v.pos, pointer, fmt.Sprintf("must be an object, is %v", v.kind))
		return
	}
	for i := range v.kids {
		m := &v.kids[i]
		if m.name == "" || hasSurrogate(m.name) {
			r.fail(m.pos, pointer, fmt.Sprintf("the name %s cannot be", quote(m.name)))
			continue
		}
		f(m, pointer+"/"+escapePointer(m.name))
	}
}

func (r *lockReader) server(v *value, pointer string) *LockedServer {
	if v.kind != objectValue {
		r.fail(v.pos, pointer, fmt.Sprintf("must be an object, is %v", v.kind))
		return nil
	}
	r.order(v, lockMembers(), pointer)
	s := &LockedServer{
		Identity:           r.raw(v, "identity"),
		Capabilities:       r.raw(v, "capabilities"),
		ClientCapabilities: r.raw(v, "clientCapabilities"),
		Protocol:           r.text(v, "protocol", pointer),
		Launch:             r.launch(v.get("launch"), pointer+"/launch"),
		Artifact:           r.artifact(v.get("artifact"), pointer+"/artifact"),
		Instructions:       r.hash(v, "instructions", pointer),
		Package:            r.word(v, "package", pointer, packageSyntax, "must be a name of small letters and digits"),
	}
	for _, l := range s.lists() {
		m := v.get(l.member)
		if m == nil && l.kind != KindTool {
			continue
		}
		items := map[string]LockedItem{}
		r.each(m, pointer+"/"+l.member, v.pos, func(m *member, pointer string) {
			items[m.name] = r.item(l.kind, &m.value, pointer)
		})
		*l.items = items
	}
	return s
}

func (r *lockReader) item(kind Kind, v *value, pointer string) LockedItem {
	if v.kind != objectValue {
		r.fail(v.pos, pointer, fmt.Sprintf("must be an object, is %v", v.kind))
		return LockedItem{}
	}
	r.order(v, lockItemMembers(), pointer)
	for _, name := range []string{"contract", "full"} {
		if v.get(name) == nil {
			r.fail(v.pos, pointer+"/"+name, "missing")
		}
	}
	it := LockedItem{Contract: r.hash(v, "contract", pointer), Full: r.hash(v, "full", pointer)}
	key := v.get("key")
	switch {
	case key == nil && kind == KindTool:
		r.fail(v.pos, pointer+"/key", "missing")
	case key != nil && kind != KindTool:
		r.fail(key.pos, pointer+"/key", "only tools have one")
	case key != nil && (key.kind != stringValue || !isKey(key.text)):
		r.fail(key.pos, pointer+"/key", "must be bk_ and 32 hexadecimal digits")
	case key != nil:
		it.Key = key.text
	}
	it.Result = r.result(kind, v.get("result"), pointer+"/result")
	it.Was = r.was(kind, v.get("was"), pointer+"/was")
	it.Suffix = r.word(v, "suffix", pointer, suffixSyntax, "must be 8 to 40 hexadecimal digits in lower case")
	if it.Suffix != "" && kind != KindTool {
		r.fail(v.pos, pointer+"/suffix", "only tools have one")
	}
	it.Names = r.names(v.get("names"), pointer+"/names")
	return it
}

// was reads the names that a tool had before.
func (r *lockReader) was(kind Kind, v *value, pointer string) map[string]string {
	switch {
	case v == nil:
		return nil
	case kind != KindTool:
		r.fail(v.pos, pointer, "only tools have one")
		return nil
	case v.kind == objectValue && len(v.kids) > MaxFormer:
		r.fail(v.pos, pointer, fmt.Sprintf("a tool has at most %d former names: remove the oldest", MaxFormer))
		return nil
	}
	var names map[string]string
	r.each(v, pointer, v.pos, func(m *member, at string) {
		if m.kind != stringValue || !isExported(m.text) {
			r.fail(m.value.pos, at, "must be an exported Go identifier")
			return
		}
		if names == nil {
			names = map[string]string{}
		}
		names[m.name] = m.text
	})
	return names
}

// result reads what is locked of a result schema.
func (r *lockReader) result(kind Kind, v *value, pointer string) LockedResult {
	switch {
	case v == nil:
		return LockedResult{}
	case kind != KindTool:
		r.fail(v.pos, pointer, "only tools have one")
		return LockedResult{}
	case v.kind != objectValue:
		r.fail(v.pos, pointer, fmt.Sprintf("must be an object, is %v", v.kind))
		return LockedResult{}
	}
	r.order(v, []string{"source", "hash"}, pointer)
	out := LockedResult{Source: ResultSource(r.text(v, "source", pointer)), Hash: r.hash(v, "hash", pointer)}
	if out.Source != ResultUser && out.Source != ResultObserved {
		r.fail(v.pos, pointer+"/source", fmt.Sprintf("must be %q or %q", ResultUser, ResultObserved))
	}
	if v.get("hash") == nil {
		r.fail(v.pos, pointer+"/hash", "missing")
	}
	return out
}

// names reads the Go names of an item.
func (r *lockReader) names(v *value, pointer string) map[string]string {
	if v == nil || v.kind == objectValue && len(v.kids) == 0 {
		return nil
	}
	if v.kind != objectValue {
		r.fail(v.pos, pointer, fmt.Sprintf("must be an object, is %v", v.kind))
		return nil
	}
	names := make(map[string]string, len(v.kids))
	for i := range v.kids {
		m := &v.kids[i]
		at := pointer + "/" + escapePointer(m.name)
		switch {
		case m.name != "" && m.name[0] != '/' || hasSurrogate(m.name):
			r.fail(m.pos, at, "the member name must be a JSON pointer")
		case m.kind != stringValue || !isExported(m.text):
			r.fail(m.value.pos, at, "must be an exported Go identifier")
		default:
			names[m.name] = m.text
		}
	}
	return names
}

// isExported reports whether s can be an exported name in generated code.
func isExported(s string) bool {
	return len(s) <= MaxName && token.IsIdentifier(s) && token.IsExported(s)
}

var (
	suffixSyntax  = regexp.MustCompile(`^[0-9a-f]{8,40}$`)
	packageSyntax = regexp.MustCompile(`^[a-z][a-z0-9]{0,63}$`)
)

// word reads a text of some syntax; "" if absent.
func (r *lockReader) word(v *value, name, pointer string, syntax *regexp.Regexp, reason string) string {
	m := v.get(name)
	if m == nil {
		return ""
	}
	if m.kind != stringValue || !syntax.MatchString(m.text) {
		r.fail(m.pos, pointer+"/"+name, reason)
		return ""
	}
	return m.text
}

// hash reads a hash; "" if absent.
func (r *lockReader) hash(v *value, name, pointer string) string {
	m := v.get(name)
	if m == nil {
		return ""
	}
	if m.kind != stringValue || !isHash(m.text) {
		r.fail(m.pos, pointer+"/"+name, "must be sha256: and 64 hexadecimal digits in lower case")
		return ""
	}
	return m.text
}
