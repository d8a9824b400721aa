package genkit_test

import (
	"context"
	"fmt"

	"github.com/firebase/genkit/go/ai"
	sdk "github.com/firebase/genkit/go/genkit"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/genkit"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, g *sdk.Genkit, model ai.Model, tools []runtime.Tool, question string, show func(text string)) error {
	list, err := genkit.New(tools...)
	if err != nil {
		return err
	}
	_, err = sdk.Generate(ctx, g, ai.WithModel(model), ai.WithPrompt(question), ai.WithTools(list...), ai.WithMaxTurns(20),
		ai.WithStreaming(func(_ context.Context, chunk *ai.ModelResponseChunk) error {
			if chunk.Role == ai.RoleModel { // others are results of tools
				show(chunk.Text())
			}
			return nil
		}))
	return err
}

func Example_streaming() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	ctx := context.Background()
	url, done := script.Serve(adaptertest.MessageEvents)
	defer done()
	g, client := model(ctx, url)
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(ctx, g, client, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
