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
	slot := h.slots[req.Server]
	if slot == nil {
		return fail(runtime.StageRoute, false, runtime.ErrNotAttached)
	}
	if err := ctx.Err(); err != nil {
		return fail(runtime.StageSend, false, contextError(ctx))
	}
	sess, err := slot.get()
	if err != nil {
		stage := runtime.StageConnect
		if errors.Is(err, runtime.ErrNotAttached) {
			stage = runtime.StageRoute
		}
		return fail(stage, false, err)
	}
	if err := sess.judgeRequest(ctx, req); err != nil {
		return fail(runtime.StageDrift, false, err)
	}
	r, err := newRequest(req)
	if err != nil {
		return fail(runtime.StageEncode, false, err)
	}
	raw, stage, sent, err := sess.carry(ctx, r, req.Options)
	if err != nil {
		return fail(stage, sent, err)
	}
	res, err := runtime.ParseResult(req.Method, raw)
	if err != nil {
		return fail(runtime.StageReceive, true, err)
	}
	return res, nil
}

// carry sends a request within its time and says what became of it.
func (s *session) carry(ctx context.Context, r *request, o runtime.Options) (raw json.RawMessage, stage string, sent bool, err error) {
	timeout := cmp.Or(o.Timeout, s.server.Timeout.Call, endpoint.DefaultCall)
	bounded, touch, stop := withTimeout(ctx, timeout, o.ProgressExtends)
	defer stop()
	if o.OnProgress != nil || o.ProgressExtends {
		r.onProgress = func(params json.RawMessage) {
			touch()
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
		return raw, "", true, nil
	}
	stage = runtime.StageReceive
	if !sent {
		stage = runtime.StageSend
	}
	return nil, stage, sent, s.explain(ctx, bounded, timeout, err)
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
	shown := presentable(err, s.secrets)
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
