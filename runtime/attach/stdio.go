// Sessions with processes.

package attach

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/proc"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

const (
	// lastWords is how long a process that closed its output may take to end,
	// so that its exit status can be reported, on a busy machine too.
	lastWords = 3 * time.Second
	// abandon is how long a process that failed its handshake may take to end.
	abandon = 400 * time.Millisecond
)

// errProbe is what becomes of a probe that was not answered in time.
var errProbe = errors.New("the server did not answer the probe for newer protocol revisions")

// openStdio starts the process, and starts it again where the probe cost it. A
// server that may be restarted once is not probed, so that a process which ends is
// never followed by another one: it is asked in the old way, and in the new one if
// it refuses that.
func (o *opener) openStdio(ctx context.Context, launch endpoint.Process) (*session, error) {
	started := func() error { return nil }
	if o.Prepare != nil {
		after, err := o.Prepare(ctx, o.server, &launch)
		if err != nil {
			return nil, o.fail(ctx, StageStart, err)
		}
		if after != nil {
			started = after
		}
	}
	var failed error
	stage := StageHandshake
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
			end, cancel := context.WithTimeout(context.Background(), closeTimeout)
			defer cancel()
			sess.end(end)
			return nil, o.fail(ctx, StageStart, err)
		}
		failed = err
		if _, ok := errors.AsType[*proc.StartError](err); ok {
			stage = StageStart
			break
		}
		if ctx.Err() != nil {
			break
		}
		if o.server.Protocol == "" && todo[i].protocol != "" && wantsModern(err) && todo[len(todo)-1].protocol != "" {
			todo = append(todo, attempt{}) // it was only slow to answer the probe
		}
	}
	_, lost := errors.AsType[*wire.LostError](failed)
	if _, known := errors.AsType[hint.Stepper](failed); lost && !known {
		failed = hint.With(failed, "check its command, args and env", "run it by hand")
	}
	return nil, o.fail(ctx, stage, failed)
}

// wantsModern reports whether a server refused to be asked in the old way.
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
			wait = closeTimeout // what it installs is not left half done
		}
		end, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		_ = conn.Close()
		_ = p.Shutdown(end)
		return nil, err
	}
	sess := o.session(&wired{Conn: conn, sdk: sdk, gone: conn.Done(), why: conn.Err, mark: p.Mark, end: func(ctx context.Context) { _ = p.Shutdown(ctx) }}, endpoint.Stdio)
	sess.pid = p.PID()
	return sess, nil
}

// lastWordsOf waits a moment for the exit status of a process that closed its
// streams, and until what it wrote has been read.
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

// shakeHands lets the SDK shake hands. The connection is closed if that fails.
func (o *opener) shakeHands(ctx context.Context, conn *wire.Conn, a attempt) (*mcp.ClientSession, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if a.budget > 0 {
		defer o.boundProbe(ctx, conn, a.budget, cancel)()
	}
	// A write into a full pipe does not look at a context.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	sdk, err := o.newClient().Connect(ctx, conn.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: a.protocol})
	if err == nil && ctx.Err() != nil {
		go sdk.Close() // the connection below is closed, so this ends
		err = ctx.Err()
	}
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		if err = o.spoken(sdk.InitializeResult().ProtocolVersion); err != nil {
			_ = conn.Close()
			go sdk.Close() // the connection below is closed, so this ends
		}
	}
	return sdk, err
}

// boundProbe gives the probe up after its budget: the same process is then asked
// in the old way. A process that has still said nothing after two thirds of the
// time to start may be stuck for the probe's sake: that ends it, and a fresh one
// has the rest of the time. One that a package runner may still be installing is
// never ended for that.
func (o *opener) boundProbe(ctx context.Context, conn *wire.Conn, budget time.Duration, cancel context.CancelCauseFunc) (stop func()) {
	left := endpoint.DefaultStart
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	probeTimer := time.AfterFunc(min(budget, left/3), func() {
		conn.RefuseSDK(wire.MethodDiscover, errProbe)
	})
	end := time.AfterFunc(left*2/3, func() {
		if o.runner == nil && !conn.HasAnswered() {
			cancel(errProbe)
		}
	})
	return func() {
		probeTimer.Stop()
		end.Stop()
	}
}

// handshakeError says why a handshake failed: of all that is known, what tells
// a person most.
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

// seen adds to a failed handshake what the process showed. Skipped counts the
// lines on standard output that are not messages, of which first is the first.
func (o *opener) seen(err error, skipped int, first, stderr string) error {
	if line := safetext.Words(first, 200); skipped > 0 && line != "" {
		text := fmt.Sprintf("%v; it wrote %s on standard output, which is for messages alone, the first: %q", err, safetext.Count(skipped, "line"), line)
		err = &failure{text: text, errs: []error{err}}
	}
	if p, ok := o.resolved.Launch.(*endpoint.Process); ok && o.runner != nil {
		if why := o.runner.Repair(p.Environ(), p.Dir, stderr); why != nil {
			return &failure{text: err.Error() + ": " + why.Error(), errs: []error{err, why}}
		}
	}
	return err
}

// onSkipped logs the first line that is not a message, and counts the rest.
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

// wired carries requests over a connection, whatever its link.
type wired struct {
	*wire.Conn
	sdk  *mcp.ClientSession
	gone <-chan struct{}       // closed when the session is lost
	why  func() error          // says why, after gone
	mark func()                // before the connection is closed; nil if there is nothing to do
	end  func(context.Context) // of what lies below the connection
}

func (w *wired) done() <-chan struct{} { return w.gone }
func (w *wired) cause() error          { return w.why() }

// close ends the connection first, so that calls fail at once and the SDK has
// nothing left to wait for.
func (w *wired) close(ctx context.Context) {
	if w.mark != nil {
		w.mark()
	}
	_ = w.Close()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = w.sdk.Close()
	}()
	w.end(ctx)
	select {
	case <-closed:
	case <-ctx.Done():
	}
}
