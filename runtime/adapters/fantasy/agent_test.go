package fantasy_test

import (
	"context"
	"encoding/json"
	"testing"

	sdk "charm.land/fantasy"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// scripted is a model of fantasy that follows a script. What it does not have is not
// called.
type scripted struct {
	sdk.LanguageModel
	script *adaptertest.Script
}

func (s *scripted) Provider() string { return "test" }
func (s *scripted) Model() string    { return "scripted" }

func (s *scripted) Generate(_ context.Context, call sdk.Call) (*sdk.Response, error) {
	request, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	turn := s.script.Answer(request)
	if turn.Calls == nil {
		return &sdk.Response{Content: sdk.ResponseContent{sdk.TextContent{Text: turn.Text}}, FinishReason: sdk.FinishReasonStop}, nil
	}
	response := &sdk.Response{FinishReason: sdk.FinishReasonToolCalls}
	for _, c := range turn.Calls {
		response.Content = append(response.Content, sdk.ToolCallContent{ToolCallID: c.ID, ToolName: c.Name, Input: c.Args})
	}
	return response, nil
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		return agent(ctx, &scripted{script: script}, tools, "Do it.")
	})
}
