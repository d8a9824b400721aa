package eino_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// scripted is a model of eino that follows a script. Eino's clients of providers are in
// modules of their own.
type scripted struct{ script *adaptertest.Script }

func (s *scripted) Generate(_ context.Context, input []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	request, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	turn := s.script.Answer(request)
	var calls []schema.ToolCall
	for _, c := range turn.Calls {
		calls = append(calls, schema.ToolCall{ID: c.ID, Type: "function", Function: schema.FunctionCall{Name: c.Name, Arguments: c.Args}})
	}
	return schema.AssistantMessage(turn.Text, calls), nil
}

func (s *scripted) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := s.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{message}), nil
}

func (s *scripted) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return s, nil }

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		return agent(ctx, &scripted{script}, tools, "Do it.")
	})
}
