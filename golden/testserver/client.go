// One client's connection, whatever carries it.

package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// client is the way back to the one who sent a message.
type client struct {
	srv   *server
	write func(line []byte)  // one message without a newline
	raw   func(bytes []byte) // bytes as they are; nil where the transport has none
	gone  <-chan struct{}    // closed when nobody listens any more
	sync  bool               // the connection ends when the handler returns
	end   func()             // nothing is written any more; nil where the handler writes alone
}

func (c *client) reply(m message, result any) {
	c.answer(m, map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
}

func (c *client) fail(m message, code int, text string, data any) {
	e := map[string]any{"code": code, "message": text}
	if data != nil {
		e["data"] = data
	}
	c.answer(m, map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": e})
}

func (c *client) answer(m message, v any) {
	line := encode(v)
	if c.srv.rewrite != nil {
		line = c.srv.rewrite(c, m, line)
	}
	if line != nil {
		c.write(line)
	}
}

func (c *client) notify(method string, params any) {
	c.write(encode(map[string]any{"jsonrpc": "2.0", "method": method, "params": params}))
}

// request asks the client something and waits for the answer. It must run
// inside later on a transport with one reader.
func (c *client) request(method string, params any) message {
	id := fmt.Sprint(1000 + c.srv.seq.Add(1))
	ch := make(chan message, 1)
	c.srv.waiting.Store(id, ch)
	c.write(encode(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params}))
	select {
	case m := <-ch:
		return m
	case <-c.gone:
		return message{}
	}
}

// later runs f beside the reader, or at once where the connection would end.
func (c *client) later(f func()) {
	if c.sync {
		f()
		return
	}
	go f()
}

// hang gives no answer: where the connection would end with the handler, it
// waits until the client has gone.
func (c *client) hang() {
	if c.sync {
		<-c.gone
	}
}

// sleep waits, or until the client has gone.
func (c *client) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-c.gone:
	}
}

// encode writes JSON as most servers do: no HTML escapes, one line. Raw
// members keep their digits and their order.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"encode"}}`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
