// Package openai offers tools to models through openai-go, over the Responses API and
// over chat completions.
//
//	set, err := openai.New(tools...)
//	response, err := client.Responses.New(ctx, responses.ResponseNewParams{Tools: set.Tools(), …})
//	outputs, err := set.Outputs(ctx, response) // items of the next input
//
// Where there are many tools, [Set.Deferred] leaves it to the provider's tool search
// which of their definitions the model reads.
//
// Schemas are sent as the server wrote them, with its order and digits and the same
// bytes each time. Neither API can mark an
// answer as an error: the text of one begins with "error: ".
package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Set is a set of tools for requests. It is safe for concurrent use.
type Set struct {
	// OutputSchemas sends over the Responses API what tools declare to return, too. It
	// is set before the set is used.
	OutputSchemas bool

	tools  *adapter.Tools
	strict map[string]view.View // of the tools that strict mode can express
}

// New returns a set of tools, in their order, with "strict": false. The error names
// each tool that is nil, or whose name is taken or is not one that models can call.
func New(tools ...runtime.Tool) (*Set, error) {
	t, err := adapter.New(tools)
	if err != nil {
		return nil, err
	}
	return &Set{tools: t}, nil
}

// NewStrict is New with strict mode for each tool whose schema it can express: see
// [view.Strict]. The nulls that strict mode makes a model send are not passed on.
func NewStrict(tools ...runtime.Tool) (*Set, error) {
	s, err := New(tools...)
	if err != nil {
		return nil, err
	}
	s.strict = map[string]view.View{}
	for _, t := range tools {
		if v, err := view.Strict(t.Spec().InputSchema); err == nil {
			s.strict[t.Spec().Name] = v
		}
	}
	return s, nil
}

// Outputs carries out the function calls in a response, all at the same time, and
// returns their outputs in its order. The error is that of a context that ended.
func (s *Set) Outputs(ctx context.Context, response *responses.Response) ([]responses.ResponseInputItemUnionParam, error) {
	var calls []responses.ResponseFunctionToolCall
	for _, item := range response.Output {
		if item.Type == "function_call" {
			calls = append(calls, item.AsFunctionCall())
		}
	}
	return adapter.Each(calls, func(call responses.ResponseFunctionToolCall) (responses.ResponseInputItemUnionParam, error) {
		answer, err := s.call(ctx, call.Name, call.Arguments)
		item := responses.ResponseInputItemParamOfFunctionCallOutput(answer.Marked())
		if images := outputImages(answer); !answer.IsError && images != nil {
			item = responses.ResponseInputItemParamOfFunctionCallOutput(images)
		}
		item.OfFunctionCallOutput.CallID = sdk.String(call.CallID)
		return item, err
	})
}

// outputImages are the blocks of an answer that has images; nil if it has none.
func outputImages(a adapter.Answer) responses.ResponseFunctionCallOutputItemListParam {
	var list responses.ResponseFunctionCallOutputItemListParam
	images := false
	for _, b := range a.Blocks {
		item := responses.ResponseFunctionCallOutputItemUnionParam{OfInputText: &responses.ResponseInputTextContentParam{Text: b.Text}}
		if b.Type == protocol.ContentImage {
			images = true
			url := "data:" + b.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(b.Data)
			item = responses.ResponseFunctionCallOutputItemUnionParam{OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: sdk.String(url)}}
		}
		list = append(list, item)
	}
	if !images {
		return nil
	}
	return list
}

// ChatOutputs carries out the calls in a message of chat completions, all at the same
// time, and returns the messages that answer them. Images are named and not sent:
// this API has none in answers. The error is that of a context that ended.
func (s *Set) ChatOutputs(ctx context.Context, message sdk.ChatCompletionMessage) ([]sdk.ChatCompletionMessageParamUnion, error) {
	return adapter.Each(message.ToolCalls, func(call sdk.ChatCompletionMessageToolCallUnion) (sdk.ChatCompletionMessageParamUnion, error) {
		answer, err := s.call(ctx, call.Function.Name, call.Function.Arguments)
		return sdk.ToolMessage(answer.Marked(), call.ID), err
	})
}

// call carries out one call.
func (s *Set) call(ctx context.Context, name, args string) (adapter.Answer, error) {
	raw := json.RawMessage(args)
	if v, ok := s.strict[name]; ok {
		if pruned, err := v.Arguments(raw); err == nil {
			raw = pruned // else the tool says what is wrong with them
		}
	}
	return s.tools.Call(ctx, name, raw)
}
