// Package validate checks the arguments of calls before they are sent. It is off by
// default: validate: true in mcpgen.yaml turns it on in programs that use package live,
// for all servers or for one. Other programs put its middleware before an invoker.
//
//	ctx = runtime.NewContext(ctx, runtime.Chain(host, validate.Middleware(mcp.Manifests()...)))
//
// Arguments are checked against the schema that the code was generated with, so a
// mistake is found without a server. Package schema/validate does the check; results
// are never checked.
package validate

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Middleware returns a middleware that checks the arguments of tool calls
// against the input schemas in manifests. No arguments count as {}.
//
// A call with invalid arguments is not sent. Its error is a [*runtime.CallError] of
// stage [stage.Gate] that holds a [*runtime.InvalidArgsError] for each wrong
// argument, so that errors.Is finds [runtime.ErrInvalidArgs].
//
// Everything else passes: other methods, tools that no manifest has, and arguments
// that cannot be checked within the limits of schema/validate. A schema is compiled
// on the first call of its tool. If it cannot be compiled, the calls of the tool
// pass; if it can be compiled in part, that part is checked. In both cases the
// default logger of slog gets one warning for the tool.
//
// If several manifests of one server have a tool, the first is used; nil manifests
// are skipped.
func Middleware(manifests ...*codec.Manifest) runtime.Middleware {
	c := &checker{tools: map[toolKey]*tool{}, manifests: map[string][]*codec.Manifest{}}
	for _, m := range manifests {
		if m != nil {
			c.manifests[m.Server()] = append(c.manifests[m.Server()], m)
		}
	}
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Method == protocol.MethodCallTool {
				if err := c.check(ctx, req); err != nil {
					return nil, err
				}
			}
			return next.Invoke(ctx, req)
		})
	}
}

// checker holds the compiled schemas.
type checker struct {
	manifests map[string][]*codec.Manifest // by server

	mu    sync.RWMutex
	tools map[toolKey]*tool // only tools in a manifest
}

type toolKey struct{ server, name string }

// tool is one tool of a manifest.
type tool struct {
	definition json.RawMessage

	compile sync.Once
	schema  *validate.Schema // nil: not checked
}

func (c *checker) check(ctx context.Context, req runtime.Request) error {
	t := c.tool(toolKey{req.Server, req.Name})
	if t == nil {
		return nil
	}
	t.compile.Do(func() { t.read(ctx, req) })
	if t.schema == nil {
		return nil
	}
	args := req.Args
	if args == nil {
		args = json.RawMessage("{}")
	}
	err := t.schema.Validate(args)
	wrong, ok := errors.AsType[validate.Errors](err)
	if !ok { // nil, or not decided
		return nil
	}
	return &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Gate, Err: invalid(wrong)}
}

func invalid(wrong validate.Errors) error {
	list := make([]error, len(wrong))
	for i, e := range wrong {
		list[i] = &runtime.InvalidArgsError{Pointer: e.Pointer, Reason: e.Reason}
	}
	if len(list) == 1 {
		return list[0]
	}
	return errors.Join(list...)
}

// tool returns the tool of a manifest; nil if there is none.
func (c *checker) tool(key toolKey) *tool {
	c.mu.RLock()
	t := c.tools[key]
	c.mu.RUnlock()
	if t != nil {
		return t
	}
	for _, m := range c.manifests[key.server] {
		definition := m.Definition(key.name)
		if definition == nil {
			continue
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.tools[key] == nil {
			c.tools[key] = &tool{definition: definition}
		}
		return c.tools[key]
	}
	return nil
}

// read compiles the input schema.
func (t *tool) read(ctx context.Context, req runtime.Request) {
	definition, _, err := schema.ParseTool(t.definition)
	t.definition = nil
	if err == nil && definition.InputSchema != nil {
		t.schema, err = validate.New(definition.InputSchema)
	}
	switch {
	case err != nil:
		slog.WarnContext(ctx, "arguments are sent unchecked: the input schema cannot be compiled",
			"server", req.Server, "tool", req.Name, "error", err)
	case t.schema == nil:
		slog.WarnContext(ctx, "arguments are sent unchecked: the tool has no input schema",
			"server", req.Server, "tool", req.Name)
	case len(t.schema.Problems()) > 0:
		slog.WarnContext(ctx, "arguments are checked in part: the input schema has parts that cannot be checked",
			"server", req.Server, "tool", req.Name, "problems", len(t.schema.Problems()), "first", t.schema.Problems()[0].String())
	}
}
