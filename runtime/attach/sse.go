// Sessions over HTTP with server-sent events, the transport of 2024-11-05.

package attach

import (
	"context"
	"errors"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// openSSE opens the stream and shakes hands with a pinned revision: servers of
// this transport end the session on a probe.
func (o *opener) openSSE(ctx context.Context) (*session, error) {
	client, err := o.dial(true, nil)
	if err != nil {
		return nil, o.fail(ctx, StageStart, err)
	}
	// The stream lives as long as the context that it was opened with.
	life, end := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, end)
	inner, err := client.Events(life)
	if !stop() && err == nil {
		_ = inner.Close()
		err = ctx.Err()
	}
	if err != nil {
		end()
		client.Close()
		if broken := client.Broken(); broken != nil {
			err = broken
		}
		return nil, o.fail(ctx, StageHandshake, err)
	}
	conn := wire.NewMessages(inner, wire.Options{
		MaxMessage: o.limits.Message, MaxUnasked: o.limits.Queue, OnSkipped: o.onSkipped(), OnDrop: o.drops.add, Closed: client.Broken,
	})
	obs := observe(conn.Transport())
	sdk, err := o.shakeHands(ctx, obs, attempt{protocol: o.pinned()}, func() { _ = conn.Close() })
	if err != nil {
		if lost := conn.Err(); lost != nil && !errors.Is(lost, wire.ErrClosed) && ctx.Err() == nil {
			err = lost
		}
		_ = conn.Close()
		end()
		client.Close()
		return nil, o.fail(ctx, StageHandshake, err)
	}
	carrier := &wired{conn: conn, sdk: sdk, end: func(context.Context) error {
		end()
		client.Close()
		return nil
	}}
	return o.session(&streamed{wired: carrier, client: client}, endpoint.SSE, sdk, obs.hello()), nil
}

// streamed is a wired carrier whose stream is sorted before it gets there.
type streamed struct {
	*wired
	client interface{ Skipped() int }
}

func (s *streamed) skipped() int { return s.wired.skipped() + s.client.Skipped() }
