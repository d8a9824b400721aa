package openai_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/openai"
)

// definition is a function in a request.
type definition struct {
	Name       string
	Parameters json.RawMessage
	Strict     *bool
	Function   *definition
}

// find returns the parameters of a function among those of a request.
func find[T any](tools []T, name string) ([]byte, error) {
	for _, tool := range tools {
		data, err := json.Marshal(tool)
		if err != nil {
			return nil, err
		}
		var d definition
		if err := json.Unmarshal(data, &d); err != nil {
			return nil, err
		}
		if d.Function != nil {
			d = *d.Function
		}
		if d.Name == name && d.Strict != nil {
			return d.Parameters, nil
		}
	}
	return nil, errors.New("no such tool")
}

func decode[T any](t *testing.T, text string) *T {
	t.Helper()
	v := new(T)
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
	return v
}

func quote(t *testing.T, text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestResponses(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{NoErrors: true}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set, err := openai.New(tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) { return find(set.Tools(), name) },
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				response := decode[responses.Response](t, `{"output":[{"type":"message"},{"type":"function_call","call_id":"call_1","name":"`+name+`","arguments":`+quote(t, args)+`}]}`)
				outputs, err := set.Outputs(ctx, response)
				if err != nil {
					return adaptertest.Reply{}, err
				}
				data, err := json.Marshal(outputs[0])
				if err != nil || len(outputs) != 1 || !bytes.Contains(data, []byte(`"call_id":"call_1"`)) {
					t.Errorf("got %d outputs, %s, %v", len(outputs), data, err)
				}
				output := outputs[0].OfFunctionCallOutput.Output
				reply := adaptertest.Reply{Text: output.OfString.Value}
				for _, item := range output.OfResponseFunctionCallOutputItemArray {
					if item.OfInputImage != nil {
						_, encoded, _ := strings.Cut(item.OfInputImage.ImageURL.Value, ",")
						image, err := base64.StdEncoding.DecodeString(encoded)
						if err != nil {
							t.Error(err)
						}
						reply.Images = append(reply.Images, image)
					}
				}
				return reply, nil
			},
		}, err
	})
}

func TestChat(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{NoErrors: true, NoImages: true}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set, err := openai.New(tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) { return find(set.ChatTools(), name) },
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				message := decode[sdk.ChatCompletionMessage](t, `{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"`+name+`","arguments":`+quote(t, args)+`}}]}`)
				outputs, err := set.ChatOutputs(ctx, *message)
				if err != nil {
					return adaptertest.Reply{}, err
				}
				if len(outputs) != 1 || outputs[0].OfTool.ToolCallID != "call_1" {
					t.Errorf("got %+v", outputs)
				}
				return adaptertest.Reply{Text: outputs[0].OfTool.Content.OfString.Value}, nil
			},
		}, err
	})
}

// strictTool keeps what it is sent.
type strictTool struct{ name, schema, sent string }

func (s *strictTool) Spec() runtime.Spec {
	return runtime.Spec{Name: s.name, InputSchema: json.RawMessage(s.schema)}
}

func (s *strictTool) Call(_ context.Context, args json.RawMessage, _ ...runtime.CallOption) (*runtime.Result, error) {
	s.sent = string(args)
	return &runtime.Result{}, nil
}

func TestStrict(t *testing.T) {
	tool := &strictTool{name: "f", schema: `{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}},"required":["a"]}`}
	set, err := openai.NewStrict(tool, &strictTool{name: "loose", schema: `{"type":"object","additionalProperties":true}`})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(set.Tools())
	if err != nil || strings.Count(string(data), `"strict":true`) != 1 || strings.Count(string(data), `"strict":false`) != 1 {
		t.Errorf("got %s, %v", data, err)
	}
	if p, err := find(set.Tools(), "f"); err != nil || !strings.Contains(string(p), `"n":{"type":["integer","null"]}`) {
		t.Errorf("got %s, %v", p, err)
	}
	response := decode[responses.Response](t, `{"output":[{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":\"x\",\"n\":null}"}]}`)
	if _, err := set.Outputs(t.Context(), response); err != nil || tool.sent != `{"a":"x"}` {
		t.Errorf("the tool was sent %s, %v", tool.sent, err)
	}
}
