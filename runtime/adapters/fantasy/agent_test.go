package fantasy_test

import (
	"context"
	"testing"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/providers/openai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// model is a client of chat completions, for the server of a script.
func model(ctx context.Context, url string) (sdk.LanguageModel, error) {
	provider, err := openai.New(openai.WithBaseURL(url), openai.WithAPIKey("none"))
	if err != nil {
		return nil, err
	}
	return provider.LanguageModel(ctx, "m")
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "openai", NoFiles: true}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := script.Serve(adaptertest.ChatCompletion)
		defer done()
		client, err := model(ctx, url)
		if err != nil {
			return "", err
		}
		return agent(ctx, client, tools, "Do it.")
	})
}
