package golden

// Who takes a newer mcpgen generates again and builds: what was written against the
// code of the version before compiles as it is.

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// changedTypes are the uses of generated code that compiled before and do not now, by
// what CHANGELOG says: a list or a map that is required and may be null is no pointer
// any more, since nil is null.
var changedTypes = []string{
	"types: cannot use f (variable of type *[]string) as []string value in assignment",
	"types: cannot use v.Members (variable of type []string) as *[]string value in assignment",
	"types: cannot use f (variable of type *map[string]int) as map[string]int value in assignment",
	"types: cannot use v.Quotas (variable of type map[string]int) as *map[string]int value in assignment",
}

// testdata/compat/v2/consumers uses all that the packages of some servers exported when
// each nested type had the name of its place alone: every name, and every field in both
// directions. Golden/freeze wrote it.
func TestUpgradeCompiles(t *testing.T) {
	consumers, err := filepath.Glob("testdata/compat/v2/consumers/*.go")
	if err != nil || len(consumers) == 0 {
		t.Fatalf("no consumers: %v", err)
	}
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
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
	write("go.mod", []byte("module example.com/app\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+filepath.ToSlash(checkout)+"\n"))
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", sums)
	var servers []generator.Server
	for _, path := range consumers {
		name := strings.TrimSuffix(filepath.Base(path), ".go")
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write("uses/"+name+"/"+name+".go", source)
		listing := "corpus/servers/" + name + ".json"
		if name == "types" {
			listing = "testdata/types.json"
		}
		s := lockSnapshot(t, readListing(t, listing).snapshot(t, name))
		s.Locked = withoutShapes(s.Locked)
		servers = append(servers, s)
	}
	for path, data := range goFiles(generateServers(t, "example.com/app", "mcp", servers...)) {
		if !strings.HasSuffix(path, "test.go") { // fakes link a validator
			write(path, data)
		}
	}
	for _, s := range servers {
		write("mcp/"+s.Name+"/snapshot.json", lockfile.EncodeSnapshot(s.Snapshot))
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-gcflags=-e", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
	text, _ := cmd.CombinedOutput() // it fails, and what it says is compared
	var got []string
	for line := range strings.Lines(string(text)) {
		if m := regexp.MustCompile(`^uses/(\w+)/\w+\.go:\d+:\d+: (.*)\n$`).FindStringSubmatch(line); m != nil {
			got = append(got, m[1]+": "+m[2])
		} else if !strings.HasPrefix(line, "# example.com/app/uses/types") {
			t.Errorf("%s", line)
		}
	}
	if diff := cmp.Diff(changedTypes, got); diff != "" {
		t.Errorf("what does not compile any more (-known +got):\n%s", diff)
	}
}

// withoutShapes is a lock as it was before types had short names.
func withoutShapes(locked *lockfile.LockedServer) *lockfile.LockedServer {
	out := *locked
	out.Tools = map[string]lockfile.LockedItem{}
	for name, item := range locked.Tools {
		names := map[string]string{}
		for place, given := range item.Names {
			if !slices.Contains(strings.Split(place, "/"), "shape") {
				names[place] = given
			}
		}
		item.Names = names
		out.Tools[name] = item
	}
	return &out
}
