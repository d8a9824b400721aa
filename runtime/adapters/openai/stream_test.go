package openai_test

import (
	"context"
	"errors"
	"fmt"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/openai"
)

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, client sdk.Client, tools []runtime.Tool, question string, show func(text string)) error {
	set, err := openai.New(tools...)
	if err != nil {
		return err
	}
	params := responses.ResponseNewParams{Model: "gpt-5.2", Tools: set.Tools()}
	params.Input.OfString = sdk.String(question)
	for range 20 {
		stream := client.Responses.NewStreaming(ctx, params)
		var response responses.Response
		for stream.Next() {
			switch event := stream.Current(); event.Type {
			case "response.output_text.delta":
				show(event.Delta)
			case "response.completed":
				response = event.Response
			}
		}
		if err := stream.Err(); err != nil {
			return err
		}
		outputs, err := set.Outputs(ctx, &response)
		if err != nil || len(outputs) == 0 {
			return err
		}
		params.PreviousResponseID = sdk.String(response.ID)
		params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: outputs}
	}
	return errors.New("no answer after 20 turns")
}

// replyEvents is a turn as the Responses API streams it.
func replyEvents(turn adaptertest.Turn) any {
	var events adaptertest.Events
	if turn.Calls == nil {
		events = append(events, map[string]any{"type": "response.output_text.delta", "item_id": "msg_1", "delta": turn.Text})
	}
	return append(events, map[string]any{"type": "response.completed", "response": reply(turn)})
}

func Example_streaming() {
	model := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := model.Serve(replyEvents)
	defer done()
	client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")) // without options: the provider's
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(context.Background(), client, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
