package live_test

// Programs run the bytes that were locked, and no others.

import (
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/npmregistry"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Another registry, chosen by .npmrc alone, does not get its bytes run; with the locked
// ones a launch that names no version runs the locked version, although there is a newer one.
func TestOtherBytes(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil || goruntime.GOOS == "windows" {
		t.Skip("npm is not installed, or keeps its cache elsewhere")
	}
	good, newer, evil := npmregistry.Server("fetched", "1.0.0", "good"), npmregistry.Server("fetched", "1.1.0", "newer"), npmregistry.Server("fetched", "1.0.0", "evil")
	first, second := httptest.NewServer(npmregistry.Handler(good, newer)), httptest.NewServer(npmregistry.Handler(evil))
	defer first.Close()
	defer second.Close()
	work := enterProject(t, map[string]string{
		"mcpgen.yaml": "version: 1\nservers:\n  a: {command: npx, args: [-y, fetched], env: {RAN: ran.txt}}\n",
		".npmrc":      "registry=" + second.URL + "/\n", "package.json": "{}",
	})
	t.Setenv("HOME", filepath.Join(work, "home"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(work, "home", "cache"))
	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	locked, err := lockfile.LockSnapshot(&schema.Snapshot{Server: "a"})
	if err != nil {
		t.Fatal(err)
	}
	locked.Launch = config.LockLaunch(p.Servers[0], p.Dir)
	locked.Artifact = lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "fetched", Version: "1.0.0", Integrity: good.Integrity()}
	lock := lockfile.NewLock()
	lock.Servers["a"] = locked
	if err := os.WriteFile("mcpgen.lock", lock.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	host, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	m, ok := errors.AsType[*artifact.MismatchError](host.Err())
	failed, _ := errors.AsType[*attach.ServerError](host.Err())
	if !ok || m.Now.Integrity != evil.Integrity() || failed.Stage != stage.Start || !strings.Contains(host.Err().Error(), "the server is not started") {
		t.Errorf("got %v", host.Err())
	}
	if _, err := callTool(t, host, "a", "evil"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat("ran.txt"); err == nil {
		t.Error("the server was started, want no process")
	}
	if err := os.WriteFile(".npmrc", []byte("registry="+first.URL+"/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got, err := callTool(t, again, "a", "good"); err != nil || got.Text() != "good 1.0.0" {
		t.Errorf("got %v, %v, %v", got, err, again.Err())
	}
	if ran := again.Runs(p.Servers[0]); ran != locked.Artifact {
		t.Errorf("it runs %+v", ran)
	}
}
