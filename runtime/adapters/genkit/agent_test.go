package genkit_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/firebase/genkit/go/ai"
	sdk "github.com/firebase/genkit/go/genkit"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// scripted is a model of Genkit that follows a script.
func scripted(g *sdk.Genkit, script *adaptertest.Script) ai.Model {
	supports := &ai.ModelSupports{Tools: true, Multiturn: true, Media: true}
	return sdk.DefineModel(g, "test/scripted", &ai.ModelOptions{Supports: supports},
		func(_ context.Context, request *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
			data, err := json.Marshal(request)
			if err != nil {
				return nil, err
			}
			turn := script.Answer(data)
			message := ai.NewModelTextMessage(turn.Text)
			if turn.Calls != nil {
				message.Content = nil
			}
			for _, c := range turn.Calls {
				var input any // as the plugins of providers decode it
				if err := json.Unmarshal([]byte(c.Args), &input); err != nil {
					return nil, err
				}
				message.Content = append(message.Content, ai.NewToolRequestPart(&ai.ToolRequest{Ref: c.ID, Name: c.Name, Input: input}))
			}
			return &ai.ModelResponse{Request: request, Message: message, FinishReason: ai.FinishReasonStop}, nil
		})
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Rounds: true}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		g := sdk.Init(ctx)
		return agent(ctx, g, scripted(g, script), tools, "Do it.")
	})
}
