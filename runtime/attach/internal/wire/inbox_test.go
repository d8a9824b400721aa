package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// heldBytes returns the bytes that a connection holds of what nobody asked for.
func heldBytes(c *Conn) int64 {
	c.sdk.mu.Lock()
	in := &c.sdk.in
	n := in.handed + in.marked
	for _, r := range in.unasked {
		if r != nil && !r.IsCall() {
			n += sizeOf(r)
		}
	}
	for _, size := range in.open {
		n += size
	}
	c.sdk.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return n + c.waiting
}

// A flood of notifications holds no more than its bound, however slow the program
// handles them: the server is held up, and none is lost.
func TestFloodIsHeldUp(t *testing.T) {
	const bound, size, n = 1 << 20, 100 << 10, 200
	most, seen := int64(0), make(chan string, n)
	c, p := connect(t, Options{MaxUnasked: bound})
	go answerInitialize(p)
	connectSDK(t, c.Transport(), legacyVersion, &mcp.ClientOptions{
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			most = max(most, heldBytes(c)) // handlers of notifications run one after the other
			seen <- r.Params.Logger
		},
	})
	for i := range n {
		p.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"%d","data":"%s"}}`+"\n", i, repeat("x", size))
		if i%7 == 0 { // what the SDK cannot read, or does not know, has to leave as well
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

// A bound below what the SDK is handed at once is a bound like others: messages
// wait, and all arrive.
func TestSmallBound(t *testing.T) {
	const n = 20
	seen := make(chan string, n)
	c, p := connect(t, Options{MaxUnasked: 32 << 10})
	go answerInitialize(p)
	connectSDK(t, c.Transport(), legacyVersion, &mcp.ClientOptions{
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { seen <- r.Params.Logger },
	})
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

// answerInitialize is the least that a server says.
func answerInitialize(p *peer) {
	for {
		g, err := p.read()
		if err != nil {
			return
		}
		if g.Method == "initialize" {
			p.send(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"}}}`+"\n", g.ID, legacyVersion)
		}
		if g.Method == "tools/call" {
			p.send(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", g.ID)
		}
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
	}})
	go answerInitialize(p)
	connectSDK(t, c.Transport(), legacyVersion, &mcp.ClientOptions{
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
		LoggingMessageHandler: func(context.Context, *mcp.LoggingMessageRequest) { <-stuck },
	})
	defer close(stuck)
	for range 40 {
		p.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}`+"\n", repeat("x", size))
	}
	if _, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{}`), CallOptions{}); err != nil {
		t.Error(err)
	}
	if n := c.Drops().Unasked; heldBytes(c) > bound || n < 30 || n != told {
		t.Errorf("%d bytes held, %d dropped, %d told", heldBytes(c), n, told)
	}
}

// Requests of a server count until they are answered, and their answers until the
// server reads them; one that takes the id of another is dropped.
func TestRequestFlood(t *testing.T) {
	const bound = 64 << 10
	asked, stuck := make(chan struct{}, 1000), make(chan struct{})
	c, p := connect(t, Options{MaxUnasked: bound})
	ready := make(chan struct{})
	go func() {
		g := p.next()
		p.send(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`+"\n", g.ID, legacyVersion)
		p.next() // notifications/initialized
		close(ready)
	}()
	connectSDK(t, c.Transport(), legacyVersion, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked <- struct{}{}
			<-stuck
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	<-ready
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
	ready := make(chan struct{})
	go func() {
		g := p.next()
		p.send(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`+"\n", g.ID, legacyVersion)
		p.next()
		close(ready)
	}()
	connectSDK(t, c.Transport(), legacyVersion, nil)
	<-ready
	for i := range 20000 {
		p.send(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
	}
	link := c.link.(*streamLink)
	link.mu.Lock()
	waiting := len(link.buf)
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
		p.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%06d.5,"x":"%s","progressToken":%s}}`+"\n", i, repeat("x", 4<<10), g.ID)
	}
	send(0)
	<-first
	for i := range 200 {
		send(i + 1)
	}
	p.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n"+`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", g.ID)
	other := startCall(t.Context(), c, `{}`)
	p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", p.next().ID)
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
