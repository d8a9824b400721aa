// What files say about permissions, and agents' manifests about the agent.

package dialect

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Permissions are what one file says about who may call what.
type Permissions struct {
	Path        string
	Format      string        // name of the dialect
	Config      policy.Config // mode, rules and secrets alone
	Allow, Deny []int         // the lines of its rules
	Notices     []*tree.Finding

	// Yolo says what in the file lets through what no rule speaks about; "" if
	// nothing does.
	Yolo string
}

// Manifest is what an agent's manifest says beside its servers.
type Manifest struct {
	Path    string // the file
	Name    string // of the agent; "" if it has none
	Version string // of the agent; "" if it has none

	// TrustLevel is untrusted, sandboxed, trusted or privileged; "" if the manifest
	// says nothing. It decides nothing: the documentation of manifests has the key
	// and does not say what it does, and what an agent may call is in Capabilities.
	TrustLevel string

	Capabilities []string
	Secrets      []SecretPolicy
	Servers      []string // names of the servers that it defines, in its order

	Values      []Value      `json:"-"` // of the agent itself, with their places
	Permissions *Permissions `json:"-"` // what counts of it
}

// SecretPolicy is one entry of a manifest's secret_policy: it lets the secrets of
// its pattern be resolved. A field that the entry has not is "", or 0 for no bound.
type SecretPolicy struct {
	Label         string `json:"label"`
	SecretPattern string `json:"secret_pattern"`
	ToolPattern   string `json:"tool_pattern"`
	HostPattern   string `json:"host_pattern,omitempty"`
	ExpiresAt     string `json:"expires_at,omitempty"`
	MaxUses       int    `json:"max_uses,omitempty"`
	AgentMatcher  string `json:"agent_matcher,omitempty"`
}

// Value is one plain value with its place.
type Value struct {
	Key, Text string
	Position  tree.Position
}
