package extension

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// Skills that hosts must not load and pages that cannot be read are left out, and each
// is reported.
func TestComplete(t *testing.T) {
	skill := func(name string) schema.Item {
		uri := "skill://" + name + "/SKILL.md"
		return schema.Item{Kind: schema.KindSkill, Name: uri, Raw: json.RawMessage(`{"uri":"` + uri + `","frontmatter":{"name":"a","description":"d"},"resources":"dynamic"}`)}
	}
	snap := &schema.Snapshot{
		Skills:    []schema.Item{skill("a"), skill("b")},
		Resources: []schema.Item{{Name: "ui://good"}, {Name: "ui://gone"}, {Name: "ui://other"}},
	}
	read := func(_ context.Context, uri string) (json.RawMessage, error) {
		switch uri {
		case "ui://gone":
			return nil, errors.New("not found")
		case "ui://other":
			return json.RawMessage(`{"contents":[]}`), nil
		}
		return json.RawMessage(`{"contents":[{"uri":"` + uri + `","text":"x"}]}`), nil
	}
	problems, err := Complete(t.Context(), snap, read)
	if err != nil || len(snap.Skills) != 1 || len(snap.Apps) != 1 || snap.Apps[0].Name != "ui://good" {
		t.Fatalf("the snapshot has the skills %v and the apps %v, error %v", snap.Skills, snap.Apps, err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		`skill "skill://b/SKILL.md" at "/uri": left out: does not end in "a/SKILL.md", the skill's name and its file`,
		`app "ui://gone": left out: not found`,
		`app "ui://other": left out: resources/read returned 0 contents, want one with the requested address`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the problems are\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i := range maxApps {
		snap.Resources = append(snap.Resources, schema.Item{Name: fmt.Sprintf("ui://%d", i)})
	}
	if _, err := Complete(t.Context(), snap, read); err == nil || !strings.Contains(err.Error(), "more than 200 app pages") {
		t.Errorf("too many pages: %v, want an error with %q", err, "more than 200 app pages")
	}
}
