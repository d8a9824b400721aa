package langchaingo_test

import (
	"context"
	"testing"

	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

func TestAgent(t *testing.T) {
	o := textOnly
	o.Provider = "openai"
	adaptertest.RunAgent(t, o, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := script.Serve(adaptertest.ChatCompletion)
		defer done()
		model, err := openai.New(openai.WithBaseURL(url), openai.WithToken("none"))
		if err != nil {
			return "", err
		}
		return agent(ctx, model, tools, "Do it.")
	})
}
