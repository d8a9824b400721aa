// Waiting for the end of a task: the server answers a call with a handle, by which
// the result is fetched. Since 2026-07-28 tasks are an extension (SEP-2663), and the
// server decides which calls become tasks. In 2025-11-25 the client requests a task
// if a tool declares that it can be, or has to be, a task.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

const (
	pollFirst = 200 * time.Millisecond // if the server names no interval, doubling
	pollLast  = 5 * time.Second
	pollLeast = 20 * time.Millisecond // whatever interval the server names
	pollMost  = time.Hour
	maxInputs = 1000 // requests of one task
)

// task is the server's description of a task, with the members of both revisions.
type task struct {
	Status   string                     `json:"status"`
	Message  string                     `json:"statusMessage"`
	Updated  string                     `json:"lastUpdatedAt"`
	TTL      *float64                   `json:"ttlMs"`
	OldTTL   *float64                   `json:"ttl"`
	Poll     *float64                   `json:"pollIntervalMs"`
	OldPoll  *float64                   `json:"pollInterval"`
	Requests map[string]json.RawMessage `json:"inputRequests"`
	Result   json.RawMessage            `json:"result"`
	Error    json.RawMessage            `json:"error"`
}

// taskFollower polls until a task has ended, and answers its requests meanwhile. Its
// delivery is that of the task's description.
type taskFollower struct {
	delivery
	through  innermost
	ct       *callTime
	state    *serverState
	req      runtime.Request // the call that became the task
	id       string
	asked    []string // requests that had no answer
	began    time.Time
	wait     time.Duration   // before the next poll, if the server names no interval
	answered map[string]bool // ids of answered requests
	last     task
	over     bool // the task has ended, or the server does not know it
}

// send sends a request about the task. Its error is fit to be shown.
func (f *taskFollower) send(method string, args json.RawMessage) (json.RawMessage, error) {
	about := runtime.Request{Server: f.req.Server, Method: method, Name: f.req.Name, Args: args, Pin: f.req.Pin}
	f.delivery = f.through.insist(f.ct, f.state, about, f.through.deliver(f.ct, f.state, about))
	return f.raw, f.err
}

// follow returns the result. State is the server's description of the task; nil: it
// was not requested yet.
func (f *taskFollower) follow(ctx context.Context, state json.RawMessage) (_ json.RawMessage, err error) {
	for raw := state; ; {
		if raw == nil {
			if raw, err = f.send(protocol.MethodGetTask, f.args("")); err != nil {
				return nil, err
			}
		}
		var t task
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, fmt.Errorf("the task cannot be read: %w", err)
		}
		f.note(&t)
		switch t.Status {
		case "working":
		case "input_required":
			if !f.sess.isModern() {
				return f.old(ctx)
			}
			if err := f.answer(&t); err != nil {
				return nil, err
			}
		case "completed", "failed", "cancelled":
			f.over = true
			return f.end(ctx, &t)
		default:
			return nil, fmt.Errorf("the task has the unknown status %q", safetext.Words(t.Status, 60))
		}
		if life := millis(t.TTL, t.OldTTL); life > 0 && time.Since(f.began) > life {
			return nil, hint.With(fmt.Errorf("the task did not end within its lifetime of %v", life), "raise the lifetime in the server")
		}
		timer := time.NewTimer(f.interval(&t))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
		raw = nil
	}
}

// args returns the arguments of a request about the task, with more members at the
// end.
func (f *taskFollower) args(more string) json.RawMessage {
	return append(jsontext.AppendString([]byte(`{"taskId":`), f.id), more+"}"...)
}

// old has a server of 2025-11-25 answer when it has the result. Until then the
// server's requests are handled as in any other call.
func (f *taskFollower) old(ctx context.Context) (json.RawMessage, error) {
	raw, err := f.send(protocol.MethodAwaitTask, f.args(""))
	f.over = err == nil || ctx.Err() == nil
	return raw, err
}

// end returns the result or the error of a task that has ended.
func (f *taskFollower) end(ctx context.Context, t *task) (json.RawMessage, error) {
	switch {
	case t.Status == "cancelled":
		text := "the task was cancelled"
		if t.Message != "" {
			text += ": " + safetext.Words(t.Message, 500)
		}
		return nil, errors.New(text)
	case !f.sess.isModern():
		return f.old(ctx)
	case t.Status == "failed":
		if jsontext.Present(t.Error) == nil {
			return nil, &runtime.RPCError{Message: t.Message}
		}
		return nil, wire.FaultOf(t.Error)
	case t.Result == nil || jsontext.IsNull(t.Result):
		return nil, errors.New("the task is completed, but has no result")
	}
	o, err := outcomeOf(f.req.Method, t.Result)
	if err == nil && o.kind != "complete" {
		err = fmt.Errorf("the task is completed, but its result has the type %q", o.kind)
	}
	return t.Result, err
}

// note reports the server's description of the task. A change counts as progress.
func (f *taskFollower) note(t *task) {
	if t.Message != f.last.Message && t.Message != "" && f.req.Options.OnProgress != nil {
		f.req.Options.OnProgress(runtime.Progress{Message: f.sess.mask(t.Message)})
	}
	if t.Message != f.last.Message || t.Status != f.last.Status || t.Updated != f.last.Updated {
		f.ct.touch()
	}
	f.last = *t
}

// answer answers the requests of the task that have no answer yet.
func (f *taskFollower) answer(t *task) error {
	fresh := map[string]json.RawMessage{}
	for id, q := range t.Requests {
		if !f.answered[id] {
			fresh[id] = q
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if len(f.answered)+len(fresh) > maxInputs {
		return fmt.Errorf("the task makes more than %d requests for input", maxInputs)
	}
	answers, all, err := f.sess.answerAll(f.ct.ctx, fresh, &f.asked)
	if err == nil && !all {
		err = &InputError{Asked: f.asked, Rounds: 1}
	}
	if err != nil {
		return err
	}
	for id := range fresh {
		f.answered[id] = true
	}
	f.wait = pollFirst
	_, err = f.send(protocol.MethodUpdateTask, f.args(`,"inputResponses":`+string(answers)))
	return err
}

// interval returns how long to wait before the next poll.
func (f *taskFollower) interval(t *task) time.Duration {
	if d := millis(t.Poll, t.OldPoll); d > 0 {
		return min(max(d, pollLeast), pollMost)
	}
	d := f.wait
	f.wait = min(2*f.wait, pollLast)
	return d
}

// millis returns the first time that is set, in milliseconds; 0 if there is none, or
// if it overflows.
func millis(of ...*float64) time.Duration {
	for _, ms := range of {
		if ms != nil && *ms > 0 && *ms < float64(1<<62)/float64(time.Millisecond) {
			return time.Duration(*ms * float64(time.Millisecond))
		}
	}
	return 0
}
