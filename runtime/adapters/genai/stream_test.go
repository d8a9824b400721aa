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

// streamAnswer answers a question with tools, and shows the answer while it arrives.
func streamAnswer(ctx context.Context, client *sdk.Client, tools []runtime.Tool, question string, show func(text string)) error {
	set, err := genai.New(tools...)
	if err != nil {
		return err
	}
	config := &sdk.GenerateContentConfig{Tools: []*sdk.Tool{set.Tool()}}
	contents := sdk.Text(question)
	for range 20 {
		answer := &sdk.Content{Role: sdk.RoleModel}
		var calls []*sdk.FunctionCall
		for response, err := range client.Models.GenerateContentStream(ctx, "gemini-3-pro", contents, config) {
			if err != nil {
				return err
			}
			for _, candidate := range response.Candidates {
				if candidate.Content == nil { // the last one may hold only the reason of the end
					continue
				}
				answer.Parts = append(answer.Parts, candidate.Content.Parts...)
				for _, part := range candidate.Content.Parts {
					if !part.Thought {
						show(part.Text)
					}
				}
			}
			calls = append(calls, response.FunctionCalls()...)
		}
		if len(calls) == 0 {
			return nil
		}
		parts, err := set.Results(ctx, calls)
		if err != nil {
			return err
		}
		contents = append(contents, answer, sdk.NewContentFromParts(parts, sdk.RoleUser))
	}
	return errors.New("no answer after 20 turns")
}

func Example_streaming() {
	model := adaptertest.NewScript(adaptertest.Turn{Calls: []adaptertest.Call{{ID: "call_1", Name: "weather__today", Args: `{"z":"x"}`}}},
		adaptertest.Turn{Text: "Take an umbrella."})
	url, done := model.Serve(func(turn adaptertest.Turn) any { return adaptertest.Events{reply(turn).(map[string]any)} })
	defer done()
	client, err := sdk.NewClient(context.Background(), &sdk.ClientConfig{ // without HTTPOptions: the provider's
		Backend: sdk.BackendGeminiAPI, APIKey: "none", HTTPOptions: sdk.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []runtime.Tool{adaptertest.Tool("weather__today", `{"content":[{"type":"text","text":"Rain."}]}`)}
	fmt.Println(streamAnswer(context.Background(), client, tools, "What do I need today?", func(text string) { fmt.Print(text) }))
	// Output: Take an umbrella.<nil>
}
