package lockfile

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// This file is what really ran when a server was locked.

// Artifact is what a launch led to: the named package alone, its dependencies are
// not covered. The zero value is unknown.
type Artifact struct {
	Kind      ArtifactKind
	Name      string // package, module, image, or a slash path in the project
	Version   string // of an image the tag; "" if there is none, and for files
	Integrity string // npm's integrity, go.sum's hash, the image's digest or a hash over those of a release's files; "" for files
}

// ArtifactKind says what an artifact is.
type ArtifactKind string

// The kinds of artifacts.
const (
	ArtifactNPM    ArtifactKind = "npm"
	ArtifactGo     ArtifactKind = "go"
	ArtifactImage  ArtifactKind = "image"
	ArtifactPython ArtifactKind = "python"
	ArtifactFile   ArtifactKind = "file"
)

// Difference says in words how what ran now differs from a; "" if it does not, or
// if either is unknown.
func (a Artifact) Difference(now Artifact) string {
	switch {
	case a == now || a == Artifact{} || now == Artifact{}:
		return ""
	case a.Kind == now.Kind && a.Name == now.Name && a.Version != now.Version:
		return fmt.Sprintf("%s %s → %s", tree.Quote(a.Name), tree.Quote(a.Version), tree.Quote(now.Version))
	case a.Kind == now.Kind && a.Name == now.Name:
		return fmt.Sprintf("%s %s has another checksum: %s → %s", tree.Quote(a.Name), tree.Quote(a.Version), tree.Quote(a.Integrity), tree.Quote(now.Integrity))
	}
	return fmt.Sprintf("%s %s %s → %s %s %s", a.Kind, tree.Quote(a.Name), tree.Quote(a.Version), now.Kind, tree.Quote(now.Name), tree.Quote(now.Version))
}

// OtherBytes reports whether now is the version of a with another checksum, or what no
// launch of a leads to. An image without a tag, or tagged latest, has no version.
func (a Artifact) OtherBytes(now Artifact) bool {
	if a.Kind == ArtifactImage && (a.Version == "" || a.Version == "latest") {
		return false
	}
	return a.Integrity != "" && a.Kind == now.Kind && a.Name == now.Name && a.Version == now.Version && a.Integrity != now.Integrity
}

func (w *fileWriter) artifact(a Artifact) {
	if a == (Artifact{}) {
		return
	}
	w.name("artifact")
	w.open()
	w.text("kind", string(a.Kind))
	w.text("name", a.Name)
	w.text("version", a.Version)
	w.text("integrity", a.Integrity)
	w.close()
}

// artifact reads what ran.
func (r *fileReader) artifact(v *tree.Value, pointer string) Artifact {
	if v == nil || !r.object(v, pointer) {
		return Artifact{}
	}
	r.order(v, []string{"kind", "name", "version", "integrity"}, pointer)
	a := Artifact{
		Kind: ArtifactKind(r.text(v, "kind", pointer)), Name: r.text(v, "name", pointer),
		Version: r.text(v, "version", pointer), Integrity: r.text(v, "integrity", pointer),
	}
	if kinds := []ArtifactKind{ArtifactNPM, ArtifactGo, ArtifactImage, ArtifactPython, ArtifactFile}; !slices.Contains(kinds, a.Kind) {
		r.fail(v.Pos, pointer+"/kind", fmt.Sprintf("must be one of %q", kinds))
	}
	if a.Integrity == "" && a.Kind != ArtifactFile {
		r.fail(v.Pos, pointer+"/integrity", "missing")
	}
	if a.Name == "" {
		r.fail(v.Pos, pointer+"/name", "missing")
	}
	return a
}
