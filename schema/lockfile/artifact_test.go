package lockfile

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

func TestArtifactDifference(t *testing.T) {
	npm := Artifact{Kind: ArtifactNPM, Name: "@scope/x", Version: "1.0.0", Integrity: "sha512-a"}
	newer, rebuilt := npm, npm
	newer.Version, rebuilt.Integrity = "1.1.0", "sha512-b"
	image := Artifact{Kind: ArtifactImage, Name: "example/x", Integrity: "sha256:a"}
	for name, tt := range map[string]struct {
		before, now Artifact
		want        string
	}{
		"the same":         {npm, npm, ""},
		"unknown before":   {Artifact{}, npm, ""},
		"unknown now":      {npm, Artifact{}, ""},
		"another version":  {npm, newer, `"@scope/x" version "1.0.0" → version "1.1.0"`},
		"another checksum": {npm, rebuilt, `"@scope/x" version "1.0.0" has another checksum: "sha512-a" → "sha512-b"`},
		"another kind":     {npm, image, `npm "@scope/x" version "1.0.0" → image "example/x" version ""`},
	} {
		if got := tt.before.Difference(tt.now); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// What ran comes back from a lock as it went in, and a kind that is not known is refused.
func TestArtifactInLock(t *testing.T) {
	want := Artifact{Kind: ArtifactGo, Name: "example.com/x", Version: "v1.2.3", Integrity: "h1:a="}
	locked, err := LockSnapshot(&schema.Snapshot{Server: "s"})
	if err != nil {
		t.Fatal(err)
	}
	locked.Artifact = want
	l := NewLock()
	l.Servers["s"] = locked
	file := l.Encode()
	back, err := ParseLock(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Servers["s"].Artifact; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	broken := strings.Replace(string(file), `"kind": "go"`, `"kind": "gem"`, 1)
	if _, err := ParseLock([]byte(broken)); err == nil || !strings.Contains(err.Error(), "must be one of") {
		t.Errorf("an unknown kind: got error %v, want one with the kinds there are", err)
	}
}
