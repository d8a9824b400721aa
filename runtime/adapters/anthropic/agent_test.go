package anthropic_test

import (
	"context"
	"encoding/json"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// reply is a turn as the Messages API writes it.
func reply(turn adaptertest.Turn) any {
	content, reason := []any{}, "tool_use"
	for _, c := range turn.Calls {
		content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Args)})
	}
	if turn.Calls == nil {
		content, reason = append(content, map[string]any{"type": "text", "text": turn.Text}), "end_turn"
	}
	return map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": reason,
		"usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
	}
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{}, func(ctx context.Context, model *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := model.Serve(reply)
		defer done()
		return agent(ctx, sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")), tools, "Do it.")
	})
}
