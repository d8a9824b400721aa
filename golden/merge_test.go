package golden

// Two branches that update different tools of one server merge in git without a
// conflict, and the merge is what mcpgen would generate from it.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
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
				server := locked(t, s)
				out := map[string][]byte{}
				for _, f := range append(generated(t, "example.com", "mcp", server).Files, project.LockFile("mcpgen.lock", server)) {
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
