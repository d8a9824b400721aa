package eino_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/eino"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, model model.ToolCallingChatModel, tools []runtime.Tool, question string, show func(text string)) error {
	list, err := eino.New(tools...)
	if err != nil {
		return err
	}
	loop, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: model, ToolsConfig: compose.ToolsNodeConfig{Tools: list}, MaxStep: 40,
	})
	if err != nil {
		return err
	}
	stream, err := loop.Stream(ctx, []*schema.Message{schema.UserMessage(question)})
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		show(message.Content)
	}
}

func Example_streaming() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := script.Serve(adaptertest.ChatCompletionEvents)
	defer done()
	ctx := context.Background()
	client, err := chatModel(ctx, url)
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(ctx, client, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
