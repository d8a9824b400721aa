package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// fixed are ids with a prefix that is known.
var fixed = requestIDs{`"mcpgen-`}

func TestIDs(t *testing.T) {
	for _, id := range []uint64{1, 9, 10, 1 << 40, 1<<64 - 1} {
		if got, ok := fixed.of(fixed.Append(nil, id)); !ok || got != id || `"`+fixed.Text(id)+`"` != string(fixed.Append(nil, id)) {
			t.Errorf("%d: %d, %v", id, got, ok)
		}
	}
	a, b := newIDs(), newIDs()
	if _, ok := b.of(a.Append(nil, 1)); ok || len(a.prefix) < len(`"mcpgen-`)+26 {
		t.Errorf("the ids of two connections are alike: %s, %s", a.Text(1), b.Text(1))
	}
	for _, raw := range []string{``, `"`, `""`, `"mcpgen-"`, `"mcpgen-0"`, `"mcpgen-01"`, `"mcpgen-1`, `mcpgen-1`, `"mcpgen-1x"`, `"mcpgen--1"`, `1`, `"mcpgen-` + strings.Repeat("1", 40) + `"`} {
		if id, ok := fixed.of([]byte(raw)); ok {
			t.Errorf("%s: %d", raw, id)
		}
	}
}

func TestTokenGoesIntoMeta(t *testing.T) {
	for params, want := range map[string]string{
		``:                                    `{"_meta":{"progressToken":"mcpgen-7"}}`,
		`{}`:                                  `{"_meta":{"progressToken":"mcpgen-7"}}`,
		` { } `:                               ` {"_meta":{"progressToken":"mcpgen-7"} } `,
		`{"a":1.0}`:                           `{"_meta":{"progressToken":"mcpgen-7"},"a":1.0}`,
		`{"a":1,"_meta":{}}`:                  `{"a":1,"_meta":{"progressToken":"mcpgen-7"}}`,
		`{"_meta":{"x":1}}`:                   `{"_meta":{"progressToken":"mcpgen-7","x":1}}`,
		`{"_meta":null}`:                      `{"_meta":{"progressToken":"mcpgen-7"}}`,
		`{"_meta":{"progressToken":5,"x":1}}`: `{"_meta":{"progressToken":"mcpgen-7","x":1}}`,
		`{"a":{"_meta":{}}}`:                  `{"_meta":{"progressToken":"mcpgen-7"},"a":{"_meta":{}}}`,
	} {
		var in []byte
		if params != "" {
			in = []byte(params)
		}
		if got := string(fixed.appendTokened(nil, in, 7)); got != want {
			t.Errorf("%s gives %s, want %s", params, got, want)
		}
	}
}

// The scanner agrees with encoding/json about everything that is JSON, and
// never reads beyond what is not.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":"mcpgen-1","result":{"a":[1,"}"]}}`, `{"id":1,"error":null,"result":null}`, `{"a":"\\","b":"\\\""}`,
		`{}`, `[]`, `[1,[2],{"a":3}]`, `{"method":"x","params":[]}`, `{"a":}`, `{"a"`, `"`, `{"id":1,"id":2}`, `{"_meta":{"progressToken":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = slices.Clip(trim(line))
		e, ok := scanEnvelope(line)
		jsontext.Elements(line)
		fixed.appendTokened(nil, []byte(`{}`), 1)
		if !json.Valid(line) {
			return
		}
		var want map[string]json.RawMessage
		isObj := json.Unmarshal(line, &want) == nil && want != nil
		if isObj != ok {
			t.Fatalf("object %v, scanned %v", isObj, ok)
		}
		if !ok || e.twice {
			return
		}
		if method := want["method"]; !bytes.Contains(line, []byte(`\`)) && string(method) != string(e.method) {
			t.Errorf("method %s, want %s", e.method, method)
		}
		tokened := fixed.appendTokened(nil, line, 7)
		var p struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
		if bytes.Contains(line, []byte(`\`)) || bytes.Contains(bytes.ToLower(line), []byte("meta")) {
			return // the same name in another spelling
		}
		if err := json.Unmarshal(tokened, &p); err != nil || string(p.Meta["progressToken"]) != `"mcpgen-7"` {
			t.Errorf("token: %s, %v", tokened, err)
		}
	})
}

// A server can say anything: no line ends the connection or reaches a call
// that it does not name.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":"mcpgen-1","result":{}}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"jsonrpc":"2.0","id":2,"result":1}]`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mcpgen-1"}}`, `noise {"jsonrpc":"2.0","id":"mcpgen-1","error":1}`,
		`{"jsonrpc":"2.0","id":"mcpgen-1","error":{"code":"x"}}`, "\ufeff{}", `{"jsonrpc":"2.0","id":"\u006dcpgen-2","result":{}}`,
		`{"id":"\0"}`, `{"id":"\u12","\":1}`, `{"\ud83d\u":1,"method":"\","params":{"_meta":{"\0":1}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		c := newConn(Options{})
		c.ids = fixed
		link := &streamLink{queue: newQueue(nowhere(t))}
		c.link, link.c = link, c
		p := &pending{answer: make(chan answer, 1), news: make(chan struct{}, 1)}
		id, err := c.register(p)
		if err != nil {
			t.Fatal(err)
		}
		c.line(bytes.Clone(line), false)
		c.line(line, true)
		if c.Err() != nil {
			t.Errorf("the connection ended: %v", c.Err())
		}
		if c.take(id) == nil {
			a := <-p.answer
			if a.result == nil && a.err == nil {
				t.Error("the call got neither a result nor an error, want one of them")
			}
			if first := trim(line)[0]; a.result != nil && first != '{' && first != '[' {
				t.Errorf("an answer from the middle of %q", line)
			}
		}
		_ = c.Close()
	})
}
