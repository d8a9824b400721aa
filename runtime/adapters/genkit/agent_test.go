package genkit_test

import (
	"context"
	"testing"

	"github.com/firebase/genkit/go/ai"
	sdk "github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/anthropic"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// model is a client of the Messages API, for the server of a script.
func model(ctx context.Context, url string) (*sdk.Genkit, ai.Model) {
	g := sdk.Init(ctx, sdk.WithPlugins(&anthropic.Anthropic{APIKey: "none", BaseURL: url}))
	return g, sdk.LookupModel(g, "anthropic/claude-opus-4-5")
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "anthropic", Rounds: true, NoFiles: true}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := script.Serve(adaptertest.Message)
		defer done()
		g, client := model(ctx, url)
		return agent(ctx, g, client, tools, "Do it.")
	})
}
