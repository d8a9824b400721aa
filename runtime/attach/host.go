// The host: the sessions of a program, by server name.

package attach

import (
	"context"
	"errors"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// Host holds the live sessions of a program. Its methods are safe for
// concurrent use. Close it when it is no longer needed.
type Host struct {
}

func connect(ctx context.Context, servers []endpoint.Server, opts *Options) (*Host, error) {
	return nil, errors.ErrUnsupported
}

// Invoke carries out one request, through the middleware. Errors are of type
// [*runtime.CallError].
func (h *Host) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	return nil, errors.ErrUnsupported
}

// Err joins the errors of the servers that are not usable, in the order of
// their names. Nil: all are.
func (h *Host) Err() error { return nil }

// Status returns what is known of each server, sorted by name.
func (h *Host) Status() []Status { return nil }

// Close ends all sessions at once: calls in flight fail with
// [runtime.ErrNotAttached], processes and their descendants are gone when it
// returns. It may be called several times and concurrently.
func (h *Host) Close() error { return nil }

// Snapshot lists the whole surface of a server afresh. What had to be left out
// is in the problems, each with its place and reason. A server that lists no
// tools is an error that wraps [ErrEmpty] unless AllowEmpty is set. Errors are
// of type [*ServerError].
func (h *Host) Snapshot(ctx context.Context, server string) (*schema.Snapshot, []schema.Problem, error) {
	return nil, nil, errors.ErrUnsupported
}
