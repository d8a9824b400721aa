// What servers say of their use.

package gateway

import (
	"io"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/agent"
)

// serversOnly writes the part of an agent's prompt that callers of a gateway need:
// what servers say of their use. It implements [agent.Template].
type serversOnly struct{}

// Execute implements [agent.Template].
func (serversOnly) Execute(w io.Writer, data any) error {
	var b strings.Builder
	if p, ok := data.(agent.Prompt); ok {
		for _, s := range p.Servers {
			if s.Instructions == "" && s.Description == "" {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString("## " + s.Name + "\n")
			if s.Description != "" {
				b.WriteString("\n" + s.Description + "\n")
			}
			if s.Instructions != "" {
				b.WriteString("\n" + s.Instructions + "\n")
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
