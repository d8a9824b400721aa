// Permissions in files, and the agent that a manifest describes.

package dialect

import (
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Permissions are the rules of one file about who may call what.
type Permissions struct {
	Path        string
	Format      string        // name of the dialect
	Config      policy.Config // only mode, rules and secrets
	Allow, Deny []int         // the lines of its rules
	Notices     []*tree.Finding

	// Yolo says which setting of the file allows calls without a matching rule; "" if none does.
	Yolo string
}

// checkRule reports whether a text is a rule, or is about something other than MCP. Else it fails at the rule.
func checkRule(r *tree.Report, rule *tree.Node, at tree.Path) bool {
	_, err := policy.New(policy.Config{Allow: []string{rule.Text}, Foreign: true}, nil)
	if err != nil {
		r.FailErr(rule.Pos, at, policy.CheckRule(rule.Text))
	}
	return err == nil
}

// Manifest is the part of an agent's manifest that does not define servers.
type Manifest struct {
	Path    string // the file
	Name    string // of the agent; "" if it has none
	Version string // of the agent; "" if it has none

	// TrustLevel is untrusted, sandboxed, trusted or privileged; "" if the manifest has none. It has no
	// effect: the documentation of manifests does not define one, and Capabilities determines what an agent
	// may call.
	TrustLevel string

	Capabilities []string
	Secrets      []SecretPolicy
	Servers      []string // names of the servers that it defines, in file order

	Values      []Value      `json:"-"` // of the agent itself, with their places
	Permissions *Permissions `json:"-"` // its permissions that take effect
}

// SecretPolicy is one entry of a manifest's secret_policy. It allows the secrets that match its pattern
// to be resolved. A missing field is "", or 0 for no bound.
type SecretPolicy struct {
	Label         string `json:"label"`
	SecretPattern string `json:"secret_pattern"`
	ToolPattern   string `json:"tool_pattern"`
	HostPattern   string `json:"host_pattern,omitempty"`
	ExpiresAt     string `json:"expires_at,omitempty"`
	MaxUses       int    `json:"max_uses,omitempty"`
	AgentMatcher  string `json:"agent_matcher,omitempty"`
}

// Value is one scalar value with its place.
type Value struct {
	Key, Text string
	Position  tree.Position
}
