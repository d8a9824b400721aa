//go:build mcpgen_lean

package tree

import "github.com/mcpgen/mcpgen/internal/hint"

// ParseTOML reports that this program cannot read TOML.
func ParseTOML(r *Report, _ []byte) *Node {
	r.FailErr(Pos{}, "", hint.LeftOut("TOML files"))
	return nil
}
