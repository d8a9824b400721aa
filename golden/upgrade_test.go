package golden

// Who takes a newer mcpgen generates again and builds: what was written against the
// code of a version before compiles, once the names that moved are those of today.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// A program that uses all that the packages of some servers export, every name, and every
// field in both directions, builds with what is generated for the same surfaces. Freeze
// writes such programs: here of the packages as they are committed. Those of releases are
// kept from the first one on.
func TestUpgradeCompiles(t *testing.T) {
	root := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", []byte("module example.com/app\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+filepath.ToSlash(checkout)+"\n"))
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", sums)
	var servers []generator.Server
	for _, name := range []string{"everything", "offers"} {
		source, err := exec.CommandContext(t.Context(), "go", "run", "./freeze", thisFolder+"/surface/"+name).Output()
		if err != nil {
			t.Fatalf("freeze: %v", err)
		}
		write("uses/"+name+"/"+name+".go", []byte(strings.ReplaceAll(string(source), thisFolder+"/surface/", "example.com/app/mcp/")))
		servers = append(servers, lockSnapshot(t, readOffer(t, name)))
		write("mcp/"+name+"/snapshot.json", lockfile.EncodeSnapshot(servers[len(servers)-1].Snapshot))
	}
	for path, data := range goFiles(generateServers(t, "example.com/app", "mcp", servers...)) {
		if !strings.HasSuffix(path, "test.go") { // fakes link a validator
			write(path, data)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-gcflags=-e", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("what does not compile any more:\n%s", text)
	}
}
