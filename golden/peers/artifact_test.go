//go:build peers

package peers

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TestArtifact locks a server that the real npx installs, and wants the version and
// the integrity that npm's lock of this folder pins.
func TestArtifact(t *testing.T) {
	t.Parallel()
	const name = "@modelcontextprotocol/server-memory"
	var pinned struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := json.Unmarshal([]byte(read(t, "package-lock.json")), &pinned); err != nil {
		t.Fatal(err)
	}
	want := pinned.Packages["node_modules/"+name]
	m := newModule(t, "memory")
	m.configure(`command: npx`, `args: [-y, "`+name+`"]`, `inherit_env: all`, `timeout: {start: 5m}`, `env: {npm_config_cache: `+quote(t.TempDir())+`}`)
	m.do(mcpgen, "--timeout", "5m", "generate")
	lock, err := lockfile.ParseLock([]byte(read(t, filepath.Join(m.dir, "mcpgen.lock"))))
	if err != nil {
		t.Fatal(err)
	}
	got := lock.Servers["memory"].Artifact
	if got.Kind != lockfile.ArtifactNPM || got.Name != name || !strings.HasPrefix(got.Integrity, "sha512-") ||
		got.Version == want.Version && got.Integrity != want.Integrity {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
