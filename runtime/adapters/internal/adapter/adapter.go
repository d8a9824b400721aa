// Package adapter is the shared code of the adapters of agent frameworks: the tools
// of a set, and the answers of calls for models. It depends on no framework.
package adapter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Tools holds the tools of a set, in the order of registration. It is safe for
// concurrent use if the tools are. The zero value is empty.
type Tools struct {
	mu   sync.RWMutex
	list []runtime.Tool
}

// Check returns an error if a tool has a name that a model provider would refuse.
func Check(tool runtime.Tool) error {
	if name := tool.Spec().Name; !view.TakesName("any", name) {
		return fmt.Errorf("some models refuse the tool name %q: use 1 to 64 letters, digits, _ or -, and begin with a letter or _", name)
	}
	return nil
}

// Register adds a tool as models of a provider take it, and replaces a tool with the
// same name. The error is from [Check].
func (t *Tools) Register(provider string, tool runtime.Tool) error {
	if err := Check(tool); err != nil {
		return err
	}
	tool = plain.Fit(provider, tool)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.without(tool.Spec().Name), tool)
	return nil
}

// Filled registers tools with an empty set, and returns the set. The error is that of
// [runtime.RegisterAll].
func Filled[S runtime.Registrar](set S, tools []runtime.Tool) (S, error) {
	err := runtime.RegisterAll(set, tools...)
	if err != nil {
		set = *new(S)
	}
	return set, err
}

// Unregister removes the tool with a name.
func (t *Tools) Unregister(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = t.without(name)
	return nil
}

// without returns a new list without the tool with a name: callers of All may still
// use the old list. The caller holds the lock.
func (t *Tools) without(name string) []runtime.Tool {
	return slices.DeleteFunc(slices.Clone(t.list), func(tool runtime.Tool) bool { return tool.Spec().Name == name })
}

// All returns the tools in their order.
func (t *Tools) All() []runtime.Tool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.list
}

// Answer is the answer of a call for a model.
type Answer struct {
	Blocks  []runtime.Content // text that is not blank, and what the provider takes as it is; at least one
	Text    string            // the same in one text, in which all else is named
	IsError bool
	Result  *runtime.Result // as the server sent it; may be nil
}

// Marked returns the text, with a prefix for an error, for a framework that cannot
// mark answers as errors.
func (a Answer) Marked() string {
	if a.IsError {
		return "error: " + a.Text
	}
	return a.Text
}

// Call calls the tool with a name. A refusal, a failure and an unknown name are
// answers for the model, so that a conversation goes on; the error is the error of a
// context that ended.
func (t *Tools) Call(ctx context.Context, takes Media, name string, args json.RawMessage) (Answer, error) {
	for _, tool := range t.All() {
		if tool.Spec().Name == name {
			return Call(ctx, takes, tool, args)
		}
	}
	return failure(fmt.Errorf("there is no tool %q", name)), nil
}

// Call is like [Tools.Call], for one tool.
func Call(ctx context.Context, takes Media, tool runtime.Tool, args json.RawMessage) (Answer, error) {
	res, err := tool.Call(ctx, args)
	if toolError, ok := errors.AsType[*runtime.ToolError](err); ok && toolError.Result != nil {
		res, err = toolError.Result, nil
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return Answer{}, err
	case err != nil:
		return failure(err), nil
	}
	a := Answer{IsError: res.IsError, Result: res}
	a.Blocks, a.Text = takes.content(res)
	return a, nil
}

func failure(err error) Answer {
	text := plain.Failure(err)
	return Answer{Blocks: []runtime.Content{{Type: protocol.ContentText, Text: text}}, Text: text, IsError: true}
}

// Object decodes a schema, for a framework that takes maps; nil if it is no object. A
// number is an int64 if it is one, else a float64: openai-go sends a [json.Number] as a string.
func Object(schema json.RawMessage) map[string]any {
	v, err := jsontext.Decode(schema)
	if err != nil {
		return nil
	}
	object, _ := numbers(v).(map[string]any)
	return object
}

// numbers replaces each [json.Number] in a value.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = numbers(v[name])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64() // beyond its range, the nearest
		return max(-math.MaxFloat64, min(n, math.MaxFloat64))
	}
	return v
}

// Each calls do for all calls of a message at the same time, and returns the results
// in the order of calls.
func Each[C, R any](calls []C, do func(C) (R, error)) ([]R, error) {
	results, errs := make([]R, len(calls)), make([]error, len(calls))
	var group sync.WaitGroup
	for i, call := range calls {
		group.Go(func() { results[i], errs[i] = do(call) })
	}
	group.Wait()
	return results, errors.Join(errs...)
}
