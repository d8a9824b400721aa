package mcptest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
)

const (
	ghToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	jwt     = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"
	pem     = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"
)

func TestScrub(t *testing.T) {
	text := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	tests := []struct{ name, in, want string }{
		{"nothing", `{ "a" : [ 1.0, true, null, "x" ] }`, `{ "a" : [ 1.0, true, null, "x" ] }`},
		{"by name", `{"password":"hunter2"}`, `{"password":"~scrubbed-1~"}`},
		{"nothing in it", `{"password":""}`, `{"password":""}`},
		{"equal stays equal", `{"a_token":"x1","b_token":"x2","c_token":"x1"}`, `{"a_token":"~scrubbed-1~","b_token":"~scrubbed-2~","c_token":"~scrubbed-1~"}`},
		{"below a name", `{"credentials":{"user":"me","keys":["k1","k2"],"n":1}}`, `{"credentials":{"user":"~scrubbed-1~","keys":["~scrubbed-2~","~scrubbed-3~"],"n":1}}`},
		{"numbers are counts", `{"tokens":100,"max_tokens":5}`, `{"tokens":100,"max_tokens":5}`},
		{"numbers are codes", `{"pin":1234,"password":0.5}`, `{"pin":0,"password":0}`},
		{"a pair", `[{"name":"Authorization","value":"abc"},{"name":"Accept","value":"abc"}]`, `[{"name":"Authorization","value":"~scrubbed-1~"},{"name":"Accept","value":"abc"}]`},
		{"a pair, the value first", `{"value":"abc","name":"Authorization"}`, `{"value":"~scrubbed-1~","name":"Authorization"}`},
		{"a name of a known shape", `{"` + ghToken + `":{"x":1}}`, `{"~scrubbed-1~":{"x":1}}`},
		{"a known shape", `{"x":"use ` + ghToken + `, ok"}`, `{"x":"use ~scrubbed-1~, ok"}`},
		{"a JWT", `["` + jwt + `"]`, `["~scrubbed-1~"]`},
		{"a private key", `[` + text("a\n"+pem+"\nb") + `]`, `["a\n~scrubbed-1~\nb"]`},
		{"a header", `["Authorization: Bearer abcdef123456","bearer certificates"]`, `["Authorization: ~scrubbed-1~ ~scrubbed-2~","bearer certificates"]`},
		{"a URL", `["https://me:hunter2@host/p","https://abcdef@host","postgres://u:p@ss@db:5432/x","http://host:80/a@b"]`,
			`["https://me:~scrubbed-1~@host/p","https://~scrubbed-2~@host","postgres://u:~scrubbed-3~@db:5432/x","http://host:80/a@b"]`},
		{"a query", `["https://h/?q=1&access_token=abc&key=def#f","url: https://h/?token=abc"]`, `["https://h/?q=1&access_token=~scrubbed-1~&key=~scrubbed-2~#f","url: https://h/?token=~scrubbed-1~"]`},
		{"assignments", `["PASSWORD=abc; user=me","api_key: 'a b'","secret = \"q\" done"]`, `["PASSWORD=~scrubbed-1~; user=me","api_key: '~scrubbed-2~'","secret = \"~scrubbed-3~\" done"]`},
		{"JSON in text", `[` + text(`{ "token": "abc", "n": 1 }`) + `]`, `[` + text(`{ "token": "~scrubbed-1~", "n": 1 }`) + `]`},
		{"JSON in JSON in text", `[` + text(`[`+text(`{"token":"abc"}`)+`]`) + `]`, `[` + text(`[`+text(`{"token":"~scrubbed-1~"}`)+`]`) + `]`},
		{"nearly JSON in text", `[` + text(`got {"token":"abc"}`) + `]`, `[` + text(`got {"token":"~scrubbed-1~"}`) + `]`},
		{"found once, hidden everywhere", `{"password":"correct horse","text":"you said correct horse"}`, `{"password":"~scrubbed-1~","text":"you said ~scrubbed-1~"}`},
		{"known", `{"my hidden word":"the my hidden word is","u":"q=my+hidden+word"}`, `{"~scrubbed-1~":"the ~scrubbed-1~ is","u":"q=~scrubbed-2~"}`},
		{"escapes", `["\u006dy hidden word","\ud800"]`, `["~scrubbed-1~","\ud800"]`},
		{"placeholders of others", `["~scrubbed-7~",{"token":"~scrubbed-7~"}]`, `["~scrubbed-1~",{"token":"~scrubbed-1~"}]`},
		{"overlaps", `["token=my hidden word, x"]`, `["token=~scrubbed-1~, x"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScrubber([]string{"my hidden word", ""})
			got, ok := s.json(json.RawMessage(tt.in))
			if !ok || string(got) != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.in, got, tt.want)
			}
			if tt.want == tt.in {
				return
			}
			// What was scrubbed is matched by what it was made of, and comes back.
			m := &matcher{bound: binding{}}
			if d := m.args(got, json.RawMessage(tt.in)); d != nil {
				t.Errorf("it does not match itself: %v", d)
			}
		})
	}
}

func TestScrubEnvironment(t *testing.T) {
	t.Setenv("MCPTEST_API_TOKEN", "from the environment")
	t.Setenv("MCPTEST_PLACE", "a harmless place")
	s := newScrubber(nil)
	if got := s.text("it is from the environment, a harmless place"); got != "it is ~scrubbed-1~, a harmless place" {
		t.Errorf("got %s", got)
	}
}

func TestBlobsAreLeftAlone(t *testing.T) {
	blob := strings.Repeat("AKIAABCDEFGHIJKLMNOP", 500)
	if got := newScrubber(nil).text(blob); got != blob {
		t.Errorf("a blob of %d bytes became %.100q, want it as it was", len(blob), got)
	}
}

func TestPlaceholders(t *testing.T) {
	tests := []struct {
		name           string
		recorded, made []string // one after the other
		want           bool
	}{
		{"any text", []string{"~scrubbed-1~"}, []string{"x"}, true},
		{"no text", []string{"~scrubbed-1~"}, []string{""}, false},
		{"the same again", []string{"~scrubbed-1~", "~scrubbed-1~"}, []string{"x", "x"}, true},
		{"another one", []string{"~scrubbed-1~", "~scrubbed-1~"}, []string{"x", "y"}, false},
		{"two of them", []string{"a ~scrubbed-1~ b ~scrubbed-2~ c"}, []string{"a x y b z c"}, true},
		{"twice in one", []string{"~scrubbed-1~-~scrubbed-1~"}, []string{"x-x"}, true},
		{"twice in one, not the same", []string{"~scrubbed-1~-~scrubbed-1~"}, []string{"x-y"}, false},
		{"text around it", []string{"a ~scrubbed-1~ b"}, []string{"a x c"}, false},
		{"text before it", []string{"a ~scrubbed-1~"}, []string{"b x"}, false},
		{"itself", []string{"~scrubbed-1~"}, []string{"~scrubbed-1~"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, got := &matcher{bound: binding{}}, true
			for i := range tt.recorded {
				got = got && m.text(tt.recorded[i], tt.made[i])
			}
			if got != tt.want {
				t.Errorf("got %v, bound %v", got, m.bound)
			}
		})
	}
}

// What is found to be secret in an answer is not in what was said before it.
func TestSecretsAreFoundLate(t *testing.T) {
	l := &line{Args: json.RawMessage(`{"say":"correct horse"}`), Result: json.RawMessage(`{"text":"you said correct horse","password":"correct horse"}`)}
	if err := l.scrub(newScrubber(nil)); err != nil {
		t.Fatal(err)
	}
	if got, want := string(l.Args)+string(l.Result), `{"say":"~scrubbed-1~"}{"text":"you said ~scrubbed-1~","password":"~scrubbed-1~"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Whatever is in a recording, reading it ends, with lines that can be answered or
// with an error; and scrubbing what can be read leaves JSON that matches it.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(headerLine + `{"server":"s","method":"tools/call","name":"a","args":{"token":"x","n":1.0},"result":{"content":[{"type":"text","text":"~scrubbed-1~"}]}}` + "\r\n"))
	f.Add([]byte(headerLine + `{"server":"s","method":"prompts/get","name":"a","error":{"stage":"receive","is":["timeout"],"message":"m","rpc":{"code":1,"message":"x","data":[]}}}`))
	f.Add([]byte(headerLine + "\n\n{}"))
	f.Add([]byte(headerLine + `{"method":"tools/call","args":{"a":"https://u:p@h/?token=x","b":"{\"password\":\"y\"}","c":[{"name":"cookie","value":"z"}]},"result":{}}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := readLines("f", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("no place: %v", err)
			}
			return
		}
		for _, l := range lines {
			_ = l.String()
			if l.Error != nil {
				_ = l.Error.error(requestOf(l)).Error()
			}
			if l.Args == nil {
				continue
			}
			before := string(l.Args)
			s := newScrubber([]string{"p"})
			hidden, ok := s.json(l.Args)
			if !ok {
				continue
			}
			if !json.Valid(hidden) {
				t.Fatalf("%s became %s", before, hidden)
			}
			m := &matcher{bound: binding{}}
			m.args(hidden, json.RawMessage(before))
			if restored := m.bound.json(hidden); !json.Valid(restored) {
				t.Fatalf("%s became %s", hidden, restored)
			}
		}
	})
}

func requestOf(l *line) runtime.Request {
	return runtime.Request{Server: l.Server, Method: l.Method, Name: l.Name, Args: l.Args}
}
