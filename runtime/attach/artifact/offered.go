package artifact

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Offered returns what a launch would run in a version, or in the newest one if
// version is "": the package as written, the package with that version, and what is
// known of its bytes. It asks npm and go; for images and Python packages the version
// is required. Locked is the locked artifact of the launch, or the zero value. The
// error is also for a launch that has no versions.
func Offered(ctx context.Context, s endpoint.Server, project, version string,
	locked lockfile.Artifact) (written, pkg string, a lockfile.Artifact, err error) {
	process, err := processOf(s)
	switch {
	case err != nil:
		return "", "", a, err
	case process == nil:
		return "", "", a, ErrNoVersions
	}
	p := newFinder(s, *process, project)
	written = p.runner.Package
	switch p.kind() {
	case lockfile.ArtifactNPM:
		name, _ := p.npmPackage()
		if name == "" {
			break
		}
		a, _, err = launch{p, Plan{}, s}.offered(ctx, name, cmp.Or(version, "latest"))
		if err == nil && a.Version == "" {
			err = fmt.Errorf("npm has no version %s of %s", cmp.Or(version, "latest"), name)
		}
		return written, name + "@" + a.Version, a, err
	case lockfile.ArtifactGo:
		path, _, named := strings.Cut(written, "@")
		name, latest := cmp.Or(locked.Name, path), cmp.Or(version, "latest")
		if !named || p.moved() {
			step := "run go get " + name + "@" + latest + ", then mcpgen update " + s.Name
			return "", "", a, hint.New("its version is in go.mod", step)
		}
		text := ""
		text, err = p.run(ctx, "", p.goTool(), "list", "-m", "-f", "{{.Version}}", name+"@"+latest)
		a = lockfile.Artifact{Kind: lockfile.ArtifactGo, Name: name, Version: strings.TrimSpace(text)}
		return written, path + "@" + a.Version, a, err
	case lockfile.ArtifactImage, lockfile.ArtifactPython:
		if version == "" {
			return "", "", a, hint.New("mcpgen cannot find the newest version of "+written,
				"name the version: mcpgen upgrade "+s.Name+"@VERSION")
		}
		if p.kind() == lockfile.ArtifactPython {
			name := strings.TrimRight(written[:strings.IndexAny(written+"@", "=@<>~!")], " ")
			a = lockfile.Artifact{Kind: lockfile.ArtifactPython, Name: name, Version: version}
			return written, name + "==" + version, a, nil
		}
		name, at := written, ":"
		if i := strings.IndexByte(name, '@'); i > 0 {
			name = name[:i]
		}
		if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
			name = name[:i]
		}
		if strings.HasPrefix(version, "sha256:") {
			at = "@"
		}
		a = lockfile.Artifact{Kind: lockfile.ArtifactImage, Name: name, Version: version}
		return written, name + at + version, a, nil
	}
	return "", "", a, ErrNoVersions
}

// ErrNoVersions is the error of a launch that runs nothing with known versions.
var ErrNoVersions = fmt.Errorf("the launch names no package whose versions mcpgen can list")
