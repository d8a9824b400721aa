package anthropic_test

import (
	"context"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{Provider: "anthropic"}, func(ctx context.Context, model *adaptertest.Script, tools []runtime.Tool) (string, error) {
		url, done := model.Serve(adaptertest.Message)
		defer done()
		return agent(ctx, sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")), tools, "Do it.")
	})
}
