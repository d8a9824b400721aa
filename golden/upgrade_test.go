package golden

// Who takes a newer mcpgen has code, a lock and snapshots of an older one. testdata/frozen
// holds those of each release, as freeze wrote them.

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// The code of a release builds with the runtime of today, and its calls work. Generated again
// from the release's lock, the names that it exports are still there.
func TestUpgradeCompiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/frozen/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no release is frozen: %v", err)
	}
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string][]byte{}
			for _, f := range archive.Files {
				files[f.Name] = f.Data
			}
			m := frozenModule(t)
			m.write(files)
			m.goes("test", "./...")
			m.write(regenerated(t, files, "cases"))
			m.write(regenerated(t, files, "surface"))
			m.goes("test", "./...")
		})
	}
}

// frozenModule returns the module of a user, without files.
func frozenModule(t *testing.T) userModule {
	t.Helper()
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m := userModule{t, t.TempDir()}
	m.write(map[string][]byte{
		"go.mod": fmt.Appendf(nil, "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => %s\n", filepath.ToSlash(checkout)),
		"go.sum": sums,
	})
	return m
}

type userModule struct {
	t   *testing.T
	dir string
}

func (m userModule) write(files map[string][]byte) {
	m.t.Helper()
	for name, data := range files {
		path := filepath.Join(m.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m userModule) goes(args ...string) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod -vet=off", "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		m.t.Errorf("go %s: what does not compile or work any more:\n%s", strings.Join(args, " "), text)
	}
}

// regenerated returns what is generated today from the lock and the snapshots of a folder.
func regenerated(t *testing.T, files map[string][]byte, folder string) map[string][]byte {
	t.Helper()
	lock, err := lockfile.ParseLock(files[folder+"/mcpgen.lock"])
	if err != nil {
		t.Fatal(err)
	}
	var servers []generator.Server
	for _, name := range slices.Sorted(maps.Keys(lock.Servers)) {
		snapshot, err := lockfile.ParseSnapshot(files[folder+"/"+name+"/snapshot.json"])
		if err != nil {
			t.Fatal(err)
		}
		if differ := lock.Servers[name].Verify(snapshot); len(differ) > 0 {
			t.Errorf("%s: the lock of the release does not fit its snapshot: %v", name, differ)
		}
		s := lockSnapshot(t, snapshot)
		s.Locked = lock.Servers[name]
		if name == "shop" {
			s.Types = shopTypes
		}
		servers = append(servers, s)
	}
	return goFiles(generateServers(t, "example.com/app", folder, servers...))
}
