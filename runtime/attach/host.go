// The host: the sessions of a program, by server name.

package attach

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// closeTimeout bounds Close: what has not ended by then is killed.
const closeTimeout = 5 * time.Second

// Host holds the live sessions of a program. Its methods are safe for
// concurrent use. Close it when it is no longer needed.
type Host struct {
	settings settings
	slots    map[string]*slot
	invoker  runtime.Invoker
	watchers sync.WaitGroup
	closing  sync.Once
	ended    chan struct{} // closed at the beginning of Close
}

func connect(ctx context.Context, servers []endpoint.Server, opts *Options) (*Host, error) {
	if err := checkServers(servers); err != nil {
		return nil, err
	}
	h := &Host{settings: settle(opts), slots: map[string]*slot{}, ended: make(chan struct{})}
	h.invoker = runtime.Chain(runtime.InvokerFunc(h.invoke), h.settings.Middleware...)
	notify := &notifier{f: h.settings.OnStatus}
	for _, s := range servers {
		h.slots[s.Name] = newSlot(s, notify)
	}
	var attaching sync.WaitGroup
	turns := make(chan struct{}, h.settings.Parallel)
	for _, s := range h.slots {
		attaching.Go(func() {
			s.connecting()
			select {
			case turns <- struct{}{}:
				defer func() { <-turns }()
			case <-ctx.Done():
				s.fail(serverError(s.server, StageStart, contextError(ctx), nil))
				return
			}
			h.attach(ctx, s)
		})
	}
	attaching.Wait()
	return h, nil
}

// attach brings one server up, within its start timeout.
func (h *Host) attach(ctx context.Context, s *slot) {
	start := s.server.Timeout.WithDefaults().Start
	ctx, cancel := context.WithTimeoutCause(ctx, start, fmt.Errorf("%w: not ready within %v: raise timeout.start if it only needs longer", runtime.ErrTimeout, start))
	defer cancel()
	o := &opener{settings: h.settings, server: s.server, limits: s.server.Limits.WithDefaults()}
	sess, err := o.open(ctx)
	if err != nil {
		s.fail(err)
		return
	}
	if err := sess.index(ctx); err != nil {
		err = o.fail(ctx, StageList, lostOr(sess, err))
		end, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		sess.end(end)
		s.fail(err)
		return
	}
	sess.judgeManifests(h.settings.Manifests)
	if s.ready(sess) {
		h.watchers.Go(func() { h.watch(s, sess) })
	}
}

// lostOr returns why the session was lost if it was, else err.
func lostOr(sess *session, err error) error {
	select {
	case <-sess.done():
		if cause := sess.cause(); cause != nil {
			return cause
		}
	default:
	}
	return err
}

// watch notes the loss of a session.
func (h *Host) watch(s *slot, sess *session) {
	select {
	case <-h.ended:
		return
	case <-sess.done():
	}
	if sess.closing.Load() {
		return
	}
	cause := sess.cause()
	if cause == nil {
		cause = errors.New("the connection ended")
	}
	s.fail(serverError(s.server, StageSession, cause, sess.secrets))
	end, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	sess.close(end) // it is lost, not closed: that is what calls under way are told
}

// Invoke carries out one request, through the middleware. Errors are of type
// [*runtime.CallError].
func (h *Host) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	return h.invoker.Invoke(ctx, req)
}

// Err joins the errors of the servers that are not usable, in the order of
// their names. Nil: all are.
func (h *Host) Err() error {
	var errs []error
	for _, st := range h.Status() {
		if st.Err != nil {
			errs = append(errs, st.Err)
		}
	}
	return errors.Join(errs...)
}

// Status returns what is known of each server, sorted by name.
func (h *Host) Status() []Status {
	all := make([]Status, 0, len(h.slots))
	for _, name := range slices.Sorted(maps.Keys(h.slots)) {
		all = append(all, h.slots[name].snapshot())
	}
	return all
}

// Close ends all sessions at once: calls in flight fail with
// [runtime.ErrNotAttached], processes and their descendants are gone when it
// returns. It may be called several times and concurrently. It returns nil.
func (h *Host) Close() error {
	h.closing.Do(func() {
		close(h.ended)
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		var ending sync.WaitGroup
		for _, s := range h.slots {
			ending.Go(func() {
				if sess := s.close(); sess != nil {
					sess.end(ctx)
				}
			})
		}
		ending.Wait()
		h.watchers.Wait()
	})
	return nil
}

// Snapshot lists the whole surface of a server afresh, within its start
// timeout. What had to be left out is in the problems, each with its place and
// reason. A server that lists no tools is an error that wraps [ErrEmpty] unless
// AllowEmpty is set. Errors are of type [*ServerError].
func (h *Host) Snapshot(ctx context.Context, server string) (*schema.Snapshot, []schema.Problem, error) {
	s := h.slots[server]
	if s == nil {
		return nil, nil, &ServerError{Server: server, Stage: StageConfigure, Err: fmt.Errorf("server %q: %w", server, runtime.ErrNotAttached)}
	}
	sess, err := s.get()
	if err != nil {
		return nil, nil, serverError(s.server, StageSession, err, nil)
	}
	start := s.server.Timeout.WithDefaults().Start
	ctx, cancel := context.WithTimeoutCause(ctx, start, fmt.Errorf("%w: the listings did not end within %v: raise timeout.start if they only need longer", runtime.ErrTimeout, start))
	defer cancel()
	snap, problems, err := sess.snapshot(ctx)
	if err != nil {
		if ctx.Err() != nil {
			err = joinLate(context.Cause(ctx), err)
		}
		return nil, nil, serverError(s.server, StageList, lostOr(sess, err), sess.secrets)
	}
	return snap, problems, nil
}
