package mcptest

// This file defines the fake server: handlers by method and name.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Handler answers one request. [Fake.Handle] explains its errors.
type Handler func(ctx context.Context, req runtime.Request) (*runtime.Result, error)

// Fake is a server made of handlers. It is a [runtime.Invoker] and can replace a host everywhere: in a
// context, after middleware, in a [runtime.Route], under registered tools.
//
// A request without a handler fails the test and returns an error. So do arguments that do not match the
// tool's pinned input schema, and results that do not match its output schema. To test how an agent
// handles invalid arguments, put validate.Middleware before the fake: it rejects them first.
//
// A call made by a Start function gets a task. The handler answers at once, and the answer is kept for
// callers that wait for the task, also by its ID. [Fake.Update] reports a change of a resource to callers
// that watch it.
type Fake struct {
	manifest *codec.Manifest
	report   *reporter

	mu        sync.Mutex
	handlers  map[target]Handler
	contracts map[string]*contract // by tool
	calls     []runtime.Request
	tasks     map[string]*task           // by ID
	watched   map[string][]chan struct{} // by URI
	defaults  bool
}

// target identifies the requests of a handler; the name "" matches any.
type target struct{ method, name string }

// New returns a fake of the server of manifest, without handlers. It reports to the test t, which must
// not be nil.
func New(t TB, manifest *codec.Manifest) *Fake {
	return &Fake{
		manifest:  manifest,
		report:    newReporter(t),
		handlers:  map[target]Handler{},
		contracts: map[string]*contract{},
		tasks:     map[string]*task{},
		watched:   map[string][]chan struct{}{},
	}
}

// Handle sets the handler for requests of a method, one of runtime's Method constants, and a tool, prompt
// or URI. The name "" is for all names without their own handler. Handle replaces an earlier handler; a
// nil h removes it. For tools, the typed methods of generated fakes are easier to use.
//
// A handler runs on the goroutine of the caller, with a context that ends with the call's timeout;
// [Request] and [Progress] accept this context. If a result has no Raw, Raw is made from its blocks. A
// [*runtime.ToolError] (see [ToolError]) becomes a result with IsError. A [*runtime.CallError] is
// returned unchanged, and any other error in a CallError: a handler can return [runtime.ErrTimeout] or a
// [*runtime.RPCError] to simulate such a failure.
func (f *Fake) Handle(method, name string, h Handler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h == nil {
		delete(f.handlers, target{method, name})
		return
	}
	f.handlers[target{method, name}] = h
}

// Calls returns the requests that reached the fake, in order, including unexpected requests and those
// with invalid arguments. Their arguments decode into the types of the generated package.
func (f *Fake) Calls() []runtime.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Invoke implements [runtime.Invoker].
func (f *Fake) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, callError(req, stage.Send, false, contextError(err))
	}
	h, err := f.accept(req)
	if err != nil {
		return nil, err
	}
	if err := f.checkArgs(req); err != nil {
		return nil, err
	}
	bounded := context.WithValue(ctx, requestKey{}, req)
	if d := req.Options.Timeout; d > 0 {
		var stop context.CancelFunc
		bounded, stop = context.WithTimeout(bounded, d)
		defer stop()
	}
	res, err := h(bounded, req)
	if err == nil && res == nil {
		err = errors.New("the handler returned neither a result nor an error")
		f.report.errorf("%s: %v", itemName(req.Server, req.Name), err)
	}
	if err != nil {
		res, err = f.failure(bounded, req, err)
	} else {
		res, err = f.answer(req, res)
	}
	if err == nil && req.Method == protocol.MethodCallTool && req.Options.Task && res.Type != "task" {
		return f.begin(req, res)
	}
	return res, err
}

// accept records a request and returns its handler.
func (f *Fake) accept(req runtime.Request) (Handler, error) {
	f.mu.Lock()
	noted := req
	noted.Args = bytes.Clone(req.Args)
	f.calls = append(f.calls, noted)
	h := f.handlers[target{req.Method, req.Name}]
	if h == nil && req.Method == protocol.MethodReadResource {
		h = f.handlers[target{req.Method, f.template(req.Pin)}]
	}
	if h == nil {
		h = f.handlers[target{req.Method, ""}]
	}
	if h == nil && f.defaults && req.Method == protocol.MethodCallTool && f.manifest.Definition(req.Name) != nil {
		h = f.sample
	}
	switch {
	case h != nil:
	case isAboutTask(req.Method):
		h = f.aboutTask
	case req.Method == protocol.MethodSubscribe:
		h = f.watch
	}
	f.mu.Unlock()

	if server := f.manifest.Server(); req.Server != server {
		f.report.errorf("%s: the call reached the fake of server %q: join the fakes of several servers with runtime.Route",
			itemName(req.Server, req.Name), server)
		return nil, callError(req, stage.Route, false, runtime.ErrNotAttached)
	}
	if err := f.checkPin(req); err != nil {
		f.report.errorf("%v", err)
		return nil, err
	}
	if h == nil {
		return nil, f.unexpected(req, "")
	}
	return h, nil
}

// template returns the URI template that has this pin, or "".
func (f *Fake) template(pin string) string {
	for _, ref := range f.manifest.Others() {
		if ref.Kind == "template" && ref.Pin == pin {
			return ref.Name
		}
	}
	return ""
}

// unexpected fails the test because of a request without a handler.
func (f *Fake) unexpected(req runtime.Request, why string) error {
	f.report.errorf("%s: unexpected %s with %s%s: give the fake a handler for it, with its On method or with Handle",
		itemName(req.Server, req.Name), req.Method, shown(req.Args), why)
	return callError(req, stage.Receive, true, fmt.Errorf("unexpected %s: the fake has no handler for it", req.Method))
}

// checkPin refuses code that was generated from another definition, as a host does.
func (f *Fake) checkPin(req runtime.Request) error {
	if req.Method != protocol.MethodCallTool || req.Pin == "" {
		return nil
	}
	for _, ref := range f.manifest.Refs() {
		if ref.Name == req.Name && ref.Pin != req.Pin {
			return callError(req, stage.Drift, false,
				&runtime.DriftError{Server: req.Server, Tool: req.Name, Rule: "contract-changed"})
		}
	}
	return nil
}

// failure converts the error of a handler to what a host would return.
func (f *Fake) failure(ctx context.Context, req runtime.Request, err error) (*runtime.Result, error) {
	if refusal, ok := errors.AsType[*runtime.ToolError](err); ok {
		res := &runtime.Result{}
		if refusal.Result != nil {
			*res = *refusal.Result
		}
		res.IsError, res.Raw = true, nil
		return f.answer(req, res)
	}
	if _, ok := errors.AsType[*runtime.CallError](err); ok {
		return nil, err
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = contextError(err)
	}
	return nil, callError(req, stage.Receive, true, err)
}

func callError(req runtime.Request, stage string, sent bool, err error) *runtime.CallError {
	return &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage, Sent: sent, Err: err}
}

// contextError makes a deadline error also match runtime.ErrTimeout, as hosts do.
func contextError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, runtime.ErrTimeout) {
		return fmt.Errorf("%w: %w", runtime.ErrTimeout, err)
	}
	return err
}

type requestKey struct{}

// Request returns the request of the handler with this context. For other contexts it is the zero
// Request.
func Request(ctx context.Context) runtime.Request {
	req, _ := ctx.Value(requestKey{}).(runtime.Request)
	return req
}

// Progress sends a progress notification to the caller of the handler with this context, if the caller
// asked for progress.
func Progress(ctx context.Context, p runtime.Progress) {
	if report := Request(ctx).Options.OnProgress; report != nil {
		report(p)
	}
}
