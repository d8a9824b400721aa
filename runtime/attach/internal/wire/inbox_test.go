package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// heldBytes returns the bytes that a connection holds of what nobody asked for.
func heldBytes(c *Conn) int64 {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	bound := c.opts.MaxUnasked
	held := sort.Search(int(bound), func(held int) bool {
		free := c.in.room.Take(over, bound-int64(held))
		if free {
			c.in.room.Give(bound - int64(held))
		}
		return free
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(held) + c.waiting
}

// loggerOf returns who logs by a notification.
func loggerOf(params json.RawMessage) string { return jsontext.Text(jsontext.Member(params, "logger")) }

// A flood of notifications holds no more than its bound, however slow the program
// handles them: the server is held up, and none is lost.
func TestFloodIsHeldUp(t *testing.T) {
	const bound, size, n = 1 << 20, 100 << 10, 200
	most, seen := int64(0), make(chan string, n)
	var c *Conn
	c, p := connect(t, Options{MaxUnasked: bound, OnNotification: func(_ context.Context, _ string, params json.RawMessage) {
		if logger := loggerOf(params); logger != "" {
			most = max(most, heldBytes(c)) // notifications are handled one after the other
			seen <- logger
		}
	}})
	for i := range n {
		p.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"%d","data":"%s"}}`+"\n", i, repeat("x", size))
		if i%7 == 0 { // what nobody can read, or knows, has to leave as well
			p.send(`{"jsonrpc":"2.0","method":"notifications/message","params":[%q]}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/evil","params":{"x":%q}}`+"\n", repeat("x", size), repeat("x", size))
		}
	}
	for i := range n {
		if got := <-seen; got != fmt.Sprint(i) {
			t.Fatalf("notification %s in place of %d", got, i)
		}
	}
	if most > bound || c.Drops().Unasked != 0 {
		t.Errorf("%d bytes were held, %+v", most, c.Drops())
	}
}

// A bound that has room for one message is a bound like others: messages wait, and all
// arrive.
func TestSmallBound(t *testing.T) {
	const n = 20
	seen := make(chan string, n)
	c, p := connect(t, Options{MaxUnasked: 32 << 10, OnNotification: func(_ context.Context, _ string, params json.RawMessage) { seen <- loggerOf(params) }})
	for i := range n {
		p.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"%d","data":"%s"}}`+"\n", i, repeat("x", 20<<10))
	}
	for i := range n {
		if got := receive(t, seen); got != fmt.Sprint(i) {
			t.Fatalf("notification %s in place of %d", got, i)
		}
	}
	if n := c.Drops().Unasked; n != 0 {
		t.Errorf("%d were dropped", n)
	}
}

// A program that never comes back from a notification holds up no call, and what
// there is no room for is dropped and counted.
func TestStuckHandler(t *testing.T) {
	const bound, size = 256 << 10, 50 << 10
	stuck := make(chan struct{})
	var told int
	c, p := connect(t, Options{MaxUnasked: bound, OnDrop: func(_ Drops, why error) {
		if strings.Contains(why.Error(), "limits.queue") {
			told++
		}
	}, OnNotification: func(context.Context, string, json.RawMessage) { <-stuck }})
	defer close(stuck)
	for range 40 {
		p.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}`+"\n", repeat("x", size))
	}
	call := startCall(t.Context(), c, `{}`)
	p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", p.next().ID)
	if o := receive(t, call); o.err != nil {
		t.Error(o.err)
	}
	if n := c.Drops().Unasked; heldBytes(c) > bound || n < 30 || n != told {
		t.Errorf("%d bytes held, %d dropped, %d told", heldBytes(c), n, told)
	}
}

// Requests of a server count until they are answered, and their answers until the server
// reads them; so do those that take the ids of others.
func TestRequestFlood(t *testing.T) {
	const bound = 64 << 10
	asked, stuck := make(chan struct{}, 1000), make(chan struct{})
	c, p := connect(t, Options{MaxUnasked: bound, OnRequest: func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		asked <- struct{}{}
		<-stuck
		return json.RawMessage(`{"action":"decline"}`), nil
	}})
	for i := range 10 {
		for range 2 {
			p.send(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","properties":{}}}}`+"\n", i, repeat("x", 10<<10))
		}
	}
	call := startCall(t.Context(), c, `{}`)
	g := p.next()
	p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", g.ID)
	if o := receive(t, call); o.err != nil {
		t.Error(o.err)
	}
	for range 6 {
		<-asked
	}
	if n := c.Drops().Unasked; heldBytes(c) > bound || n != 14 || len(asked) != 0 {
		t.Errorf("%d bytes held, %d dropped, %d more asked", heldBytes(c), n, len(asked))
	}
	close(stuck)
	for range 6 {
		if g := p.next(); g.Method != "" {
			t.Errorf("message %s", g.line)
		}
	}
	if n := heldBytes(c); n != 0 {
		t.Errorf("%d bytes are held after the answers", n)
	}
}

// Answers that the server does not read do not pile up.
func TestUnreadAnswers(t *testing.T) {
	c, p := connect(t, Options{MaxUnasked: 16 << 10})
	for i := range 20000 {
		p.send(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
	}
	link := c.link.(*streamLink)
	link.mu.Lock()
	waiting := link.size
	link.mu.Unlock()
	if waiting > 16<<10 {
		t.Errorf("%d bytes wait to be read", waiting)
	}
}

// Progress that is handled slowly is bounded in bytes; the newest stays.
func TestProgressFlood(t *testing.T) {
	const bound = 64 << 10
	c, p := connect(t, Options{MaxUnasked: bound})
	first, goOn := make(chan struct{}), make(chan struct{})
	var seen []string
	done := make(chan outcome, 1)
	go func() {
		result, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{}`), CallOptions{OnProgress: func(params json.RawMessage) {
			if len(seen) == 0 {
				close(first)
				<-goOn
			}
			seen = append(seen, string(params[:20]))
		}})
		done <- outcome{result, err}
	}()
	g := p.next()
	send := func(i int) {
		p.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%d,"x":"%s","progressToken":%s}}`+"\n", 1_000_000+i, repeat("x", 4<<10), g.ID)
	}
	send(0)
	<-first
	for i := range 200 {
		send(i + 1)
	}
	p.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n"+`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", g.ID)
	other := startCall(t.Context(), c, `{}`)
	for g = p.next(); g.Method == ""; g = p.next() { // the answer of the ping may come before the call
	}
	p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", g.ID)
	receive(t, other) // so all before it has arrived
	if n := heldBytes(c); n > bound+1024 {
		t.Errorf("%d bytes held", n)
	}
	close(goOn)
	if o := receive(t, done); o.err != nil {
		t.Error(o.err)
	}
	if last := seen[len(seen)-1]; !strings.Contains(last, "000200") || c.Drops().Unasked != 201-len(seen) || len(seen) > 20 {
		t.Errorf("%d handled, the last %s; %d dropped", len(seen), last, c.Drops().Unasked)
	}
	if n := heldBytes(c); n > 1024 {
		t.Errorf("%d bytes held afterwards", n)
	}
}

// A request is answered under its id as the server spelled it, with a result, an error of
// the program or one of this side; one that is taken back has its context ended.
func TestRequestsAreAnswered(t *testing.T) {
	_, p := connect(t, Options{OnRequest: func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		switch method {
		case "wait":
			<-ctx.Done()
			return nil, ctx.Err()
		case "refuse":
			return nil, &jsonrpc.Error{Code: -32042, Message: "no", Data: json.RawMessage(`{"why":1}`)}
		case "fail":
			return nil, errors.New("failed\x1b[31m")
		case "nothing":
			return nil, nil
		}
		return params, nil
	}})
	for _, test := range []struct{ ask, want string }{
		{`"id":9007199254740993,"method":"echo","params":{"n":9007199254740993}`, `"id":9007199254740993,"result":{"n":9007199254740993}`},
		{`"id":"a\u0062\"","method":"ping"`, `"id":"ab\"","result":{}`},
		{`"id":1,"method":"refuse"`, `"id":1,"error":{"code":-32042,"message":"no","data":{"why":1}}`},
		{`"id":1,"method":"fail"`, `"id":1,"error":{"code":-32603,"message":"failed"}`},
		{`"id":1,"method":"nothing"`, `"id":1,"error":{"code":-32603,"message":"the answer is not JSON"}`},
	} {
		p.send("{\"jsonrpc\":\"2.0\",%s}\n", test.ask)
		if got := string(p.next().line); got != `{"jsonrpc":"2.0",`+test.want+"}\n" {
			t.Errorf("%s\ngot  %s\nwant %s", test.ask, got, test.want)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":"w","method":"wait"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}` + "\n")
	if got := string(p.next().line); !strings.Contains(got, `"id":"w","error":{"code":-32603,"message":"context canceled"}`) {
		t.Errorf("taken back: %s", got)
	}
	for _, id := range []string{`{}`, `[1]`, `true`, `1x`} {
		p.send(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`+"\n", id)
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n")
	if got := string(p.next().line); !strings.Contains(got, `"id":2,`) {
		t.Errorf("an id that is not an id is answered: %s", got)
	}
}
