// Package npmcache finds the folder in which npx stores installed packages, so that all code uses the
// same folder. It reads npm's settings, and runs nothing.
package npmcache

import (
	"crypto/sha512"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/regular"
)

// maxSettings bounds the size of a file with npm's settings, in bytes. A larger file is ignored.
const maxSettings = 1 << 20

var cacheLine = regexp.MustCompile(`(?m)^\s*cache\s*=\s*(.*?)\s*$`)

// Dir returns the folder of npm's cache for a process with the environment env, as NAME=VALUE, and the
// working directory dir; "" is this process's own. A variable, the .npmrc of the folder or of the user,
// or npm's default determines the cache. The result is "" if it is unknown.
func Dir(env []string, dir string) string { return find(env, filepath.Join(dir, ".npmrc")) }

// User is [Dir] without the settings of a folder.
func User(env []string) string { return find(env) }

// find reads these files, then the user's.
func find(env []string, files ...string) string {
	if cache := Variable(env, "npm_config_cache"); cache != "" {
		return absolute(cache)
	}
	home, user := Variable(env, "HOME"), Variable(env, "npm_config_userconfig")
	parent, name := home, ".npm"
	if runtime.GOOS == "windows" {
		home, parent, name = Variable(env, "USERPROFILE"), Variable(env, "LOCALAPPDATA"), "npm-cache"
	}
	if user == "" && home != "" {
		user = filepath.Join(home, ".npmrc")
	}
	for _, file := range append(files, user) {
		if data, err := regular.ReadFile(file, maxSettings); err == nil {
			if m := cacheLine.FindSubmatch(data); m != nil {
				return absolute(string(m[1]))
			}
		}
	}
	return absolute(filepath.Join(parent, name))
}

// Packages returns the folder of a cache that contains a folder for each package that npx installed.
func Packages(cache string) string { return filepath.Join(cache, "_npx") }

// Package returns the folder of a cache into which npx installs a package. Spec is the package as given
// to npx, such as "@playwright/mcp@0.0.83".
func Package(cache, spec string) string {
	sum := sha512.Sum512([]byte(spec))
	return filepath.Join(Packages(cache), hex.EncodeToString(sum[:])[:16])
}

// Variable returns a variable of an environment; "" if it is not set. Case is ignored, as by npm and
// Windows; the last one counts.
func Variable(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if key, value, ok := strings.Cut(pair, "="); ok && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// absolute returns the cleaned path if it is absolute, else "".
func absolute(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}
