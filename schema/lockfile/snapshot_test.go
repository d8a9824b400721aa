package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/corpus"
)

// snapshotOf makes a snapshot of raw definitions.
func snapshotOf(t testing.TB, server string, kind schema.Kind, raws ...json.RawMessage) *schema.Snapshot {
	t.Helper()
	s := &schema.Snapshot{Server: server, ProtocolVersion: "2025-11-25"}
	for _, raw := range raws {
		it, err := schema.ParseItem(kind, raw)
		if err != nil {
			t.Fatal(err)
		}
		*s.List(kind) = append(*s.List(kind), it)
	}
	return s
}

func TestSnapshotForm(t *testing.T) {
	s := &schema.Snapshot{
		Server:          "demo",
		ProtocolVersion: "2025-11-25",
		Identity:        json.RawMessage(`{"version":"1.0","name":"demo"}`),
		Capabilities:    json.RawMessage(`{"tools":{"listChanged":true},"prompts":{}}`),
		Instructions:    "Look\u200b\u202e here <b>",

		ClientCapabilities: json.RawMessage(`{"roots":{}}`),

		Tools: []schema.Item{
			{Kind: schema.KindTool, Name: "b", Raw: json.RawMessage(`{"name":"b","inputSchema":{"type":"object","maximum":9007199254740993}}`)},
			{Kind: schema.KindTool, Name: "a", Raw: json.RawMessage(`{"inputSchema":{},"name":"a","x":[1.0,[],{}]}`)},
		},
		Templates: []schema.Item{{Kind: schema.KindTemplate, Name: "file:///{path}", Raw: json.RawMessage(`{"uriTemplate":"file:///{path}","name":"f"}`)}},
		Skills:    []schema.Item{{Kind: schema.KindSkill, Name: "skill://a/SKILL.md", Raw: json.RawMessage(`{"uri":"skill://a/SKILL.md","resources":"dynamic"}`)}},
	}
	const want = `{
  "mcpgen": 1,
  "server": "demo",
  "protocolVersion": "2025-11-25",
  "identity": {
    "version": "1.0",
    "name": "demo"
  },
  "capabilities": {
    "tools": {
      "listChanged": true
    },
    "prompts": {}
  },
  "clientCapabilities": {
    "roots": {}
  },
  "instructions": "Look\u200b\u202e here <b>",
  "tools": [
    {
      "inputSchema": {},
      "name": "a",
      "x": [
        1.0,
        [],
        {}
      ]
    },
    {
      "name": "b",
      "inputSchema": {
        "type": "object",
        "maximum": 9007199254740993
      }
    }
  ],
  "resourceTemplates": [
    {
      "uriTemplate": "file:///{path}",
      "name": "f"
    }
  ],
  "skills": [
    {
      "uri": "skill://a/SKILL.md",
      "resources": "dynamic"
    }
  ]
}
`
	if got := string(EncodeSnapshot(s)); got != want {
		t.Errorf("got\n%s\nwant\n%v", got, want)
	}
	if s.Tools[0].Name != "b" {
		t.Errorf("after Encode the caller's first tool is %q, want b as before", s.Tools[0].Name)
	}
	empty := "{\n  \"mcpgen\": 1,\n  \"tools\": []\n}\n"
	if got := string(EncodeSnapshot(&schema.Snapshot{})); got != empty {
		t.Errorf("an empty snapshot is\n%s", got)
	}
}

func TestSnapshotRoundTrip(t *testing.T) {
	for server, raws := range corpus.Tools(t, "../../golden/corpus/servers") {
		t.Run(server, func(t *testing.T) {
			s := snapshotOf(t, server, schema.KindTool, raws...)
			s.Identity = json.RawMessage(`{"name":"x","version":"1.10"}`)
			s.Instructions = "a\u2028b\x00c\U000E0041"
			file := EncodeSnapshot(s)
			if !json.Valid(file) || !isASCII(string(bytes.Map(onlyInvisible, file))) {
				t.Errorf("got %q, want JSON without invisible characters", file)
			}
			back, err := ParseSnapshot(file)
			if err != nil {
				t.Fatal(err)
			}
			if again := EncodeSnapshot(back); !bytes.Equal(file, again) {
				t.Errorf("a second Encode gives\n%s\nwant\n%s", again, file)
			}
			twice, err := ParseSnapshot(EncodeSnapshot(back))
			if err != nil || !reflect.DeepEqual(back, twice) {
				t.Errorf("a second round trip differs (%v)", err)
			}
			if same, text := AsFile(s, nil); !reflect.DeepEqual(same, back) || !bytes.Equal(text, file) {
				t.Errorf("AsFile gives\n%s\nwant what ParseSnapshot reads from\n%s", text, file)
			}
			if same, text := AsFile(s, file); !reflect.DeepEqual(same, back) || &text[0] != &file[0] {
				t.Error("AsFile copies the file that it was given, want its memory shared")
			}
			if back.Instructions != s.Instructions || back.Server != server || len(back.Tools) != len(raws) {
				t.Errorf("got back instructions %q, server %v and %d tools, want %q, %v and %d", back.Instructions, back.Server, len(back.Tools), s.Instructions, server, len(raws))
			}
			s.Sort()
			for i, it := range s.Tools {
				before, _ := schema.FullHash(it.Raw)
				after, err := schema.FullHash(back.Tools[i].Raw)
				if before != after || err != nil {
					t.Errorf("%s: the full hash was %s, is %s (%v)", it.Name, before, after, err)
				}
			}
			rand.Shuffle(len(s.Tools), func(i, j int) { s.Tools[i], s.Tools[j] = s.Tools[j], s.Tools[i] })
			if !bytes.Equal(file, EncodeSnapshot(s)) {
				t.Error("tools in another order give another file, want the same")
			}
			crlf := bytes.ReplaceAll(file, []byte("\n"), []byte("\r\n"))
			if back, err := ParseSnapshot(crlf); err != nil || !bytes.Equal(EncodeSnapshot(back), file) {
				t.Errorf("with other line endings: %v", err)
			}
		})
	}
}

func onlyInvisible(r rune) rune {
	if invisible(r) {
		return r
	}
	return 'x'
}

func TestParseSnapshotRefuses(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", "1:1: no JSON value"},
		{"not JSON", "{\n  \"mcpgen\": 1,\n  nope\n}", "3:3: unexpected 'n' where a member name was expected"},
		{"no object", "[]", "1:1: the snapshot is an array"},
		{"not ours", `{"server":"x","mcpgen":1}`, `1:1: not a snapshot of mcpgen: the first member must be "mcpgen"`},
		{"version", "{\n \"mcpgen\": 2}", "2:2: at \"/mcpgen\": this version of mcpgen reads format 1"},
		{"unknown", `{"mcpgen":1,"tool":[]}`, `1:13: at "/tool": unknown member`},
		{"order", `{"mcpgen":1,"tools":[],"server":"x"}`, `1:24: at "/server": must come before "tools"`},
		{"type", `{"mcpgen":1,"server":5}`, `1:22: at "/server": must be a text`},
		{"list", `{"mcpgen":1,"tools":{}}`, `1:21: at "/tools": must be an array`},
		{"unsorted", `{"mcpgen":1,"tools":[{"name":"b"},` + "\n" + `{"name":"a"}]}`, `2:1: at "/tools/1": "a" must come before "b"`},
		{"twice", `{"mcpgen":1,"prompts":[{"name":"a"},{"name":"a"}]}`, `second prompt named "a"`},
		{"no name", `{"mcpgen":1,"resources":[{"name":"a"}]}`, `1:26: at "/resources/0": the resource has no "uri"`},
		{"name", `{"mcpgen":1,"tools":[{"name":5}]}`, `1:30: at "/tools/0/name": must be a string, is a number`},
		{"empty name", `{"mcpgen":1,"tools":[{"name":""}]}`, "must not be empty"},
		{"long name", `{"mcpgen":1,"tools":[{"name":"` + strings.Repeat("x", 257) + `"}]}`, "longer than 256 bytes"},
		{"half a name", `{"mcpgen":1,"tools":[{"name":"a\ud800"}]}`, "half of a surrogate pair"},
		{"duplicate member", `{"mcpgen":1,"tools":[{"name":"a","x":{"y":1,"y":2}}]}`, `1:45: at "/tools/0/x/y": duplicate member name`},
		{"conflict", "{\n<<<<<<< HEAD\n  \"mcpgen\": 1\n=======\n>>>>>>> x\n}", "2:1: git conflict markers"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseSnapshot([]byte(tc.in))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v\nwant %s", err, tc.want)
			}
			if !strings.Contains(err.Error(), "run mcpgen ") {
				t.Errorf("no next step in %v", err)
			}
		})
	}
	_, err := ParseSnapshot([]byte(`{"mcpgen":1,"a":1,"b":2,"tools":[1,{}]}`))
	if err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("not all four errors are named: %v", err)
	}
}

func TestEncodeKeepsNothingHidden(t *testing.T) {
	s := &schema.Snapshot{Tools: []schema.Item{{Kind: schema.KindTool, Name: "a", Raw: json.RawMessage(`{"name":"a","name":"b"}`)}}}
	if _, err := ParseSnapshot(EncodeSnapshot(s)); err == nil {
		t.Error("an item with a duplicate member: no error, want one")
	}
}

func TestItems(t *testing.T) {
	s := &schema.Snapshot{
		Tools: []schema.Item{{Kind: schema.KindTool, Name: "t"}}, Prompts: []schema.Item{{Kind: schema.KindPrompt, Name: "p"}},
		Resources: []schema.Item{{Kind: schema.KindResource, Name: "r"}}, Templates: []schema.Item{{Kind: schema.KindTemplate, Name: "u"}},
		Skills: []schema.Item{{Kind: schema.KindSkill, Name: "s"}},
	}
	var names []string
	for it := range s.Items() {
		names = append(names, fmt.Sprint(it.Kind, it.Name))
	}
	if want := []string{"toolt", "promptp", "resourcer", "templateu", "skills"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	for range s.Items() {
		break
	}
}

func FuzzParseSnapshot(f *testing.F) {
	f.Add([]byte(`{"mcpgen":1,"server":"s","tools":[{"name":"a"},{"name":"b","x":1e5}]}`))
	f.Add([]byte(`{"mcpgen":1,"identity":{"b":1,"a":"\u200b"},"resources":[{"uri":"a:b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSnapshot(data)
		if err != nil {
			return
		}
		file := EncodeSnapshot(s)
		back, err := ParseSnapshot(file)
		if err != nil {
			t.Fatalf("%q became %q: %v", data, file, err)
		}
		if !bytes.Equal(file, EncodeSnapshot(back)) {
			t.Fatalf("%q is not stable", file)
		}
		if d := mustLock(t, s).Verify(back); len(d) > 0 {
			t.Fatalf("%q became %q: %v", data, file, d)
		}
	})
}

func mustLock(t testing.TB, s *schema.Snapshot) *LockedServer {
	t.Helper()
	l, err := LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
