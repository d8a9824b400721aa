package artifact

// This file reads what npm installed: its own lockfiles.

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// maxLockfile bounds npm's lockfile, in bytes. A larger one is not read.
const maxLockfile = 32 << 20

var (
	npmSpec = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*)(?:@([A-Za-z0-9.+^~<>=*|-]+))?$`)
	})
	npmVersion   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Za-z.+-]{1,100}$`) })
	npmExact     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(?:[-+].*)?$`) })
	npmIntegrity = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^sha(?:1|256|384|512)-[A-Za-z0-9+/=]{1,200}$`) })
)

// elsewhere lists flags that lead npm to other folders, or to more than one package.
var elsewhere = []string{
	"--cache", "--prefix", "--userconfig", "--globalconfig", "-g", "--global", "--location",
	"-w", "--workspace", "--workspaces", "-c", "--call",
}

// npmPackage returns the package that npx is given, and the version that the launch
// names; "" if none. The name is "" if flags lead npm elsewhere.
func (p *finder) npmPackage() (name, version string) {
	m := npmSpec().FindStringSubmatch(p.runner.Package)
	packages := 0
	for _, arg := range p.resolved.Args {
		flag, _, _ := strings.Cut(arg, "=")
		if slices.Contains(elsewhere, flag) {
			return "", ""
		}
		if flag == "-p" || flag == "--package" {
			packages++
		}
	}
	if m == nil || packages > 1 {
		return "", ""
	}
	return m[1], m[2]
}

// npm returns the version and integrity of the package that npx was given, from the
// lockfile of npm's folder for it.
func (p *finder) npm() lockfile.Artifact {
	name, _ := p.npmPackage()
	cache := npmcache.Dir(p.resolved.Environ(), p.dir)
	if name == "" || cache == "" || p.otherCopy(name, p.runner.Package) {
		return lockfile.Artifact{}
	}
	return installed{folder: npmcache.Package(cache, p.runner.Package), lock: "package-lock.json"}.read(name).artifact()
}

// installed is a folder of packages, and one package of its lockfile.
type installed struct {
	folder, lock string // the lockfile is a path below the folder
	own          bool   // mcpgen made the folder, see [complete]
	name         string // of the package that was read
	locked       lockedPackage
	scripts      bool // some package has install scripts
}

// lockedPackage is a package in a lockfile of npm.
type lockedPackage struct {
	Version, Integrity string
	Link               bool
	HasInstallScript   bool
	Bin                map[string]string
}

// read reads the lockfile; an unreadable one counts as empty.
func (i installed) read(name string) installed {
	i.name = name
	data, err := regular.ReadFile(filepath.Join(i.folder, i.lock), maxLockfile)
	var lock struct{ Packages map[string]lockedPackage }
	if err != nil || json.Unmarshal(data, &lock) != nil {
		return i
	}
	for _, pkg := range lock.Packages {
		i.scripts = i.scripts || pkg.HasInstallScript
	}
	i.locked = lock.Packages["node_modules/"+name]
	return i
}

// artifact returns the package that was read; the zero value if it is absent or
// invalid.
func (i installed) artifact() lockfile.Artifact {
	if l := i.locked; l.Link || !npmVersion().MatchString(l.Version) || !npmIntegrity().MatchString(l.Integrity) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{
		Kind: lockfile.ArtifactNPM, Name: i.name, Version: i.locked.Version, Integrity: i.locked.Integrity,
	}
}

// otherCopy reports whether npx may have run a copy from outside its cache: from the
// project, from a folder above it, or from the whole machine.
func (p *finder) otherCopy(name, spec string) bool {
	for dir := p.dir; ; {
		if exists(dir, "node_modules", name) || exists(dir, "node_modules", ".bin", spec) {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return slices.ContainsFunc(p.npmPrefixes(), func(prefix string) bool {
		return exists(prefix, "lib", "node_modules", name) || exists(prefix, "node_modules", name) ||
			exists(prefix, "bin", spec)
	})
}

// npmPrefixes returns the folders below which npm installs for the whole machine.
func (p *finder) npmPrefixes() []string {
	prefixes := []string{p.variable("npm_config_prefix")}
	for _, dir := range filepath.SplitList(p.variable("PATH")) {
		if exists(dir, "npx") || exists(dir, "npx.cmd") {
			prefixes = append(prefixes, dir, filepath.Dir(dir))
		}
	}
	if onWindows() {
		prefixes = append(prefixes, filepath.Join(p.variable("APPDATA"), "npm"))
	}
	return slices.DeleteFunc(prefixes, func(prefix string) bool { return !filepath.IsAbs(prefix) })
}
