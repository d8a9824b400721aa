package genai_test

import (
	"context"
	"errors"
	"fmt"

	sdk "google.golang.org/genai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/genai"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them.
func agent(ctx context.Context, client *sdk.Client, tools []runtime.Tool, question string) (string, error) {
	set, err := genai.New(tools...)
	if err != nil {
		return "", err
	}
	config := &sdk.GenerateContentConfig{Tools: []*sdk.Tool{set.Tool()}}
	contents := sdk.Text(question)
	for range 20 {
		response, err := client.Models.GenerateContent(ctx, "gemini-3-pro", contents, config)
		if err != nil {
			return "", err
		}
		calls := response.FunctionCalls()
		if len(calls) == 0 {
			return response.Text(), nil
		}
		parts, err := set.Results(ctx, calls)
		if err != nil {
			return "", err
		}
		contents = append(contents, response.Candidates[0].Content, sdk.NewContentFromParts(parts, sdk.RoleUser))
	}
	return "", errors.New("no answer after 20 turns")
}

func Example() {
	model := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := model.Serve(reply)
	defer done()
	client, err := sdk.NewClient(context.Background(), &sdk.ClientConfig{ // without HTTPOptions: the provider's
		Backend: sdk.BackendGeminiAPI, APIKey: "none", HTTPOptions: sdk.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(context.Background(), client, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
