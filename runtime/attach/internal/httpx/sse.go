// The link of the transport of 2024-11-05: one stream of events, and messages posted
// to the address that its first event names.

package httpx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// Events implements [wire.Link]. Connect must open its stream before anything is
// sent.
type Events struct {
	*client
	to string // where messages are posted
}

// NewEvents returns the link to one server. It fails if the URL cannot be parsed.
func NewEvents(opts Options) (*Events, error) {
	c, err := newClient(opts)
	if err != nil {
		return nil, err
	}
	return &Events{client: c}, nil
}

// Connect opens the stream and waits for the address to post to, or until the context
// ends. After that the stream lives until Close.
func (l *Events) Connect(ctx context.Context) error {
	resp, _, err := l.do(ctx, &outgoing{method: http.MethodGet, header: http.Header{"Accept": {mediaStream}}})
	if err != nil {
		return err
	}
	if resp.media() != mediaStream {
		defer resp.end()
		return l.noMessage(resp)
	}
	in := l.newStream(resp, readBuffer)
	err = l.begin(in)
	if !in.unlink() && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		in.close()
		return err
	}
	go l.read(in)
	return nil
}

// begin reads until the event with the address.
func (l *Events) begin(in *stream) error {
	for l.to == "" {
		ev, err := in.next()
		if errors.Is(err, io.EOF) {
			return &Error{Reason: "the server ended its stream before it sent the address for messages"}
		}
		if err != nil {
			return err
		}
		if ev.name != "endpoint" {
			l.conn.Skip(ev.data)
			continue
		}
		if l.to, err = l.address(ev.data); err != nil {
			return err
		}
	}
	return nil
}

// address checks the address that the server wants messages posted to.
func (l *Events) address(data []byte) (string, error) {
	base, err := url.Parse(l.opts.URL)
	if err != nil {
		return "", err
	}
	target, err := base.Parse(string(bytes.TrimSpace(data)))
	if err != nil {
		return "", &Error{Reason: fmt.Sprintf("the server sent an unreadable address for messages: %q", safetext.Words(string(data), 100))}
	}
	if at := originOf(target); at != l.origin {
		return "", &Error{Reason: fmt.Sprintf("the server asks for messages at another origin, %q, and mcpgen sent nothing there", safetext.Words(at.String(), 100)), Steps: []string{"if you trust this origin, write its address as url"}}
	}
	return target.String(), nil
}

// read delivers all messages of the stream. The end of the stream ends the
// connection.
func (l *Events) read(in *stream) {
	defer in.close()
	for {
		ev, err := in.next()
		if err == nil {
			in.deliver(ev, 0)
			continue
		}
		if e, ok := errors.AsType[*Error](err); ok {
			l.conn.Lose(e)
		} else {
			l.conn.Lose(nil)
		}
		return
	}
}

func (l *Events) post(body []byte) *outgoing {
	return &outgoing{method: http.MethodPost, url: l.to, header: http.Header{"Content-Type": {mediaJSON}}, body: body}
}

// Call implements [wire.Link].
func (l *Events) Call(ctx context.Context, r *wire.Request) (seq uint64, err error) {
	sent, err := l.sendOneWay(ctx, l.post(r.Append(nil)))
	return seqOf(sent), err
}

// Send implements [wire.Link]. The SDK gets only errors that prevent the handshake.
func (l *Events) Send(ctx context.Context, method string, message []byte) error {
	o := l.post(message)
	o.timeout, o.unsigned = messageTimeout, method == wire.MethodCancelled
	if _, err := l.sendOneWay(ctx, o); method == methodInitialized {
		return err
	}
	return nil
}

// Cancel implements [wire.Link].
func (l *Events) Cancel(id, _ uint64, reason string) {
	o := l.post(l.conn.AppendCancelled(nil, id, reason))
	o.timeout, o.unsigned = messageTimeout, true
	go l.sendOneWay(l.life, o) //nolint:errcheck // the caller has gone
}

// Close implements [wire.Link]: the server sees the end of the stream.
func (l *Events) Close(bool, []uint64) { l.leave() }
