// Where the servers of a project come from.

package config

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// Definition is one server as one file defines it, whether it has an effect or not. Server holds the
// definition and its place. Left is the reason why it has no effect, such as "disabled".
type Definition = dialect.Row

// Manifest is the part of an agent manifest that does not define servers. It is plain data: capabilities
// and secret policies take effect through [Project.Policy], and the rest is only shown.
type Manifest = dialect.Manifest

// Agent returns the manifest in the file that defines the server. It is nil if that file is not a
// manifest, or if there is no such server.
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
	Server string `json:"server,omitempty"` // the server that the setting is about; "" means none
	Value  string `json:"value"`            // as written; asterisks for a secret
	Path   string `json:"path,omitempty"`   // the file; "" is a default
	From   string `json:"from,omitempty"`   // the format whose default it is; "" is mcpgen's own
	Line   int    `json:"line,omitempty"`   // 1-based
	Column int    `json:"column,omitempty"` // 1-based, in characters
	Masked bool   `json:"masked,omitempty"` // the value is hidden
}

// maskText replaces a value that is not shown.
const maskText = "********"
