package lockfile

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// This file describes what ran when a server was locked.

// Artifact is what a launch executed. Without a Tree it covers only the named package, not its dependencies.
// The zero value is unknown.
type Artifact struct {
	Kind      ArtifactKind
	Name      string // package, module, image, slash path in the project, or program name
	Version   string // of an image the tag; "" if there is none, and for files
	Integrity string // npm's integrity, go.sum's hash, the image's digest or a hash over those of a release's files; "" for files
	Tree      string `json:",omitempty"` // of an npm package, the hash of the package-lock.json that it runs from; "" if dependencies are not locked
	Systems   Hashes `json:",omitempty"` // of a file, if the project enables it
}

// Hashes are the hashes of a file, one for each system on which it was locked.
type Hashes string

// With returns the hashes with the hash of a system, such as linux/amd64, added or replaced.
func (h Hashes) With(system, hash string) Hashes {
	lines := slices.DeleteFunc(strings.Fields(string(h)), func(line string) bool { return strings.HasPrefix(line, system+"=") })
	lines = append(lines, system+"="+hash)
	slices.Sort(lines)
	return Hashes(strings.Join(lines, " "))
}

// Of returns the hash of a system, or "" if there is none.
func (h Hashes) Of(system string) string {
	for s, hash := range h.All() {
		if s == system {
			return hash
		}
	}
	return ""
}

// All returns the systems and their hashes, sorted by system.
func (h Hashes) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, line := range strings.Fields(string(h)) {
			if system, hash, _ := strings.Cut(line, "="); !yield(system, hash) {
				return
			}
		}
	}
}

// otherBytes reports whether now has a hash for some system that h does not have. Without any hash, h says
// nothing about bytes.
func (h Hashes) otherBytes(now Hashes) bool {
	for system, hash := range now.All() {
		if h != "" && h.Of(system) != hash {
			return true
		}
	}
	return false
}

// difference describes what now has and h lacks.
func (h Hashes) difference(now Hashes) string {
	if now == "" && h != "" {
		return "has no checksum any more"
	}
	var all []string
	for system, hash := range now.All() {
		switch was := h.Of(system); was {
		case hash:
		case "":
			all = append(all, fmt.Sprintf("is new on %s: %s", tree.Quote(system), hash))
		default:
			all = append(all, fmt.Sprintf("has another checksum on %s: %s → %s", tree.Quote(system), was, hash))
		}
	}
	return strings.Join(all, ", ")
}

// Join returns now in the form to be locked: with the hashes that a has for other systems.
func (a Artifact) Join(now Artifact) Artifact {
	if a.isNamed(now) && now.Systems != "" {
		joined := a.Systems
		for system, hash := range now.Systems.All() {
			joined = joined.With(system, hash)
		}
		now.Systems = joined
	}
	return now
}

// ArtifactKind is the kind of an artifact.
type ArtifactKind string

// The kinds of artifacts.
const (
	ArtifactNPM    ArtifactKind = "npm"
	ArtifactGo     ArtifactKind = "go"
	ArtifactImage  ArtifactKind = "image"
	ArtifactPython ArtifactKind = "python"
	ArtifactFile   ArtifactKind = "file"
)

// Difference describes how now differs from a; "" if it does not, or if either is unknown.
func (a Artifact) Difference(now Artifact) string {
	name, version, nowVersion := tree.Quote(a.Name), tree.Quote(a.Version), tree.Quote(now.Version)
	switch {
	case a == now || a == Artifact{} || now == Artifact{}:
		return ""
	case !a.isNamed(now):
		return fmt.Sprintf("%s %s version %s → %s %s version %s", a.Kind, name, version, now.Kind, tree.Quote(now.Name), nowVersion)
	case a.Kind == ArtifactFile:
		if d := a.Systems.difference(now.Systems); d != "" {
			return name + " " + d
		}
		return ""
	case a.Version != now.Version:
		return fmt.Sprintf("%s version %s → version %s", name, version, nowVersion)
	case a.Integrity != now.Integrity:
		return fmt.Sprintf("%s version %s has another checksum: %s → %s", name, version, tree.Quote(a.Integrity), tree.Quote(now.Integrity))
	}
	return fmt.Sprintf("the dependencies of %s version %s: %s → %s", name, version, cmp.Or(a.Tree, "not locked"), cmp.Or(now.Tree, "not locked"))
}

// isNamed reports whether now may be another version of a.
func (a Artifact) isNamed(now Artifact) bool { return a.Kind == now.Kind && a.Name == now.Name }

// OtherBytes reports whether now is the same version as a with another checksum, or with a checksum for a system
// that a has none for. An image without a tag, or tagged latest, has no version.
func (a Artifact) OtherBytes(now Artifact) bool {
	if !a.isNamed(now) || a.Kind == ArtifactImage && (a.Version == "" || a.Version == "latest") {
		return false
	}
	return a.Systems.otherBytes(now.Systems) || a.Integrity != "" && a.Version == now.Version && a.Integrity != now.Integrity
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
	w.text("tree", a.Tree)
	w.pairs("systems", maps.Collect(a.Systems.All()))
	w.close()
}

// artifact reads an artifact.
func (r *fileReader) artifact(v *tree.Value, pointer string) Artifact {
	if v == nil || !r.object(v, pointer) {
		return Artifact{}
	}
	r.order(v, []string{"kind", "name", "version", "integrity", "tree", "systems"}, pointer)
	a := Artifact{
		Kind: ArtifactKind(r.text(v, "kind", pointer)), Name: r.text(v, "name", pointer),
		Version: r.text(v, "version", pointer), Integrity: r.text(v, "integrity", pointer), Tree: r.hash(v, "tree", pointer),
	}
	for system, hash := range r.pairs(v, "systems", pointer) {
		if !isHash(hash) || strings.ContainsAny(system, " =") {
			r.fail(v.Pos, pointer+"/systems", "each key must be GOOS/GOARCH, and each value sha256: and 64 lower-case hexadecimal digits")
			continue
		}
		a.Systems = a.Systems.With(system, hash)
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
