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

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them. The model is one of a plugin.
func agent(ctx context.Context, g *sdk.Genkit, model ai.Model, tools []runtime.Tool, question string) (string, error) {
	list, err := genkit.New(tools...)
	if err != nil {
		return "", err
	}
	response, err := sdk.Generate(ctx, g, ai.WithModel(model), ai.WithPrompt(question), ai.WithTools(list...), ai.WithMaxTurns(20))
	if err != nil {
		return "", err
	}
	return response.Text(), nil
}

func Example() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	ctx := context.Background()
	url, done := script.Serve(adaptertest.Message)
	defer done()
	g, client := model(ctx, url)
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(ctx, g, client, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
