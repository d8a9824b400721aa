package eino_test

import (
	"context"
	"testing"

	"github.com/cloudwego/eino-ext/components/model/openai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// chatModel is a client of chat completions, for the server of a script.
func chatModel(ctx context.Context, url string) (*openai.ChatModel, error) {
	return openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: url, APIKey: "none", Model: "m"})
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "openai", NoImages: true}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := script.Serve(adaptertest.ChatCompletion)
		defer done()
		client, err := chatModel(ctx, url)
		if err != nil {
			return "", err
		}
		return agent(ctx, client, tools, "Do it.")
	})
}
