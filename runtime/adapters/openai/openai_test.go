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

// dataOf returns the bytes in a URL.
func dataOf(t *testing.T, url string) []byte {
	_, encoded, _ := strings.Cut(url, ",")
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Error(err)
	}
	return data
}

func TestResponses(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{NoErrors: true, AnyName: true}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
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
					if item.OfInputText != nil {
						reply.Text += item.OfInputText.Text
					}
					if item.OfInputImage != nil {
						reply.Images = append(reply.Images, dataOf(t, item.OfInputImage.ImageURL.Value))
					}
					if item.OfInputFile != nil {
						reply.Documents = append(reply.Documents, dataOf(t, item.OfInputFile.FileData.Value))
					}
				}
				return reply, nil
			},
		}, err
	})
}

func TestChat(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{NoErrors: true, NoImages: true, AnyName: true}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
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
type strictTool struct{ name, schema, sent, server, output string }

func (s *strictTool) Spec() runtime.Spec {
	return runtime.Spec{Name: s.name, Server: s.server, InputSchema: json.RawMessage(s.schema), OutputSchema: json.RawMessage(s.output)}
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

// toolOfServer is a tool of a server.
func toolOfServer(server, name string) *strictTool {
	return &strictTool{name: name, server: server, schema: `{"type":"object","properties":{"n":{"maximum":9007199254740993}}}`, output: `{"type":"object"}`}
}

// Tools that the provider searches are in a namespace for each server, whose calls are
// answered as others are.
func TestDeferred(t *testing.T) {
	first := toolOfServer("git.hub", "git_hub__list")
	set, err := openai.New(first, toolOfServer("", "echo"), toolOfServer("wiki", "wiki__find"), toolOfServer("git.hub", "git_hub__merge"))
	if err != nil {
		t.Fatal(err)
	}
	const definition = `"parameters":{"type":"object","properties":{"n":{"maximum":9007199254740993}}},"strict":false`
	function := func(name, more string) string {
		return `{"type":"function","name":"` + name + `",` + definition + more + `}`
	}
	want := `[` + function("echo", "") +
		`,{"type":"namespace","name":"git_hub","description":"The tools of the MCP server git_hub.","tools":[` +
		function("git_hub__list", `,"defer_loading":true`) + `,` + function("git_hub__merge", `,"defer_loading":true`) + `]}` +
		`,{"type":"namespace","name":"wiki","description":"The tools of the MCP server wiki.","tools":[` + function("wiki__find", `,"defer_loading":true`) + `]}` +
		`,{"type":"tool_search"}]`
	for range 50 {
		data, err := json.Marshal(set.Deferred())
		if err != nil || string(data) != want {
			t.Fatalf("got %s, want %s, %v", data, want, err)
		}
	}
	response := decode[responses.Response](t, `{"output":[{"type":"tool_search_call"},{"type":"function_call","call_id":"c","namespace":"git_hub","name":"git_hub__list","arguments":"{\"n\":1}"}]}`)
	if outputs, err := set.Outputs(t.Context(), response); err != nil || len(outputs) != 1 || first.sent != `{"n":1}` {
		t.Errorf("got %d outputs, the tool was sent %s, %v", len(outputs), first.sent, err)
	}
}

func TestOutputSchemas(t *testing.T) {
	set, err := openai.New(toolOfServer("s", "s__f"))
	if err != nil {
		t.Fatal(err)
	}
	set.OutputSchemas = true
	for name, tools := range map[string]any{"tools": set.Tools(), "deferred": set.Deferred(), "chat": set.ChatTools()} {
		data, err := json.Marshal(tools)
		if err != nil || strings.Contains(string(data), `"output_schema":{"type":"object"}`) != (name != "chat") {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}

func TestRegistrar(t *testing.T) {
	strict, err := openai.NewStrict()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []*openai.Set{{}, strict} {
		adaptertest.RunRegistrar(t, set, func() (names []string) {
			for _, tool := range set.Tools() {
				var d definition
				if data, err := json.Marshal(tool); err != nil || json.Unmarshal(data, &d) != nil {
					t.Fatal(err)
				}
				names = append(names, d.Name)
			}
			return names
		})
	}
}
