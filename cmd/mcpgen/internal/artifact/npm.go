package artifact

// This file reads what npx installed: npm's own lockfile below its cache.

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// maxLockfile bounds npm's lockfile, in bytes. A larger one is not read.
const maxLockfile = 32 << 20

var (
	npmSpec      = regexp.MustCompile(`^((?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*)(?:@([A-Za-z0-9.+^~<>=*|-]+))?$`)
	npmVersion   = regexp.MustCompile(`^[0-9A-Za-z.+-]{1,100}$`)
	npmIntegrity = regexp.MustCompile(`^sha(?:1|256|384|512)-[A-Za-z0-9+/=]{1,200}$`)
)

// elsewhere are flags that lead npm to other folders, or to more than one package.
var elsewhere = []string{"--cache", "--prefix", "--userconfig", "--globalconfig", "-g", "--global", "--location", "-w", "--workspace", "--workspaces", "-c", "--call"}

// npm returns the version and integrity of the package that npx was given, by the
// lockfile of the folder that npm keeps for it.
func (p finder) npm(spec string, args []string) lockfile.Artifact {
	m := npmSpec.FindStringSubmatch(spec)
	packages := 0
	for _, arg := range args {
		flag, _, _ := strings.Cut(arg, "=")
		if slices.Contains(elsewhere, flag) {
			return lockfile.Artifact{}
		}
		if flag == "-p" || flag == "--package" {
			packages++
		}
	}
	cache := npmcache.Dir(p.env, p.dir)
	if m == nil || packages > 1 || cache == "" || p.otherCopy(m[1], spec) {
		return lockfile.Artifact{}
	}
	data, err := regular.ReadFile(filepath.Join(npmcache.Package(cache, spec), "package-lock.json"), maxLockfile)
	if err != nil {
		return lockfile.Artifact{}
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity string
			Link               bool
		}
	}
	if json.Unmarshal(data, &lock) != nil {
		return lockfile.Artifact{}
	}
	found := lock.Packages["node_modules/"+m[1]]
	if found.Link || !npmVersion.MatchString(found.Version) || !npmIntegrity.MatchString(found.Integrity) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: m[1], Version: found.Version, Integrity: found.Integrity}
}

// otherCopy reports whether npx may have run another copy than the one in its
// cache: of the project, of a folder above it, or of the whole machine.
func (p finder) otherCopy(name, spec string) bool {
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
	prefixes := []string{p.variable("npm_config_prefix")}
	for _, dir := range filepath.SplitList(p.variable("PATH")) {
		if exists(dir, "npx") || exists(dir, "npx.cmd") {
			prefixes = append(prefixes, dir, filepath.Dir(dir))
		}
	}
	if onWindows() {
		prefixes = append(prefixes, filepath.Join(p.variable("APPDATA"), "npm"))
	}
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		return filepath.IsAbs(prefix) && (exists(prefix, "lib", "node_modules", name) || exists(prefix, "node_modules", name) || exists(prefix, "bin", spec))
	})
}
