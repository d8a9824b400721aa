package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcpgen/mcpgen/runtime"
)

// registry stands for the tool registry of an agent framework: tools by the
// name that a model sees.
type registry map[string]runtime.Tool

// Register adds a tool. It fails if the name is taken.
func (r registry) Register(tool runtime.Tool) error {
	name := tool.Spec().Name
	if _, taken := r[name]; taken {
		return fmt.Errorf("a tool is already registered as %s", name)
	}
	r[name] = tool
	return nil
}

// Unregister removes a tool.
func (r registry) Unregister(name string) error {
	delete(r, name)
	return nil
}

// call carries out what a model asked for: a name and arguments in JSON.
func (r registry) call(ctx context.Context, out io.Writer, name, args string) error {
	tool, ok := r[name]
	if !ok {
		return fmt.Errorf("no tool is registered as %s", name)
	}
	result, err := tool.Call(ctx, json.RawMessage(args))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s says:\n%s\n", name, result.Text())
	return nil
}
