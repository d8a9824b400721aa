package mcptest

// This file checks a fake against the schemas that code was generated from.

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// contract holds the schemas of a tool's arguments and result.
type contract struct {
	read          sync.Once
	input, output json.RawMessage  // as declared; nil if not declared
	args, result  *validate.Schema // nil: not checked
}

// contract returns the contract of a tool; it is empty if the snapshot has no such tool.
func (f *Fake) contract(tool string) *contract {
	f.mu.Lock()
	c := f.contracts[tool]
	if c == nil {
		c = new(contract)
		f.contracts[tool] = c
	}
	f.mu.Unlock()
	c.read.Do(func() {
		definition := f.manifest.Definition(tool)
		if definition == nil {
			return
		}
		t, _, err := schema.ParseTool(definition)
		if err != nil {
			f.report.logf("%s: nothing is checked: %v", itemName(f.manifest.Server(), tool), err)
			return
		}
		c.input, c.output = t.InputSchema, t.OutputSchema
		c.args = f.compile(tool, "arguments", c.input)
		c.result = f.compile(tool, "results", c.output)
	})
	return c
}

func (f *Fake) compile(tool, what string, raw json.RawMessage) *validate.Schema {
	if raw == nil {
		return nil
	}
	s, err := validate.New(raw)
	if err != nil {
		f.report.logf("%s: %s are not checked: %v", itemName(f.manifest.Server(), tool), what, err)
	}
	return s
}

// checkArgs fails the test if arguments do not match the schema.
func (f *Fake) checkArgs(req runtime.Request) error {
	if req.Method != protocol.MethodCallTool {
		return nil
	}
	args := req.Args
	if args == nil {
		args = json.RawMessage("{}")
	}
	wrong := f.check(req, f.contract(req.Name).args, args)
	if wrong == nil {
		return nil
	}
	f.report.errorf("%s: the arguments do not fit the input schema: %v\n\tgot %s", itemName(req.Server, req.Name), wrong, shown(req.Args))
	list := make([]error, len(wrong))
	for i, e := range wrong {
		list[i] = &runtime.InvalidArgsError{Pointer: e.Pointer, Reason: e.Reason}
	}
	return callError(req, stage.Receive, true, errors.Join(list...))
}

// checkResult fails the test if a handler's result does not match the schema. Tool errors are not
// checked.
func (f *Fake) checkResult(req runtime.Request, res *runtime.Result) error {
	if req.Method != protocol.MethodCallTool || res.IsError || res.Structured == nil {
		return nil
	}
	wrong := f.check(req, f.contract(req.Name).result, res.Structured)
	if wrong == nil {
		return nil
	}
	f.report.errorf("%s: the handler's result does not fit the output schema: %v\n\tgot %s", itemName(req.Server, req.Name), wrong, shown(res.Structured))
	return callError(req, stage.Receive, true, &runtime.DecodeError{Pointer: wrong[0].Pointer, Result: res, Err: wrong})
}

func (f *Fake) check(req runtime.Request, s *validate.Schema, value json.RawMessage) validate.Errors {
	if s == nil {
		return nil
	}
	err := s.Validate(value)
	wrong, ok := errors.AsType[validate.Errors](err)
	if err != nil && !ok {
		f.report.logf("%s: %v", itemName(req.Server, req.Name), err)
	}
	return wrong
}

// Defaults makes the fake answer tools without a handler: with a small sample value of the output schema,
// always the same, or with an empty result if the tool declares no schema. Prompts and resources without
// a handler remain unexpected.
func (f *Fake) Defaults() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.defaults = true
}

// sample is the handler for tools without a handler.
func (f *Fake) sample(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	c := f.contract(req.Name)
	if c.output == nil {
		return new(runtime.Result), nil
	}
	value, ok := sample.Example(c.output)
	if !ok {
		return nil, f.unexpected(req, ", and its output schema has no sample")
	}
	res := Text(string(value))
	res.Structured = value
	return res, nil
}
