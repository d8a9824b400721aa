package decide

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// What other uses of a type are described as stands beside what the first one is, unless
// they differ in wording alone.
func TestAgreeOn(t *testing.T) {
	for _, c := range []struct {
		first  string
		others []string
		want   []string
	}{
		{"The composer package name, in `vendor/package` format.", []string{"The crate's name. It is public."}, []string{"Elsewhere: The crate's name."}},
		{"The attributes for Basic Auth.", []string{"The Basic Auth attributes."}, nil},
		{"The variable's key", []string{"Key of the variables", "The key, without spaces"}, []string{"Elsewhere: The key, without spaces."}},
		{"The users to add, by ID.", []string{"The user IDs to add", "The users to remove, by ID."}, []string{"Elsewhere: The users to remove, by ID."}},
		{"The key.", []string{"The key of an owner. It is long.", "The key of an owner. It is longer."}, []string{"Elsewhere: The key of an owner."}},
		{"The attributes of a key", []string{"The attributes of a [key](https://example.com/key/)."}, nil},
		{"To add.", []string{"To remove.", "Removes", "To list.", "To keep.", "To count."}, []string{"Elsewhere: To remove.", "Elsewhere: To list.", notEverywhere}},
		{"", []string{"Only there."}, nil},
		{"Only here.", []string{""}, nil},
	} {
		doc := ir.Doc{Server: c.first}
		for _, text := range c.others {
			agreeOn(&doc, ir.Doc{Server: text})
		}
		if !slices.Equal(doc.Notes, c.want) {
			t.Errorf("%q and %q: got %q, want %q", c.first, c.others, doc.Notes, c.want)
		}
	}
	doc := ir.Doc{Server: "A limit.", Notes: []string{"At least 1."}}
	agreeOn(&doc, ir.Doc{Server: "A limit.", Notes: []string{"At least 2."}})
	if !slices.Equal(doc.Notes, []string{"At least 1.", notEverywhere}) {
		t.Errorf("got %q", doc.Notes)
	}
}

// Branches of a union are at members of one name, which the comment of their type names once.
func TestUsesAreNamedOnce(t *testing.T) {
	list := `{"type":"array","items":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}`
	other := `{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"}}}}`
	p, _ := mustPackage(t, Input{Server: Server{Name: "srv", Snapshot: snapshotOf(t, `{"name":"put","inputSchema":{"type":"object","properties":{"body":{"anyOf":[`+list+`,`+other+`,`+list+`]}}}}`)}})
	for _, typ := range p.Types {
		if strings.Contains(typ.Doc.Lead, `"body" and "body"`) {
			t.Errorf("%s %s", typ.Go, typ.Doc.Lead)
		}
	}
}
