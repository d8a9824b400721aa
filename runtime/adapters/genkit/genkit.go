// Package genkit offers tools to models of Firebase Genkit.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/genkit@latest
//	go mod tidy
//
//	tools, err := genkit.New(tools...)
//	response, err := sdk.Generate(ctx, g, ai.WithTools(tools...), …)
//
// Genkit cannot take a registered tool back, so these are for requests and are not
// registered: a [Set] that follows a host (Sync) has the tools of the next request. A tool
// that fails, a call that is refused and arguments that do not fit are outputs that begin
// with "error: ": an error would end the request. Genkit decodes arguments into
// floating-point numbers before anybody sees them, so integers beyond 2^53 arrive rounded.
package genkit

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/core/status"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// New returns tools, in their order, for one request or many. The error names each
// tool that is nil, or whose name is duplicated or not valid for models.
func New(tools ...runtime.Tool) ([]ai.ToolRef, error) {
	s := &Set{}
	if err := runtime.RegisterAll(s, tools...); err != nil {
		return nil, err
	}
	return s.Tools(), nil
}

// Set is a [runtime.Registrar] whose tools requests have. The zero value has none. It is
// safe for concurrent use.
type Set struct{ tools adapter.Tools }

// Register adds a tool, in place of one of its name. The error is for a name that models
// cannot call.
func (s *Set) Register(t runtime.Tool) error { return s.tools.Register("any", t) }

// Unregister removes a tool.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// Tools returns the current tools of the set, in the form that [New] returns.
func (s *Set) Tools() []ai.ToolRef {
	var list []ai.ToolRef
	for _, remote := range s.tools.All() {
		spec := remote.Spec()
		parameters := adapter.Object(spec.InputSchema)
		if parameters == nil {
			parameters = map[string]any{"type": "object"}
		}
		// Strict, which is Genkit's default with Anthropic, refuses requests with more than 20 tools, and many schemas.
		tool := ai.NewMultipartTool(spec.Name, spec.Description, run(remote), ai.WithInputSchema(parameters), ai.WithStrictSchema(false))
		list = append(list, checked{tool})
	}
	return list
}

// checked is a tool that answers arguments which do not fit its schema: Genkit, which
// compares them before each call, would end the request.
type checked struct {
	*ai.ToolAction[any, *ai.MultipartToolResponse]
}

// Register has the registry of a request call this tool, and not the one in it.
func (t checked) Register(r api.Registry) {
	r.RegisterAction(api.NewKey(api.ActionTypeToolV2, "", t.Name()), t)
}

// RunJSON carries out a call that a model asked for.
func (t checked) RunJSON(
	ctx context.Context, input json.RawMessage, send core.StreamCallback[json.RawMessage],
) (json.RawMessage, error) {
	output, err := t.ToolAction.RunJSON(ctx, input, send)
	if told := told(err); told != nil {
		return json.Marshal(told)
	}
	return output, err
}

// RunRawMultipart is RunJSON for a program that has the tool itself.
func (t checked) RunRawMultipart(ctx context.Context, input any) (*ai.MultipartToolResponse, error) {
	response, err := t.ToolAction.RunRawMultipart(ctx, input)
	if told := told(err); told != nil {
		return told, nil
	}
	return response, err
}

// told returns the answer to the model for arguments that do not match the schema;
// nil for any other error.
func told(err error) *ai.MultipartToolResponse {
	if !errors.Is(err, status.ErrInvalidInput) {
		return nil
	}
	return &ai.MultipartToolResponse{Output: "error: " + err.Error()}
}

// run returns a function that carries out the calls of a tool. Its error is the error
// of a context that ended.
func run(t runtime.Tool) ai.MultipartToolFunc[any] {
	return func(ctx *ai.ToolContext, input any) (*ai.MultipartToolResponse, error) {
		args, err := json.Marshal(input)
		if err != nil {
			return nil, err
		}
		answer, err := adapter.Call(ctx, adapter.AnyModel, t, args)
		if err != nil {
			return nil, err
		}
		response := &ai.MultipartToolResponse{Output: answer.Marked()}
		for _, b := range answer.Blocks {
			if b.Type == protocol.ContentImage {
				url := "data:" + b.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(b.Data)
				response.Content = append(response.Content, ai.NewMediaPart(b.MIMEType, url))
			}
		}
		return response, nil
	}
}
