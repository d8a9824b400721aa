package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
	"github.com/mcpgen/mcpgen/runtime/adapters/mcpgo"
)

// ask sends a request to a server and decodes the result.
func ask(ctx context.Context, s *server.MCPServer, method, params string, result any) error {
	answer := s.HandleMessage(ctx, json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
	if failed, ok := answer.(mcp.JSONRPCError); ok {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.New(failed.Error.Message)
	}
	data, err := json.Marshal(answer)
	return errors.Join(err, json.Unmarshal(data, &struct{ Result any }{result}))
}

func TestServer(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{Reorders: true, Server: true}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		s := server.NewMCPServer("test", "1")
		err := runtime.RegisterAll(mcpgo.Registrar{Server: s}, tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				var list struct {
					Tools []struct {
						Name        string
						InputSchema json.RawMessage
					}
				}
				err := ask(t.Context(), s, "tools/list", `{}`, &list)
				for _, tool := range list.Tools {
					if tool.Name == name {
						return tool.InputSchema, err
					}
				}
				return nil, errors.Join(err, errors.New("no such tool"))
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				var result struct {
					IsError           bool
					Content           []json.RawMessage
					StructuredContent json.RawMessage
				}
				if err := ask(ctx, s, "tools/call", `{"name":"`+name+`","arguments":`+args+`}`, &result); err != nil {
					return adaptertest.Reply{}, err
				}
				reply := adaptertest.Reply{IsError: result.IsError}
				for _, raw := range result.Content {
					var b struct {
						Type, Text string
						Data       []byte
						Resource   struct{ Blob []byte }
					}
					if err := json.Unmarshal(raw, &b); err != nil {
						t.Error(err)
					}
					switch {
					case b.Type == "text":
						reply.Text += b.Text
					case b.Type == "image":
						reply.Images = append(reply.Images, b.Data)
					case b.Resource.Blob != nil:
						reply.Documents = append(reply.Documents, b.Resource.Blob)
						fallthrough
					default:
						reply.Text += string(raw)
					}
				}
				reply.Text += string(result.StructuredContent)
				if name == "s__number" && string(result.StructuredContent) != `{"n":9007199254740993,"x":"\u003c\u0026\u003e"}` {
					t.Errorf("got the structured content %s", result.StructuredContent)
				}
				return reply, nil
			},
		}, err
	})
}

func TestRegistrar(t *testing.T) {
	s := server.NewMCPServer("test", "1")
	adaptertest.RunRegistrar(t, mcpgo.Registrar{Server: s}, func() (names []string) {
		for name := range s.ListTools() {
			names = append(names, name)
		}
		return names
	})
}
