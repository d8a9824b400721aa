package eino_test

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/eino"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them. The model is one of eino-ext.
func agent(ctx context.Context, model model.ToolCallingChatModel, tools []runtime.Tool, question string) (string, error) {
	list, err := eino.New(tools...)
	if err != nil {
		return "", err
	}
	loop, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: model, ToolsConfig: compose.ToolsNodeConfig{Tools: list}, MaxStep: 40,
	})
	if err != nil {
		return "", err
	}
	answer, err := loop.Generate(ctx, []*schema.Message{schema.UserMessage(question)})
	if err != nil {
		return "", err
	}
	return answer.Content, nil
}

func Example() {
	script := adaptertest.NewScript(
		adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := script.Serve(adaptertest.ChatCompletion)
	defer done()
	ctx := context.Background()
	client, err := chatModel(ctx, url)
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(ctx, client, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
