package drift

import (
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// What is accepted of an artifact is all of it: another tree of dependencies, or another hash
// of a program, is another change.
func TestArtifactHash(t *testing.T) {
	hash := func(a lockfile.Artifact) string { return lockfile.TextHash(a.Name + a.Tree) }
	npm := func(tree string) lockfile.Artifact {
		return lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "a", Version: "1", Integrity: "sha512-x", Tree: hash(lockfile.Artifact{Tree: tree})}
	}
	file := func(text string) lockfile.Artifact {
		return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: "a", Systems: lockfile.Hashes("").With("linux/amd64", hash(lockfile.Artifact{Tree: text}))}
	}
	for name, of := range map[string]func(string) lockfile.Artifact{"tree": npm, "systems": file} {
		seen := map[string]bool{}
		for _, text := range []string{"one", "two"} {
			report, err := Compare(t.Context(), &schema.Snapshot{}, &schema.Snapshot{}, &Options{ArtifactBefore: of("before"), ArtifactAfter: of(text)})
			if err != nil || len(report.Servers) != 1 || len(report.Servers[0].Changes) != 1 {
				t.Fatalf("%s: got %+v, %v, want one change", name, report, err)
			}
			c := report.Servers[0].Changes[0]
			if string(c.Before) == string(c.After) {
				t.Errorf("%s: before and after are both %s", name, c.After)
			}
			seen[c.Hash] = true
		}
		if len(seen) != 2 {
			t.Errorf("%s: two changes have one hash", name)
		}
	}
}
