package native

// This file puts native tools behind an invoker, so that calls pass middleware.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Set holds native tools by name. It is a [runtime.Invoker] for the server "", and
// safe for concurrent use.
type Set struct {
	tools  []*Tool
	byName map[string]*Tool
}

// NewSet returns the set of these tools. Duplicate names and nil tools are errors;
// the error lists all of them.
func NewSet(tools ...*Tool) (*Set, error) {
	s := &Set{byName: make(map[string]*Tool, len(tools))}
	var errs []error
	for i, t := range tools {
		switch {
		case t == nil:
			errs = append(errs, fmt.Errorf("native tools: tool %d is nil", i))
		case s.byName[t.spec.Tool] != nil:
			errs = append(errs, fmt.Errorf("native tools: the name %q is duplicated: rename or remove one of the two", t.spec.Tool))
		default:
			s.byName[t.spec.Tool] = t
			s.tools = append(s.tools, t)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// Only returns the set of the named tools, in the order of s. Names are compared
// without regard to case, underscores and hyphens. If names is empty, or has only
// empty names, Only returns s. A name without a tool is ignored, since it may belong
// to another set.
func (s *Set) Only(names ...string) *Set {
	wanted := map[string]bool{}
	for _, name := range names {
		if c := canonical(name); c != "" {
			wanted[c] = true
		}
	}
	if len(wanted) == 0 {
		return s
	}
	only := &Set{byName: map[string]*Tool{}}
	for _, t := range s.tools {
		if wanted[canonical(t.spec.Tool)] {
			only.tools = append(only.tools, t)
			only.byName[t.spec.Tool] = t
		}
	}
	return only
}

// canonical returns the form of a name for comparison.
func canonical(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// Specs describes the tools, in their order.
func (s *Set) Specs() []runtime.Spec {
	specs := make([]runtime.Spec, len(s.tools))
	for i, t := range s.tools {
		specs[i] = t.spec
		specs[i].InputSchema, specs[i].OutputSchema = slices.Clone(t.spec.InputSchema), slices.Clone(t.spec.OutputSchema)
	}
	return specs
}

// Call calls one tool by name.
func (s *Set) Call(ctx context.Context, name string, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	return s.Invoke(ctx, runtime.Request{Method: protocol.MethodCallTool, Name: name, Args: args}.With(opts...))
}

// Invoke carries out tool calls of the server "". Other requests, and calls of tools
// that are not in the set, fail with [runtime.ErrNotAttached]. A Timeout bounds the
// call; no progress is reported.
func (s *Set) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	t := s.byName[req.Name]
	if req.Server != "" || req.Method != protocol.MethodCallTool || t == nil {
		return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Route, Err: runtime.ErrNotAttached}
	}
	return t.invoke(ctx, req)
}

// Middleware returns a middleware that carries out the calls of the set's tools and
// passes on everything else, also to another set. As the last middleware of a host,
// it subjects native tools to the same gate as remote ones.
func (s *Set) Middleware() runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Server == "" && req.Method == protocol.MethodCallTool && s.byName[req.Name] != nil || next == nil {
				return s.Invoke(ctx, req)
			}
			return next.Invoke(ctx, req)
		})
	}
}

// Tools returns the tools in their order, for a registry. They call through inv,
// which must lead to the set, such as a host with its middleware. If inv is nil,
// calls use the invoker in their context, or the default set by [runtime.SetDefault].
func (s *Set) Tools(inv runtime.Invoker) []runtime.Tool {
	tools := make([]runtime.Tool, len(s.tools))
	for i, t := range s.tools {
		tools[i] = &bound{t, inv}
	}
	return tools
}

// bound is a tool that is called through an invoker.
type bound struct {
	tool *Tool
	inv  runtime.Invoker
}

func (b *bound) Spec() runtime.Spec { return b.tool.spec }

func (b *bound) Call(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	req := runtime.Request{Method: protocol.MethodCallTool, Name: b.tool.spec.Tool, Args: args}
	return req.With(opts...).Do(ctx, b.inv)
}
