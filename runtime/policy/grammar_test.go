package policy_test

import (
	"context"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// asked is a prompter that says always, and keeps what it was asked.
type asked struct{ rule string }

func (a *asked) Ask(_ context.Context, q policy.Question) (policy.Answer, error) {
	a.rule = q.Rule
	return policy.Answer{Decision: policy.Always}, nil
}

// Questions and denials name rules as the system writes them, and what a question grants is
// that rule: no more than the tool that was asked about, where the system can say so.
func TestRulesAsTheSystemWritesThem(t *testing.T) {
	for grammar, want := range map[policy.Grammar]string{
		"": "tool:my-fs/write_file", policy.GrammarCoreAgent: "mcp:my_fs_write_file", policy.GrammarCovenant: "tool.call.write_file",
		policy.GrammarScarab: "tool.invoke:mcp.my-fs.write_file",
	} {
		a := &asked{}
		p, err := policy.New(policy.Config{Mode: policy.Ask, Grammar: grammar, Servers: []string{"my-fs"}}, &policy.Options{Prompter: a})
		if err != nil {
			t.Fatal(err)
		}
		req := runtime.Request{Server: "my-fs", Method: protocol.MethodCallTool, Name: "write_file"}
		if err := p.Check(t.Context(), req); err != nil || a.rule != want {
			t.Errorf("%s: asked about %q, want %q; %v", grammar, a.rule, want, err)
		}
		if !p.Allows(req) || p.Allows(runtime.Request{Server: "my-fs", Method: protocol.MethodCallTool, Name: "write_file_2"}) {
			t.Errorf("%s: the answer allows another call", grammar)
		}
		prompt := runtime.Request{Server: "my-fs", Method: protocol.MethodGetPrompt, Name: "p"}
		if err := p.Check(t.Context(), prompt); err != nil || a.rule != "prompt:my-fs/p" {
			t.Errorf("%s: of a prompt: %q, %v", grammar, a.rule, err)
		}
	}
}
