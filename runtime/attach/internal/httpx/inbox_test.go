package httpx

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// isMarker reports whether an event is a marker of the client's inbox.
func isMarker(c *Client, data string) bool {
	m, err := open([]byte(data))
	_, marker := c.inbox.ids.Number(m.ID)
	return err == nil && marker
}

// unmarked returns what the SDK reads without the markers.
func unmarked(c *Client, events string) string {
	var kept []string
	for ev := range strings.SplitAfterSeq(events, "\n\n") {
		if !isMarker(c, strings.TrimPrefix(strings.TrimSpace(ev), "data: ")) {
			kept = append(kept, ev)
		}
	}
	return strings.Join(kept, "")
}

// request makes a message of a server; without an id it is a notification.
func request(t *testing.T, id any) *jsonrpc.Request {
	t.Helper()
	r := &jsonrpc.Request{Method: "m"}
	if id != nil {
		var err error
		if r.ID, err = jsonrpc.MakeID(id); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func idOf(t *testing.T, message []byte) []byte {
	t.Helper()
	m, err := open(message)
	if err != nil || len(m.ID) == 0 {
		t.Fatalf("%s: %v", message, err)
	}
	return m.ID
}

// Each message counts until the SDK has handled it, however its stream ends.
func TestInbox(t *testing.T) {
	const (
		size    = 1000
		message = size + 2*wire.Overhead // with its marker
		asked   = message - wire.Overhead
	)
	first, second := new(stream), new(stream)
	b := newInbox(1 << 20)
	holds := func(n int64) {
		t.Helper()
		if got := b.queue.Held(); got != n {
			t.Fatalf("%d bytes are held, want %d", got, n)
		}
	}
	accept := func(id any) []byte {
		t.Helper()
		marker := b.accept(first, request(t, id), size, nil)
		if marker == nil {
			t.Fatal("there is no room")
		}
		return idOf(t, marker)
	}
	handled := func(id []byte, marker bool) {
		t.Helper()
		if got := b.answered(id); got != marker {
			t.Fatalf("the answer to %s: %v", id, got)
		}
	}

	one, two := accept(nil), accept(nil)
	holds(2 * message)
	handled(one, true)
	holds(message)
	handled(one, true) // nothing is given back twice
	holds(message)
	handled(two, true)

	read := accept(float64(7)) // the SDK has it, and a person thinks about it
	_ = accept("x")            // it may have been read, or not
	late, lost := accept(nil), accept(nil)
	if b.accept(first, request(t, float64(7)), size, nil) != nil {
		t.Error("two requests have one id")
	}
	handled(read, true)
	holds(3*message + asked)
	b.ended(first)
	holds(3*message + asked)
	handled(late, true) // the stream has ended, and was read to there
	holds(2*message + asked)
	if b.reclaim(second) == nil {
		t.Fatal("what was not confirmed is forgotten")
	}
	if b.reclaim(second) != nil {
		t.Error("it is asked for twice")
	}
	b.ended(second)
	marker := b.reclaim(first)
	if marker == nil {
		t.Fatal("what a second stream did not confirm is forgotten")
	}
	handled(idOf(t, marker), true)
	holds(asked)
	handled(lost, true)
	holds(asked)
	handled([]byte(`7`), false)
	holds(0)
	if len(b.open) != 0 {
		t.Errorf("left: %v", b.open)
	}
}

// The answer to a marker goes nowhere; streams that end early, again and again, hold
// no more than the bound together, and leave room for those that come later.
func TestStreamsThatEndEarly(t *testing.T) {
	const bound, size = 64 << 10, 20 << 10
	posted := 0
	c := client(t, Options{MaxUnasked: bound, URL: web(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if posted++; !bytes.Contains(body, []byte("tools/call")) {
			t.Errorf("the server gets %s", body)
		}
		w.Header().Set("Content-Type", mediaStream)
		for range 2 {
			_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[%q]}\n\n", strings.Repeat("x", size))
		}
	})})
	for range 5 { // nobody answers the markers
		_, _ = exchange(t, c, new(Exchange)) // which ends without an answer
		if held := c.inbox.queue.Held(); held < bound/2 || held > bound {
			t.Fatalf("%d bytes are held", held)
		}
	}
	for range 2 {
		events, _ := exchange(t, c, new(Exchange))
		for ev := range strings.SplitSeq(events, "\n\n") {
			data := strings.TrimPrefix(ev, "data: ")
			if !isMarker(c, data) {
				continue
			}
			body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idOf(t, []byte(data)))
			resp, err := c.HTTP().Post(c.opts.URL, mediaJSON, bytes.NewReader(body))
			if err != nil || resp.StatusCode != http.StatusAccepted {
				t.Fatalf("%v, %v", resp, err)
			}
		}
	}
	if held := c.inbox.queue.Held(); held != 0 || len(c.inbox.open) != 0 || posted != 7 {
		t.Errorf("%d bytes and %v are held after %d requests", held, c.inbox.open, posted)
	}
}
