package extension

// This file reads one entry of skills/list (the Skills extension, SEP-2640).

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// The limits on one skill that every host must support, and that this package enforces: the number of files,
// and their total size in bytes.
const (
	maxSkillFiles = 512
	maxSkillBytes = 16 << 20
)

// Skill is one entry of skills/list: a folder of files whose SKILL.md instructs a model. A lock pins the listed
// digests of the files.
type Skill struct {
	URI         string          // of SKILL.md
	Name        string          // a label; two skills of a server may share it
	Description string          // as the server wrote it, for a model
	Frontmatter json.RawMessage // of SKILL.md, as JSON; an object
	Files       []SkillFile     // all files including SKILL.md; nil if Dynamic
	Dynamic     bool            // the server promises nothing about its files
}

// SkillFile is one file of a skill.
type SkillFile struct {
	URI    string
	Digest string // sha256:<64 lower-case hex digits> of its bytes
	Size   int64  // bytes
}

// Root returns the URI of the skill's folder, with a trailing slash.
func (s Skill) Root() string { return strings.TrimSuffix(s.URI, skillMain) }

const skillMain = "SKILL.md"

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// ParseSkill reads an entry. It fails with a [*schema.Error] if hosts must not load the skill: if
// [schema.ParseItem] fails, the frontmatter lacks a name or description, the URI does not end in the name and
// SKILL.md, or the skill has too many files or bytes. Resources must be "dynamic" or a complete
// list of files in the skill's folder, each once with size and digest.
func ParseSkill(raw json.RawMessage) (Skill, error) {
	item, err := schema.ParseItem(schema.KindSkill, raw)
	if err != nil {
		return Skill{}, err
	}
	v, _ := tree.Parse(raw) // valid: ParseItem parsed it
	s := Skill{URI: item.Name}
	var r skillReader
	front := r.member(v, "", "frontmatter", tree.Object)
	s.Name, s.Description = r.text(front, "/frontmatter", "name"), r.text(front, "/frontmatter", "description")
	if r.err == nil && !strings.HasSuffix(s.URI, "/"+s.Name+"/"+skillMain) {
		r.fail(v.Get("uri"), "/uri", "does not end in "+tree.Quote(s.Name+"/"+skillMain)+", the skill's name and its file")
	}
	r.files(&s, v)
	if r.err != nil {
		return Skill{}, r.err
	}
	s.Frontmatter = front.Raw(raw)
	return s, nil
}

// skillReader keeps the first error.
type skillReader struct{ err *schema.Error }

func (r *skillReader) fail(v *tree.Value, pointer, reason string) {
	if r.err == nil {
		r.err = &schema.Error{Pointer: pointer, Reason: reason, Offset: int(v.Pos)}
	}
}

// member returns the member with the given name, or nil if it is missing or not of the given kind.
func (r *skillReader) member(v *tree.Value, pointer, name string, kind tree.Kind) *tree.Value {
	if v == nil {
		return nil
	}
	m := v.Get(name)
	switch {
	case m == nil:
		r.fail(v, pointer, "has no "+strconv.Quote(name))
		return nil
	case m.Kind != kind:
		r.fail(m, pointer+"/"+name, fmt.Sprintf("must be %v, is %v", kind, m.Kind))
		return nil
	}
	return m
}

func (r *skillReader) text(v *tree.Value, pointer, name string) string {
	m := r.member(v, pointer, name, tree.String)
	if m == nil {
		return ""
	}
	if m.Text == "" {
		r.fail(m, pointer+"/"+name, "must not be empty")
	}
	return strings.Clone(m.Text)
}

// files reads the resources of a skill.
func (r *skillReader) files(s *Skill, v *tree.Value) {
	list := v.Get("resources")
	if list != nil && list.Kind == tree.String && list.Text == "dynamic" {
		s.Dynamic = true
		return
	}
	if list = r.member(v, "", "resources", tree.Array); list == nil {
		return
	}
	if len(list.Kids) > maxSkillFiles {
		r.fail(list, "/resources", fmt.Sprintf("has %d files, more than %d", len(list.Kids), maxSkillFiles))
		return
	}
	seen, total := map[string]bool{}, int64(0)
	for i := range list.Kids {
		at := "/resources/" + strconv.Itoa(i)
		f := r.file(&list.Kids[i].Value, at, s.Root())
		if r.err != nil {
			return
		}
		if seen[f.URI] {
			r.fail(&list.Kids[i].Value, at, "is the second file "+tree.Quote(f.URI))
			return
		}
		seen[f.URI] = true
		if total += f.Size; total > maxSkillBytes {
			r.fail(list, "/resources", fmt.Sprintf("has more than %d bytes", maxSkillBytes))
			return
		}
		s.Files = append(s.Files, f)
	}
	if !seen[s.URI] {
		r.fail(list, "/resources", "does not list the skill's own "+skillMain)
	}
}

// file reads one file below root.
func (r *skillReader) file(v *tree.Value, pointer, root string) SkillFile {
	if v.Kind != tree.Object {
		r.fail(v, pointer, fmt.Sprintf("must be an object, is %v", v.Kind))
		return SkillFile{}
	}
	f := SkillFile{URI: r.text(v, pointer, "uri"), Digest: r.text(v, pointer, "digest")}
	size := r.member(v, pointer, "size", tree.Number)
	if r.err != nil {
		return f
	}
	if path, ok := strings.CutPrefix(f.URI, root); !ok || !isBelow(path) {
		r.fail(v, pointer+"/uri", "is not inside "+tree.Quote(root))
	}
	if !digestForm.MatchString(f.Digest) {
		r.fail(v, pointer+"/digest", "must be sha256: and 64 lower-case hex digits")
	}
	var err error
	if f.Size, err = strconv.ParseInt(size.Text, 10, 64); err != nil || f.Size < 0 || f.Size > maxSkillBytes {
		r.fail(size, pointer+"/size", fmt.Sprintf("must be a number of bytes from 0 to %d", maxSkillBytes))
	}
	return f
}

// isBelow reports whether a path leads to a file below its start for every reader, including readers that
// decode escapes or treat \ as a slash.
func isBelow(path string) bool {
	plain, err := url.PathUnescape(path)
	if err != nil {
		plain = path // readers cannot decode its escapes
	}
	if strings.ContainsAny(plain, "\\\x00") || strings.Count(plain, "/") != strings.Count(path, "/") {
		return false
	}
	for part := range strings.SplitSeq(plain, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}
