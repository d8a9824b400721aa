package fantasy_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	sdk "charm.land/fantasy"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/fantasy"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

func find(list []sdk.AgentTool, name string) (sdk.AgentTool, error) {
	for _, tool := range list {
		if tool.Info().Name == name {
			return tool, nil
		}
	}
	return nil, errors.New("no such tool")
}

// schemaOf returns what fantasy makes of a tool's description, before it writes lists of
// types as alternatives.
func schemaOf(tool sdk.AgentTool) ([]byte, error) {
	info := tool.Info()
	return json.Marshal(map[string]any{"type": "object", "properties": info.Parameters, "required": info.Required})
}

func TestTools(t *testing.T) {
	options := adaptertest.Options{NoFiles: true, Reorders: true, NoVendor: true, NoRoot: true}
	adaptertest.Run(t, options, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		list, err := fantasy.New(tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				tool, err := find(list, name)
				if err != nil {
					return nil, err
				}
				return schemaOf(tool)
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				tool, err := find(list, name)
				if err != nil {
					return adaptertest.Reply{}, err
				}
				response, err := tool.Run(ctx, sdk.ToolCall{ID: "1", Name: name, Input: args})
				reply := adaptertest.Reply{Text: response.Content, IsError: response.IsError}
				if response.Type == "image" {
					reply.Images = append(reply.Images, response.Data)
				}
				return reply, err
			},
		}, err
	})
}

func TestRegistrar(t *testing.T) {
	set := &fantasy.Set{}
	adaptertest.RunRegistrar(t, set, func() (names []string) {
		for _, tool := range set.Tools() {
			names = append(names, tool.Info().Name)
		}
		return names
	})
}

// described is a tool with a schema.
type described struct {
	runtime.Tool
	schema string
}

func (d described) Spec() runtime.Spec {
	return runtime.Spec{Name: "tree", InputSchema: json.RawMessage(d.schema)}
}

// A definition that contains itself has nowhere to stand: no reference to it is left. A
// property of the keyword's name stays, under a name that providers take.
func TestRecursive(t *testing.T) {
	list, err := fantasy.New(described{schema: `{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"},"$ref":{"type":"string"}},` +
		`"$defs":{"Node":{"type":"object","properties":{"left":{"$ref":"#/$defs/Node"}}}}}`})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := schemaOf(list[0])
	if err != nil || strings.Contains(string(sent), "$defs") || !strings.Contains(string(sent), `"ref":{`) {
		t.Errorf("got %s, %v", sent, err)
	}
}
