package extension

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

const testDigest = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

func skillFile(uri string, size int) string {
	return fmt.Sprintf(`{"uri":%q,"digest":%q,"size":%d}`, uri, testDigest, size)
}

func TestParseSkill(t *testing.T) {
	own := skillFile("skill://x/a/SKILL.md", 3)
	raw := `{"uri":"skill://x/a/SKILL.md","frontmatter":{"name":"a","description":"d","allowed-tools":"Bash"},"resources":[` + own + `,` + skillFile("skill://x/a/b/c.md", 4) + `]}`
	s, err := ParseSkill(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "a" || s.Description != "d" || s.Root() != "skill://x/a/" || len(s.Files) != 2 || s.Files[1] != (SkillFile{"skill://x/a/b/c.md", testDigest, 4}) {
		t.Errorf("the skill is %+v", s)
	}
	if want := `{"name":"a","description":"d","allowed-tools":"Bash"}`; string(s.Frontmatter) != want {
		t.Errorf("frontmatter %s, expected %s", s.Frontmatter, want)
	}
	s, err = ParseSkill(json.RawMessage(`{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"d"},"resources":"dynamic"}`))
	if err != nil || !s.Dynamic || s.Files != nil {
		t.Errorf("a dynamic skill is %+v, %v", s, err)
	}
}

func TestParseSkillRefuses(t *testing.T) {
	own := skillFile("skill://a/SKILL.md", 3)
	front := `"frontmatter":{"name":"a","description":"d"}`
	entry := func(files ...string) string {
		return `{"uri":"skill://a/SKILL.md",` + front + `,"resources":[` + strings.Join(files, ",") + `]}`
	}
	many := make([]string, maxSkillFiles)
	for i := range many {
		many[i] = skillFile(fmt.Sprintf("skill://a/%d", i), 1)
	}
	for _, tc := range []struct{ name, raw, pointer, reason string }{
		{"no JSON", `{`, "", ""},
		{"no URI", `{` + front + `,"resources":"dynamic"}`, "", `no "uri"`},
		{"no frontmatter", `{"uri":"skill://a/SKILL.md","resources":"dynamic"}`, "", `has no "frontmatter"`},
		{"no description", `{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a"},"resources":"dynamic"}`, "/frontmatter", `has no "description"`},
		{"an empty name", `{"uri":"skill://a/SKILL.md","frontmatter":{"name":"","description":"d"},"resources":"dynamic"}`, "/frontmatter/name", "must not be empty"},
		{"a URI of another name", `{"uri":"skill://b/SKILL.md",` + front + `,"resources":"dynamic"}`, "/uri", `does not end in "a/SKILL.md"`},
		{"no resources", `{"uri":"skill://a/SKILL.md",` + front + `}`, "", `has no "resources"`},
		{"resources of another kind", `{"uri":"skill://a/SKILL.md",` + front + `,"resources":"all"}`, "/resources", "must be"},
		{"no files", entry(), "/resources", "own SKILL.md"},
		{"a file that is not an object", entry(own, "1"), "/resources/1", "must be an object"},
		{"a file twice", entry(own, own), "/resources/1", "second file"},
		{"a file elsewhere", entry(own, skillFile("skill://ab/c", 1)), "/resources/1/uri", "not inside"},
		{"a file above", entry(own, skillFile("skill://a/../b", 1)), "/resources/1/uri", "not inside"},
		{"a file above, escaped", entry(own, skillFile("skill://a/%2e%2e/b", 1)), "/resources/1/uri", "not inside"},
		{"a file above, in one part", entry(own, skillFile("skill://a/..%2fb", 1)), "/resources/1/uri", "not inside"},
		{"a file above, as Windows writes it", entry(own, skillFile(`skill://a/..\\\\b`, 1)), "/resources/1/uri", "not inside"},
		{"the folder", entry(own, skillFile("skill://a/", 1)), "/resources/1/uri", "not inside"},
		{"another digest", entry(strings.Replace(own, "sha256:", "sha512:", 1)), "/resources/0/digest", "sha256:"},
		{"a negative size", entry(skillFile("skill://a/SKILL.md", -1)), "/resources/0/size", "number of bytes"},
		{"a broken size", entry(strings.Replace(own, `"size":3`, `"size":3.5`, 1)), "/resources/0/size", "number of bytes"},
		{"too many files", entry(append(many, own)...), "/resources", "has 513 files"},
		{"too many bytes", entry(own, skillFile("skill://a/b", maxSkillBytes)), "/resources", "more than 16777216 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseSkill(json.RawMessage(tc.raw))
			wrong, ok := err.(*schema.Error)
			if !ok {
				t.Fatalf("error %v, expected an *Error", err)
			}
			if wrong.Pointer != tc.pointer || !strings.Contains(wrong.Reason, tc.reason) {
				t.Errorf("%q: %s; expected %q: …%s…", wrong.Pointer, wrong.Reason, tc.pointer, tc.reason)
			}
		})
	}
}

func FuzzParseSkill(f *testing.F) {
	f.Add([]byte(`{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"d"},"resources":[` + skillFile("skill://a/SKILL.md", 3) + `]}`))
	f.Add([]byte(`{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"d"},"resources":"dynamic"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSkill(data)
		if err != nil {
			return
		}
		it, err := schema.ParseItem(schema.KindSkill, data)
		if err != nil || it.Name != s.URI || s.Dynamic == (s.Files != nil) || !json.Valid(s.Frontmatter) {
			t.Fatalf("%+v, ParseItem says %v", s, err)
		}
	})
}
