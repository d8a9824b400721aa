//go:build peers

package systems

import (
	"path/filepath"
	"testing"
)

// TestPublished runs the scripts in which npx starts the packages that make
// test-peers installs.
func TestPublished(t *testing.T) {
	installed, err := filepath.Abs(filepath.Join("..", "..", "bin", "peers"))
	if err != nil {
		t.Fatal(err)
	}
	runScripts(t, "peers", map[string]string{installedVar: installed})
}
