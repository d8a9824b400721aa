//go:build !mcpgen_lean

package oauth

import (
	"io"
	"sync"

	"github.com/cli/browser"
)

// open starts the system's browser.
func open(page string) error {
	hush()
	return browser.OpenURL(page)
}

// hush keeps the output of browsers out of the program's output. The library has no
// other switch.
var hush = sync.OnceFunc(func() { browser.Stdout, browser.Stderr = io.Discard, io.Discard })
