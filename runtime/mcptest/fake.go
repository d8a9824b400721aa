package mcptest

// This file is the fake server: handlers by method and name.

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

// Handler answers one request. What its error means says [Fake.Handle].
type Handler func(ctx context.Context, req runtime.Request) (*runtime.Result, error)

// Fake is a server made of handlers. It is a [runtime.Invoker], so it stands
// wherever a host does: in a context, behind middleware, in a [runtime.Route],
// below registered tools.
//
// A request without a handler fails the test and gets an error. So do arguments
// that do not fit the tool's pinned input schema, and answers that do not fit
// its output schema. To see how an agent copes with arguments that are wrong,
// put validate.Middleware before the fake: they then do not reach it.
//
// A call that a Start function makes gets a task. Its handler answers at once, and the
// answer is there for those who wait for the task, by its ID too. [Fake.Update] tells those
// who watch a resource that it changed.
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

// target is what a handler is for; the name "" is any.
type target struct{ method, name string }

// New returns a fake of the server of manifest, without handlers. It serves the
// test t, which must not be nil.
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

// Handle sets what answers the requests of a method, one of runtime's Method
// constants, to the tool, prompt or URI of a name; "" is any that has no handler
// of its own. It replaces an earlier handler, and nil removes it. Tools have
// typed methods in generated fakes, which are easier to use.
//
// A handler runs on the goroutine of the caller, with a context that ends with
// the call's timeout; [Request] and [Progress] work with it. Of a result without
// Raw, Raw is made from its blocks. A [*runtime.ToolError] (see [ToolError])
// becomes a result whose IsError is set, a [*runtime.CallError] is returned as it
// is, and any other error in a CallError: so a handler returns
// [runtime.ErrTimeout] or a [*runtime.RPCError] to be such a failure.
func (f *Fake) Handle(method, name string, h Handler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h == nil {
		delete(f.handlers, target{method, name})
		return
	}
	f.handlers[target{method, name}] = h
}

// Calls returns the requests that reached the fake, in order: unexpected ones
// and those with wrong arguments too. Their arguments decode into the types of
// the generated package.
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

// accept notes a request and finds its handler.
func (f *Fake) accept(req runtime.Request) (Handler, error) {
	f.mu.Lock()
	noted := req
	noted.Args = bytes.Clone(req.Args)
	f.calls = append(f.calls, noted)
	h := f.handlers[target{req.Method, req.Name}]
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

// unexpected fails the test with a request that nothing answers.
func (f *Fake) unexpected(req runtime.Request, why string) error {
	f.report.errorf("%s: unexpected %s with %s%s: give the fake a handler for it, with its On method or with Handle",
		itemName(req.Server, req.Name), req.Method, shown(req.Args), why)
	return callError(req, stage.Receive, true, fmt.Errorf("unexpected %s: the fake has no handler for it", req.Method))
}

// checkPin refuses code that was generated against another definition, as a host
// would.
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

// failure turns the error of a handler into what a host would return.
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

// contextError makes a deadline a timeout as well, as hosts do.
func contextError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, runtime.ErrTimeout) {
		return fmt.Errorf("%w: %w", runtime.ErrTimeout, err)
	}
	return err
}

type requestKey struct{}

// Request returns the request that the handler with this context answers. It is
// the zero Request elsewhere.
func Request(ctx context.Context) runtime.Request {
	req, _ := ctx.Value(requestKey{}).(runtime.Request)
	return req
}

// Progress sends a progress notification to the caller of the handler with this
// context, if it wants any.
func Progress(ctx context.Context, p runtime.Progress) {
	if report := Request(ctx).Options.OnProgress; report != nil {
		report(p)
	}
}
