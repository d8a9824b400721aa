// Package openai offers tools to models through openai-go, over the Responses API and
// over chat completions.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/openai@latest
//	go mod tidy
//
//	set, err := openai.New(tools...)
//	response, err := client.Responses.New(ctx, responses.ResponseNewParams{Tools: set.Tools(), …})
//	outputs, err := set.Outputs(ctx, response) // items of the next input
//
// If there are many tools, use [Set.Deferred]: the provider's tool search decides
// which definitions the model reads. The API refuses a request with more than 128 tools:
// offer some of them, or host.SearchTools().
//
// Schemas that the API takes are sent as the server wrote them, with its order and digits
// and the same bytes each time. Others have the form of package plain's Fit. Neither API can mark an answer as an error, so the text of an
// error begins with "error: ".
package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"sync"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Set is a set of tools for requests, and a [runtime.Registrar]: a set that follows a
// host (Sync) has in each request the tools that may be called then. The zero value has
// none, and no strict mode. It is safe for concurrent use.
type Set struct {
	// OutputSchemas also sends the output schemas of tools, over the Responses API.
	// Set it before the set is used.
	OutputSchemas bool

	tools  adapter.Tools
	strict *sync.Map // string → view.View: the tools that strict mode can express, by name; nil: it is off
}

// New returns a set of tools, in their order, with "strict": false. The error names
// each tool that is nil, or whose name is taken or is not one that models can call.
func New(tools ...runtime.Tool) (*Set, error) { return adapter.Filled(&Set{}, tools) }

// NewStrict is New with strict mode for each tool whose schema it can express: see
// [view.Strict]. The nulls that strict mode makes a model send are not passed on.
func NewStrict(tools ...runtime.Tool) (*Set, error) {
	return adapter.Filled(&Set{strict: &sync.Map{}}, tools)
}

// Register adds a tool, in place of one of its name, to the requests that follow. The
// error is for a name that models cannot call.
func (s *Set) Register(t runtime.Tool) error {
	if s.strict != nil {
		spec := t.Spec()
		s.strict.Delete(spec.Name)
		if v, err := view.Strict(spec.InputSchema); err == nil {
			s.strict.Store(spec.Name, v)
		}
	}
	return s.tools.Register("openai", t)
}

// Unregister removes a tool from the requests that follow.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// inStrictMode returns how strict mode shows a tool, if it does.
func (s *Set) inStrictMode(name string) (v view.View, ok bool) {
	if s.strict == nil {
		return v, false
	}
	found, ok := s.strict.Load(name)
	if ok {
		v = found.(view.View)
	}
	return v, ok
}

// Outputs carries out the function calls in a response, all at the same time, and
// returns their outputs in the response's order. The error is the error of a context
// that ended.
func (s *Set) Outputs(ctx context.Context, response *responses.Response) ([]responses.ResponseInputItemUnionParam, error) {
	var calls []responses.ResponseFunctionToolCall
	for _, item := range response.Output {
		if item.Type == "function_call" {
			calls = append(calls, item.AsFunctionCall())
		}
	}
	return adapter.Each(calls, func(call responses.ResponseFunctionToolCall) (responses.ResponseInputItemUnionParam, error) {
		answer, err := s.call(ctx, adapter.OpenAI, call.Name, call.Arguments)
		item := responses.ResponseInputItemParamOfFunctionCallOutput(answer.Marked())
		if items := outputItems(answer); items != nil {
			item = responses.ResponseInputItemParamOfFunctionCallOutput(items)
		}
		item.OfFunctionCallOutput.CallID = sdk.String(call.CallID)
		return item, err
	})
}

// outputItems are the blocks of an answer that has images or files; nil if it has none.
func outputItems(a adapter.Answer) (list responses.ResponseFunctionCallOutputItemListParam) {
	only := true
	if a.IsError {
		a.Blocks = slices.Insert(slices.Clone(a.Blocks), 0, runtime.Content{Type: protocol.ContentText, Text: "error:"})
	}
	for _, b := range a.Blocks {
		var item responses.ResponseFunctionCallOutputItemUnionParam
		switch url := "data:" + b.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(b.Data); b.Type {
		case protocol.ContentImage:
			only = false
			item.OfInputImage = &responses.ResponseInputImageContentParam{ImageURL: sdk.String(url)}
		case protocol.ContentResource:
			only = false
			item.OfInputFile = &responses.ResponseInputFileContentParam{
				FileData: sdk.String(url), Filename: sdk.String("document.pdf"),
			}
		default:
			item.OfInputText = &responses.ResponseInputTextContentParam{Text: b.Text}
		}
		list = append(list, item)
	}
	if only {
		return nil
	}
	return list
}

// ChatOutputs carries out the calls in a message of chat completions, all at the same
// time, and returns the messages that answer them. Images and files are named and not
// sent: this API has none in answers. The error is that of a context that ended.
func (s *Set) ChatOutputs(ctx context.Context, message sdk.ChatCompletionMessage) ([]sdk.ChatCompletionMessageParamUnion, error) {
	return adapter.Each(message.ToolCalls, func(call sdk.ChatCompletionMessageToolCallUnion) (sdk.ChatCompletionMessageParamUnion, error) {
		answer, err := s.call(ctx, adapter.TextOnly, call.Function.Name, call.Function.Arguments)
		return sdk.ToolMessage(answer.Marked(), call.ID), err
	})
}

// call carries out one call.
func (s *Set) call(ctx context.Context, takes adapter.Media, name, args string) (adapter.Answer, error) {
	raw := json.RawMessage(args)
	if v, ok := s.inStrictMode(name); ok {
		if pruned, err := v.Arguments(raw); err == nil {
			raw = pruned // otherwise the tool reports the error
		}
	}
	return s.tools.Call(ctx, takes, name, raw)
}
