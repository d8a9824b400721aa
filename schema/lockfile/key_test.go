package lockfile

import (
	"encoding/json"
	"testing"
)

func TestSeed(t *testing.T) {
	t.Run("004-35", testContentKey)
	t.Run("004-37", func(t *testing.T) {
		key := func(schema string) string {
			k, err := ContentKey("s", "t", json.RawMessage(schema))
			if err != nil {
				t.Fatal(err)
			}
			return k
		}
		a := key(`{"type":"object","properties":{"a":{"type":"string"}}}`)
		if b := key(`{"properties":{"a":{"type":"string"}},"type":"object"}`); a != b {
			t.Errorf("members in another order have the key %s, want %s as before", b, a)
		}
		if b := key(`{"type":"object","properties":{"a":{"type":"number"}}}`); a == b {
			t.Errorf("a changed schema has the key %s as before, want another", b)
		}
	})
}

func testContentKey(t *testing.T) {
	const issue = `{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"}},"required":["title"]}`
	for _, tc := range []struct{ name, server, tool, schema, want string }{
		{"no schema", "github", "create_issue", "", "bk_189bf8c3e054c2302eaf3bd87efd8ea7"},
		{"null", "github", "create_issue", "null", "bk_189bf8c3e054c2302eaf3bd87efd8ea7"},
		{"schema", "github", "create_issue", issue, "bk_ba6bd1fa9cc8ee5e269d8fa370b46114"},
		{"other order", "github", "create_issue",
			`{"required":["title"],"properties":{"body":{"type":"string"},"title":{"type":"string"}},"type":"object"}`,
			"bk_ba6bd1fa9cc8ee5e269d8fa370b46114"},
		{"arrays keep theirs", "github", "create_issue",
			`{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"}},"required":["title","body"]}`,
			"bk_ee796720852ded24bc2bb81a58ea93b3"},
		{"escapes", "fs", "read", "{\"type\":\"object\",\"description\":\"a<b>&c\u2028d é\"}", "bk_72b443a716ac89986a4e693349fa6a99"},
		{"escaped escapes", "fs", "read", `{"type":"object","description":"a\u003cb\u003e\u0026c\u2028d \u00e9"}`, "bk_72b443a716ac89986a4e693349fa6a99"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var raw json.RawMessage
			if tc.schema != "" {
				raw = json.RawMessage(tc.schema)
			}
			got, err := ContentKey(tc.server, tc.tool, raw)
			if err != nil || got != tc.want {
				t.Errorf("got %s (%v), want %s", got, err, tc.want)
			}
		})
	}
	if _, err := ContentKey("s", "t", json.RawMessage(`{"a":1,"a":2}`)); err == nil {
		t.Error("a duplicate member: no error, want one")
	}
}
