// Calls over a stream: answers, errors, noise, bounds, cancellation.

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mcpruntime "github.com/mcpgen/mcpgen/runtime"
)

func TestCallKeepsBytes(t *testing.T) {
	c, p := connect(t, Options{})
	call := startCall(t.Context(), c, "{\"name\":\"t\",\r\n \"arguments\":{\"n\":9007199254740993,\"s\":\"\\u0041\u2028<\"}}")
	g := p.next()
	if want := string(c.ids.Append(nil, 1)); string(g.ID) != want || g.Method != "tools/call" {
		t.Errorf("request %s", g.line)
	}
	if want := "{\"n\":9007199254740993,\"s\":\"\\u0041\u2028<\"}"; string(g.Params.Arguments) != want {
		t.Errorf("arguments %s, want %s", g.Params.Arguments, want)
	}
	result := `{ "n":9007199254740993, "f":1.0, "e":1e400, "dup":1,"dup":2, "q":"\"}]" }`
	p.send(`{"result":%s,"extra":[{}],"id":%s,"jsonrpc":"2.0"}`+"\n", result, g.ID)
	if o := receive(t, call); o.err != nil || string(o.result) != result {
		t.Errorf("result %s, %v; want %s", o.result, o.err, result)
	}
}

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, answer string // $ is the id
		want         string // the result
		code         int64
		data         string
		err          string
	}{
		{name: "result", answer: `{"jsonrpc":"2.0","id":$,"result":{}}`, want: `{}`},
		{name: "carriage return", answer: "{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{}}\r", want: `{}`},
		{name: "byte order mark", answer: "\ufeff{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{}}", want: `{}`},
		{name: "space", answer: ` { "id" : $ , "jsonrpc":"2.0", "result" : [ 1 ] } `, want: `[ 1 ]`},
		{name: "null", answer: `{"jsonrpc":"2.0","id":$,"result":null}`, want: `null`},
		{name: "no version", answer: `{"id":$,"result":1}`, want: `1`},
		{name: "null error", answer: `{"jsonrpc":"2.0","id":$,"result":{},"error":null}`, want: `{}`},
		{name: "batch", answer: `[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","id":$,"result":{"a":[1]}}]`, want: `{"a":[1]}`},
		{name: "behind a partial line", answer: `Loading {1/2} {"a" "x {"jsonrpc":"2.0","id":$,"result":{}}`, err: `"Loading {1/2}`},
		{name: "behind a partial line, id first", answer: `12%{"id":$,"result":{},"jsonrpc":"2.0"}`, err: "same line"},
		{name: "behind a partial line, an error", answer: `x{"jsonrpc":"2.0","id":$,"error":{"code":1,"message":"no"}}`, err: "same line"},
		{name: "behind its own log", answer: `got {"jsonrpc":"2.0","id":$,"method":"x"}` + "\n" + `{"log":{"id":$,"result":1}}` + "\n" + `{"jsonrpc":"2.0","id":$,"result":2}`, want: `2`},
		{name: "escaped id", answer: `{"jsonrpc":"2.0","id":"mcpgen\u002d$$","result":{}}`, want: `{}`},
		{name: "error", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":-32602,"message":"no","data":{"n":9007199254740993}}}`, code: -32602, data: `{"n":9007199254740993}`, err: "no"},
		{name: "float code", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":-32602.0,"message":"no"},"result":null}`, code: -32602, err: "no"},
		{name: "odd error", answer: `{"jsonrpc":"2.0","id":$,"error":"boom"}`, data: `"boom"`, err: `malformed error object: "boom"`},
		{name: "both", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":1,"message":"no"},"result":{}}`, code: 1, err: errBoth.Error() + ": no (code 1)"},
		{name: "neither", answer: `{"jsonrpc":"2.0","id":$}`, err: errEmpty.Error()},
		{name: "odd code", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":"E1","message":"odd"}}`, err: `odd; its code is "E1" (code 0)`},
		{name: "no message but an odd code", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":"E1"}}`, err: `its code is "E1" (code 0)`},
		{name: "fraction", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":1.5,"message":"odd"}}`, err: "odd; its code is 1.5 (code 0)"},
		{name: "code beyond", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":1e30,"message":"odd"}}`, err: "odd; its code is 1e30 (code 0)"},
		{name: "code just beyond", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":9223372036854775808,"message":"odd"}}`, err: "odd; its code is 9223372036854775808 (code 0)"},
		{name: "large code", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":9007199254740993.0,"message":"odd"}}`, code: 9007199254740993, err: "odd"},
		{name: "code in words", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":[1],"message":"odd"}}`, err: "odd; its code is [1] (code 0)"},
		{name: "null code", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":null,"message":"odd"}}`, err: "odd (code 0)"},
		{name: "error that says nothing", answer: `{"jsonrpc":"2.0","id":$,"error":{}}`, data: `{}`, err: "malformed error object: {}"},
		{name: "twice", answer: `{"jsonrpc":"2.0","id":$,"result":{},"result":{"evil":1}}`, err: errTwice.Error()},
		{name: "twice, one escaped", answer: `{"jsonrpc":"2.0","id":$,"result":{},"\u0072esult":{"evil":1}}`, err: errTwice.Error()},
		{name: "other case", answer: `{"jsonrpc":"2.0","id":$,"ID":1,"result":{},"Result":{"evil":1},"reſult":{"evil":1},"ERROR":{"code":1}}`, want: `{}`},
		{name: "error in other case", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":-1,"message":"no","Code":1,"MESSAGE":"evil"}}`, code: -1, err: "no"},
		{name: "error twice", answer: `{"jsonrpc":"2.0","id":$,"error":{"code":-1,"message":"no","message":"evil"}}`, data: `{"code":-1,"message":"no","message":"evil"}`, err: "malformed error object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, p := connect(t, Options{})
			call := startCall(t.Context(), c, `{}`)
			g := p.next()
			p.send("%s\n", strings.NewReplacer("$$", strings.TrimPrefix(c.ids.Text(1), "mcpgen-"), "$", string(g.ID)).Replace(tt.answer))
			o := receive(t, call)
			if string(o.result) != tt.want {
				t.Errorf("result %s, want %s", o.result, tt.want)
			}
			if (o.err != nil) != (tt.err != "") || o.err != nil && !strings.Contains(o.err.Error(), tt.err) {
				t.Fatalf("error %v, want %q", o.err, tt.err)
			}
			var rpc *mcpruntime.RPCError
			if tt.err == "" || !errors.As(o.err, &rpc) {
				if tt.code != 0 {
					t.Errorf("error %T, want an RPCError", o.err)
				}
				return
			}
			if rpc.Code != tt.code || string(rpc.Data) != tt.data {
				t.Errorf("code %d, data %s", rpc.Code, rpc.Data)
			}
		})
	}
}

func TestNoiseIsSkipped(t *testing.T) {
	noise := []string{
		"Server listening on stdio", `{"foo":1}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`,
		`{"level":"info","method":"GET"}`, `[]`, `[1,{"a":2}]`, `[`, `{`, `"text"`, `null`, `42`, `{"jsonrpc":"2.0","id":"mcpgen-1"}`,
		`{"jsonrpc":"2.0","id":{},"method":"x"}`, `{"jsonrpc":"2.0","id":1.5,"method":"x"}`, `{"jsonrpc":"2.0","method":7}`, "\x00\xff", `{"jsonrpc":"2.0","result":{}}`,
	}
	var seen []string
	c, p := connect(t, Options{OnSkipped: func(line []byte) { seen = append(seen, string(line)) }})
	call := startCall(t.Context(), c, `{}`)
	g := p.next()
	p.send("\n  \r\n%s\n", strings.Join(noise, "\r\n"))
	// Neither noise nor an answer to us: dropped without a word.
	p.send(`{"jsonrpc":"2.0","id":"%s","result":{}}`+"\n"+`{"jsonrpc":"2.0","id":12,"result":{}}`+"\n", c.ids.Text(99))
	p.send(`{"jsonrpc":"2.0","id":%s,"result":{"ok":1}}`+"\n", g.ID)
	p.send(`{"jsonrpc":"2.0","id":%s,"result":{"late":1}}`+"\n", g.ID)
	if o := receive(t, call); o.err != nil || string(o.result) != `{"ok":1}` {
		t.Fatalf("result %s, %v", o.result, o.err)
	}
	n, first := c.Skipped()
	if n != len(noise) || first != noise[0] {
		t.Errorf("skipped %d, first %q; want %d", n, first, len(noise))
	}
	if n, end := c.SkippedSince(len(noise) - 2); n != 2 || end != strings.Join(noise[len(noise)-2:], "\n")+"\n" {
		t.Errorf("skipped %d later, which end with %q", n, end)
	}
	if n, end := c.SkippedSince(0); n != len(noise) || len(end) > maxQuote+1 || !strings.HasSuffix(end, noise[len(noise)-1]+"\n") {
		t.Errorf("skipped %d, which end with %q", n, end)
	}
	if n, end := c.SkippedSince(len(noise)); n != 0 || end != "" {
		t.Errorf("skipped %d after all, %q", n, end)
	}
	if !slices.Equal(seen, noise) {
		t.Errorf("reported %q, want %q", seen, noise)
	}
	p.send("%s\n", repeat("x", 5000))
	p.send(`{"jsonrpc":"2.0","id":5,"result":{}}` + "\n")
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

// A message above the bound is skipped, and the call that it answers fails at
// once: also where its id comes last, and before the message has ended where the
// id comes first. The connection lives on.
func TestSizeBound(t *testing.T) {
	const limit = 1 << 20
	for _, tt := range []struct {
		name, begin, end string // $ is the id
		size             int
		rest             string // after the call has ended
		fails            bool
	}{
		{"at the bound", `{"jsonrpc":"2.0","id":$,"result":"`, "\"}\n", limit, "", false},
		{"one above", `{"jsonrpc":"2.0","id":$,"result":"`, "\"}\n", limit + 1, "", true},
		{"one above, unfinished", `{"jsonrpc":"2.0","id":$,"result":"`, "", limit + 1, "\"}\n", true},
		{"far above", `{"jsonrpc":"2.0","id":$,"result":"`, "\"}\n", 5 * limit, "", true},
		{"id last", `{"result":"`, "\",\"jsonrpc\":\"2.0\",\"id\":$}\r\n", 3 * limit, "", true},
		{"id last but one", `{"result":"`, "\", \"id\" : $, \"jsonrpc\":\"2.0\"}\n", limit + 1, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var dropped []error
			c, p := connect(t, Options{MaxMessage: limit, OnDrop: func(_ Drops, why error) { dropped = append(dropped, why) }})
			call := startCall(t.Context(), c, `{}`)
			id := string(p.next().ID)
			begin, end := strings.ReplaceAll(tt.begin, "$", id), strings.ReplaceAll(tt.end, "$", id)
			line := len(strings.TrimRight(end, "\r\n"))
			go p.send("%s", begin+repeat("x", tt.size-len(begin)-line)+end)
			o := receive(t, call)
			if tt.fails != (o.err != nil) {
				t.Fatalf("error %v", o.err)
			}
			p.send("%s", tt.rest)
			if tt.fails {
				expectSent(t, o.err, true)
				if !errors.Is(o.err, ErrTooLarge) || !strings.Contains(o.err.Error(), "1048576") {
					t.Errorf("error %v", o.err)
				}
			}
			next := startCall(t.Context(), c, `{}`)
			p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", p.next().ID)
			if o := receive(t, next); string(o.result) != "1" {
				t.Errorf("the next call: %s, %v", o.result, o.err)
			}
			if n := c.Drops().Oversized; (n == 1) != tt.fails || n != len(dropped) {
				t.Errorf("%d messages dropped, told %v", n, dropped)
			}
		})
	}
}

// What is too long and answers no call ends none.
func TestOversizedNoise(t *testing.T) {
	c, p := connect(t, Options{MaxMessage: 1 << 10})
	call := startCall(t.Context(), c, `{}`)
	id := string(p.next().ID)
	for _, line := range []string{
		repeat("x", 5000), `{"a":"` + repeat("x", 5000) + `"}`, `{"a":{"x":"` + repeat("x", 5000) + `","id":` + id + `}}`,
		`INFO {"a":"` + repeat("x", 5000) + `"} "id":` + id + `}`, `{"jsonrpc":"2.0","method":"x","params":"` + repeat("x", 5000) + `"}`,
		`["` + repeat("x", 5000) + `",{"id":` + id + `}]`,
	} {
		p.send("%s\n", line)
	}
	p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", id)
	if o := receive(t, call); string(o.result) != "1" || c.Drops().Oversized != 6 {
		t.Errorf("result %s, %v; %d dropped", o.result, o.err, c.Drops().Oversized)
	}
}

// endless is a line without an end.
type endless struct{ n int64 }

func (e *endless) Read(b []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	for i := range b {
		b[i] = 'x'
	}
	e.n -= int64(len(b))
	return len(b), nil
}

func TestGiantLineIsNotKept(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := newCounted(&endless{64 << 20}, nowhere(t), Options{MaxMessage: 1 << 20})
	<-c.Done()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("%d bytes allocated", got)
	}
	var le *LostError
	if !errors.As(c.Err(), &le) || c.Drops().Oversized != 1 {
		t.Errorf("ended with %v, dropped %+v", c.Err(), c.Drops())
	}
}

func TestFraming(t *testing.T) {
	var in strings.Builder
	want := 0
	for size := range 300 {
		fmt.Fprintf(&in, "noise %s\n", repeat("é", size*7))
		want++
	}
	in.WriteString("last without newline")
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(in.String()), "bytes": slowReader{strings.NewReader(in.String())}} {
		n := 0
		c := NewStream(r, nowhere(t), Options{OnSkipped: func([]byte) { n++ }})
		<-c.Done()
		if n != want+1 {
			t.Errorf("%s: %d lines, want %d", name, n, want+1)
		}
		var le *LostError
		if !errors.As(c.Err(), &le) {
			t.Errorf("%s: ended with %v", name, c.Err())
		}
	}
}

func TestLargeAnswersAreNotOverwritten(t *testing.T) {
	c, p := connect(t, Options{})
	sizes := []int{10, readBuffer, 100, 3 * readBuffer, readBuffer + 1, 5000, 10 * readBuffer}
	var calls []<-chan outcome
	for range sizes {
		calls = append(calls, startCall(t.Context(), c, `{}`))
	}
	ids := make([]string, len(sizes))
	for i := range sizes {
		ids[i] = string(p.next().ID)
	}
	var all strings.Builder
	wants := map[string]bool{}
	for i, size := range sizes {
		result := `"` + repeat(string(rune('a'+i)), size) + `"`
		wants[result] = true
		fmt.Fprintf(&all, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", ids[i], result)
	}
	go p.send("%s", all.String())
	for _, call := range calls {
		o := receive(t, call)
		if o.err != nil || !wants[string(o.result)] {
			t.Errorf("wrong answer of %d bytes, %v", len(o.result), o.err)
		}
		delete(wants, string(o.result))
	}
}

func TestLost(t *testing.T) {
	crashed := errors.New("exit status 3; stderr: EVIL_API_KEY is not set")
	for _, tt := range []struct {
		name   string
		closed func() error
		want   string
	}{
		{"crash", func() error { return crashed }, crashed.Error()},
		{"unknown", nil, "closed its output"},
		{"no reason", func() error { return nil }, "closed its output"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, p := connect(t, Options{Closed: tt.closed})
			call := startCall(t.Context(), c, `{}`)
			p.next()
			_ = p.out.Close()
			o := receive(t, call)
			expectSent(t, o.err, true)
			var le *LostError
			if !errors.As(o.err, &le) || !strings.Contains(o.err.Error(), tt.want) {
				t.Errorf("error %v", o.err)
			}
			_, err := c.Call(t.Context(), "ping", nil, CallOptions{})
			expectSent(t, err, false)
			if !errors.As(err, &le) {
				t.Errorf("later call: %v", err)
			}
		})
	}
}

// A peer that closed its input cannot have seen a request.
func TestInputClosed(t *testing.T) {
	c, p := connect(t, Options{})
	_ = p.raw.Close()
	_, err := c.Call(t.Context(), "tools/call", []byte(`{}`), CallOptions{})
	expectSent(t, err, false)
	var le *LostError
	if !errors.As(err, &le) {
		t.Errorf("error %v", err)
	}
}

func TestClose(t *testing.T) {
	c, p := connect(t, Options{Closed: func() error { return errors.New("must not be asked") }})
	call := startCall(t.Context(), c, `{}`)
	p.next()
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	o := receive(t, call)
	expectSent(t, o.err, true)
	if !errors.Is(o.err, ErrClosed) || !errors.Is(c.Err(), ErrClosed) {
		t.Errorf("call %v, connection %v", o.err, c.Err())
	}
	if _, err := p.read(); !errors.Is(err, io.EOF) {
		t.Errorf("the peer's input: %v", err)
	}
	// What the peer still says is read, so that it does not block.
	p.send("%s\n", repeat("x", 1<<20))
}

func TestCancel(t *testing.T) {
	c, p := connect(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	call := startCall(ctx, c, `{}`)
	g := p.next()
	why := errors.New("the user pressed escape")
	cancel(why)
	o := receive(t, call)
	expectSent(t, o.err, true)
	if !errors.Is(o.err, context.Canceled) || !errors.Is(o.err, why) {
		t.Errorf("error %v", o.err)
	}
	if n := p.next(); n.Method != "notifications/cancelled" || n.ID != nil || string(n.Params.RequestID) != string(g.ID) || n.Params.Reason == "" {
		t.Errorf("notification %s", n.line)
	}
	// The late answer reaches nobody, least of all the next call.
	next := startCall(t.Context(), c, `{}`)
	h := p.next()
	p.send(`{"jsonrpc":"2.0","id":%s,"result":"late"}`+"\n", g.ID)
	p.send(`{"jsonrpc":"2.0","id":%s,"result":"right"}`+"\n", h.ID)
	if o := receive(t, next); string(o.result) != `"right"` {
		t.Errorf("result %s, %v", o.result, o.err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) != 0 {
		t.Errorf("%d calls are still waiting", len(c.calls))
	}
	_, err := c.Call(ctx, "tools/call", nil, CallOptions{})
	expectSent(t, err, false)
}

// abandonBig gives up a call of 4 MiB of which the peer has seen the beginning.
func abandonBig(t *testing.T, c *Conn, p *peer) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	call := startCall(ctx, c, `{"name":"big","arguments":{"x":"`+repeat("x", 4<<20)+`"}}`)
	if _, err := p.in.Peek(1); err != nil {
		t.Fatal(err)
	}
	cancel()
	return receive(t, call).err
}

// A peer that does not read holds no caller up, and the pipe's contents stay whole.
func TestFrozenPeer(t *testing.T) {
	c, p := connect(t, Options{})
	expectSent(t, abandonBig(t, c, p), true)
	// One that waits behind it has not been sent, and never will be.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := c.Call(ctx, "tools/call", []byte(`{"name":"unsent"}`), CallOptions{})
	expectSent(t, err, false)
	// It wakes up in time: nothing is lost, and the connection works.
	if g := p.next(); g.Params.Name != "big" || len(g.Params.Arguments) < 4<<20 {
		t.Errorf("first message: %.100s", g.line)
	}
	if g := p.next(); g.Method != "notifications/cancelled" {
		t.Errorf("second message: %.100s", g.line)
	}
	call := startCall(t.Context(), c, `{"name":"next"}`)
	g := p.next()
	if g.Params.Name != "next" {
		t.Errorf("third message: %.100s", g.line)
	}
	p.send(`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", g.ID)
	if o := receive(t, call); o.err != nil {
		t.Error(o.err)
	}
}

// One that stays frozen ends the connection.
func TestStalledPeer(t *testing.T) {
	c, p := connect(t, Options{})
	expectSent(t, abandonBig(t, c, p), true)
	select {
	case <-c.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("after 10s the connection has not ended")
	}
	if !errors.Is(c.Err(), ErrStalled) {
		t.Errorf("ended with %v", c.Err())
	}
}

// 64 callers at once, answers in any order, cancellations in between.
func TestConcurrent(t *testing.T) {
	c, p := connect(t, Options{})
	go func() {
		var held []got
		flush := func() {
			rand.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
			for _, g := range held {
				// Those that were given up may be answered after the end.
				_, _ = fmt.Fprintf(p.out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", g.ID, g.Params.Arguments)
			}
			held = nil
		}
		for {
			g, err := p.read()
			if err != nil {
				return
			}
			if g.ID != nil {
				held = append(held, g)
			}
			if len(held) >= 16 || g.Params.Name == "flush" {
				flush()
			}
		}
	}()
	var all sync.WaitGroup
	for caller := range 64 {
		all.Go(func() {
			for i := range 100 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%10 == 9 {
					time.AfterFunc(time.Duration(rand.IntN(100))*time.Microsecond, cancel)
				}
				want := fmt.Sprintf(`{"caller":%d,"i":%d}`, caller, i)
				name := "flush"
				if i%3 == 0 && i < 90 {
					name = "hold"
				}
				result, err := c.Call(ctx, "tools/call", []byte(`{"name":"`+name+`","arguments":`+want+`}`), CallOptions{})
				if err != nil && ctx.Err() == nil || err == nil && string(result) != want {
					t.Errorf("result %s, %v; want %s", result, err, want)
				}
				cancel()
			}
		})
	}
	ended := make(chan struct{})
	var last sync.WaitGroup
	last.Go(func() { // the last few callers may all be held
		for {
			select {
			case <-ended:
				return
			default:
				_, _ = c.Call(t.Context(), "tools/call", []byte(`{"name":"flush","arguments":{}}`), CallOptions{})
			}
		}
	})
	all.Wait()
	close(ended)
	last.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) != 0 {
		t.Errorf("%d calls are still waiting", len(c.calls))
	}
}
