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
	// What one reader takes for the locked page is another page to the next.
	for _, raw := range []string{
		`{"contents":[{"uri":"ui://a","text":"evil","Text":"12345"}]}`,
		`{"contents":[{"uri":"ui://a","text":"12345","text":"evil"}]}`,
		`{"contents":[{"uri":"ui://a","text":"12345","blob":"ZXZpbA=="}]}`,
		`{"contents":[{"uri":"ui://a","text":"12345","_meta":{"ui":{"csp":"evil"}},"_META":{}}]}`,
		`{"contents":[{"uri":"ui://a","text":"12345"}],"contentſ":[{"uri":"ui://a","text":"evil"}]}`,
	} {
		if app, err := ReadApp("ui://a", json.RawMessage(raw)); err == nil {
			t.Errorf("%s gives %+v", raw, app)
		}
	}
	for _, raw := range []string{``, `[]`, `{}`, `{"contents":[]}`, `{"contents":[{"uri":"ui://b","text":""}]}`, `{"contents":[{"uri":"ui://a"},{"uri":"ui://a"}]}`, `{"contents":[{"uri":"ui://a","blob":"*"}]}`} {
		if app, err := ReadApp("ui://a", json.RawMessage(raw)); err == nil {
			t.Errorf("%s gives %+v", raw, app)
		}
	}
}

// Whatever a server answers, a page that is read is what both encoding/json and a reader of
// exact names see.
func FuzzReadApp(f *testing.F) {
	f.Add(`{"contents":[{"uri":"ui://a","mimeType":"text/html","text":"12345","_meta":{"ui":{}}}]}`)
	f.Add(`{"contents":[{"uri":"ui://a","blob":"MTIzNDU=","text":null}]}`)
	f.Add(`{"contents":[{"uri":"ui://a","text":"a","Text":"b"}]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		app, err := ReadApp("ui://a", json.RawMessage(raw))
		if err != nil {
			return
		}
		var folded struct {
			Contents []struct {
				Text *string
				Blob []byte
			}
		}
		if err := json.Unmarshal([]byte(raw), &folded); err != nil || len(folded.Contents) != 1 {
			t.Fatalf("%s is read as %+v, but %v, %+v", raw, app, err, folded)
		}
		page := folded.Contents[0].Blob
		if text := folded.Contents[0].Text; text != nil {
			page = []byte(*text)
		}
		if len(page) != app.Size {
			t.Errorf("%s: %d bytes, and %d to another reader", raw, app.Size, len(page))
		}
		if _, err := app.Item(); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	})
}
