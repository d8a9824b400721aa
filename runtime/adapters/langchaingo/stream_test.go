package langchaingo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/langchaingo"
)

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, model llms.Model, tools []runtime.Tool, question string, show func(text string)) error {
	set, err := langchaingo.New(tools...)
	if err != nil {
		return err
	}
	stream := llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
		if !areCalls(chunk) {
			show(string(chunk))
		}
		return nil
	})
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
	for range 20 {
		response, err := model.GenerateContent(ctx, messages, llms.WithTools(set.Functions()), stream)
		if err != nil {
			return err
		}
		asked := llms.MessageContent{Role: llms.ChatMessageTypeAI}
		calls := response.Choices[0].ToolCalls
		for _, call := range calls {
			asked.Parts = append(asked.Parts, call)
		}
		answers, err := set.Results(ctx, calls)
		if err != nil || len(answers) == 0 {
			return err
		}
		messages = append(append(messages, asked), answers...)
	}
	return errors.New("no answer after 20 turns")
}

// areCalls reports whether a chunk is of calls, and not of the text.
func areCalls(chunk []byte) bool {
	var calls []struct{ Function *struct{} }
	return json.Unmarshal(chunk, &calls) == nil && len(calls) > 0 && calls[0].Function != nil
}

func Example_streaming() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := script.Serve(adaptertest.ChatCompletionEvents)
	defer done()
	model, err := openai.New(openai.WithBaseURL(url), openai.WithToken("none")) // without options: the provider's
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(context.Background(), model, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
