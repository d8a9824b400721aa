package mcpgo_test

import (
	"context"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// scriptedModel is a model that follows a script.
func scriptedModel(script *adaptertest.Script) func(string) adaptertest.Turn {
	return func(transcript string) adaptertest.Turn { return script.Answer([]byte(transcript)) }
}

func TestAgent(t *testing.T) {
	adaptertest.RunAgent(t, adaptertest.Options{}, func(ctx context.Context, script *adaptertest.Script, tools []runtime.Tool) (string, error) {
		return agent(ctx, scriptedModel(script), tools, "Do it.")
	})
}
