// What a project knows about where its servers come from.

package config

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// Definition is one server as one file defines it, whether it counts or not. Server says
// what is defined and where, Left why it does not count, such as "disabled".
type Definition = dialect.Row

// Manifest is what an agent manifest says beside its servers. It is plain data:
// capabilities and secret policies count by way of [Project.Policy], and the rest is
// shown.
type Manifest = dialect.Manifest

// Agent is the manifest of the agent that a server belongs to: that of the file
// which defines the server. Nil: the file is not a manifest, or there is no such server.
func (p *Project) Agent(server string) *Manifest {
	for _, s := range p.Servers {
		if s.Name != server {
			continue
		}
		for i := range p.Manifests {
			if p.Manifests[i].Path == s.Source.Path {
				return &p.Manifests[i]
			}
		}
	}
	return nil
}

// Setting is one value of a configuration after imports and merging.
type Setting struct {
	Key    string `json:"key"`              // servers.github.command
	Server string `json:"server,omitempty"` // the server that it is about; "" means none
	Value  string `json:"value"`            // as it is written; a secret is Mask
	Path   string `json:"path,omitempty"`   // the file; "" is a default
	From   string `json:"from,omitempty"`   // the format whose default it is; "" is mcpgen's
	Line   int    `json:"line,omitempty"`   // 1-based
	Column int    `json:"column,omitempty"` // 1-based, in characters
	Masked bool   `json:"masked,omitempty"` // the value is not shown
}

// Mask stands for a value that is not shown.
const Mask = "********"
