package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Whatever a server and its URI are called, the way back leads to them, and no two meet.
func FuzzURI(f *testing.F) {
	for _, s := range [][2]string{{"fs", "file:///a b?x#y"}, {"a/b", "x"}, {"", "u"}, {"%2F", "%"}, {"mcpgen://x", "mcpgen://x/y"}, {"{a}", "f:///{+p}"}} {
		f.Add(s[0], s[1])
	}
	host, err := attach.Connect(f.Context(), nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = host.Close() })
	u := &uris{host: host}
	f.Fuzz(func(t *testing.T, server, uri string) {
		if s, own, ok := u.unwrap(u.wrap(server, uri)); !ok || s != server || own != uri {
			t.Errorf("%q of %q became %q of %q, %v", uri, server, own, s, ok)
		}
	})
}

// No state that is made up opens, and none panics.
func FuzzState(f *testing.F) {
	k := ownKeys()
	state, err := k.seal(sealed{Call: "c"}, []string{"a"}, time.Now().Add(time.Hour))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("")
	f.Add("own.")
	f.Add(state[:len(state)-1])
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := k.open(s, []string{"a"}, time.Now()); err == nil && s != state {
			t.Errorf("%q opens", s)
		}
	})
}

// Whatever a server answers, what a caller gets of it is JSON, with content where the
// protocol demands it.
func FuzzResult(f *testing.F) {
	for _, s := range []string{
		`{"content":[{"type":"text","text":"x"},{"type":"resource","resource":{"uri":"a"}},5,null]}`, `{"structuredContent":[1],"content":[]}`,
		`{"messages":[{"role":"user","content":[{"type":"x"}]}],"contents":[{"uri":"u"}],"_meta":5,"isError":"yes"}`, `{}`, `{"content":5,"_meta":{"a":1}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, method := range []string{protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource} {
			res, err := runtime.Request{Method: method}.ParseResult(json.RawMessage(raw))
			if err != nil {
				continue
			}
			for _, revision := range []string{"2024-11-05", legacy, modern} {
				w := rewriter{server: "s", protocol: revision, wrap: func(s, u string) string { return s + "/" + u }}
				out, err := (&rawResult{raw: w.result(method, res), modern: revision == modern}).MarshalJSON()
				if err != nil || !json.Valid(out) {
					t.Fatalf("%s: %v: %s", method, err, out)
				}
				var content struct{ Content []json.RawMessage }
				if json.Unmarshal(out, &content) == nil && method == protocol.MethodCallTool && content.Content == nil {
					t.Errorf("no content: %s", out)
				}
			}
		}
	})
}

// Whatever comes in as lines, what passes is lines that decode, and the end is the end.
func FuzzLines(f *testing.F) {
	f.Add([]byte("noise\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\ufeff[]\n[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := io.ReadAll(newLines(bytes.NewReader(in), io.Discard, slog.New(slog.DiscardHandler)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out) {
			if !json.Valid(line) || line[len(line)-1] != '\n' {
				t.Errorf("%q passes", line)
			}
		}
	})
}

// Whatever comes in, what passes the edge is UTF-8 and is the same message to every
// reader: to the SDK's, to encoding/json, and to one that takes the first of two members.
// What does not pass is answered with JSON.
func FuzzEdge(f *testing.F) {
	for _, c := range oddMessages() {
		f.Add([]byte(c.message))
	}
	f.Add([]byte(`[{"jsonrpc":"2.0","id":-1e3,"method":"ping","params":[]},{"jsonrpc":"2.0","id":"\u00e9","result":{}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if _, why := refuse(in); why != nil {
			if !json.Valid(why.answer()) || why.fault.Code != jsonrpc.CodeParseError && why.fault.Code != jsonrpc.CodeInvalidRequest {
				t.Errorf("%q is answered with %s", in, why.answer())
			}
			return
		}
		if !utf8.Valid(in) || !json.Valid(in) {
			t.Fatalf("%q passes", in)
		}
		batch := []json.RawMessage{in}
		if in = bytes.TrimSpace(in); in[0] == '[' {
			batch = nil
			if err := json.Unmarshal(in, &batch); err != nil {
				t.Fatal(err)
			}
		}
		for _, raw := range batch {
			m, err := jsonrpc.DecodeMessage(raw)
			if err != nil {
				t.Fatal(err)
			}
			r, ok := m.(*jsonrpc.Request)
			if !ok {
				continue
			}
			var last map[string]any
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			if err := d.Decode(&last); err != nil {
				t.Fatal(err)
			}
			first := firstMembers(raw)
			if last["method"] != r.Method || !jsontext.SameNumber(fmt.Sprint(last["id"]), fmt.Sprint(r.ID.Raw())) && fmt.Sprint(last["id"]) != fmt.Sprint(r.ID.Raw()) {
				t.Errorf("%s is %q with id %v to the SDK", raw, r.Method, r.ID.Raw())
			}
			for name, value := range first {
				if !bytes.Equal(value, jsontext.Member(raw, name)) {
					t.Errorf("%s has two members %q", raw, name)
				}
			}
		}
	})
}

// firstMembers are the members of an object; of two with one name the first.
func firstMembers(raw []byte) map[string][]byte {
	all := map[string][]byte{}
	for m := jsontext.NewItems(raw); m.Next(); {
		if name := string(m.Key()); all[name] == nil {
			all[name] = m.Value
		}
	}
	return all
}
