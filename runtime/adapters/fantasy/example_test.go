package fantasy_test

import (
	"context"
	"fmt"

	sdk "charm.land/fantasy"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/fantasy"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them. The model is one of a provider.
func agent(ctx context.Context, model sdk.LanguageModel, tools []runtime.Tool, question string) (string, error) {
	list, err := fantasy.New(tools...)
	if err != nil {
		return "", err
	}
	result, err := sdk.NewAgent(model, sdk.WithTools(list...), sdk.WithStopConditions(sdk.StepCountIs(20))).
		Generate(ctx, sdk.AgentCall{Prompt: question})
	if err == nil {
		err = ctx.Err() // an agent whose context has ended answers with what it has
	}
	if err != nil {
		return "", err
	}
	return result.Response.Content.Text(), nil
}

func Example() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := script.Serve(adaptertest.ChatCompletion)
	defer done()
	ctx := context.Background()
	client, err := model(ctx, url)
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(ctx, client, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
