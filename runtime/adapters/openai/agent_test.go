package openai_test

import (
	"context"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/openai"
)

// reply is a turn as the Responses API writes it.
func reply(turn adaptertest.Turn) any {
	output := []any{}
	for _, c := range turn.Calls {
		output = append(output, map[string]any{"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Name, "arguments": c.Args, "status": "completed"})
	}
	if turn.Calls == nil {
		text := map[string]any{"type": "output_text", "text": turn.Text, "annotations": []any{}}
		output = append(output, map[string]any{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{text}})
	}
	return map[string]any{"id": "resp_1", "object": "response", "status": "completed", "output": output}
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "openai", AnyName: true}, func(ctx context.Context, model *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := model.Serve(reply)
		defer done()
		return agent(ctx, sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")), tools, "Do it.")
	})
}

// Strict mode takes what NewStrict sends.
func TestStrictAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "openai", AnyName: true}, func(ctx context.Context, model *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := model.Serve(reply)
		defer done()
		set, err := openai.NewStrict(tools...)
		if err != nil {
			return "", err
		}
		return answer(ctx, sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")), set, "Do it.")
	})
}
