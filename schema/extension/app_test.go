package extension

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

func TestAppURIs(t *testing.T) {
	s := &schema.Snapshot{
		Tools: []schema.Item{
			{Raw: json.RawMessage(`{"_meta":{"ui":{"resourceUri":"ui://b"}}}`)},
			{Raw: json.RawMessage(`{"_meta":{"ui/resourceUri":"ui://a"}}`)},
			{Raw: json.RawMessage(`{"_meta":{"ui":{"resourceUri":"https://evil.example"},"ui/resourceUri":"file:///etc/passwd"}}`)},
			{Raw: json.RawMessage(`{"_meta":{"ui":7,"ui/resourceUri":{}}}`)},
			{Raw: json.RawMessage(`{"_meta":[]}`)},
			{Raw: json.RawMessage(`{}`)},
		},
		Resources: []schema.Item{{Name: "ui://b"}, {Name: "UI://c"}, {Name: "file:///ui"}, {Name: "%"}},
	}
	if got, want := appURIs(s), []string{"UI://c", "ui://a", "ui://b"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

func TestReadApp(t *testing.T) {
	const digest = "sha256:5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5" // of 12345
	for name, raw := range map[string]string{
		"text": `{"contents":[{"uri":"ui://a","mimeType":"text/html","text":"12345","_meta":{"ui":{}}}]}`,
		"blob": `{"contents":[{"uri":"ui://a","mimeType":"text/html","blob":"MTIzNDU=","_meta":{"ui":{}}}]}`,
	} {
		app, err := ReadApp("ui://a", json.RawMessage(raw))
		if err != nil || app.Digest != digest || app.Size != 5 || app.MIMEType != "text/html" {
			t.Errorf("%s: %+v, %v", name, app, err)
		}
		item, err := app.Item()
		want := `{"uri":"ui://a","mimeType":"text/html","digest":"` + digest + `","size":5,"_meta":{"ui":{}}}`
		if err != nil || item.Kind != schema.KindApp || item.Name != "ui://a" || string(item.Raw) != want {
			t.Errorf("%s: the item is %s %q %s, %v", name, item.Kind, item.Name, item.Raw, err)
		}
	}
	for _, raw := range []string{``, `[]`, `{}`, `{"contents":[]}`, `{"contents":[{"uri":"ui://b","text":""}]}`, `{"contents":[{"uri":"ui://a"},{"uri":"ui://a"}]}`, `{"contents":[{"uri":"ui://a","blob":"*"}]}`} {
		if app, err := ReadApp("ui://a", json.RawMessage(raw)); err == nil {
			t.Errorf("%s gives %+v", raw, app)
		}
	}
}
