// One call, from the request of a program to its result.

package attach

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// errCallTimeout ends the context of a call whose time is up.
var errCallTimeout = errors.New("call timeout")

// invoke is Host.Invoke behind the middleware.
func (h *Host) invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	fail := func(stage string, sent bool, err error) (*runtime.Result, error) {
		return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage, Sent: sent, Err: err}
	}
	slot := h.slot(req.Server)
	if slot == nil {
		return fail(runtime.StageRoute, false, runtime.ErrNotAttached)
	}
	for again := false; ; again = true {
		d := h.deliver(ctx, slot, req)
		if d.err == nil {
			res, err := runtime.ParseResult(req.Method, d.raw)
			if err != nil {
				return fail(runtime.StageReceive, true, err)
			}
			return res, nil
		}
		if !again && d.sess != nil && ctx.Err() == nil && d.sess.mayRepeat(req, d.sent) {
			continue
		}
		if d.sess != nil && inDoubt(req, d.err) {
			if drift := h.doubt(ctx, slot, d.sess, d.seen, req); drift != nil {
				return fail(runtime.StageDrift, d.sent, fmt.Errorf("%w; the server answered: %w", drift, d.err))
			}
		}
		return fail(d.stage, d.sent, d.err)
	}
}

// delivery is what became of sending a request once.
type delivery struct {
	raw   json.RawMessage
	sess  *session   // that it was sent on; nil if it did not come to that
	seen  *toolIndex // the listing that counted then
	stage string     // of err
	sent  bool
	err   error
}

// deliver sends a request once.
func (h *Host) deliver(ctx context.Context, slot *slot, req runtime.Request) delivery {
	if ctx.Err() != nil {
		return delivery{stage: runtime.StageSend, err: contextError(ctx)}
	}
	sess, err := h.session(ctx, slot, patienceOf(slot, req.Options))
	if err != nil {
		stage := runtime.StageConnect
		if errors.Is(err, runtime.ErrNotAttached) {
			stage = runtime.StageRoute
		}
		return delivery{stage: stage, err: err}
	}
	seen := sess.tools.Load()
	if err := sess.judgeRequest(ctx, req); err != nil {
		return delivery{stage: runtime.StageDrift, err: err}
	}
	if req.Method == runtime.MethodCallTool && seen.isTaskOnly(req.Name) {
		return delivery{stage: runtime.StageRoute, err: errTaskOnly}
	}
	r, err := newRequest(req)
	if err != nil {
		return delivery{stage: runtime.StageEncode, err: err}
	}
	d := delivery{sess: sess, seen: seen}
	d.raw, d.stage, d.sent, d.err = sess.carry(ctx, r, req.Options)
	return d
}

// mayRepeat reports whether a call that failed was lost with its session and may
// be sent again: it provably did not reach the server, or that does no harm. A
// process that crashes is not given the same call again that may have crashed
// it.
func (s *session) mayRepeat(req runtime.Request, sent bool) bool {
	select {
	case <-s.done():
	default:
		return false
	}
	return !s.closing.Load() && (!sent || s.transport != endpoint.Stdio && s.isHarmless(req))
}

// isHarmless reports whether a request may be carried out twice.
func (s *session) isHarmless(req runtime.Request) bool {
	if req.Method != runtime.MethodCallTool {
		return true // reading, and what fills templates
	}
	t := s.tools.Load().items[req.Name]
	if t == nil {
		return false
	}
	var tool struct {
		Annotations struct {
			ReadOnly   bool `json:"readOnlyHint"`
			Idempotent bool `json:"idempotentHint"`
		} `json:"annotations"`
	}
	return json.Unmarshal(t.item.Raw, &tool) == nil && (tool.Annotations.ReadOnly || tool.Annotations.Idempotent)
}

// carry sends a request within its time and says what became of it.
func (s *session) carry(ctx context.Context, r *request, o runtime.Options) (raw json.RawMessage, stage string, sent bool, err error) {
	timeout := cmp.Or(o.Timeout, s.server.Timeout.Call, endpoint.DefaultCall)
	bounded, touch, stop := withTimeout(ctx, timeout, o.ProgressExtends)
	defer stop()
	if o.OnProgress != nil || o.ProgressExtends {
		r.onProgress = func(params json.RawMessage) {
			touch()
			s.overdue.Store(0)
			if o.OnProgress == nil {
				return
			}
			if p, ok := parseProgress(params); ok {
				o.OnProgress(p)
			}
		}
	}
	raw, sent, err = s.roundTrips(bounded, r)
	if err == nil {
		s.overdue.Store(0)
		return raw, "", true, nil
	}
	s.noteSilence(bounded, err)
	stage = runtime.StageReceive
	if !sent {
		stage = runtime.StageSend
	}
	return nil, stage, sent, s.explain(ctx, bounded, timeout, err)
}

// maxOverdue is how many calls in a row a process may leave without an answer in
// time. It is ended then: it hangs, and the next call starts it again.
const maxOverdue = 3

// errSilent is the end of a process that answers no calls.
var errSilent = fmt.Errorf("the server left %d calls in a row without an answer in time and was ended", maxOverdue)

// noteSilence counts the calls that were not answered in time.
func (s *session) noteSilence(bounded context.Context, err error) {
	switch {
	case errors.Is(context.Cause(bounded), errCallTimeout):
		if w, ok := s.carrier.(*wired); ok && s.overdue.Add(1) >= maxOverdue && s.transport == endpoint.Stdio {
			w.conn.Abort(errSilent)
		}
	case errors.Is(err, runtime.ErrRPC):
		s.overdue.Store(0)
	}
}

// withTimeout bounds a call in time; a negative bound is none. Touch starts the
// time again if it may be extended.
func withTimeout(ctx context.Context, d time.Duration, extends bool) (bounded context.Context, touch func(), stop func()) {
	if d < 0 {
		return ctx, func() {}, func() {}
	}
	if !extends {
		bounded, cancel := context.WithTimeoutCause(ctx, d, errCallTimeout)
		return bounded, func() {}, cancel
	}
	bounded, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(errCallTimeout) })
	return bounded, func() { timer.Reset(d) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

func parseProgress(params json.RawMessage) (runtime.Progress, bool) {
	var p struct {
		Progress *float64 `json:"progress"`
		Total    float64  `json:"total"`
		Message  string   `json:"message"`
	}
	if json.Unmarshal(params, &p) != nil || p.Progress == nil {
		return runtime.Progress{}, false
	}
	return runtime.Progress{Progress: *p.Progress, Total: p.Total, Message: p.Message}, true
}

// explain makes the error of a call that got no result.
func (s *session) explain(ctx, bounded context.Context, timeout time.Duration, err error) error {
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case bounded.Err() != nil && errors.Is(context.Cause(bounded), errCallTimeout):
		return &failure{
			text: fmt.Sprintf("no answer within %v: raise timeout.call of the server, or the timeout of this call", timeout),
			errs: []error{runtime.ErrTimeout},
		}
	case s.closing.Load():
		return errClosed
	case errors.Is(err, errClosed) || errors.Is(err, wire.ErrClosed):
		err = lostOr(s, err) // by the one who noticed the loss
	}
	shown := presentable(err, s.secrets())
	var (
		lost *wire.LostError
		size *wire.SizeError
	)
	if errors.As(err, &lost) || errors.As(err, &size) || errors.Is(err, wire.ErrStalled) || errors.Is(err, wire.ErrClosed) {
		return &failure{text: shown.Error(), errs: []error{runtime.ErrUnavailable, shown}}
	}
	return shown
}

// contextError returns why a context ended; a deadline of the caller's is a
// timeout as well.
func contextError(ctx context.Context) error {
	err := ctx.Err()
	errs := []error{err}
	text := err.Error()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, err) {
		errs, text = append(errs, cause), cause.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		errs = append(errs, runtime.ErrTimeout)
	}
	if len(errs) == 1 {
		return err
	}
	return &failure{text: text, errs: errs}
}
