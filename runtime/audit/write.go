// The two sources of a log: calls that pass its middleware, and events.

package audit

import (
	"context"
	"errors"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// Middleware logs one record for each call that passes, when the call has ended. Put
// it before the gate, so that denied calls are logged, too:
//
//	Middleware: []runtime.Middleware{log.Middleware(), gate.Middleware()}
//
// If the record of a call cannot be written, the call goes on: see [Options.OnError].
func (l *Log) Middleware() runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		if l == nil {
			return next
		}
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			var r Record
			if l.opts.Position != nil {
				r.Run, r.Seq = l.opts.Position()
			}
			start := time.Now()
			res, err := next.Invoke(ctx, req)
			r.Milliseconds = milliseconds(time.Since(start))
			l.call(r, req, res, err)
			return res, err
		})
	}
}

// call completes the record of a call, and writes it.
func (l *Log) call(r Record, req runtime.Request, res *runtime.Result, err error) {
	r.Time, r.Kind, r.Decision = time.Now(), KindCall, Allowed
	r.Server, r.Tool, r.Method, r.ArgsBytes = req.Server, req.Name, req.Method, len(req.Args)
	r.Caller, r.Profile = req.Options.Caller, req.Options.Profile
	if res != nil {
		r.ResultBytes, r.IsError = len(res.Raw), res.IsError
	}
	if err != nil {
		r.Error = err.Error()
		if e, ok := errors.AsType[*runtime.CallError](err); ok {
			r.Stage, r.Error = e.Stage, e.Err.Error()
		}
		switch {
		case r.Stage == stage.Route: // without a server or tool there was no decision
			r.Decision = ""
		case r.Stage == stage.Connect: // a denial that concerns the server, such as of a secret, is not about the call
		case errors.Is(err, runtime.ErrDenied):
			r.Decision = Denied
		}
	}
	if l.opts.Arguments && len(req.Args) > 0 {
		r.Arguments = req.Args
	}
	l.record(r)
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// The states of a server in events, in the spelling of package attach.
const (
	stateReady      = "ready"
	stateConnecting = "connecting"
)

// Event logs the record of an event, if the event belongs into a log. Calls are left
// to the middleware, which has more details. A server that fails, or is lost, has one
// record for that; a later detach is logged only if the server was still attached.
// Event fits attach.Options.OnEvent and policy.Options.OnEvent.
func (l *Log) Event(e event.Event) {
	if l == nil {
		return
	}
	r := Record{Time: e.Time, Server: e.Server, Tool: e.Tool, Caller: e.Caller, Method: e.Method, Detail: e.Detail, Milliseconds: milliseconds(e.Duration)}
	if e.Time.IsZero() {
		r.Time = time.Now()
	}
	if e.Err != nil {
		r.Error = e.Err.Error()
		r.Stage = stageOf(e.Err)
	}
	switch e.Kind {
	case event.Attached:
		r.Kind, r.Tools, r.Decision = KindAttach, len(e.Tools), Allowed
		l.launch(&r)
	case event.Failed:
		r.Kind = KindAttach
		if r.Stage == "session" {
			r.Kind = KindDetach
		}
		l.launch(&r)
	case event.Detached:
		switch e.Before {
		case stateReady:
			r.Kind = KindDetach
		case stateConnecting: // its process may have run
			r.Kind, r.Error = KindAttach, "detached before it was ready"
			l.launch(&r)
		default:
			return // it was not attached, or its loss has been logged
		}
	case event.Restarting, event.Reconnecting:
		r.Kind = KindRestart
		l.launch(&r)
	case event.Check:
		r.Kind, r.Decision, r.Error = KindCheck, Denied, ""
		if e.Allowed {
			r.Decision = Allowed
		}
	case event.Drift:
		r.Kind = KindDrift
		r.Detail = join(e.State, e.Detail)
	case event.ListChanged, event.ToolAdded, event.ToolRemoved, event.ToolChanged:
		r.Kind, r.Detail = KindChange, join(string(e.Kind), e.Detail)
	case event.Elicitation, event.Reloaded, event.Notice:
		r.Kind, r.Detail = KindNotice, join(string(e.Kind), e.Detail)
	default:
		return // attaching, which attached or failed follows; unavailable, which follows failed; and calls
	}
	l.record(r)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

func (l *Log) launch(r *Record) {
	if l.opts.Launch != nil {
		r.Launch = l.opts.Launch(r.Server)
	}
}

// stageOf returns the stage of an error that has one: errors of calls, and errors of
// servers, whose type is not imported here.
func stageOf(err error) string {
	if e, ok := errors.AsType[*runtime.CallError](err); ok {
		return e.Stage
	}
	if e, ok := errors.AsType[interface {
		error
		FailedStage() string
	}](err); ok {
		return e.FailedStage()
	}
	return ""
}
