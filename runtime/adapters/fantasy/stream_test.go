package fantasy_test

import (
	"context"
	"fmt"

	sdk "charm.land/fantasy"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/fantasy"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, model sdk.LanguageModel, tools []runtime.Tool, question string, show func(text string)) error {
	list, err := fantasy.New(tools...)
	if err != nil {
		return err
	}
	_, err = sdk.NewAgent(model, sdk.WithTools(list...), sdk.WithStopConditions(sdk.StepCountIs(20))).
		Stream(ctx, sdk.AgentStreamCall{Prompt: question, OnTextDelta: func(_, text string) error {
			show(text)
			return nil
		}})
	if err == nil {
		err = ctx.Err() // an agent whose context has ended answers with what it has
	}
	return err
}

func Example_streaming() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := script.Serve(adaptertest.ChatCompletionEvents)
	defer done()
	ctx := context.Background()
	client, err := model(ctx, url)
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(ctx, client, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
