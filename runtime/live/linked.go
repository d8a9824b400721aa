//go:build !mcpgen_lean

package live

import (
	"os"

	"golang.org/x/term"

	"github.com/mcpgen/mcpgen/runtime/attach/google"
	"github.com/mcpgen/mcpgen/runtime/policy/keyring"
)

var (
	googleAuth    = google.Auth
	keyringSource = keyring.Source
)

// attended reports whether a person uses this program's terminal.
func attended() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd()))
}
