package anthropic_test

import (
	"context"
	"errors"
	"fmt"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/anthropic"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, client sdk.Client, tools []runtime.Tool, question string, show func(text string)) error {
	set, err := anthropic.New(tools...)
	if err != nil {
		return err
	}
	messages := []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock(question))}
	for range 20 {
		stream := client.Messages.NewStreaming(ctx, sdk.MessageNewParams{
			Model: "claude-opus-4-5", MaxTokens: 4096, Messages: messages, Tools: set.Params(),
		})
		var message sdk.Message
		for stream.Next() {
			event := stream.Current()
			if err := message.Accumulate(event); err != nil {
				return err
			}
			show(event.Delta.Text)
		}
		if err := stream.Err(); err != nil {
			return err
		}
		results, err := set.Results(ctx, &message)
		if err != nil || len(results) == 0 {
			return err
		}
		messages = append(messages, message.ToParam(), sdk.NewUserMessage(results...))
	}
	return errors.New("no answer after 20 turns")
}

func Example_streaming() {
	model := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := model.Serve(adaptertest.MessageEvents)
	defer done()
	client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")) // without options: the provider's
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(context.Background(), client, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
