package genai_test

import (
	"context"
	"encoding/json"
	"testing"

	sdk "google.golang.org/genai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// reply is a turn as the Gemini API writes it.
func reply(turn adaptertest.Turn) any {
	parts := []any{}
	for _, c := range turn.Calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"id": c.ID, "name": c.Name, "args": json.RawMessage(c.Args)}})
	}
	if turn.Calls == nil {
		parts = append(parts, map[string]any{"text": turn.Text})
	}
	return map[string]any{"candidates": []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP"}}}
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "gemini", Rounds: true}, func(ctx context.Context, model *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := model.Serve(reply)
		defer done()
		client, err := sdk.NewClient(ctx, &sdk.ClientConfig{Backend: sdk.BackendGeminiAPI, APIKey: "none", HTTPOptions: sdk.HTTPOptions{BaseURL: url}})
		if err != nil {
			return "", err
		}
		return agent(ctx, client, tools, "Do it.")
	})
}
