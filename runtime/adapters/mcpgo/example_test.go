package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/mcpgo"
)

// agent serves tools to a client of its own, and has the model call them through it.
// Tools are those of mcp.Tools(host); host.Sync(registrar, tools...) in place of
// RegisterAll keeps them as the host has them.
func agent(ctx context.Context, model func(transcript string) adaptertest.Turn, tools []runtime.Tool, question string) (string, error) {
	s := server.NewMCPServer("agent", "1")
	if err := runtime.RegisterAll(mcpgo.Registrar{Server: s}, tools...); err != nil {
		return "", err
	}
	c, err := client.NewInProcessClient(s)
	if err != nil {
		return "", err
	}
	defer c.Close()
	initialize := mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION}}
	if _, err := c.Initialize(ctx, initialize); err != nil {
		return "", err
	}
	transcript := question
	for range 20 {
		turn := model(transcript)
		if turn.Calls == nil {
			return turn.Text, nil
		}
		for _, call := range turn.Calls {
			request := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: call.Name, Arguments: json.RawMessage(call.Args)}}
			result, err := c.CallTool(ctx, request)
			if err != nil {
				return "", errors.Join(ctx.Err(), err)
			}
			text, err := json.Marshal(result)
			if err != nil {
				return "", err
			}
			transcript += "\n" + string(text)
		}
	}
	return "", errors.New("no answer after 20 turns")
}

func Example() {
	script := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(context.Background(), scriptedModel(script), tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
