package artifact

// This file reads what npx installed: npm's own lockfile below its cache.

import (
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/schema"
)

// Sizes of files, in bytes. What is larger is not read.
const (
	maxLockfile = 32 << 20
	maxSettings = 1 << 20
)

var (
	npmSpec      = regexp.MustCompile(`^((?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*)(?:@([A-Za-z0-9.+^~<>=*|-]+))?$`)
	npmVersion   = regexp.MustCompile(`^[0-9A-Za-z.+-]{1,100}$`)
	npmIntegrity = regexp.MustCompile(`^sha(?:1|256|384|512)-[A-Za-z0-9+/=]{1,200}$`)
	npmCacheLine = regexp.MustCompile(`(?m)^\s*cache\s*=\s*(.*?)\s*$`)
)

// elsewhere are flags that lead npm to other folders, or to more than one package.
var elsewhere = []string{"--cache", "--prefix", "--userconfig", "--globalconfig", "-g", "--global", "--location", "-w", "--workspace", "--workspaces", "-c", "--call"}

// npm returns the version and integrity of the package that npx was given, by the
// lockfile of the folder that npm keeps for it.
func (p place) npm(spec string, args []string) schema.Artifact {
	m := npmSpec.FindStringSubmatch(spec)
	packages := 0
	for _, arg := range args {
		flag, _, _ := strings.Cut(arg, "=")
		if slices.Contains(elsewhere, flag) {
			return schema.Artifact{}
		}
		if flag == "-p" || flag == "--package" {
			packages++
		}
	}
	cache := p.npmCache()
	if m == nil || packages > 1 || cache == "" || p.otherCopy(m[1], spec) {
		return schema.Artifact{}
	}
	sum := sha512.Sum512([]byte(spec))
	data, err := regular.ReadFile(filepath.Join(cache, "_npx", hex.EncodeToString(sum[:])[:16], "package-lock.json"), maxLockfile)
	if err != nil {
		return schema.Artifact{}
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity string
			Link               bool
		}
	}
	if json.Unmarshal(data, &lock) != nil {
		return schema.Artifact{}
	}
	found := lock.Packages["node_modules/"+m[1]]
	if found.Link || !npmVersion.MatchString(found.Version) || !npmIntegrity.MatchString(found.Integrity) {
		return schema.Artifact{}
	}
	return schema.Artifact{Kind: schema.ArtifactNPM, Name: m[1], Version: found.Version, Integrity: found.Integrity}
}

// npmCache is the folder of npm's cache by the server's environment and the files
// with npm's settings; "" if it is not known.
func (p place) npmCache() string {
	if dir := p.variable("npm_config_cache"); dir != "" {
		return absolute(dir)
	}
	home := p.variable("HOME")
	if onWindows() {
		home = p.variable("USERPROFILE")
	}
	files := []string{filepath.Join(p.dir, ".npmrc"), p.variable("npm_config_userconfig")}
	if files[1] == "" && home != "" {
		files[1] = filepath.Join(home, ".npmrc")
	}
	for _, file := range files {
		if data, err := regular.ReadFile(file, maxSettings); err == nil {
			if m := npmCacheLine.FindSubmatch(data); m != nil {
				return absolute(string(m[1]))
			}
		}
	}
	if onWindows() {
		return absolute(filepath.Join(p.variable("LOCALAPPDATA"), "npm-cache"))
	}
	return absolute(filepath.Join(home, ".npm"))
}

// absolute is a path if it is absolute, else "".
func absolute(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

// otherCopy reports whether npx may have run another copy than the one in its
// cache: of the project, of a folder above it, or of the whole machine.
func (p place) otherCopy(name, spec string) bool {
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
