package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	mcpruntime "github.com/mcpgen/mcpgen/runtime"
)

// scripted is a connection of decoded messages whose peer is a function.
type scripted struct {
	in     chan any // jsonrpc.Message or error
	answer func(r *jsonrpc.Request) any
	once   sync.Once
	closed chan struct{}
	wrote  chan *jsonrpc.Request
}

func newScripted(answer func(*jsonrpc.Request) any) *scripted {
	return &scripted{in: make(chan any, 100), answer: answer, closed: make(chan struct{}), wrote: make(chan *jsonrpc.Request, 100)}
}

func (s *scripted) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case v := <-s.in:
		if err, ok := v.(error); ok {
			return nil, err
		}
		return v.(jsonrpc.Message), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closed:
		return nil, io.EOF
	}
}

func (s *scripted) Write(_ context.Context, msg jsonrpc.Message) error {
	r := msg.(*jsonrpc.Request)
	s.wrote <- r
	switch a := s.answer(r).(type) {
	case nil:
	case error:
		return a
	case string:
		msg, err := jsonrpc.DecodeMessage([]byte(strings.ReplaceAll(a, "$", `"`+r.ID.Raw().(string)+`"`)))
		if err != nil {
			return err
		}
		s.in <- msg
	}
	return nil
}

func (s *scripted) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *scripted) SessionID() string { return "" }

func TestMessageAnswers(t *testing.T) {
	refused := errors.New("failed to write: 503")
	for name, tt := range map[string]struct {
		answer any
		want   string
		code   int64
		err    error
	}{
		"result":  {answer: `{"jsonrpc":"2.0","id":$,"result":{"n":9007199254740993}}`, want: `{"n":9007199254740993}`},
		"error":   {answer: `{"jsonrpc":"2.0","id":$,"error":{"code":-32602,"message":"no","data":[1]}}`, code: -32602, err: mcpruntime.ErrRPC},
		"both":    {answer: `{"jsonrpc":"2.0","id":$,"error":{"code":1,"message":"no"},"result":{}}`, err: errBoth},
		"neither": {answer: `{"jsonrpc":"2.0","id":$}`, err: errEmpty},
		"refused": {answer: refused, err: refused},
	} {
		t.Run(name, func(t *testing.T) {
			inner := newScripted(func(*jsonrpc.Request) any { return tt.answer })
			inner.in <- errors.New("invalid character")
			c := NewMessages(inner, Options{})
			defer c.Close()
			result, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{}`), CallOptions{})
			if string(result) != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("%s, %v", result, err)
			}
			var rpc *mcpruntime.RPCError
			if errors.As(err, &rpc) && rpc.Code != tt.code {
				t.Errorf("code %d", rpc.Code)
			}
			if c.Err() != nil {
				t.Errorf("the connection ended: %v", c.Err())
			}
		})
	}
}

func TestMessageJunk(t *testing.T) {
	inner := newScripted(func(*jsonrpc.Request) any { return nil })
	go func() {
		for {
			select {
			case inner.in <- errors.New("invalid character"):
			case <-inner.closed:
				return
			}
		}
	}()
	c := NewMessages(inner, Options{})
	<-c.Done()
	var le *LostError
	if n, first := c.Skipped(); n != maxJunk || first != "invalid character" || !errors.As(c.Err(), &le) {
		t.Errorf("skipped %d, first %q, ended with %v", n, first, c.Err())
	}
}

func TestMessageCancel(t *testing.T) {
	inner := newScripted(func(*jsonrpc.Request) any { return nil })
	c := NewMessages(inner, Options{})
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	call := start(ctx, c, `{}`)
	r := <-inner.wrote
	cancel()
	o := wait(t, call)
	expectSent(t, o.err, true)
	if n := <-inner.wrote; n.Method != "notifications/cancelled" || !strings.Contains(string(n.Params), r.ID.Raw().(string)) {
		t.Errorf("notification %s %s", n.Method, n.Params)
	}
	lost := start(t.Context(), c, `{}`)
	<-inner.wrote
	_ = inner.Close()
	expectSent(t, wait(t, lost).err, true)
}
