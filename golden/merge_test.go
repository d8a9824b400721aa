package golden

// Two branches that update different tools of one server merge in git without a
// conflict, and the merge is what mcpgen would generate from it.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// changeTool gives one tool another description and one more argument.
func changeTool(t *testing.T, s *schema.Snapshot, name string) *schema.Snapshot {
	t.Helper()
	out := *s
	out.Tools = nil
	changed := false
	for _, it := range s.Tools {
		if it.Name == name {
			raw := bytes.Replace(it.Raw, []byte(`"properties": {`), []byte(`"properties": {"added_`+name+`": {"type": "string", "enum": ["one", "two", "`+name+`"]},`), 1)
			raw = bytes.Replace(raw, []byte("]},}"), []byte("]}}"), 1) // it had no properties
			raw = bytes.Replace(raw, []byte(`"description": "`), []byte(`"description": "Changed. `), 1)
			changed = !bytes.Equal(raw, it.Raw)
			it.Raw = raw
		}
		out.Tools = append(out.Tools, it)
	}
	if !changed {
		t.Fatalf("%s was not changed", name)
	}
	return &out
}

func TestBranchesMerge(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base := readListing(t, "corpus/servers/filesystem.json").snapshot(t, "filesystem")
	base.Sort()
	var names []string
	for _, it := range base.Tools {
		names = append(names, it.Name)
	}
	for i := 1; i < len(names); i++ { // neighbours are the hardest
		t.Run(names[i-1]+" and "+names[i], func(t *testing.T) {
			files := func(s *schema.Snapshot) map[string][]byte {
				server := lockSnapshot(t, s)
				out := map[string][]byte{}
				for _, f := range append(generateServers(t, "example.com", "mcp", server).Files, project.LockFile("mcpgen.lock", server)) {
					out[f.Path] = f.Data
				}
				return out
			}
			ours := changeTool(t, base, names[i-1])
			before, a, b := files(base), files(ours), files(changeTool(t, base, names[i]))
			both := files(changeTool(t, ours, names[i]))
			for name := range before {
				merged := mergeFile(t, name, before[name], a[name], b[name])
				if !bytes.Equal(merged, both[name]) {
					t.Errorf("%s: the merge is not what is generated from it", name)
				}
			}
		})
	}
}

func mergeFile(t *testing.T, name string, base, ours, theirs []byte) []byte {
	t.Helper()
	if bytes.Equal(base, theirs) {
		return ours
	}
	dir := t.TempDir()
	for file, data := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "merge-file", "-p", "ours", "base", "theirs")
	cmd.Dir = dir
	merged, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: conflict: %v\n%s", name, err, merged)
	}
	return merged
}

// Two branches that give one short name to different types merge in git, and generate gives
// the second of these types another name.
func TestBranchesGiveOneName(t *testing.T) {
	base := readListing(t, "corpus/servers/filesystem.json").snapshot(t, "filesystem")
	base.Sort()
	first, second := base.Tools[0].Name, base.Tools[2].Name
	withPace := func(s *schema.Snapshot, tool, values string) *schema.Snapshot {
		out := *s
		out.Tools = nil
		for _, it := range s.Tools {
			if it.Name == tool {
				it.Raw = bytes.Replace(it.Raw, []byte(`"properties": {`), []byte(`"properties": {"pace": {"enum": `+values+`},`), 1)
			}
			out.Tools = append(out.Tools, it)
		}
		return &out
	}
	before := lockSnapshot(t, base)
	branch := func(s *schema.Snapshot) generator.Server {
		server, err := project.Update(before, s)
		if err != nil {
			t.Fatal(err)
		}
		return server
	}
	a, b := withPace(base, first, `["fast", "slow"]`), withPace(base, second, `["on", "off"]`)
	name := "mcpgen.lock"
	text := func(s generator.Server) []byte { return project.LockFile(name, s).Data }
	merged := mergeFile(t, name, text(before), text(branch(a)), text(branch(b)))
	lock, err := lockfile.ParseLock(merged)
	if err != nil {
		t.Fatal(err)
	}
	both := branch(withPace(a, second, `["on", "off"]`))
	both.Locked = lock.Servers["filesystem"]
	o := generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []generator.Server{both}}
	out, err := generator.Generate(t.Context(), o)
	if err != nil || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0].Reason, "two branches gave the name Pace to different types") {
		t.Fatalf("got %v, %v", out.Warnings, err)
	}
	o.Servers[0].Locked = generator.LockShapes("filesystem", both.Locked, out.Shapes)
	after, err := generator.Generate(t.Context(), o)
	if err != nil || len(after.Warnings)+len(after.Shapes) > 0 {
		t.Errorf("with its lock: %v, %v, %v", after.Warnings, after.Shapes, err)
	}
	if diff := cmp.Diff(out.Files, after.Files); diff != "" {
		t.Error(diff)
	}
}
