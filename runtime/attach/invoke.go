// One call, from the request of a program to its result.

package attach

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// innermost is the host without its middleware.
type innermost struct{ h *Host }

// Learn calls [Host.Learn], for the innermost middleware.
func (i innermost) Learn(m endpoint.Learner) { i.h.Learn(m) }

// Invoke implements [runtime.Invoker].
func (i innermost) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	h := i.h
	fail := func(stage string, sent bool, err error) (*runtime.Result, error) {
		return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage, Sent: sent, Err: err}
	}
	state := h.serverState(req.Server)
	if state == nil && req.Server == "" && req.Method == protocol.MethodCallTool { // no native tool has the name
		return fail(stage.Route, false, runtime.ErrUnknownTool)
	}
	if state == nil {
		return fail(stage.Route, false, runtime.ErrNotAttached)
	}
	state, done, err := h.forCaller(ctx, state, req.Options)
	if err != nil {
		return fail(stage.Connect, false, err)
	}
	defer done()
	if req.Method == protocol.MethodSubscribe {
		req.Options.Timeout = cmp.Or(req.Options.Timeout, -1)
	}
	ct := newCallTime(withAsker(ctx, asker{req.Options.Caller, state.asker.session}), state.server, req.Options)
	defer ct.stop()
	var d delivery
	switch req.Method {
	case protocol.MethodAwaitTask:
		d = i.await(ct, state, req)
	case protocol.MethodSubscribe:
		d = i.follow(ct, state, req)
	default:
		done, err := state.turn.wait(ct)
		if err != nil {
			return fail(stage.Send, false, err)
		}
		defer done()
		d = i.followed(ct, state, req, i.insist(ct, state, req, i.deliver(ct, state, req)))
	}
	if d.err != nil {
		return fail(d.stage, d.sent, d.err)
	}
	if d.result == nil {
		if d.result, err = req.ParseResult(d.raw); err != nil {
			return fail(stage.Receive, true, err)
		}
	}
	return d.result, nil
}

// insist sends a request a second time if it was lost with its session and may be
// repeated, and finds out whether the request failed because of drift. D is the first
// delivery.
func (i innermost) insist(ct *callTime, state *serverState, req runtime.Request, d delivery) delivery {
	if d.err != nil && d.sess != nil && ct.ctx.Err() == nil && d.sess.mayRepeat(req, d.sent) {
		ct.whole = false
		d = i.deliver(ct, state, req)
	}
	if d.err != nil && d.sess != nil && mayBeStale(req, d.err) {
		if drift := i.h.keeper.recheckListing(ct, state, d.sess, d.seen, req); drift != nil {
			d.stage, d.err = stage.Drift, fmt.Errorf("%w; the server answered: %w", drift, d.err)
		}
	}
	return d
}

// delivery is the outcome of sending a request once.
type delivery struct {
	raw    json.RawMessage
	result *runtime.Result // parsed from raw; nil if not parsed yet
	sess   *session        // the session that was used; nil if there was no session
	seen   *toolIndex      // the listing at that time
	stage  string          // of err
	sent   bool
	err    error
}

// deliver sends a request once, within its time limit.
func (i innermost) deliver(ct *callTime, state *serverState, req runtime.Request) delivery {
	d, r := i.prepare(ct, state, req)
	if d.err != nil {
		return d
	}
	defer d.sess.silence.watch(ct)()
	skipped, _ := d.sess.Skipped()
	d.raw, d.sent, d.err = d.sess.roundTrips(ct.ctx, r)
	if d.err == nil {
		return d
	}
	d.stage = stage.Receive
	if !d.sent {
		d.stage = stage.Send
	}
	d.err = d.sess.withSkipped(d.sess.explain(ct, d.err), skipped)
	return d
}

// prepare finds the session for a request, and makes the request that is sent on it.
func (i innermost) prepare(ct *callTime, state *serverState, req runtime.Request) (delivery, *request) {
	if ct.ctx.Err() != nil {
		return delivery{stage: stage.Send, err: ct.err()}, nil
	}
	sess, err := i.h.keeper.session(ct, state)
	if err != nil {
		failed := stage.Connect
		if errors.Is(err, runtime.ErrNotAttached) {
			failed = stage.Route
		}
		return delivery{stage: failed, err: err}, nil
	}
	seen, err := i.h.keeper.admit(ct, state, sess, req)
	if err != nil {
		failed := stage.Drift
		if errors.Is(err, runtime.ErrUnknownTool) { // not offered to this client
			failed = stage.Route
		}
		return delivery{stage: failed, err: err}, nil
	}
	r, err := newRequest(req)
	if err != nil {
		return delivery{stage: stage.Encode, err: err}, nil
	}
	if t := seen.called(req); t != nil {
		if t.tasks.asTask(req.Options.Task) {
			r.members = append(r.members, member{"task", taskRequest(req.Options.TaskTTL)})
		}
		r.headers = t.params.Headers(req.Args)
	}
	if f := req.Options.OnProgress; f != nil || req.Options.ProgressExtends {
		r.onProgress = ct.progress(sess, f)
	}
	return delivery{sess: sess, seen: seen}, r
}

// mayRepeat reports whether a failed call was lost with its session and may be sent
// again: it provably did not reach the server, or a repetition is harmless. A process
// that crashed never gets the same call again, since the call may have caused the
// crash.
func (s *session) mayRepeat(req runtime.Request, sent bool) bool {
	select {
	case <-s.done():
	default:
		return false
	}
	return !s.closing.Load() && (!sent || s.transportKind != endpoint.Stdio && s.isHarmless(req))
}

// isHarmless reports whether a request may be carried out twice.
func (s *session) isHarmless(req runtime.Request) bool {
	if req.Method != protocol.MethodCallTool {
		return true // prompts, resources and completions only read
	}
	t := s.tools.Load().items[req.Name]
	if t == nil {
		return false
	}
	var tool struct {
		Annotations struct {
			ReadOnly   *bool `json:"readOnlyHint"`
			Idempotent bool  `json:"idempotentHint"`
		} `json:"annotations"`
	}
	return json.Unmarshal(t.item.Raw, &tool) == nil && (s.server.OnlyReads(tool.Annotations.ReadOnly) || tool.Annotations.Idempotent)
}

// progress returns the handler of a call's progress notifications. It passes them to
// f unless f is nil, with secrets masked.
func (ct *callTime) progress(s *session, f func(runtime.Progress)) func(json.RawMessage) {
	return func(params json.RawMessage) {
		ct.touch()
		var p runtime.Progress
		if f != nil && json.Unmarshal(params, &p) == nil && jsontext.Present(jsontext.Member(params, "progress")) != nil {
			p.Message = s.mask(p.Message)
			f(p)
		}
	}
}

// stepSkipped is the next step of an error that quotes what was skipped.
const stepSkipped = "if that was the answer, fix the server: an answer is one line, with the id of its request"

// withSkipped adds what the server sent that is no message to the error of a request that
// timed out. Before is how much was skipped before the request.
func (s *session) withSkipped(err error, before int) error {
	n, end := s.SkippedSince(before)
	if n == 0 || !errors.Is(err, runtime.ErrTimeout) {
		return err
	}
	text := fmt.Sprintf("%v; the server wrote %s that are not messages; they end with %q", err, safetext.Count(n, "line"), s.mask(safetext.Words(end, 300)))
	if n == 1 {
		text = fmt.Sprintf("%v; the server wrote a line that is not a message: %q", err, s.mask(safetext.Words(end, 300)))
	}
	return hint.With(&failure{text: text, errs: []error{err}}, stepSkipped)
}

// explain returns the error of a call that got no result.
func (s *session) explain(ct *callTime, err error) error {
	switch {
	case ct.ctx.Err() != nil:
		return ct.err()
	case s.closing.Load():
		return errClosed
	case errors.Is(err, errClosed) || errors.Is(err, wire.ErrClosed):
		err = lostOr(s, err) // the recorded loss says more
	}
	shown := presentable(err, s.mask)
	var lost *wire.LostError
	if errors.As(err, &lost) || errors.Is(err, wire.ErrTooLarge) || errors.Is(err, wire.ErrStalled) || errors.Is(err, wire.ErrClosed) {
		return &failure{text: shown.Error(), errs: []error{runtime.ErrUnavailable, shown}}
	}
	return withDemands(shown, s.handlers)
}
