package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK is a session of modelcontextprotocol/go-sdk.
type goSDK struct {
	*mcp.ClientSession
	client *mcp.Client
	person *person
}

func connectGoSDK(ctx context.Context, p *person, revision string, target []string) (session, any, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "peer", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			p.take("elicitation/create", nil, r.Params)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": p.name, "username": p.name}}, nil
		},
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			p.take("sampling/createMessage", nil, r.Params)
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "model of " + p.name}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			p.take("notifications/progress", r.Params.ProgressToken, r.Params)
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { p.take("notifications/message", nil, r.Params) },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			p.take("notifications/resources/updated", nil, r.Params)
		},
	})
	client.AddRoots(&mcp.Root{URI: "file://" + p.home, Name: p.name})
	var transport mcp.Transport = &mcp.CommandTransport{Command: exec.Command(target[0], target[1:]...)}
	if strings.HasPrefix(target[0], "http") {
		transport = &mcp.StreamableClientTransport{Endpoint: target[0]}
	}
	s, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return nil, nil, err
	}
	return &goSDK{s, client, p}, s.InitializeResult(), nil
}

func (s *goSDK) close() error { return s.Close() }

func (s *goSDK) request(ctx context.Context, method string, params json.RawMessage, token string) (any, error) {
	switch method {
	case "tools/list":
		return s.ListTools(ctx, nil)
	case "tools/call":
		return take(ctx, params, func(ctx context.Context, p *mcp.CallToolParams) (any, error) {
			if token != "" {
				p.SetProgressToken(token)
			}
			return s.CallTool(ctx, p)
		})
	case "prompts/list":
		return s.ListPrompts(ctx, nil)
	case "prompts/get":
		return take(ctx, params, s.GetPrompt)
	case "resources/list":
		return s.ListResources(ctx, nil)
	case "resources/templates/list":
		return s.ListResourceTemplates(ctx, nil)
	case "resources/read":
		return take(ctx, params, s.ReadResource)
	case "completion/complete":
		return take(ctx, params, s.Complete)
	case "logging/setLevel":
		return take(ctx, params, none(s.SetLoggingLevel))
	case "resources/subscribe":
		return take(ctx, params, none(s.Subscribe))
	case "resources/unsubscribe":
		return take(ctx, params, none(s.Unsubscribe))
	case "notifications/roots/list_changed":
		s.client.RemoveRoots("file://" + s.person.home)
		s.client.AddRoots(&mcp.Root{URI: "file://" + filepath.Join(s.person.home, "deep"), Name: s.person.name})
		return nil, nil
	}
	return nil, fmt.Errorf("go-sdk: no request %q", method)
}

// take decodes the params and calls f.
func take[P, R any](ctx context.Context, params json.RawMessage, f func(context.Context, *P) (R, error)) (any, error) {
	p := new(P)
	if err := json.Unmarshal(params, p); err != nil {
		return nil, err
	}
	return f(ctx, p)
}

// none is f, with an empty result.
func none[P any](f func(context.Context, P) error) func(context.Context, P) (any, error) {
	return func(ctx context.Context, p P) (any, error) { return nil, f(ctx, p) }
}
