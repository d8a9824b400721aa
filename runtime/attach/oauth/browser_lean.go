//go:build mcpgen_lean

package oauth

import "github.com/mcpgen/mcpgen/internal/hint"

func open(string) error { return hint.LeftOut("the browser", "set Open of the options") }
