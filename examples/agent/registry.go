package main

import (
	"fmt"

	"github.com/mcpgen/mcpgen/runtime"
)

// registry holds tools by the name that a model sees.
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
