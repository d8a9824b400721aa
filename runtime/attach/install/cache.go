package install

// This file recognises, by what a runner says, a package that does not exist, and a cache
// that an interrupted installation left broken, with the command that repairs it.
//
// What a process wrote is hostile: of it, only the name of a folder is taken, and
// only where the runner's own cache has a folder of that name.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unicode"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/npmcache"
)

// Repair returns what is wrong, with its next step, if what the runner wrote to standard
// error before it failed shows that; else nil. Env and dir are its environment, as
// KEY=VALUE, and its working directory.
func (r Runner) Repair(env []string, dir, stderr string) error {
	program, command := r.repair(env, dir, stderr)
	switch {
	case (program == "npx" || program == "npm") && r.Package != "" && npmMissing().MatchString(stderr):
		return hint.With(fmt.Errorf("npm has no package %q, or does not show it to you", r.Package), "check the name and the version")
	case command == "":
		return nil
	}
	return hint.New("the package cache of "+program+" is broken", "run "+command+", then try again")
}

// repair returns the command that removes what is broken, ready for a shell, or ""
// if stderr, the standard error of a runner that failed, does not say that the
// cache is.
func (r Runner) repair(env []string, dir, stderr string) (program, command string) {
	program, _, _ = strings.Cut(r.Program, " ")
	switch program {
	case "npx", "npm":
		command = npx(r, npmcache.Dir(env, dir), stderr)
	case "uvx", "uv":
		command = uv(r, stderr)
	}
	return program, command
}

var (
	// npmMissing is npm's error about a package, or a version of it, that a registry lacks.
	npmMissing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^npm (?:ERR!|error) code (?:E404|ETARGET)\b`) })
	// npxFolder is the name of a package's folder below the cache's _npx.
	npxFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[/\\]_npx[/\\]([0-9a-f]{6,64})\b`) })
	// npxFile is a system's error about a file there, or npm's own.
	npxFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(?:^npm (?:ERR!|error|warn|WARN) .*|\b)(?:ENOTEMPTY|ENOENT|EEXIST|EJSONPARSE)\b.*[/\\]_npx[/\\]|^npm (?:ERR!|error) code (?:ENOTEMPTY|ENOENT|EEXIST|EJSONPARSE)\b`)
	})
	// npxModule is Node's error about a package that is not whole.
	npxModule = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`Cannot find (?:module|package) |ERR_MODULE_NOT_FOUND|ERR_INVALID_PACKAGE_CONFIG|Invalid package config|(?m)^SyntaxError: .*(?:Unexpected end|Invalid or unexpected token|requested module '\./.*does not provide an export)`)
	})
	// npxBare are the errors that name no folder: there is a package, and not its
	// program, or not the whole archive.
	npxBare = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)TAR_ENTRY_ERROR|TAR_BAD_ARCHIVE|could not determine executable to run|^sh: (?:\d+: |line \d+: )?[^ ]+: (?:command )?not found$|^'[^']+' is not recognized as an internal or external command`)
	})
)

// npx finds the folder of the package in npm's cache.
func npx(r Runner, cache, stderr string) string {
	if cache == "" {
		return ""
	}
	if npxFile().MatchString(stderr) || npxModule().MatchString(stderr) {
		for _, m := range npxFolder().FindAllStringSubmatch(stderr, -1) {
			if folder := filepath.Join(npmcache.Packages(cache), m[1]); isFolder(folder) {
				return remove(folder)
			}
		}
	}
	if npxFile().MatchString(stderr) || npxBare().MatchString(stderr) {
		if folder := npmcache.Package(cache, r.Package); r.Package != "" && isFolder(folder) {
			return remove(folder)
		}
	}
	return ""
}

// Missing returns the folder that the runner is about to fill, "" if nothing is known to be
// missing. It knows the folders of npx: two that fill one of them at the same time spoil it
// for each other, save with the newest versions of npm.
func (r Runner) Missing(env []string, dir string) string {
	if (r.Program != "npx" && r.Program != "npm exec" && r.Program != "npm x") || r.Package == "" {
		return ""
	}
	cache := npmcache.Dir(env, dir)
	if cache == "" {
		return ""
	}
	folder := npmcache.Package(cache, r.Package)
	if isFilled(folder) {
		return ""
	}
	return folder
}

// Fill waits until nobody else fills a folder of Missing; turns has a channel for each
// folder. Done is called, once or more, when the server has answered or failed. The error is
// the cause of ctx's end.
func (r Runner) Fill(ctx context.Context, turns *sync.Map, folder string) (done func(), err error) {
	made, _ := turns.LoadOrStore(folder, make(chan struct{}, 1))
	turn := made.(chan struct{})
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	done = sync.OnceFunc(func() { <-turn })
	if isFilled(folder) {
		done() // all others who waited may start at once
	}
	return done, nil
}

// isFilled reports whether npx has filled a folder.
func isFilled(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "package.json")) // it is written last
	return err == nil
}

// isFolder reports whether there is a folder, and not a link to one.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// remove is the command that removes a folder; "" if it cannot be shown as it is.
func remove(folder string) string {
	if strings.ContainsFunc(folder, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return ""
	}
	if runtime.GOOS == "windows" {
		return `rmdir /s /q "` + folder + `"`
	}
	return "rm -rf " + hint.Word(folder)
}

var (
	// uvCache are uv's errors about its cache.
	uvCache = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)failed to (?:read|deserialize|extract|unzip|open|query)[^\n]*\b(?:cache|archive|wheel)\b|(?:cache|archive-v\d+)[^\n]*\b(?:corrupt|os error|no such file)`)
	})
	// pythonName is a package's name, without extras and version.
	pythonName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*`) })
	// pythonVersion is what may follow the name.
	pythonVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:$|[\[=<>!~@; ])`) })
)

// uv has a command of its own for what it keeps of one package.
func uv(r Runner, stderr string) string {
	if !uvCache().MatchString(stderr) {
		return ""
	}
	name := pythonName().FindString(r.Package)
	if name == "" || strings.HasSuffix(name, ".py") || !pythonVersion().MatchString(r.Package[len(name):]) {
		return "uv cache clean"
	}
	return "uv cache clean " + name
}
