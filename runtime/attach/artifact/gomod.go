package artifact

// This file finds the version and the checksum of a Go program: in the go.mod and
// go.sum of the folder that it was started in, or in the module cache.

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// maxModule bounds a go.mod, a go.sum and a checksum of the module cache, in bytes.
const maxModule = 16 << 20

// goModule returns the module of the program that go run or go tool ran.
func (p *finder) goModule() lockfile.Artifact {
	r := p.runner
	pkg, version, named := strings.Cut(r.Package, "@")
	switch {
	case p.moved(), pkg == "":
	case named:
		return p.inCache(pkg, version)
	case r.Program == "go run" && isLocal(pkg):
		return p.inProject(pkg)
	default:
		return p.required(pkg, r.Program == "go tool")
	}
	return lockfile.Artifact{}
}

// moved reports whether flags change go's folder or module file.
func (p *finder) moved() bool {
	folders := []string{"C", "-C", "modfile", "-modfile", "overlay", "-overlay"}
	return slices.ContainsFunc(p.resolved.Args, func(arg string) bool {
		flag, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		return strings.HasPrefix(arg, "-") && slices.Contains(folders, flag)
	})
}

// goTool returns the go command of the launch.
func (p *finder) goTool() string {
	if install.ProgramName(p.resolved.Command) == "go" {
		return p.resolved.Command
	}
	return "go"
}

// goModule has the launch run the locked version of a module, which is downloaded
// first. The project alone decides what its go.mod requires.
func (l launch) goModule(ctx context.Context) (lockfile.Artifact, error) {
	pkg, version, named := strings.Cut(l.runner.Package, "@")
	if !named || l.moved() {
		return l.finder.goModule(), nil
	}
	name := l.plan.Locked.Name
	want, program := l.plan.Locked.Version, l.goTool()
	switch exact := isGoVersion(version); {
	case exact:
		want = version
	case l.follows(exact):
		text, err := l.run(ctx, "", program, "list", "-m", "-f", "{{.Version}}", name+"@"+version)
		if want = strings.TrimSpace(text); err != nil {
			return lockfile.Artifact{}, err
		}
	}
	found := l.inCache(pkg, want)
	if found == (lockfile.Artifact{}) {
		if _, err := l.run(ctx, "", program, "mod", "download", name+"@"+want); err != nil {
			return found, err
		}
		found = l.inCache(pkg, want)
	}
	l.name(pkg + "@" + want)
	return found, nil
}

// isGoVersion reports whether a text is a single version instead of a query.
func isGoVersion(version string) bool {
	return version != "" && semver.Canonical(version) == strings.TrimSuffix(version, "+incompatible")
}

// inProject returns a package of the project itself.
func (p *finder) inProject(pkg string) lockfile.Artifact {
	if !filepath.IsAbs(pkg) {
		pkg = filepath.Join(p.dir, filepath.FromSlash(pkg))
	}
	rel, err := filepath.Rel(p.project, pkg)
	if err != nil || !filepath.IsLocal(rel) || !exists(pkg) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: filepath.ToSlash(rel)}
}

// inCache returns a downloaded version of a package. The version that a query such as
// latest resolved to is not recorded anywhere.
func (p *finder) inCache(pkg, version string) lockfile.Artifact {
	cache := p.variable("GOMODCACHE")
	if cache == "" {
		gopath, _, _ := strings.Cut(p.variable("GOPATH"), string(filepath.ListSeparator))
		if gopath == "" {
			gopath = filepath.Join(p.variable("HOME"), "go")
		}
		cache = filepath.Join(gopath, "pkg", "mod")
	}
	if !filepath.IsAbs(cache) || !isGoVersion(version) {
		return lockfile.Artifact{}
	}
	for name := pkg; name != "." && name != "/"; name = path.Dir(name) {
		dir, err := module.EscapePath(name)
		if err != nil {
			continue
		}
		escaped, err := module.EscapeVersion(version)
		if err != nil {
			break
		}
		file := filepath.Join(cache, "cache", "download", filepath.FromSlash(dir), "@v", escaped+".ziphash")
		data, err := regular.ReadFile(file, maxModule)
		if err == nil {
			return goArtifact(name, version, strings.TrimSpace(string(data)))
		}
	}
	return lockfile.Artifact{}
}

// required returns the module of a package that the go.mod above the working
// directory requires.
func (p *finder) required(pkg string, tool bool) lockfile.Artifact {
	dir := p.dir
	for !exists(dir, "go.mod") {
		if dir = filepath.Dir(dir); dir == filepath.Dir(dir) {
			return lockfile.Artifact{}
		}
	}
	for above := dir; above != filepath.Dir(above); above = filepath.Dir(above) {
		if exists(above, "go.work") { // other modules may decide the version
			return lockfile.Artifact{}
		}
	}
	data, err := regular.ReadFile(filepath.Join(dir, "go.mod"), maxModule)
	if err != nil {
		return lockfile.Artifact{}
	}
	mod, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil || exists(dir, "vendor") || p.variable("GOWORK") != "" {
		return lockfile.Artifact{}
	}
	if tool {
		strict, err := modfile.Parse("go.mod", data, nil)
		if err != nil {
			return lockfile.Artifact{}
		}
		i := slices.IndexFunc(strict.Tool, func(t *modfile.Tool) bool { return t.Path == pkg || path.Base(t.Path) == pkg })
		if i < 0 {
			return lockfile.Artifact{}
		}
		pkg, mod = strict.Tool[i].Path, strict
	}
	var found module.Version
	for _, r := range mod.Require {
		if (pkg == r.Mod.Path || strings.HasPrefix(pkg, r.Mod.Path+"/")) && len(r.Mod.Path) > len(found.Path) {
			found = r.Mod
		}
	}
	ofFound := func(r *modfile.Replace) bool { return r.Old.Path == found.Path }
	if found.Path == "" || slices.ContainsFunc(mod.Replace, ofFound) {
		return lockfile.Artifact{}
	}
	sums, err := regular.ReadFile(filepath.Join(dir, "go.sum"), maxModule)
	if err != nil {
		return lockfile.Artifact{}
	}
	for line := range strings.Lines(string(sums)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == found.Path && fields[1] == found.Version {
			return goArtifact(found.Path, found.Version, fields[2])
		}
	}
	return lockfile.Artifact{}
}

// goArtifact returns a module; the zero value if its checksum is invalid.
func goArtifact(name, version, sum string) lockfile.Artifact {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(sum) != len("h1:")+44 || !strings.HasPrefix(sum, "h1:") || strings.ContainsFunc(sum, odd) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactGo, Name: name, Version: version, Integrity: sum}
}
