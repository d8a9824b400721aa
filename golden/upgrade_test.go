package golden

// Who takes a newer mcpgen generates again and builds: what was written against the
// code of a version before compiles, once the names that moved are those of today.

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

// changedTypes are the uses of generated code that compiled at version 2 and do not now,
// by what CHANGELOG says: a list or a map that is required and may be null is not a pointer
// any more, since nil is null.
var changedTypes = []string{
	"types: cannot use f (variable of type *[]string) as []string value in assignment",
	"types: cannot use v.Members (variable of type []string) as *[]string value in assignment",
	"types: cannot use f (variable of type *map[string]int) as map[string]int value in assignment",
	"types: cannot use v.Quotas (variable of type map[string]int) as *map[string]int value in assignment",
}

// The consumers of testdata/compat use all that the packages of some servers exported:
// every name, and every field in both directions. Golden/freeze wrote them. At v2 each
// nested type had the name of its place alone.
func TestUpgradeCompiles(t *testing.T) {
	t.Run("v2", func(t *testing.T) {
		checkUpgrade(t, "v2", changedTypes, func(name string) generator.Server {
			listing := "corpus/servers/" + name + ".json"
			if name == "types" {
				listing = "testdata/types.json"
			}
			s := lockSnapshot(t, readListing(t, listing).snapshot(t, name))
			s.Locked = withoutShapes(s.Locked)
			return s
		})
	})
	t.Run("v3", func(t *testing.T) {
		checkUpgrade(t, "v3", nil, func(name string) generator.Server {
			if name == "types" {
				return lockSnapshot(t, readListing(t, "testdata/types.json").snapshot(t, name))
			}
			return lockSnapshot(t, readOffer(t, name))
		})
	})
}

// checkUpgrade generates for the servers of the consumers of a version, and builds those
// with it. Known is what the compiler says.
func checkUpgrade(t *testing.T, version string, known []string, lock func(name string) generator.Server) {
	consumers, err := filepath.Glob("testdata/compat/" + version + "/consumers/*.go")
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
		write("uses/"+name+"/"+name+".go", withMovedNames(source))
		servers = append(servers, lock(name))
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
	if diff := cmp.Diff(known, got); diff != "" {
		t.Errorf("what does not compile any more (-known +got):\n%s", diff)
	}
}

// movedNames are the names of package runtime that users of generated code wrote and that
// are in a package below it now, by that package's name.
func movedNames() map[string][]string {
	return map[string][]string{
		"codec": {
			"DateTime", "DateTimeOf", "Date", "DateOf", "URI", "URIOf", "UUID", "UUIDOf", "Base64", "Base64Of",
			"Task", "CompleteArgs", "Completion", "Manifest", "NewManifest", "ItemRef", "Lenient", "OnUnread",
		},
		"protocol": {
			"MethodCallTool", "MethodGetPrompt", "MethodReadResource", "MethodComplete", "MethodSubscribe",
			"MethodGetTask", "MethodAwaitTask", "MethodUpdateTask", "MethodCancelTask",
			"ContentText", "ContentImage", "ContentAudio", "ContentResource", "ContentLink", "ContentJSON",
		},
	}
}

// withMovedNames is a program with the names of package runtime that have moved as they
// are now.
func withMovedNames(source []byte) []byte {
	text := string(source)
	for to, names := range movedNames() {
		moved := regexp.MustCompile(`\bruntime\.(`+strings.Join(names, "|")+`)\b`).ReplaceAllString(text, to+".$1")
		if moved != text {
			text = strings.Replace(moved, "import (\n", "import (\n\t\"github.com/mcpgen/mcpgen/runtime/"+to+"\"\n", 1)
		}
	}
	return []byte(text)
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
