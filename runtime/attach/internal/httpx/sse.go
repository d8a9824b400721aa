// The transport of 2024-11-05: one stream of events, and messages posted to the
// address that its first event names.
//
// Nothing is read ahead: what nobody has taken yet waits at the server, and a large
// message keeps its room until the next one is asked for.

package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// Events is a connection of the SSE transport, as the SDK knows connections. Close
// may be called at any time; the other methods are safe for one reader beside many
// writers.
type Events struct {
	client *Client
	http   *http.Client
	in     *stream
	to     *url.URL // where messages are posted
}

// Events opens the stream and waits for the address to post to. The stream lives no
// longer than ctx.
func (c *Client) Events(ctx context.Context) (*Events, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.opts.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", mediaStream)
	e := &Events{client: c, http: c.HTTP()}
	resp, err := e.http.Do(req)
	if err != nil {
		return nil, err
	}
	var ok bool
	if e.in, ok = resp.Body.(*stream); !ok {
		_ = resp.Body.Close()
		return nil, errors.New("no stream")
	}
	if err := e.begin(); err != nil {
		_ = e.in.Close()
		return nil, err
	}
	return e, nil
}

// begin reads to the address.
func (e *Events) begin() error {
	for e.to == nil {
		ev, err := e.in.next()
		if errors.Is(err, io.EOF) {
			return &Error{Reason: "the server ended its stream before it named the address to post to"}
		}
		if err != nil {
			return e.broken(err)
		}
		if ev.name != "endpoint" {
			e.client.skip(ev.data)
			continue
		}
		if e.to, err = e.client.endpoint(ev.data); err != nil {
			return e.broken(err)
		}
	}
	return nil
}

// broken notes why the stream is of no use any more.
func (e *Events) broken(err error) error {
	var why *Error
	if errors.As(err, &why) {
		e.client.broken.Store(why)
	}
	return err
}

// endpoint checks where the server wants messages posted.
func (c *Client) endpoint(data []byte) (*url.URL, error) {
	base, err := url.Parse(c.opts.URL)
	if err != nil {
		return nil, err
	}
	target, err := base.Parse(string(bytes.TrimSpace(data)))
	if err != nil {
		return nil, &Error{Reason: fmt.Sprintf("the server names an address to post to that cannot be read: %q", quote.Line(string(data), 100))}
	}
	if at := originOf(target); at != c.origin {
		return nil, &Error{Reason: fmt.Sprintf("the server wants messages posted to another origin, %q: nothing was sent there; if you trust it, write that address as url", quote.Line(at.String(), 100))}
	}
	return target, nil
}

// Read returns the next message, and [io.EOF] at the end of the stream, for whatever
// reason: see [Client.Broken].
func (e *Events) Read(ctx context.Context) (jsonrpc.Message, error) {
	defer context.AfterFunc(ctx, e.in.cancel)()
	for {
		ev, err := e.in.next()
		if err != nil {
			_ = e.broken(err)
			return nil, io.EOF
		}
		if !e.in.carries(ev) {
			continue
		}
		if msg := e.message(ev.data); msg != nil {
			return msg, nil
		}
		e.client.skip(ev.data)
	}
}

// message reads a message; nil for what is none.
func (e *Events) message(data []byte) jsonrpc.Message {
	all, err := parse(data)
	if err != nil || len(all) != 1 {
		return nil
	}
	plain := all[0].bytes()
	if m := &all[0]; m.Twice && m.isAnswer() && m.ID != nil {
		plain = refusal(m.ID)
	} else if m.Twice {
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(plain)
	if err != nil {
		return nil
	}
	return msg
}

// refusal is what takes the place of an answer that cannot be used.
func refusal(id json.RawMessage) []byte {
	data, _ := json.Marshal(map[string]any{ // the id was read as JSON
		"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": jsonrpc.CodeInternalError, "message": errTwice().Reason},
	})
	return data
}

// Write posts a message. The answer to a request comes by [Events.Read].
func (e *Events) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.to.String(), bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", mediaJSON)
	resp, err := e.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// SessionID is empty: there is none here.
func (e *Events) SessionID() string { return "" }

// Close ends the stream, and a Read with it.
func (e *Events) Close() error { return e.in.Close() }
