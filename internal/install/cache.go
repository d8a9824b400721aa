package install

// This file recognises, from a runner's output, a package that does not exist, and a
// cache that an interrupted installation broke, with the command that repairs the
// cache.
//
// The output of a process may be hostile. Only the name of a folder is used from it,
// and only if the runner's own cache has a folder of that name.

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

// Repair returns the problem that the runner's standard error shows, with its next
// step; nil if it shows no known problem. Env, as KEY=VALUE, and dir are the
// environment and the working directory of the runner.
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

// repair returns the command that removes a broken cache, ready for a shell. It is ""
// if stderr, the standard error of a failed runner, does not show a broken cache.
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
	// npmMissing matches npm's error about a package, or a version of it, that a
	// registry lacks.
	npmMissing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^npm (?:ERR!|error) code (?:E404|ETARGET)\b`) })
	// npxFolder matches the name of a package's folder below the cache's _npx.
	npxFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[/\\]_npx[/\\]([0-9a-f]{6,64})\b`) })
	// npxFile matches a system's error about a file there, or npm's own.
	npxFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(?:^npm (?:ERR!|error|warn|WARN) .*|\b)(?:ENOTEMPTY|ENOENT|EEXIST|EJSONPARSE)\b.*[/\\]_npx[/\\]|^npm (?:ERR!|error) code (?:ENOTEMPTY|ENOENT|EEXIST|EJSONPARSE)\b`)
	})
	// npxModule matches Node's error about an incomplete package.
	npxModule = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`Cannot find (?:module|package) |ERR_MODULE_NOT_FOUND|ERR_INVALID_PACKAGE_CONFIG|Invalid package config|(?m)^SyntaxError: .*(?:Unexpected end|Invalid or unexpected token|requested module '\./.*does not provide an export)`)
	})
	// npxBare matches errors that name no folder: the program of a package is
	// missing, or its archive is incomplete.
	npxBare = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)TAR_ENTRY_ERROR|TAR_BAD_ARCHIVE|could not determine executable to run|^sh: (?:\d+: |line \d+: )?[^ ]+: (?:command )?not found$|^'[^']+' is not recognized as an internal or external command`)
	})
)

// npx returns the command that removes the broken folder of the package in npm's
// cache.
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

// Missing returns the folder that the runner is about to fill; "" if the runner's
// folder is unknown or filled. It knows the folders of npx: except with the newest
// versions of npm, two processes that fill the same folder break it.
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

// Fill waits until no other server fills a folder of Missing; turns has a channel for
// each folder. Done must be called when the server has answered or failed, and may be
// called again. The error is the cause of ctx's end.
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
		done() // all other waiting servers may start at once
	}
	return done, nil
}

// isFilled reports whether npx has filled a folder.
func isFilled(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "package.json")) // written last
	return err == nil
}

// isFolder reports whether a path is a folder, and not a link to one.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// remove returns the command that removes a folder; "" if the path has unprintable
// characters.
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
	// uvCache matches uv's errors about its cache.
	uvCache = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)failed to (?:read|deserialize|extract|unzip|open|query)[^\n]*\b(?:cache|archive|wheel)\b|(?:cache|archive-v\d+)[^\n]*\b(?:corrupt|os error|no such file)`)
	})
	// pythonName matches a package's name, without extras and version.
	pythonName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*`) })
	// pythonVersion matches the end of the name, or what may follow it.
	pythonVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:$|[\[=<>!~@; ])`) })
)

// uv returns uv's own command to clean its cache, of one package if the package is
// known.
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
