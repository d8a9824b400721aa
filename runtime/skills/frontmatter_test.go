package skills

import (
	"encoding/json"
	"testing"
)

func TestSameFrontmatter(t *testing.T) {
	for _, tc := range []struct {
		name, yaml, json string
		want             bool
	}{
		{"equal", "name: a\ndescription: b", `{"description":"b","name":"a"}`, true},
		{"another text", "name: a\ndescription: b", `{"name":"a","description":"c"}`, false},
		{"more in the file", "name: a\nallowed-tools: Bash", `{"name":"a"}`, false},
		{"less in the file", "name: a", `{"name":"a","allowed-tools":"Bash"}`, false},
		{"a key twice", "name: a\nname: a", `{"name":"a","x":"y"}`, false},
		{"a date", "date: 2026-01-02", `{"date":"2026-01-02"}`, true},
		{"a quoted number", `v: "1.0"`, `{"v":"1.0"}`, true},
		{"a number that is not text", "v: 1.0", `{"v":"1.0"}`, false},
		{"a number", "v: 1.0", `{"v":1}`, true},
		{"a large number", "v: 9007199254740993", `{"v":9007199254740993}`, true},
		{"another large number", "v: 9007199254740993", `{"v":9007199254740992}`, false},
		{"a boolean", "v: true", `{"v":true}`, true},
		{"null", "v:", `{"v":null}`, true},
		{"a list", "v: [a, {b: c}]", `{"v":["a",{"b":"c"}]}`, true},
		{"a shorter list", "v: [a]", `{"v":["a","b"]}`, false},
		{"an alias", "v: &x a\nw: *x", `{"v":"a","w":"a"}`, true},
		{"an alias of itself", "v: &x [*x]", `{"v":[]}`, false},
		{"a folded text", "v: >\n  a\n  b", `{"v":"a b\n"}`, true},
		{"no mapping", "- a", `{"v":"a"}`, false},
		{"no YAML", "v: [", `{"v":[]}`, false},
		{"integers beyond 2^63", "v: 18446744073709551615", `{"v":18446744073709551614}`, false},
		{"an integer beyond 2^63", "v: 18446744073709551615", `{"v":18446744073709551615.0}`, true},
		{"a spelling of YAML alone", "v: 0x10", `{"v":1.6e1}`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := sameFrontmatter([]byte("---\n"+tc.yaml+"\n---\nBody\n"), json.RawMessage(tc.json))
			if (err == nil) != tc.want {
				t.Errorf("error %v, expected the same: %v", err, tc.want)
			}
		})
	}
	for _, file := range []string{"", "---", "---\nname: a\n", "name: a\n---\n", "Body\n"} {
		if err := sameFrontmatter([]byte(file), json.RawMessage(`{"name":"a"}`)); err == nil {
			t.Errorf("%q has a frontmatter", file)
		}
	}
	if err := sameFrontmatter([]byte("---\r\nname: a\r\n---\r\n"), json.RawMessage(`{"name":"a"}`)); err != nil {
		t.Errorf("with carriage returns: %v", err)
	}
}

func FuzzSameFrontmatter(f *testing.F) {
	f.Add("---\nname: a\n---\n", `{"name":"a"}`)
	f.Add("---\nv: [1, 2.5, {a: null}]\n---", `{"v":[1,2.5,{"a":null}]}`)
	f.Fuzz(func(_ *testing.T, file, entry string) {
		if json.Valid([]byte(entry)) {
			_ = sameFrontmatter([]byte(file), json.RawMessage(entry))
		}
	})
}
