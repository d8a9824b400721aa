package langchaingo_test

import (
	"context"
	"testing"

	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// reply is a turn as chat completions write it.
func reply(turn adaptertest.Turn) any {
	message, reason := map[string]any{"role": "assistant", "content": turn.Text}, "stop"
	if turn.Calls != nil {
		calls := []any{}
		for _, c := range turn.Calls {
			calls = append(calls, map[string]any{"id": c.ID, "type": "function", "function": map[string]string{"name": c.Name, "arguments": c.Args}})
		}
		message["tool_calls"], reason = calls, "tool_calls"
	}
	return map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": reason}}}
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, textOnly, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := script.Serve(reply)
		defer done()
		model, err := openai.New(openai.WithBaseURL(url), openai.WithToken("none"))
		if err != nil {
			return "", err
		}
		return agent(ctx, model, tools, "Do it.")
	})
}
