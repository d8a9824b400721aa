// Package genai offers tools to Gemini models through google.golang.org/genai.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/genai@latest
//	go mod tidy
//
//	set, err := genai.New(tools...)
//	response, err := client.Models.GenerateContent(ctx, model, contents,
//		&sdk.GenerateContentConfig{Tools: []*sdk.Tool{set.Tool()}})
//	parts, err := set.Results(ctx, response.FunctionCalls()) // of the next content
//
// Schemas have the keywords of the API's own Schema; what it lacks is in descriptions.
// The SDK decodes arguments into floating-point numbers first, so integers beyond
// 2^53 arrive rounded. Results are sent as text and keep their digits.
package genai

import (
	"context"
	"encoding/json"

	sdk "google.golang.org/genai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Set is a set of tools for requests, and a [runtime.Registrar]: a set that follows a
// host (Sync) has in each request the tools that may be called then. The zero value has
// none. It is safe for concurrent use.
type Set struct{ tools adapter.Tools }

// New returns a set of tools, in their order. The error names each tool that is nil,
// or whose name is duplicated or not valid for models.
func New(tools ...runtime.Tool) (*Set, error) { return adapter.Filled(&Set{}, tools) }

// Register adds a tool to later requests and replaces a tool with the same name. The
// error is for a name that models cannot call.
func (s *Set) Register(t runtime.Tool) error { return s.tools.Register("gemini", t) }

// Unregister removes a tool from the requests that follow.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// Tool returns the set for a request: one tool with a function for each tool of the
// set.
func (s *Set) Tool() *sdk.Tool {
	tool := &sdk.Tool{}
	for _, t := range s.tools.All() {
		spec := t.Spec()
		tool.FunctionDeclarations = append(tool.FunctionDeclarations, &sdk.FunctionDeclaration{
			Name: spec.Name, Description: spec.Description, ParametersJsonSchema: spec.InputSchema,
		})
	}
	return tool
}

// Results carries out calls, all at the same time, and returns their responses in the
// same order: the parts of the next content. A response has a member output, or a
// member error if the tool failed or the call was refused. The error is the error of
// a context that ended.
func (s *Set) Results(ctx context.Context, calls []*sdk.FunctionCall) ([]*sdk.Part, error) {
	return adapter.Each(calls, func(call *sdk.FunctionCall) (*sdk.Part, error) {
		args, err := json.Marshal(call.Args)
		if err != nil {
			return nil, err
		}
		answer, err := s.tools.Call(ctx, adapter.Gemini, call.Name, args)
		if err != nil {
			return nil, err
		}
		member := "output"
		if answer.IsError {
			member = "error"
		}
		part := sdk.NewPartFromFunctionResponse(call.Name, map[string]any{member: answer.Text})
		part.FunctionResponse.ID = call.ID
		for _, b := range answer.Blocks {
			if b.Type != protocol.ContentText {
				blob := &sdk.FunctionResponseBlob{MIMEType: b.MIMEType, Data: b.Data}
				part.FunctionResponse.Parts = append(part.FunctionResponse.Parts, &sdk.FunctionResponsePart{InlineData: blob})
			}
		}
		return part, nil
	})
}
