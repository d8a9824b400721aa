package gateway

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A subscription is that of its caller, with its claims and in its profile, in both eras.
func TestSubscribeAsCaller(t *testing.T) {
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	upstream.AddResource(&mcp.Resource{Name: "r", URI: "file:///r"}, nil)
	seen := make(chan string, 10)
	gate := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, r runtime.Request) (*runtime.Result, error) {
			if r.Method == protocol.MethodSubscribe {
				seen <- fmt.Sprint(r.Options.Caller, r.Options.Claims, r.Options.Profile)
				if r.Options.Profile == "small" {
					return nil, fmt.Errorf("outside of the profile: %w", runtime.ErrDenied)
				}
			}
			return next.Invoke(ctx, r)
		})
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{gate}}, &Options{HasProfile: func(string) bool { return true }},
		endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, handler)}})
	tokens, err := Tokens(map[string]string{"bob": strings.Repeat("b", minToken)})
	if err != nil {
		t.Fatal(err)
	}
	verify := tokens.verify
	tokens.verify = func(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
		info, err := verify(ctx, token, r)
		if err == nil {
			info.Extra = facts{claims: []string{"groups=devs"}}.extra()
		}
		return info, err
	}
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: tokens})
	for _, profile := range []string{"", "small"} {
		eachEra(t, func(t *testing.T, protocol string) {
			c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			transport := &mcp.StreamableClientTransport{Endpoint: strings.TrimSuffix(url+Path+"/"+profile, "/"), HTTPClient: &http.Client{Transport: withToken(strings.Repeat("b", minToken))}}
			session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			err = session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "mcpgen://s/file:///r"})
			if protocol == legacy && (err != nil) != (profile == "small") { // since 2026-07-28 the client does not wait for the answer
				t.Errorf("profile %q: %v", profile, err)
			}
			if got, want := <-seen, "bob[groups=devs]"+profile; got != want {
				t.Errorf("subscribed as %q, want %q", got, want)
			}
		})
	}
}
