//go:build peers

package peers

// A server that offers more to clients that can be asked.

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// everythingAsks are the tools of server-everything for clients that can be asked.
var everythingAsks = []string{"get-roots-list", "trigger-elicitation-request", "trigger-sampling-request", "trigger-url-elicitation"}

func TestEverythingForClients(t *testing.T) {
	for name, transport := range map[string][]string{
		"stdio": {`command: ./bin/mcp-server-everything`, `args: [stdio]`},
		"http":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			m := bareModule(t, "everything")
			if transport == nil {
				p := startPeer(t, "server-everything", "streamableHttp")
				transport = []string{`url: ` + p.url("/mcp")}
			} else {
				m.link("mcp-server-everything")
			}
			offered := func(flags ...string) []string {
				var specs []struct{ Tool string }
				if err := json.Unmarshal([]byte(m.do(mcpgen, append([]string{"list", "--json"}, flags...)...)), &specs); err != nil {
					t.Fatal(err)
				}
				var names []string
				for _, s := range specs {
					names = append(names, s.Tool)
				}
				slices.Sort(names)
				return names
			}
			m.configure(transport...)
			m.do(mcpgen, "generate")
			few := offered()
			m.configure(append(transport, "client: {elicitation: true, sampling: true, roots: true}")...)
			m.do(mcpgen, "update")
			all := offered()
			if want := slices.Sorted(slices.Values(slices.Concat(few, everythingAsks))); !slices.Equal(all, want) {
				t.Fatalf("locked are %s, want %s", all, want)
			}
			t.Logf("%d tools for a client that declares nothing, %d for one that declares everything", len(few), len(all))
			if live := offered("--live"); !slices.Equal(live, all) {
				t.Errorf("it offers %s", live)
			}
			m.do(mcpgen, "check")
			m.do("go", "vet", "./internal/...")
			for tool, want := range map[string]string{"get-roots-list": "root", "trigger-elicitation-request": "declined"} {
				if got := m.do(mcpgen, "call", "everything/"+tool, "--args", "{}"); !strings.Contains(strings.ToLower(got), want) {
					t.Errorf("%s: %s", tool, got)
				}
			}
			m.configure(append(transport, "client: {elicitation: true, sampling: true}")...)
			if got := m.do(mcpgen, "check", "--all"); !strings.Contains(got, "not offered") || !strings.Contains(got, "get-roots-list") || !strings.Contains(got, "no drift") {
				t.Errorf("check without roots: %s", got)
			}
		})
	}
}
