package langchaingo_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/langchaingo"
)

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them.
func agent(ctx context.Context, model llms.Model, tools []runtime.Tool, question string) (string, error) {
	set, err := langchaingo.New(tools...)
	if err != nil {
		return "", err
	}
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
	for range 20 {
		response, err := model.GenerateContent(ctx, messages, llms.WithTools(set.Functions()))
		if err != nil {
			return "", err
		}
		choice := response.Choices[0]
		if len(choice.ToolCalls) == 0 {
			return choice.Content, nil
		}
		asked := llms.MessageContent{Role: llms.ChatMessageTypeAI}
		for _, call := range choice.ToolCalls {
			asked.Parts = append(asked.Parts, call)
		}
		answers, err := set.Results(ctx, choice.ToolCalls)
		if err != nil {
			return "", err
		}
		messages = append(append(messages, asked), answers...)
	}
	return "", errors.New("no answer after 20 turns")
}

func Example() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := script.Serve(adaptertest.ChatCompletion)
	defer done()
	model, err := openai.New(openai.WithBaseURL(url), openai.WithToken("none")) // without options: the provider's
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(context.Background(), model, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
