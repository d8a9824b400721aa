package runtime

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/internal/stage"
)

// A Request is one request to one server. Middleware may change its own copy.
type Request struct {
	Server  string          // configured server name; "" is native tools
	Method  string          // a method of package protocol, such as "tools/call"
	Name    string          // tool or prompt name, or resource URI, in the server's spelling
	Args    json.RawMessage // arguments as a JSON object; nil sends none
	Pin     string          // contract hash that the caller was generated against; "" is not checked
	Options Options
}

// An Invoker carries out requests. It is safe for concurrent use.
//
// A nil error means that the server answered: the tool itself may still have failed,
// see [Result.IsError]. Errors are of type [*CallError].
type Invoker interface {
	Invoke(ctx context.Context, req Request) (*Result, error)
}

// InvokerFunc makes a function an [Invoker].
type InvokerFunc func(ctx context.Context, req Request) (*Result, error)

// Invoke calls f.
func (f InvokerFunc) Invoke(ctx context.Context, req Request) (*Result, error) { return f(ctx, req) }

// A Middleware wraps an [Invoker]: permission, audit, validation, recording and retry
// are all of this type.
type Middleware func(next Invoker) Invoker

// Chain wraps inv with the middleware. The first one sees a request first. Nil
// entries are skipped.
func Chain(inv Invoker, middleware ...Middleware) Invoker {
	for i := len(middleware) - 1; i >= 0; i-- {
		if middleware[i] != nil {
			inv = middleware[i](inv)
		}
	}
	return inv
}

// Route is an [Invoker] that selects another one by server name. A request to a
// missing server fails with [ErrNotAttached].
type Route map[string]Invoker

// Invoke passes req to the invoker of req.Server.
func (r Route) Invoke(ctx context.Context, req Request) (*Result, error) {
	inv := r[req.Server]
	if inv == nil {
		return nil, &CallError{Server: req.Server, Name: req.Name, Stage: stage.Route, Err: ErrNotAttached}
	}
	return inv.Invoke(ctx, req)
}

type invokerKey struct{}

// NewContext returns a context in which package-level functions of generated
// packages find inv.
func NewContext(ctx context.Context, inv Invoker) context.Context {
	return context.WithValue(ctx, invokerKey{}, inv)
}

// FromContext returns the invoker in ctx, or the default set by [SetDefault], or nil.
func FromContext(ctx context.Context) Invoker {
	if inv, ok := ctx.Value(invokerKey{}).(Invoker); ok && inv != nil {
		return inv
	}
	if p := defaultInvoker.Load(); p != nil {
		return *p
	}
	return nil
}

// defaultInvoker is the only mutable variable of this package.
var defaultInvoker atomic.Pointer[Invoker]

// SetDefault sets the invoker that package-level functions use when their
// context carries none. Nil removes it. It is meant for main functions;
// libraries pass an invoker or a context.
func SetDefault(inv Invoker) {
	if inv == nil {
		defaultInvoker.Store(nil)
		return
	}
	defaultInvoker.Store(&inv)
}
