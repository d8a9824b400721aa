package anthropic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/anthropic"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them.
func agent(ctx context.Context, client sdk.Client, tools []runtime.Tool, question string) (string, error) {
	set, err := anthropic.New(tools...)
	if err != nil {
		return "", err
	}
	messages := []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock(question))}
	for range 20 {
		message, err := client.Messages.New(ctx, sdk.MessageNewParams{
			Model: "claude-opus-4-5", MaxTokens: 4096, Messages: messages, Tools: set.Params(),
		})
		if err != nil {
			return "", err
		}
		results, err := set.Results(ctx, message)
		if err != nil {
			return "", err
		}
		if len(results) == 0 {
			var answer strings.Builder
			for _, block := range message.Content {
				answer.WriteString(block.Text)
			}
			return answer.String(), nil
		}
		messages = append(messages, message.ToParam(), sdk.NewUserMessage(results...))
	}
	return "", errors.New("no answer after 20 turns")
}

func Example() {
	model := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "toolu_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := model.Serve(adaptertest.Message)
	defer done()
	client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")) // without options: the provider's
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(context.Background(), client, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
