// Package langchaingo offers tools to models and agents of tmc/langchaingo.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/langchaingo@latest
//	go mod tidy
//
//	set, err := langchaingo.New(tools...)
//	response, err := model.GenerateContent(ctx, messages, llms.WithTools(set.Functions()))
//	answers, err := set.Results(ctx, response.Choices[0].ToolCalls) // of the next messages
//
// Answers are one text each, in which images, sound and files are named, and the text of
// an error begins with "error: ". Requests have the tools that the set has then; an agent
// keeps those of [Set.Tools] that it was made with.
//
// With llms.WithStreamingFunc, the client for OpenAI also streams the calls of tools, as JSON
// between the text: the example for streaming tells them apart.
package langchaingo

import (
	"context"
	"encoding/json"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
)

// Set is a set of tools for requests, and a [runtime.Registrar]: a set that follows a
// host (Sync) has in each request the tools that may be called then. The zero value has
// none. It is safe for concurrent use.
type Set struct{ tools adapter.Tools }

// New returns a set of tools, in their order. The error names each tool that is nil,
// or whose name is duplicated or not valid for models.
func New(tools ...runtime.Tool) (*Set, error) { return adapter.Filled(&Set{}, tools) }

// Register adds a tool, in place of one of its name, to the requests that follow. The
// error is for a name that models cannot call.
func (s *Set) Register(t runtime.Tool) error { return s.tools.Register("any", t) }

// Unregister removes a tool from the requests that follow.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// Functions returns the tools for a request.
func (s *Set) Functions() []llms.Tool {
	var functions []llms.Tool
	for _, t := range s.tools.All() {
		spec := t.Spec()
		functions = append(functions, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: spec.Name, Description: spec.Description, Parameters: spec.InputSchema,
		}})
	}
	return functions
}

// Results carries out calls, all at the same time, and returns the messages that
// answer them, in the same order. The error is the error of a context that ended.
func (s *Set) Results(ctx context.Context, calls []llms.ToolCall) ([]llms.MessageContent, error) {
	return adapter.Each(calls, func(call llms.ToolCall) (llms.MessageContent, error) {
		var name, args string
		if call.FunctionCall != nil {
			name, args = call.FunctionCall.Name, call.FunctionCall.Arguments
		}
		answer, err := s.tools.Call(ctx, adapter.TextOnly, name, json.RawMessage(args))
		part := llms.ToolCallResponse{ToolCallID: call.ID, Name: name, Content: answer.Marked()}
		return llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{part}}, err
	})
}

// Tools returns the tools for agents. Their input is the JSON of the arguments, so
// the description ends with its schema.
func (s *Set) Tools() []tools.Tool {
	var list []tools.Tool
	for _, t := range s.tools.All() {
		list = append(list, agentTool{t})
	}
	return list
}

type agentTool struct{ tool runtime.Tool }

func (t agentTool) Name() string { return t.tool.Spec().Name }

func (t agentTool) Description() string {
	spec := t.tool.Spec()
	return spec.Description + "\nThe input is one JSON object of this schema: " + string(spec.InputSchema)
}

// Call carries out a call. The error is the error of a context that ended.
func (t agentTool) Call(ctx context.Context, input string) (string, error) {
	answer, err := adapter.Call(ctx, adapter.TextOnly, t.tool, json.RawMessage(input))
	return answer.Marked(), err
}
