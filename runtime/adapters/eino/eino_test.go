package eino_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/eino"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

func TestTools(t *testing.T) { testTools(t, false) }

func TestImages(t *testing.T) { testTools(t, true) }

func testTools(t *testing.T, images bool) {
	o := adaptertest.Options{NoErrors: true, NoImages: !images, NoFiles: true, Reorders: true, NoVendor: true}
	adaptertest.Run(t, o, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set := &eino.Set{Images: images}
		if err := runtime.RegisterAll(set, tools...); err != nil {
			return adaptertest.Driver{}, err
		}
		list := set.Tools()
		node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{Tools: list})
		if err != nil {
			t.Fatal(err)
		}
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) { return parameters(t.Context(), list, name) },
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				call := schema.ToolCall{ID: "1", Function: schema.FunctionCall{Name: name, Arguments: args}}
				messages, err := node.Invoke(ctx, schema.AssistantMessage("", []schema.ToolCall{call}))
				if err != nil {
					return adaptertest.Reply{}, err
				}
				if len(messages) != 1 || messages[0].ToolCallID != "1" {
					t.Errorf("got %+v", messages)
				}
				reply := adaptertest.Reply{Text: messages[0].Content}
				for _, p := range messages[0].UserInputMultiContent {
					reply.Text += p.Text
					if p.Image != nil {
						image, err := base64.StdEncoding.DecodeString(*p.Image.Base64Data)
						if err != nil {
							t.Error(err)
						}
						reply.Images = append(reply.Images, image)
					}
				}
				return reply, nil
			},
		}, nil
	})
}

// parameters returns what a model is sent of a tool.
func parameters(ctx context.Context, tools []tool.BaseTool, name string) ([]byte, error) {
	for _, tool := range tools {
		info, err := tool.Info(ctx)
		if err != nil {
			return nil, err
		}
		if info.Name != name {
			continue
		}
		s, err := info.ParamsOneOf.ToJSONSchema()
		if err != nil {
			return nil, err
		}
		return json.Marshal(s)
	}
	return nil, errors.New("no such tool")
}

func TestRegistrar(t *testing.T) {
	set := &eino.Set{}
	adaptertest.RunRegistrar(t, set, func() (names []string) {
		for _, tool := range set.Tools() {
			info, err := tool.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, info.Name)
		}
		return names
	})
}
