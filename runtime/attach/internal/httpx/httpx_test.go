package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
)

const shellRequest = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"shell"}}`

// web is a server that answers every request with one function.
func web(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	if o.MaxMessage == 0 {
		o.MaxMessage = 1 << 20
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// exchange sends x in the shell that the SDK would send, and returns what the
// SDK would read.
func exchange(t *testing.T, c *Client, x *Exchange, header ...string) (string, error) {
	t.Helper()
	x.Method = "tools/call"
	if x.Params == nil {
		x.Params = json.RawMessage(`{}`)
	}
	ctx, cancel := With(t.Context(), x)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opts.URL, strings.NewReader(shellRequest))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ":")
		req.Header.Set(name, value)
	}
	resp, err := c.HTTP().Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func answerWith(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

func TestExchangePassesTheSDKByInBytes(t *testing.T) {
	var got []byte
	const result = `{"structuredContent":{"n":9007199254740993,"x":1.0},"content":[]}`
	url := web(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		answerWith("application/json", `{"jsonrpc":"2.0","id":7,"result":`+result+`}`)(w, r)
	})
	c := client(t, Options{URL: url})
	x := &Exchange{Params: json.RawMessage(`{"name":"t","arguments":{"n":9007199254740993}}`)}
	sdk, err := exchange(t, c, x)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"n":9007199254740993}}}`; string(got) != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
	if want := `{"jsonrpc":"2.0","id":7,"result":{}}`; sdk != want {
		t.Errorf("the SDK reads %s, want %s", sdk, want)
	}
	raw, sent, err := x.Outcome()
	if string(raw) != result || !sent || err != nil {
		t.Errorf("outcome %s, %v, %v", raw, sent, err)
	}
}

func TestExchangeInAStream(t *testing.T) {
	url := web(t, answerWith("text/event-stream", strings.Join([]string{
		": a comment", "",
		"id: 1", "retry: 1", "data: ", "",
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`, "",
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"other","progress":9}}`, "",
		"event: ping", "data: not json", "",
		"data: not json either", "",
		`data: {"jsonrpc":"2.0","id":99,"result":{"of":"another"}}`, "",
		`data: {"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{}}`, "",
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2}}`, "",
		"event: message", `data: {"jsonrpc":"2.0",`, `data: "id":7,"result":{"ok":true}}`, "",
		`data: {"jsonrpc":"2.0","id":7,"result":{"ok":"twice"}}`, "", "",
	}, "\n")))
	var skipped []string
	c := client(t, Options{URL: url, OnSkipped: func(b []byte) { skipped = append(skipped, string(b)) }})
	var progress []string
	x := &Exchange{Token: "p", OnProgress: func(p json.RawMessage) { progress = append(progress, string(p)) }}
	sdk, err := exchange(t, c, x)
	if err != nil {
		t.Fatal(err)
	}
	want := "id: 1\nretry: 200\n\n" +
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"other","progress":9}}` + "\n\n" +
		`data: {"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{}}` + "\n\n" +
		`data: {"jsonrpc":"2.0","id":7,"result":{}}` + "\n\n"
	if sdk = unmarked(c, sdk); sdk != want {
		t.Errorf("the SDK reads\n%s\nwant\n%s", sdk, want)
	}
	if raw, _, err := x.Outcome(); strings.Join(strings.Fields(string(raw)), "") != `{"ok":true}` || err != nil {
		t.Errorf("outcome %s, %v", raw, err)
	}
	if len(progress) != 2 || !strings.Contains(progress[1], `"progress":2`) {
		t.Errorf("progress %q", progress)
	}
	if len(skipped) != 3 || c.Skipped() != 3 {
		t.Errorf("skipped %d %q", c.Skipped(), skipped)
	}
}

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want string // of the result, or of the error
	}{
		"number as string":  {`{"jsonrpc":"2.0","id":"7","result":{"a":1}}`, `{"a":1}`},
		"array":             {`[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":7,"result":{"a":1}}]`, `{"a":1}`},
		"no version":        {`{"id":7,"result":{"a":1}}`, `{"a":1}`},
		"error":             {`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no","data":9007199254740993}}`, "no (code -32602)"},
		"error without id":  {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`, "bad (code -32700)"},
		"error, odd code":   {`{"jsonrpc":"2.0","id":7,"error":{"code":"E1","message":"odd"}}`, "odd (code 0)"},
		"error that is nil": {`{"jsonrpc":"2.0","id":7,"error":{}}`, "says nothing"},
		"both":              {`{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"both"}}`, "both (code 1)"},
		"neither":           {`{"jsonrpc":"2.0","id":7}`, "not to this request"},
		"other id":          {`{"jsonrpc":"2.0","id":8,"result":{}}`, "not to this request"},
		"not JSON":          {`oops`, "not JSON"},
		"empty":             {``, "not JSON"},
		"null":              {`null`, "not to this request"},
	} {
		t.Run(name, func(t *testing.T) {
			x := &Exchange{}
			_, err := exchange(t, client(t, Options{URL: web(t, answerWith("application/json", c.body))}), x)
			raw, sent, failed := x.Outcome()
			got := string(raw)
			if failed != nil {
				got = failed.Error()
			}
			if !strings.Contains(got, c.want) || !sent {
				t.Errorf("outcome %q (sent %v), want %q; the SDK sees %v", got, sent, c.want, err)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	html := "<html><head><style>p{color:red}</style></head><body><h1>Bad\x1b[31m Gateway</h1></body></html>"
	for _, c := range []struct {
		status      int
		contentType string
		body        string
		is          []error
		want        []string
		sent        bool
	}{
		{401, "text/plain", "token expired", []error{runtime.ErrAuth}, []string{"401", `"token expired"`, "Authorization"}, false},
		{403, "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"no scope"}}`, []error{runtime.ErrAuth, runtime.ErrRPC}, []string{"403", "no scope"}, true},
		{404, "text/plain", "no such session", []error{runtime.ErrUnavailable}, []string{"no longer knows this session"}, false},
		{404, "application/json", `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`, []error{runtime.ErrUnavailable, runtime.ErrRPC}, []string{"Session not found", "attach again"}, false},
		{429, "", "", []error{runtime.ErrUnavailable}, []string{"429", "try again"}, false},
		{500, "text/html", html, []error{runtime.ErrUnavailable}, []string{"500", "(text/html)", `"Bad Gateway"`}, true},
		{503, "text/plain", "", []error{runtime.ErrUnavailable}, []string{"503", `"120"`}, true},
		{400, "text/plain", "nope", nil, []string{"400 Bad Request", `"nope"`}, true},
		{304, "", "", nil, []string{"304"}, true},
		{200, "text/html", html, nil, []string{"200 OK", "no MCP message", "path of the url"}, true},
		{200, "application/octet-stream", "\x00\x01\x02", nil, []string{"application/octet-stream"}, true},
		{202, "", "", nil, []string{"202 Accepted", "without a message"}, true},
	} {
		t.Run(fmt.Sprint(c.status, c.contentType), func(t *testing.T) {
			url := web(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "120")
				w.Header().Set("Content-Type", c.contentType)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			x := &Exchange{}
			_, err := exchange(t, client(t, Options{URL: url}), x, "Mcp-Session-Id:abc")
			_, sent, failed := x.Outcome()
			if err == nil || failed == nil {
				t.Fatalf("no error: %v, %v", err, failed)
			}
			for _, is := range c.is {
				if !errors.Is(err, is) {
					t.Errorf("%v is not %v", err, is)
				}
			}
			for _, want := range c.want {
				if !strings.Contains(failed.Error(), want) {
					t.Errorf("%q lacks %q", failed, want)
				}
			}
			if strings.ContainsAny(failed.Error(), "\x1b\x00") || strings.Contains(failed.Error(), "color") {
				t.Errorf("not clean: %q", failed)
			}
			if sent != c.sent {
				t.Errorf("sent %v, want %v", sent, c.sent)
			}
		})
	}
}

func TestCancelAbortsTheRequest(t *testing.T) {
	aborted := make(chan struct{})
	arrived := make(chan struct{})
	url := web(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		close(arrived)
		<-r.Context().Done()
		close(aborted)
	})
	c := client(t, Options{URL: url})
	ctx, cancel := context.WithCancel(t.Context())
	x := &Exchange{Method: "tools/call", Params: json.RawMessage(`{}`)}
	ctx, end := With(ctx, x)
	defer end()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(shellRequest))
	go func() {
		<-arrived
		cancel()
	}()
	if _, err := c.HTTP().Do(req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	select {
	case <-aborted:
	case <-time.After(5 * time.Second):
		t.Error("the server still waits")
	}
}

func TestCheckURL(t *testing.T) {
	for url, want := range map[string]string{
		"https://host/mcp":         "",
		"HTTP://host:80":           "",
		"file:///etc/passwd":       "scheme",
		"gopher://host":            "scheme",
		"javascript:alert(1)":      "scheme",
		"//host/mcp":               "scheme",
		"http://":                  "no host",
		"http://u:hunter22@host":   "user name or password",
		"http://u:hunter22@host/%": "cannot be read",
	} {
		_, err := CheckURL(url)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter22")) {
			t.Errorf("CheckURL(%q) = %v, want %q", url, err, want)
		}
	}
	for _, h := range []Header{{"", "x"}, {"a b", "x"}, {"A", "x\r\nB: y"}, {"A", "\x00"}} {
		if _, err := New(Options{URL: "http://h", Headers: []Header{h}, MaxMessage: 1}); err == nil {
			t.Errorf("header %q passes", h)
		}
	}
}

func TestProtocolHeadersWin(t *testing.T) {
	var got http.Header
	url := web(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		answerWith("application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`)(w, r)
	})
	c := client(t, Options{URL: url, UserAgent: "mcpgen/1", Headers: []Header{{"accept", "x/y"}, {"X-Key", "k"}, {"Mcp-Session-Id", "stolen"}}})
	if _, err := exchange(t, c, &Exchange{}, "Accept:application/json", "Mcp-Session-Id:mine"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Accept": "application/json", "X-Key": "k", "Mcp-Session-Id": "mine", "User-Agent": "mcpgen/1"} {
		if got.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Get(name), want)
		}
	}
}

func TestConnectionsAreReused(t *testing.T) {
	for name, body := range map[string]string{
		"application/json":  `{"jsonrpc":"2.0","id":7,"result":{}}`,
		"text/event-stream": "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n",
	} {
		var opened int
		s := httptest.NewUnstartedServer(answerWith(name, body))
		s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
			if st == http.StateNew {
				opened++
			}
		}
		s.Start()
		c := client(t, Options{URL: s.URL})
		for range 20 {
			if _, err := exchange(t, c, &Exchange{}); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		if opened > 2 {
			t.Errorf("%s: %d connections for 20 requests", name, opened)
		}
	}
}

// FuzzStream: whatever a stream holds, what the SDK reads of it are messages.
func FuzzStream(f *testing.F) {
	f.Add("data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n")
	f.Add("event: x\r\nid: \x00\r\nretry: -1\r\ndata\r\n\r\n")
	f.Add(":\n\n\ndata: [\n")
	f.Fuzz(func(t *testing.T, body string) {
		c, err := New(Options{URL: "http://h/", MaxMessage: 1000})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		x := &Exchange{id: json.RawMessage("7"), abort: func() {}}
		s := newStream(io.NopCloser(strings.NewReader(body)), &streamOptions{client: c, ctx: t.Context(), exchange: x, cancel: func() {}})
		defer s.Close()
		out, _ := io.ReadAll(s)
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSuffix(line, "\n")
			if data, ok := strings.CutPrefix(line, "data: "); ok && !decodable([]byte(data)) {
				t.Fatalf("%q gives the SDK %q", body, data)
			}
			if line != "" && !strings.Contains(line, ":") {
				t.Fatalf("%q gives the SDK the line %q", body, line)
			}
		}
	})
}
