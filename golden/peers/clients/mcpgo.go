package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGo is a session of mark3labs/mcp-go.
type mcpGo struct {
	*client.Client
	answers  *answers
	revision string
	stop     func() // ends the stream of a subscription
}

// answers answers the requests of the server.
type answers struct {
	*person
	mu   sync.Mutex
	root string
}

func (a *answers) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	a.take("elicitation/create", nil, r.Params)
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{"name": a.name, "username": a.name},
	}}, nil
}

func (a *answers) CreateMessage(_ context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	a.take("sampling/createMessage", nil, r.CreateMessageParams)
	return &mcp.CreateMessageResult{
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent("model of " + a.name)}, Model: "m",
	}, nil
}

func (a *answers) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	a.take("roots/list", nil, nil)
	a.mu.Lock()
	defer a.mu.Unlock()
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file://" + a.root, Name: a.name}}}, nil
}

func connectMCPGo(ctx context.Context, p *person, revision string, target []string) (session, any, error) {
	a := &answers{person: p, root: p.home}
	options := []client.ClientOption{
		client.WithProtocolVersion(revision), client.WithElicitationHandler(a), client.WithSamplingHandler(a), client.WithRootsHandler(a),
	}
	var link transport.Interface = transport.NewStdio(target[0], os.Environ(), target[1:]...)
	if strings.HasPrefix(target[0], "http") {
		var listen []transport.StreamableHTTPCOption
		if revision != modern {
			listen = append(listen, transport.WithContinuousListening())
		}
		var err error
		if link, err = transport.NewStreamableHTTP(target[0], listen...); err != nil {
			return nil, nil, err
		}
	}
	c := client.NewClient(link, options...)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		p.take(n.Method, n.Params.AdditionalFields["progressToken"], n.Params)
	})
	if err := c.Start(ctx); err != nil {
		return nil, nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = revision
	hello.Params.ClientInfo = mcp.Implementation{Name: "peer", Version: "1.0.0"}
	result, err := c.Initialize(ctx, hello)
	if err != nil {
		return nil, nil, err
	}
	return &mcpGo{Client: c, answers: a, revision: revision}, result, nil
}

func (s *mcpGo) close() error { return s.Close() }

func (s *mcpGo) request(ctx context.Context, method string, params json.RawMessage, token string) (any, error) {
	if s.revision == modern && strings.HasPrefix(method, "tasks/") {
		return nil, fmt.Errorf("mcp-go: no request %q of this revision", method)
	}
	switch method {
	case "tools/list":
		return s.ListTools(ctx, mcp.ListToolsRequest{})
	case "tools/call":
		r, err := read(params, func(r *mcp.CallToolRequest) any { return &r.Params })
		if token != "" {
			r.Params.Meta = &mcp.Meta{ProgressToken: token}
		}
		return result(ctx, r, err, s.CallTool)
	case "prompts/list":
		return s.ListPrompts(ctx, mcp.ListPromptsRequest{})
	case "prompts/get":
		r, err := read(params, func(r *mcp.GetPromptRequest) any { return &r.Params })
		return result(ctx, r, err, s.GetPrompt)
	case "resources/list":
		return s.ListResources(ctx, mcp.ListResourcesRequest{})
	case "resources/templates/list":
		return s.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	case "resources/read":
		r, err := read(params, func(r *mcp.ReadResourceRequest) any { return &r.Params })
		return result(ctx, r, err, s.ReadResource)
	case "completion/complete":
		r, err := read(params, func(r *mcp.CompleteRequest) any { return &r.Params })
		return result(ctx, r, err, s.Complete)
	case "logging/setLevel":
		r, err := read(params, func(r *mcp.SetLevelRequest) any { return &r.Params })
		return result(ctx, r, err, empty(s.SetLevel))
	case "resources/subscribe":
		r, err := read(params, func(r *mcp.SubscribeRequest) any { return &r.Params })
		return result(ctx, r, err, s.subscribe)
	case "resources/unsubscribe":
		r, err := read(params, func(r *mcp.UnsubscribeRequest) any { return &r.Params })
		if s.stop != nil {
			s.stop()
			return nil, nil
		}
		return result(ctx, r, err, empty(s.Unsubscribe))
	case "tasks/call":
		return s.startTask(ctx, params)
	case "tasks/get":
		r, err := read(params, func(r *mcp.GetTaskRequest) any { return &r.Params })
		return result(ctx, r, err, s.GetTask)
	case "tasks/result":
		r, err := read(params, func(r *mcp.TaskResultRequest) any { return &r.Params })
		return result(ctx, r, err, s.TaskResult)
	case "tasks/cancel":
		r, err := read(params, func(r *mcp.CancelTaskRequest) any { return &r.Params })
		return result(ctx, r, err, s.CancelTask)
	case "tasks/list":
		return s.ListTasks(ctx, mcp.ListTasksRequest{})
	case "notifications/roots/list_changed":
		s.answers.mu.Lock()
		s.answers.root = filepath.Join(s.answers.home, "deep")
		s.answers.mu.Unlock()
		return nil, s.RootListChanges(ctx)
	}
	return nil, fmt.Errorf("mcp-go: no request %q", method)
}

// startTask calls a tool as a task. CallTool takes the parameter and not the answer.
func (s *mcpGo) startTask(ctx context.Context, params json.RawMessage) (any, error) {
	answer, err := s.GetTransport().SendRequest(ctx, transport.JSONRPCRequest{
		JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(string(params)), Method: "tools/call", Params: params,
	})
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, answer.Error.AsError()
	}
	return answer.Result, nil
}

func (s *mcpGo) subscribe(ctx context.Context, r mcp.SubscribeRequest) (any, error) {
	if s.revision != modern {
		return nil, s.Subscribe(ctx, r)
	}
	var err error
	s.stop, err = s.ListenAsync(context.WithoutCancel(ctx), mcp.SubscriptionFilter{ResourceSubscriptions: []string{r.Params.URI}}, nil)
	return nil, err
}

// read is a request with the params.
func read[R any](params json.RawMessage, where func(*R) any) (R, error) {
	var r R
	err := json.Unmarshal(params, where(&r))
	return r, err
}

// result calls f, if the request could be read.
func result[R, T any](ctx context.Context, r R, err error, f func(context.Context, R) (T, error)) (any, error) {
	if err != nil {
		return nil, err
	}
	return f(ctx, r)
}

// empty is f, with an empty result.
func empty[R any](f func(context.Context, R) error) func(context.Context, R) (any, error) {
	return func(ctx context.Context, r R) (any, error) { return nil, f(ctx, r) }
}
