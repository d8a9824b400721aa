//go:build mcpgen_lean

package oauth

import "github.com/mcpgen/mcpgen/internal/hint"

func open(string) error {
	return hint.LeftOut("the browser", "set the field Open of the sign-in options")
}
