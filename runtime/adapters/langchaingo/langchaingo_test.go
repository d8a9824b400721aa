package langchaingo_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/langchaingo"
)

var textOnly = adaptertest.Options{NoErrors: true, NoImages: true}

func TestFunctions(t *testing.T) {
	adaptertest.Run(t, textOnly, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set, err := langchaingo.New(tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				for _, f := range set.Functions() {
					if f.Function.Name == name {
						return json.Marshal(f.Function.Parameters)
					}
				}
				return nil, errors.New("no such tool")
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				messages, err := set.Results(ctx, []llms.ToolCall{{ID: "1", Type: "function", FunctionCall: &llms.FunctionCall{Name: name, Arguments: args}}})
				if err != nil {
					return adaptertest.Reply{}, err
				}
				answer, _ := messages[0].Parts[0].(llms.ToolCallResponse)
				if len(messages) != 1 || answer.ToolCallID != "1" || answer.Name != name {
					t.Errorf("got %+v", messages)
				}
				return adaptertest.Reply{Text: answer.Content}, nil
			},
		}, err
	})
}

func TestAgentTools(t *testing.T) {
	adaptertest.Run(t, textOnly, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set, err := langchaingo.New(tools...)
		if err != nil {
			return adaptertest.Driver{}, err
		}
		list := set.Tools()
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				for _, tool := range list {
					if tool.Name() == name {
						_, schema, _ := strings.Cut(tool.Description(), "schema: ")
						return []byte(schema), nil
					}
				}
				return nil, errors.New("no such tool")
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				for _, tool := range list {
					if tool.Name() == name {
						text, err := tool.Call(ctx, args)
						return adaptertest.Reply{Text: text}, err
					}
				}
				return adaptertest.Reply{}, errors.New("no such tool")
			},
		}, nil
	})
}

func TestRegistrar(t *testing.T) {
	set := &langchaingo.Set{}
	adaptertest.RunRegistrar(t, set, func() (names []string) {
		for _, f := range set.Functions() {
			names = append(names, f.Function.Name)
		}
		return names
	})
}
