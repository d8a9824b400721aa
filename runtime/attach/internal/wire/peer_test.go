// A peer under the control of a test, and helpers.

package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// peer is the server's end of a connection.
type peer struct {
	t   *testing.T
	in  *bufio.Reader
	raw *os.File // what in reads from
	out *os.File
}

// dropped are the sums of what connections dropped.
var dropped sync.Map // *Conn → *dropSum

type dropSum struct {
	mu sync.Mutex
	n  Drops
}

// newCounted is NewStream, with the sum of what is dropped.
func newCounted(r io.Reader, w *os.File, opts Options) *Conn {
	sum, onDrop := &dropSum{}, opts.OnDrop
	opts.OnDrop = func(n Drops, why error) {
		sum.mu.Lock()
		sum.n.Oversized += n.Oversized
		sum.n.Unasked += n.Unasked
		sum.mu.Unlock()
		if onDrop != nil {
			onDrop(n, why)
		}
	}
	c := NewStream(r, w, opts)
	dropped.Store(c, sum)
	return c
}

// Drops returns what was dropped so far.
func (c *Conn) Drops() Drops {
	value, _ := dropped.Load(c)
	sum := value.(*dropSum)
	sum.mu.Lock()
	defer sum.mu.Unlock()
	return sum.n
}

// connect gives a connection over two pipes of the operating system, and its peer.
func connect(t *testing.T, opts Options) (*Conn, *peer) {
	t.Helper()
	toPeer, fromUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	toUs, fromPeer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := newCounted(toUs, fromUs, opts)
	p := &peer{t: t, in: bufio.NewReader(toPeer), raw: toPeer, out: fromPeer}
	t.Cleanup(func() {
		_ = c.Close()
		_ = fromPeer.Close()
		<-c.Done()
		_ = toPeer.Close()
	})
	return c, p
}

// got is a message that the peer received.
type got struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name      string
		Arguments json.RawMessage
		Meta      map[string]json.RawMessage `json:"_meta"`
		RequestID json.RawMessage
		Reason    string
	}
	line string
}

// read returns the next message.
func (p *peer) read() (got, error) {
	var g got
	line, err := p.in.ReadString('\n')
	if err != nil {
		return g, err
	}
	g.line = line
	if err := json.Unmarshal([]byte(line), &g); err != nil {
		return g, fmt.Errorf("%q: %w", line, err)
	}
	return g, nil
}

func (p *peer) next() got {
	p.t.Helper()
	g, err := p.read()
	if err != nil {
		p.t.Fatal(err)
	}
	return g
}

func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.out, format, args...); err != nil {
		p.t.Error(err)
	}
}

// outcome is how a call ended.
type outcome struct {
	result json.RawMessage
	err    error
}

func startCall(ctx context.Context, c *Conn, params string) <-chan outcome {
	ch := make(chan outcome, 1)
	go func() {
		result, err := c.Call(ctx, "tools/call", json.RawMessage(params), CallOptions{})
		ch <- outcome{result, err}
	}()
	return ch
}

func receive[T any](t *testing.T, ch <-chan T) (v T) {
	t.Helper()
	select {
	case o := <-ch:
		return o
	case <-time.After(10 * time.Second):
		t.Fatalf("after 10s no %T came", v)
		return v
	}
}

// expectSent checks the type of an error and what it says about sending.
func expectSent(t *testing.T, err error, sent bool) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want *Error", err, err)
	}
	if e.Sent != sent {
		t.Errorf("Sent %v, want %v (%v)", e.Sent, sent, err)
	}
}

// slowReader gives one byte at a time.
type slowReader struct{ r io.Reader }

func (s slowReader) Read(b []byte) (int, error) { return s.r.Read(b[:min(1, len(b))]) }

// nowhere is a file that takes everything.
func nowhere(t *testing.T) *os.File {
	t.Helper()
	file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }
