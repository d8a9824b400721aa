package lockfile

import (
	"bytes"
	"encoding/json"
	"maps"
	"os/exec"
	"strings"
	"testing"
)

const observedFile = `{
  "mcpgen": 1,
  "server": "tracker",
  "tools": {
    "get_pr": {
      "schema": {
        "type": "object",
        "properties": {
          "a\u202eb": {
            "type": "integer"
          }
        }
      }
    },
    "ping": {
      "schema": {}
    }
  }
}
`

func TestObservedRoundTrip(t *testing.T) {
	o := &Observed{Server: "tracker", Tools: map[string]json.RawMessage{
		"ping":   json.RawMessage(`{}`),
		"get_pr": json.RawMessage(`{"type":"object","properties":{"a` + "\u202e" + `b":{"type":"integer"}}}`),
	}}
	if got := string(o.Encode()); got != observedFile {
		t.Errorf("got %s, want %v", got, observedFile)
	}
	back, err := ParseObserved([]byte(strings.ReplaceAll(observedFile, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	if back.Server != "tracker" || len(back.Tools) != 2 || string(back.Encode()) != observedFile {
		t.Errorf("got %s", back.Encode())
	}
}

func TestParseObservedRefuses(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"empty", ``, "no JSON value"},
		{"not ours", `{"tools":{}}`, "not a file of observed shapes of mcpgen"},
		{"version", `{"mcpgen":2,"server":"s","tools":{}}`, "reads format 1"},
		{"no server", `{"mcpgen":1,"tools":{}}`, `at "/server": missing`},
		{"no tools", `{"mcpgen":1,"server":"s"}`, `at "/tools": missing`},
		{"unknown", `{"mcpgen":1,"server":"s","tools":{},"more":1}`, `at "/more": unknown member`},
		{"a tool", `{"mcpgen":1,"server":"s","tools":{"t":[]}}`, `at "/tools/t": must be an object with a schema`},
		{"no schema", `{"mcpgen":1,"server":"s","tools":{"t":{}}}`, `at "/tools/t": must be an object with a schema`},
		{"unknown in a tool", `{"mcpgen":1,"server":"s","tools":{"t":{"schema":{},"value":1}}}`, `at "/tools/t/value": unknown member`},
		{"twice", `{"mcpgen":1,"server":"s","tools":{"t":{"schema":{}},"t":{"schema":{}}}}`, "duplicate member name"},
		{"conflict", "{\n<<<<<<< HEAD\n", "2:1: git conflict markers: take the same side"},
	} {
		if _, err := ParseObserved([]byte(tc.in)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		} else if !strings.Contains(err.Error(), "run mcpgen ") {
			t.Errorf("%s: no next step in %v", tc.name, err)
		}
	}
}

// Two branches that observed different tools merge, whichever tools these are.
func TestObservedMerges(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	names := []string{"a", "b", "c"}
	base := &Observed{Server: "s", Tools: map[string]json.RawMessage{}}
	for _, n := range names {
		base.Tools[n] = json.RawMessage(`{"type":"array","items":{"type":"string"}}`)
	}
	with := func(name, schema string) *Observed {
		o := &Observed{Server: "s", Tools: maps.Clone(base.Tools)}
		o.Tools[name] = json.RawMessage(schema)
		return o
	}
	for _, first := range append(names, "aa", "d") {
		for _, second := range names {
			if first == second {
				continue
			}
			ours, theirs := with(first, `{"type":"object","properties":{"x":{"type":"null"}}}`), with(second, `{"type":"string"}`)
			both := with(first, string(ours.Tools[first]))
			both.Tools[second] = theirs.Tools[second]
			if got := mergeFile(t, base.Encode(), ours.Encode(), theirs.Encode()); !bytes.Equal(got, both.Encode()) {
				t.Errorf("%s and %s merge to\n%s\nwant\n%s", first, second, got, both.Encode())
			}
		}
	}
}

func FuzzParseObserved(f *testing.F) {
	f.Add([]byte(observedFile))
	f.Add([]byte(`{"mcpgen":1,"server":"s","tools":{"t":{"schema":true}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := ParseObserved(data)
		if err != nil {
			return
		}
		file := o.Encode()
		back, err := ParseObserved(file)
		if err != nil || !bytes.Equal(back.Encode(), file) {
			t.Fatalf("%v\n%s", err, file)
		}
	})
}
