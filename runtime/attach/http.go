// Sessions over HTTP: streamable HTTP, and the transport of 2024-11-05.

package attach

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/httpx"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func (o *opener) httpOptions(a *endpoint.Address) httpx.Options {
	opts := httpx.Options{URL: a.URL, Headers: a.Headers, UserAgent: clientName + "/" + o.Version, MaxMessage: o.limits.Message, Memory: o.memory}
	if o.tokens != nil {
		opts.Credentials = o.tokens
	}
	if o.caller != "" { // a configured Authorization is the program's own
		opts.Headers = slices.DeleteFunc(slices.Clone(opts.Headers), func(h endpoint.Var) bool { return strings.EqualFold(h.Name, "Authorization") })
	}
	return opts
}

// openHTTP lets the SDK negotiate the revision: over HTTP a probe costs no process.
func (o *opener) openHTTP(ctx context.Context, a *endpoint.Address) (*session, error) {
	protocol := ""
	if v := o.remembered(); v != "" && v < modern {
		protocol = o.pinned()
	}
	for {
		link, err := httpx.NewStreamable(o.httpOptions(a))
		if err != nil {
			return nil, o.fail(ctx, stage.Start, err)
		}
		conn := wire.New(link, o.wireOptions())
		sdk, err := o.shakeHands(ctx, conn, attempt{protocol: protocol})
		if err == nil {
			sess := o.session(&wired{Conn: conn, sdk: sdk, gone: link.Gone(), why: link.Lost, end: link.Wait}, endpoint.HTTP)
			link.Use(sess.protocol)
			return sess, nil
		}
		_ = conn.Close()
		if protocol == "" || o.server.Protocol != "" || ctx.Err() != nil {
			return nil, o.fail(ctx, stage.Handshake, err)
		}
		protocol = ""
	}
}

// openSSE opens the stream and shakes hands with a fixed revision, since servers of
// this transport end the session when they are probed.
func (o *opener) openSSE(ctx context.Context, a *endpoint.Address) (*session, error) {
	link, err := httpx.NewEvents(o.httpOptions(a))
	if err != nil {
		return nil, o.fail(ctx, stage.Start, err)
	}
	conn := wire.New(link, o.wireOptions())
	if err := link.Connect(ctx); err != nil {
		_ = conn.Close()
		return nil, o.fail(ctx, stage.Handshake, err)
	}
	sdk, err := o.shakeHands(ctx, conn, attempt{protocol: o.pinned()})
	if err != nil {
		if lost := conn.Err(); lost != nil && !errors.Is(lost, wire.ErrClosed) && ctx.Err() == nil {
			err = lost
		}
		_ = conn.Close()
		return nil, o.fail(ctx, stage.Handshake, err)
	}
	return o.session(&wired{Conn: conn, sdk: sdk, gone: conn.Done(), why: conn.Err, end: link.Wait}, endpoint.SSE), nil
}
