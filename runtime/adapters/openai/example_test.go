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

// agent answers a question with tools: those of host.Tools(), of mcp.Tools(host), or
// host.SearchTools() where there are too many of them.
func agent(ctx context.Context, client sdk.Client, tools []runtime.Tool, question string) (string, error) {
	set, err := openai.New(tools...)
	if err != nil {
		return "", err
	}
	return answer(ctx, client, set, question)
}

// answer answers a question with the tools of a set.
func answer(ctx context.Context, client sdk.Client, set *openai.Set, question string) (string, error) {
	params := responses.ResponseNewParams{Model: "gpt-5.2", Tools: set.Tools()}
	params.Input.OfString = sdk.String(question)
	for range 20 {
		response, err := client.Responses.New(ctx, params)
		if err != nil {
			return "", err
		}
		outputs, err := set.Outputs(ctx, response)
		if err != nil {
			return "", err
		}
		if len(outputs) == 0 {
			return response.OutputText(), nil
		}
		params.PreviousResponseID = sdk.String(response.ID)
		params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: outputs}
	}
	return "", errors.New("no answer after 20 turns")
}

func Example() {
	model := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := model.Serve(reply)
	defer done()
	client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none")) // without options: the provider's
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(agent(context.Background(), client, tools, "What do I need today?"))
	// Output: Take an umbrella. <nil>
}
