// Package fantasy offers tools to agents of charmbracelet's fantasy.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/fantasy@latest
//	go mod tidy
//
//	tools, err := fantasy.New(tools...)
//	agent := sdk.NewAgent(model, sdk.WithTools(tools...))
//
// A failed tool and a refused call give results that are marked as errors. A result
// holds text and one image; the text names further images. Only the properties of a
// schema's root, and which are required, reach the model. If the context ends during a tool
// call, the agent returns its answer so far: check ctx.Err().
//
// An agent keeps the tools that it was made with. If a [Set] follows a host (Sync),
// the agent's prepare step must return the tools of the set:
//
//	tools := set.Tools()
//	return ctx, sdk.PrepareStepResult{Tools: tools, DisableAllTools: len(tools) == 0}, nil
//
// The version in go.mod is the last one for Go 1.26: v0.45 and later need Go 1.27.
package fantasy

import (
	"context"
	"encoding/json"

	sdk "charm.land/fantasy"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// New returns tools, in their order. The error names each tool that is nil, or whose
// name is duplicated or not valid for models.
func New(tools ...runtime.Tool) ([]sdk.AgentTool, error) {
	s := &Set{}
	if err := runtime.RegisterAll(s, tools...); err != nil {
		return nil, err
	}
	return s.Tools(), nil
}

// Set is a [runtime.Registrar] whose tools agents have. The zero value has none. It is
// safe for concurrent use.
type Set struct{ tools adapter.Tools }

// Register adds a tool, in place of one of its name. The error is for a name that models
// cannot call.
func (s *Set) Register(t runtime.Tool) error { return s.tools.Register("any", t) }

// Unregister removes a tool.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// Tools returns the current tools of the set, in the form that [New] returns.
func (s *Set) Tools() []sdk.AgentTool {
	var list []sdk.AgentTool
	for _, t := range s.tools.All() {
		list = append(list, &agentTool{tool: t})
	}
	return list
}

type agentTool struct {
	tool    runtime.Tool
	options sdk.ProviderOptions
}

// Info describes the tool, with new maps in each call: fantasy writes into them.
func (t *agentTool) Info() sdk.ToolInfo {
	spec := t.tool.Spec()
	info := sdk.ToolInfo{Name: spec.Name, Description: spec.Description, Parallel: true}
	root := adapter.Object(spec.InputSchema)
	info.Parameters, _ = root["properties"].(map[string]any)
	required, _ := root["required"].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok {
			info.Required = append(info.Required, name)
		}
	}
	if info.Parameters == nil {
		info.Parameters = map[string]any{}
	}
	if info.Required == nil {
		info.Required = []string{} // null is not a list
	}
	return info
}

// Run carries out a call. The error is that of a context that ended.
func (t *agentTool) Run(ctx context.Context, call sdk.ToolCall) (sdk.ToolResponse, error) {
	answer, err := adapter.Call(ctx, adapter.AnyModel, t.tool, json.RawMessage(call.Input))
	if err != nil {
		return sdk.ToolResponse{}, err
	}
	response := sdk.NewTextResponse(answer.Text)
	response.IsError = answer.IsError
	for _, b := range answer.Blocks {
		if b.Type == protocol.ContentImage && !answer.IsError { // an error is a text
			response.Type, response.Data, response.MediaType = "image", b.Data, b.MIMEType
			break
		}
	}
	return response, nil
}

// ProviderOptions returns the options that were set.
func (t *agentTool) ProviderOptions() sdk.ProviderOptions { return t.options }

// SetProviderOptions sets options of a provider, such as what it keeps in its cache.
func (t *agentTool) SetProviderOptions(options sdk.ProviderOptions) { t.options = options }
