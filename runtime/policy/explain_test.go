package policy_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A rule that is proposed allows the tool, and where its grammar can, that tool
// alone; a name that a grammar cannot write has no rule in it.
func TestRuleFor(t *testing.T) {
	servers := []string{"fs", "fs_a", "my.server"}
	for _, tt := range []struct {
		g            policy.Grammar
		server, tool string
		want         string
	}{
		{policy.GrammarOwn, "fs", "read", "tool:fs/read"},
		{policy.GrammarOwn, "fs", "a*", `tool:fs/a\*`},
		{policy.GrammarScarab, "fs", "read", "tool.invoke:mcp.fs.read"},
		{policy.GrammarScarab, "my.server", "a.b", "tool.invoke:mcp.my.server.a.b"},
		{policy.GrammarScarab, "fs", "a*", ""},
		{policy.GrammarScarab, "fs", "a..b", ""},
		{policy.GrammarCoreAgent, "my.server", "read", "mcp:my_server_read"},
		{policy.GrammarCoreAgent, "fs", "a_read", ""}, // it would be read as fs_a's
		{policy.GrammarCovenant, "fs", "read", "tool.call.read"},
	} {
		got := policy.RuleFor(tt.g, runtime.Request{Server: tt.server, Method: protocol.MethodCallTool, Name: tt.tool}, servers)
		if got != tt.want {
			t.Errorf("%s of %s/%s: %q, want %q", tt.g, tt.server, tt.tool, got, tt.want)
		}
		if got == "" {
			continue
		}
		p, err := policy.New(policy.Config{Deny: []string{"tool:fs/none"}, Allow: []string{"tool:x/y", got}, Servers: servers}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := p.Explain(runtime.Request{Server: tt.server, Method: protocol.MethodCallTool, Name: tt.tool})
		if !e.Allowed || e.Rule != got || e.Place != (policy.Place{List: "allow", Index: 1}) {
			t.Errorf("%s: %+v", got, e)
		}
	}
}

// Prompts and resources have rules in the own grammar alone, and what is neither
// has none.
func TestRuleForOtherItems(t *testing.T) {
	for _, tt := range []struct {
		g            policy.Grammar
		method, name string
		want         string
	}{
		{policy.GrammarOwn, protocol.MethodGetPrompt, "review", "prompt:fs/review"},
		{policy.GrammarOwn, protocol.MethodReadResource, "file:///a*.txt", `resource:fs/file:///a\*.txt`},
		{policy.GrammarScarab, protocol.MethodGetPrompt, "review", ""},
		{policy.GrammarCovenant, protocol.MethodReadResource, "file:///a.txt", ""},
		{policy.GrammarOwn, "tools/list", "", ""},
	} {
		if got := policy.RuleFor(tt.g, runtime.Request{Server: "fs", Method: tt.method, Name: tt.name}, []string{"fs"}); got != tt.want {
			t.Errorf("%s of %s %q: %q, want %q", tt.g, tt.method, tt.name, got, tt.want)
		}
	}
}
