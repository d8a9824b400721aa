package gateway

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
)

// callsInSession begins a session over HTTP with a server that asks. Call begins a call in
// which the server asks something, and hears sends what arrives on its stream to heard.
// Answer answers a question.
func callsInSession(t *testing.T) (call func(ctx context.Context, id, pause int, meta string), answer func(question string), heard chan string) {
	input := new(Input)
	g := openGateway(t, &attach.Options{Input: input}, &Options{Input: input}, processServer(t, "s", "asks"))
	url, _ := serveHTTP(t, g, nil)
	_, _, header := postJSON(t, url+Path, strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
	session := []string{"Mcp-Session-Id", header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", legacy}
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
	heard = make(chan string, 10)
	call = func(ctx context.Context, id, pause int, meta string) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"s__echo","arguments":{"pause":%d,"method":"elicitation/create","params":{"message":"question of %d","requestedSchema":{"type":"object","properties":{}}}}%s}}`, id, pause, id, meta)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+Path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i, pairs := 0, append(session, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); i < len(pairs); i += 2 {
			req.Header.Set(pairs[i], pairs[i+1])
		}
		go func() {
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				return // the caller has left
			}
			defer res.Body.Close()
			for s := bufio.NewScanner(res.Body); s.Scan(); {
				if text, ok := strings.CutPrefix(s.Text(), "data: "); ok && text != "" {
					heard <- text
				}
			}
		}()
	}
	return call, func(question string) {
		id := jsontext.Member([]byte(question), "id")
		postJSON(t, url+Path, `{"jsonrpc":"2.0","id":`+string(id)+`,"result":{"action":"accept","content":{"to":`+string(jsontext.Member(jsontext.Member([]byte(question), "params"), "message"))+`}}}`, session...)
	}, heard
}

// hear returns the next message of a caller that contains a text.
func hear(t *testing.T, heard chan string, text string) string {
	t.Helper()
	for late := time.After(10 * time.Second); ; {
		select {
		case m := <-heard:
			if strings.Contains(m, text) {
				return m
			}
			t.Logf("before %q: %s", text, m)
		case <-late:
			t.Fatalf("%q did not arrive", text)
		}
	}
}

// A server does not say which of two calls in one session its question belongs to. The
// question outlasts the one that ends first, and its answer arrives.
func TestAskingInCallsTogether(t *testing.T) {
	call, answer, heard := callsInSession(t)
	for _, first := range []int{2, 3} {
		call(t.Context(), 2, 0, "")
		questions := map[int]string{2: hear(t, heard, "question of 2")}
		call(t.Context(), 3, 0, `,"_meta":{"progressToken":"p"}`)
		questions[3] = hear(t, heard, "question of 3")
		for _, id := range []int{first, 5 - first} {
			answer(questions[id])
			checkContains(t, hear(t, heard, fmt.Sprintf(`"id":%d`, id)), fmt.Sprintf(`\"to\":\"question of %d\"`, id))
		}
	}
}

// A question goes to a call whose caller is connected, and not to the one that the caller has
// left, be that older or newer.
func TestAskingBesideALostConnection(t *testing.T) {
	for _, meta := range []string{"", `,"_meta":{"progressToken":"p"}`} { // without the SDK, and through it
		call, answer, heard := callsInSession(t)
		leaving, leave := context.WithCancel(t.Context())
		call(t.Context(), 2, 1000, meta)
		time.Sleep(200 * time.Millisecond) // the gateway has handed it over
		call(leaving, 3, 0, meta)
		hear(t, heard, "question of 3")
		leave()
		time.Sleep(200 * time.Millisecond) // the gateway learns of it
		call(t.Context(), 4, 0, meta)
		for _, id := range []int{4, 2} {
			answer(hear(t, heard, fmt.Sprint("question of ", id)))
			checkContains(t, hear(t, heard, fmt.Sprintf(`"id":%d`, id)), fmt.Sprintf(`\"to\":\"question of %d\"`, id))
		}
	}
}
