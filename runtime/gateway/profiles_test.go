package gateway

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// A profile for some callers answers others with 403, in sessions too, and says how to allow
// them to the operator alone, once.
func TestProfilesForSomeCallers(t *testing.T) {
	of := policy.Profile{Callers: []policy.CallerMatch{{Caller: "ci"}}}
	var log lockedBuffer
	g := openGateway(t, nil, &Options{
		HasProfile: func(string) bool { return true }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		AllowsProfile: func(name, caller string, claims []string) bool {
			return name != "review" || of.IsFor(caller, claims...)
		},
	}, processServer(t, "s", "exact"))
	auth, err := Tokens(map[string]string{"ci": strings.Repeat("c", minToken), "eve": strings.Repeat("e", minToken)})
	if err != nil {
		t.Fatal(err)
	}
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	session := begun(t, url+Path+"/open", strings.Repeat("e", minToken))
	for range 2 {
		for _, c := range []struct {
			path, token, session string
			status               int
		}{
			{"/review", "c", "", http.StatusOK}, {"/open", "e", "", http.StatusOK}, {"", "e", "", http.StatusOK},
			{"/review", "e", "", http.StatusForbidden}, {"/review", "e", session, http.StatusForbidden}, {"/review", "x", "", http.StatusUnauthorized},
		} {
			status, got, _ := postJSON(t, url+Path+c.path, initialize, "Authorization", "Bearer "+strings.Repeat(c.token, minToken), "Mcp-Session-Id", c.session)
			if status != c.status || status == http.StatusForbidden && strings.Contains(got, "mcpgen.yaml") {
				t.Errorf("%+v: %d %s", c, status, got)
			}
		}
	}
	if said := log.String(); strings.Count(said, "profiles.review.callers in mcpgen.yaml") != 1 || !strings.Contains(said, "eve") {
		t.Errorf("the log says %s", said)
	}
}

// Each address of a gateway is one profile: listings, instructions, search and calls
// are those of the profile, for callers of both eras and at the same time.
func TestAddressesOfProfiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(`{"instructions":"Use it well.","tools":[{"name":"read","inputSchema":{"type":"object"}},{"name":"write","inputSchema":{"type":"object"}}],
		"prompts":[{"name":"review"}],"resources":[{"uri":"file:///a","name":"a"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := policy.New(policy.Config{Mode: policy.Yolo, Profiles: map[string]policy.Profile{
		"review": {Include: []string{"tool:s/read", "prompt:s/*"}}, "write": {Exclude: []string{"tool:s/read", "prompt:*/*"}}, "none": {Servers: []string{}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool { return name == "review" || name == "write" || name == "none" }
	host := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{gate.Middleware()}}, nil, processServer(t, "s", "replay", file)).host
	open := func(search bool) string {
		g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Shows: gate.Shows}), HasProfile: has, Search: search})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = g.Close() })
		url, _ := serveHTTP(t, g, nil)
		return url + Path
	}
	url := open(false)
	ask := func(address, method, name string) string {
		t.Helper()
		body, header := modernCall(name, `{}`)
		header[3] = method
		if method != "tools/call" {
			header = header[:4]
		}
		// No header of a caller chooses a profile.
		status, got, _ := postJSON(t, address, strings.Replace(body, "tools/call", method, 1), append(header, "Mcpgen-Profile", "write", "Profile", "write")...)
		if (status != http.StatusOK) != strings.Contains(got, "unknown tool") {
			t.Errorf("%s %s: %d %s", address, method, status, got)
		}
		return got
	}
	checkContains(t, ask(url, "tools/list", ""), `"s__read"`, `"s__write"`)
	checkContains(t, ask(url+"/review", "tools/list", ""), `"s__read"`)
	checkLacks(t, ask(url+"/review", "tools/list", ""), `"s__write"`)
	checkContains(t, ask(url+"/review", "prompts/list", ""), `"s__review"`)
	checkLacks(t, ask(url+"/review", "resources/list", ""), `file:///a`)
	checkContains(t, ask(url+"/review", "server/discover", ""), "Use it well.")
	checkContains(t, ask(url+"/write", "tools/list", ""), `"s__write"`)
	checkLacks(t, ask(url+"/write", "tools/list", ""), `"s__read"`)
	checkLacks(t, ask(url+"/write", "prompts/list", ""), `"s__review"`)
	checkContains(t, ask(url+"/write", "resources/list", ""), `file:///a`)
	checkLacks(t, ask(url+"/none", "server/discover", ""), "Use it well.")
	checkContains(t, ask(url+"/review", "tools/call", "s__write"), "unknown tool s__write")
	checkLacks(t, ask(url+"/review", "tools/call", "s__read"), "unknown")
	checkContains(t, ask(url+"/write", "tools/call", "s__read"), "unknown tool s__read")
	checkLacks(t, ask(url+"/write", "tools/call", "s__write"), "unknown")
	if status, got, _ := postJSON(t, url+"/absent", `{"jsonrpc":"2.0","id":1,"method":"ping"}`); status != http.StatusNotFound {
		t.Errorf("a profile that is not configured: %d %s", status, got)
	}
	found := open(true) + "/review"
	body, header := modernCall("find_tools", `{"query":""}`)
	if _, got, _ := postJSON(t, found, body, header...); strings.Contains(got, "s__write") || !strings.Contains(got, "s__read") {
		t.Errorf("found %s", got)
	}
	// Two sessions at the same time, each of which sees its own.
	sessions := map[string]*mcp.ClientSession{}
	for _, name := range []string{"review", "write"} {
		c := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
		s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + "/" + name}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		sessions[name] = s
	}
	for name, want := range map[string]string{"review": "s__read", "write": "s__write"} {
		tools, err := sessions[name].ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != want {
			t.Errorf("%s: %v, %v", name, tools, err)
		}
		for tool, allowed := range map[string]bool{"s__read": name == "review", "s__write": name == "write"} {
			res, err := sessions[name].CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
			if unknown := err != nil && strings.Contains(err.Error(), "unknown tool"); unknown == allowed {
				t.Errorf("%s calls %s: %v, %v", name, tool, res, err)
			}
		}
	}
}
