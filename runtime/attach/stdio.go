// Sessions over the standard streams of processes.

package attach

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/proc"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

const (
	// lastWords is how long a process that closed its output may take to end, so that
	// its exit status can be reported. A busy machine needs that long.
	lastWords = 3 * time.Second
	// abandon is how long a process that failed its handshake may take to end.
	abandon = 400 * time.Millisecond
)

// openStdio starts the process, and starts it again if the probe ended it. A server
// that may be restarted once is not probed, so that a process that ends is never
// followed by another one: it gets initialize first, and the probe if it refuses
// that.
func (o *opener) openStdio(ctx context.Context, launch endpoint.Process) (*session, error) {
	started := func() error { return nil }
	if o.Prepare != nil {
		after, err := o.Prepare(ctx, o.server, &launch)
		if err != nil {
			return nil, o.fail(ctx, stage.Start, err)
		}
		if after != nil {
			started = after
		}
	}
	var failed error
	at := stage.Handshake
	todo := attempts(o.remembered())
	switch {
	case o.server.Protocol >= modern:
		todo = []attempt{{}}
	case o.server.Protocol != "", o.server.Restart == endpoint.RestartOnce:
		todo = []attempt{{protocol: o.pinned()}}
	}
	for i := 0; i < len(todo); i++ {
		sess, err := o.start(ctx, todo[i], launch)
		if err == nil {
			if err = started(); err == nil {
				return sess, nil
			}
			sess.discard()
			return nil, o.fail(ctx, stage.Start, err)
		}
		failed = err
		if _, ok := errors.AsType[*proc.StartError](err); ok {
			at = stage.Start
			break
		}
		if ctx.Err() != nil {
			break
		}
		if errors.Is(err, errSlowProbe) {
			todo = slices.Insert(todo, i+1, attempt{})
		}
		if o.server.Protocol == "" && todo[i].protocol != "" && wantsModern(err) && todo[len(todo)-1].protocol != "" {
			todo = append(todo, attempt{}) // it was only slow to answer the probe
		}
	}
	_, lost := errors.AsType[*wire.LostError](failed)
	if _, known := errors.AsType[hint.Stepper](failed); lost && !known {
		failed = hint.With(failed, "check the server's command, args and env", "run the command by hand")
	}
	return nil, o.fail(ctx, at, failed)
}

// wantsModern reports whether a server refused initialize.
func wantsModern(err error) bool {
	rpc, ok := errors.AsType[*runtime.RPCError](rpcOf(err))
	return ok && (rpc.Code == mcp.CodeUnsupportedProtocolVersion || rpc.Code == jsonrpc.CodeMethodNotFound)
}

// start starts one process and shakes hands with it.
func (o *opener) start(ctx context.Context, a attempt, launch endpoint.Process) (*session, error) {
	var grace time.Duration
	if o.runner != nil {
		grace = installGrace
	}
	p, err := proc.Start(launch, grace)
	if err != nil {
		return nil, err
	}
	opts := o.wireOptions()
	opts.Closed = func() error { return lastWordsOf(p) }
	conn := wire.NewStream(p.Stdout(), p.Stdin(), opts)
	sdk, err := o.shakeHands(ctx, conn, a)
	if err != nil {
		err = o.handshakeError(err, conn, p)
		wait := abandon
		if o.runner != nil && !conn.HasAnswered() {
			wait = closeTimeout // an installation must not stay half done
		}
		end, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		_ = conn.Close()
		_ = p.Shutdown(end)
		return nil, err
	}
	sess := o.session(&wired{Conn: conn, sdk: sdk, gone: conn.Done(), why: conn.Err, mark: p.Mark, end: func(ctx context.Context) { _ = p.Shutdown(ctx) }}, endpoint.Stdio)
	sess.pid = p.PID()
	sess.silence = &silence{conn: conn}
	return sess, nil
}

// lastWordsOf waits a limited time for the exit status of a process that closed its
// streams, and until its output has been read.
func lastWordsOf(p *proc.Process) error {
	late := time.After(lastWords)
	for _, end := range []<-chan struct{}{p.Done(), p.Drained()} {
		select {
		case <-end:
		case <-late:
			return p.Err()
		}
	}
	return p.Err()
}

// handshakeError returns why a handshake failed. It chooses the most useful of the
// known reasons.
func (o *opener) handshakeError(err error, conn *wire.Conn, p *proc.Process) error {
	if _, ok := errors.AsType[*runtime.RPCError](rpcOf(err)); ok {
		return err
	}
	stderr := p.Stderr()
	skipped, first := conn.Skipped()
	select {
	case <-conn.Done():
		if lost := conn.Err(); lost != nil && !errors.Is(lost, wire.ErrClosed) {
			return o.seen(lost, skipped, first, stderr)
		}
	default:
	}
	if words := quote.Block(stderr, 1000); words != "" && !errors.Is(err, errProbe) {
		err = &failure{text: err.Error() + "; stderr: " + words, errs: []error{err}}
	}
	return o.seen(err, skipped, first, stderr)
}

// seen adds the output of the process to the error of a failed handshake. Skipped
// counts the lines on standard output that are not messages; first is the first of
// them.
func (o *opener) seen(err error, skipped int, first, stderr string) error {
	if line := safetext.Words(first, 200); skipped > 0 && line != "" {
		text := fmt.Sprintf("%v; on standard output the server wrote %s that are not messages; the first is %q", err, safetext.Count(skipped, "line"), line)
		if skipped == 1 {
			text = fmt.Sprintf("%v; the server wrote a line to standard output that is not a message: %q", err, line)
		}
		late := errors.Is(err, runtime.ErrTimeout)
		err = &failure{text: text, errs: []error{err}}
		if late {
			err = hint.With(err, stepSkipped)
		}
	}
	if p, ok := o.resolved.Launch.(*endpoint.Process); ok && o.runner != nil {
		if why := o.runner.Repair(p.Environ(), p.Dir, stderr); why != nil {
			return &failure{text: err.Error() + ": " + why.Error(), errs: []error{err, why}}
		}
	}
	return err
}

// onSkipped returns a function that logs the first line that is not a message.
func (o *opener) onSkipped() func([]byte) {
	var logged atomic.Bool
	return func(line []byte) {
		if o.quiet || logged.Swap(true) {
			return
		}
		text := o.mask(safetext.Words(string(line), 200))
		o.log.Debug("the server writes lines that are not messages; they are skipped",
			slog.String("server", o.server.Name), slog.String("first", text))
	}
}
