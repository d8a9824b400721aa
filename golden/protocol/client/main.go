// Command client is what the protocol's conformance suite drives: a small
// program on runtime/attach, as any user might write it. The suite starts it once
// per scenario, with the server's URL as the last argument.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/attach/oauth"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/runtime/skills"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/extension"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: client URL, with MCP_CONFORMANCE_SCENARIO set")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[1], os.Getenv("MCP_CONFORMANCE_SCENARIO")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// given is what the suite tells a scenario.
type given struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

func run(ctx context.Context, address, scenario string) error {
	var g given
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &g); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	launch := &endpoint.Address{URL: address, Transport: endpoint.HTTP}
	server := endpoint.Server{Name: "suite", Launch: launch, AllowEmpty: true}
	opts := &attach.Options{Input: input.Handlers{Elicit: elicit(scenario)}}
	if strings.HasPrefix(scenario, "auth/") {
		launch.Auth = authOf(scenario, &g)
		if launch.Auth.ClientSecret != "" {
			launch.Auth.Issuer = issuerOf(ctx, address)
		}
		if launch.Auth.ClientID == "" && launch.Auth.Kind == endpoint.AuthOAuth {
			launch.Auth.ClientID = "https://conformance-test.local/client-metadata.json"
		}
		opts.Auth = []attach.AuthFunc{oauth.New(oauth.Options{Flow: visitor{}})}
	}
	host, err := attach.Connect(ctx, []endpoint.Server{server}, opts)
	if err != nil {
		return err
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		return err
	}
	snap, _, err := host.Snapshot(ctx, server.Name, extension.Complete)
	if err != nil {
		return err
	}
	c := &caller{host: host}
	switch {
	case len(g.ToolCalls) > 0:
		for _, call := range g.ToolCalls {
			c.invoke(ctx, protocol.MethodCallTool, call.Name, call.Arguments)
		}
	case scenario == "json-schema-2020-12-preservation":
		c.echoSchema(ctx, snap.Tools)
	case slices.Contains([]string{"initialize", "request-metadata", "json-schema-ref-no-deref", "sep-2640-client-no-prefetch"}, scenario):
	case strings.HasPrefix(scenario, "sep-2640-"):
		c.skills(ctx, snap)
	default:
		c.everything(ctx, snap, arguments(scenario))
	}
	if strings.HasPrefix(scenario, "auth/") {
		return c.err
	}
	if c.err != nil {
		fmt.Fprintln(os.Stderr, c.err) // many scenarios are about calls that fail
	}
	return nil
}

// caller calls what a server offers.
type caller struct {
	host *attach.Host
	err  error
}

func (c *caller) invoke(ctx context.Context, method, name string, args json.RawMessage) {
	_, err := c.host.Invoke(ctx, runtime.Request{Server: "suite", Method: method, Name: name, Args: args})
	c.err = errors.Join(c.err, err)
}

func (c *caller) everything(ctx context.Context, snap *schema.Snapshot, args json.RawMessage) {
	for _, t := range snap.Tools {
		c.invoke(ctx, protocol.MethodCallTool, t.Name, args)
	}
	for _, r := range snap.Resources {
		c.invoke(ctx, protocol.MethodReadResource, r.Name, nil)
	}
	for _, p := range snap.Prompts {
		c.invoke(ctx, protocol.MethodGetPrompt, p.Name, json.RawMessage(`{}`))
	}
}

// skills reads all files of all skills as if what is listed was locked.
func (c *caller) skills(ctx context.Context, snap *schema.Snapshot) {
	set, err := skills.New(c.host, codec.NewManifest(snap.Server, string(lockfile.EncodeSnapshot(snap))))
	if err != nil {
		c.err = errors.Join(c.err, err)
		return
	}
	for _, s := range set.All() {
		skill, err := set.ReadSkill(ctx, s.Server, s.URI)
		if err != nil {
			c.err = errors.Join(c.err, err)
			continue
		}
		for _, f := range s.Files {
			if path := strings.TrimPrefix(f.URI, s.Root()); f.URI != s.URI {
				_, err = skill.ReadFile(ctx, path)
				c.err = errors.Join(c.err, err)
			}
		}
	}
}

// echoSchema sends a tool's schema back as it came.
func (c *caller) echoSchema(ctx context.Context, tools []schema.Item) {
	for _, t := range tools {
		var m struct {
			Schema json.RawMessage `json:"inputSchema"`
		}
		if t.Name == "json_schema_2020_12_tool" && json.Unmarshal(t.Raw, &m) == nil {
			c.invoke(ctx, protocol.MethodCallTool, "json_schema_echo", json.RawMessage(`{"schema":`+string(m.Schema)+`}`))
		}
	}
}

// arguments are what a scenario's tools want.
func arguments(scenario string) json.RawMessage {
	switch scenario {
	case "tools_call":
		return json.RawMessage(`{"a":5,"b":3}`)
	case "http-invalid-tool-headers":
		return json.RawMessage(`{"region":"us-west1"}`)
	}
	return json.RawMessage(`{}`)
}

// elicit accepts every form: as it is, with its defaults, or with the one value
// that a scenario asks for.
func elicit(scenario string) input.ElicitFunc {
	return func(context.Context, string, input.ElicitRequest) (input.ElicitResult, error) {
		content := map[string]any{}
		if scenario == "sep-2322-client-request-state" {
			content["confirmed"] = true
		}
		return input.ElicitResult{Action: input.ElicitAccept, Content: content}, nil
	}
}

func authOf(scenario string, g *given) endpoint.Auth {
	a := endpoint.Auth{Kind: endpoint.AuthOAuth, ClientID: g.ClientID, ClientSecret: g.ClientSecret}
	if strings.HasPrefix(scenario, "auth/client-credentials") {
		a.Kind = endpoint.AuthClientCredentials
	}
	return a
}

// issuerOf returns the authorization server that a server names. The suite says
// nowhere else which one its clients are registered with: a person would write
// down theirs.
func issuerOf(ctx context.Context, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	const known = "/.well-known/oauth-protected-resource"
	for _, path := range []string{known + u.Path, known} {
		at := url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
		if err != nil {
			return ""
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return ""
		}
		var m struct {
			Servers []string `json:"authorization_servers"`
		}
		err = json.NewDecoder(resp.Body).Decode(&m)
		_ = resp.Body.Close()
		if err == nil && len(m.Servers) > 0 {
			return m.Servers[0]
		}
	}
	return ""
}

// visitor is a person who signs in at once: the suite's authorization servers
// redirect without asking.
type visitor struct{}

// Begin implements [oauth.Flow].
func (visitor) Begin(context.Context, oauth.Request) (oauth.Login, error) { return visitor{}, nil }

// RedirectURL implements [oauth.Login].
func (visitor) RedirectURL() string { return "http://localhost:3000/callback" }

// Close implements [oauth.Login].
func (visitor) Close() error { return nil }

// Authorize implements [oauth.Login].
func (visitor) Authorize(ctx context.Context, page string) (url.Values, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		return nil, err
	}
	return back.Query(), nil
}
