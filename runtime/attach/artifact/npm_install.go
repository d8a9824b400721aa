package artifact

// This file runs an npm package from a folder whose contents are known: one that npx
// filled, or one of mcpgen's own below the user's cache folder, which npm fills.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// npm has the launch run the locked version, from a folder with the locked bytes.
func (l launch) npm(ctx context.Context) (lockfile.Artifact, error) {
	name, version := l.npmPackage()
	if _, ok := l.rest(); !ok || name == "" {
		return lockfile.Artifact{}, l.cannotHold()
	}
	want := l.plan.Locked
	var tree []byte
	exact := npmExact().MatchString(version)
	lost := l.resolved.Locked && l.plan.locks() && !l.hasTree(want)
	if lost || l.follows(exact) {
		if lost && !l.follows(exact) { // the locked version, with today's tree
			version = cmp.Or(want.Version, version)
		}
		now, offered, err := l.offered(ctx, name, cmp.Or(version, "latest"))
		if err != nil || l.plan.Check(l.server, now) != nil {
			return now, err
		}
		if kept := want; !l.resolved.Locked || l.plan.Accepted || lost || kept.Version != now.Version {
			want, tree = now, offered
		}
	}
	if l.resolved.Locked {
		return l.fromTree(ctx, want, tree)
	}
	found, now, err := l.copyOf(ctx, want)
	if err != nil || now != want {
		return now, err
	}
	return now, l.runFrom(found)
}

// copyOf finds or makes a copy of the wanted version. If it finds other bytes of that
// version, it returns those. The zero value means an unknown copy for the whole
// machine.
func (l launch) copyOf(ctx context.Context, want lockfile.Artifact) (installed, lockfile.Artifact, error) {
	own, err := ownFolder(want)
	if err != nil {
		return installed{}, lockfile.Artifact{}, err
	}
	for _, place := range append([]installed{own}, l.places(want)...) {
		place = place.read(want.Name)
		switch now := place.artifact(); {
		case now == want && place.whole():
			return place, want, nil
		case want.OtherBytes(now) && place.lock == cacheLock && !l.plan.Accepted:
			return installed{}, now, nil
		}
	}
	if l.forAll(want) {
		l.name(want.Name + "@" + want.Version)
		return installed{}, lockfile.Artifact{}, nil
	}
	made, err := l.install(ctx, own, want)
	return made, made.artifact(), err
}

// cacheLock is npm's lockfile in a folder that npx filled.
const cacheLock = TreeFile

// places returns the folders that may have a copy: of npx's cache, and of the
// project. A cache that the project's own .npmrc names is ignored, since the author
// of that file may have filled it.
func (l launch) places(want lockfile.Artifact) []installed {
	var places []installed
	if cache := npmcache.User(l.resolved.Environ()); cache != "" {
		for _, spec := range []string{want.Name + "@" + want.Version, l.runner.Package, want.Name} {
			places = append(places, installed{folder: npmcache.Package(cache, spec), lock: cacheLock})
		}
	}
	for dir := l.dir; ; dir = filepath.Dir(dir) {
		places = append(places, installed{folder: dir, lock: filepath.Join("node_modules", ".package-lock.json")})
		if dir == filepath.Dir(dir) {
			return places
		}
	}
}

// forAll reports whether the version is installed for the whole machine. There npx
// finds it, and npm keeps no checksum.
func (l launch) forAll(want lockfile.Artifact) bool {
	return slices.ContainsFunc(l.npmPrefixes(), func(prefix string) bool {
		for _, lib := range []string{"lib", ""} {
			var pkg struct{ Version string }
			file := filepath.Join(prefix, lib, "node_modules", filepath.FromSlash(want.Name), "package.json")
			data, err := regular.ReadFile(file, maxModule)
			if err == nil && json.Unmarshal(data, &pkg) == nil && pkg.Version == want.Version {
				return true
			}
		}
		return false
	})
}

// complete is the file that marks one of mcpgen's own folders as filled.
const complete = ".complete"

// ownFolder returns where mcpgen installs a package that no other folder has.
func ownFolder(want lockfile.Artifact) (installed, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return installed{}, hint.With(fmt.Errorf("there is no folder to install %s in: %w", want.Name, err),
			"set HOME or XDG_CACHE_HOME")
	}
	sum := sha256.Sum256([]byte(want.Name + "@" + want.Version + "\x00" + want.Integrity))
	folder := filepath.Join(cache, "mcpgen", "npm", hex.EncodeToString(sum[:12]))
	return installed{folder: folder, lock: cacheLock, own: true}, nil
}

// install has npm fill a folder of mcpgen's own. Install scripts are run only if the
// packages are the wanted ones; else the folder is removed.
func (l launch) install(ctx context.Context, own installed, want lockfile.Artifact) (installed, error) {
	ready := func(made installed) bool { return made.artifact() == want && made.whole() }
	return l.installIn(ctx, own, want.Name, ready, func() (installed, error) {
		made, err := l.fill(ctx, own.folder, want.Name, want.Version)
		if err == nil && made.artifact() == want {
			err = l.finish(ctx, made, made.scripts)
		}
		return made, err
	})
}

// installIn fills a folder of mcpgen's own, unless another process has done so
// meanwhile. If the result is not ready, the folder is removed.
func (l launch) installIn(ctx context.Context, own installed, name string,
	ready func(installed) bool, fill func() (installed, error)) (installed, error) {
	if err := os.MkdirAll(filepath.Dir(own.folder), 0o700); err != nil {
		return installed{}, err
	}
	unlock, err := lockFolder(ctx, own.folder)
	if err != nil {
		return installed{}, err
	}
	defer unlock()
	if made := own.read(name); ready(made) {
		return made, nil
	}
	made, err := fill()
	if err != nil || !ready(made) {
		_ = os.RemoveAll(own.folder) // an incomplete folder
	}
	return made, err
}

// finish runs the install scripts in a filled folder, of all packages or of the named
// ones, and marks the folder as complete.
func (l launch) finish(ctx context.Context, made installed, scripts bool, packages ...string) error {
	if scripts {
		rebuild := *l.finder
		rebuild.dir = made.folder // no file of the project decides what is run there
		args := append([]string{"rebuild", "--global=false", "--loglevel=error", "--"}, packages...)
		if _, err := rebuild.run(ctx, "", l.tool("npm"), args...); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(made.folder, complete), nil, 0o600)
}

// lockFolder waits until no other process fills a folder, and locks it.
func lockFolder(ctx context.Context, folder string) (unlock func(), err error) {
	for {
		if unlock, err = statefile.Lock(ctx, folder); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return unlock, err
		}
	}
}

// offered returns what the registry has for a version, a tag or a range, and with
// Locked its current tree of dependencies.
func (l launch) offered(ctx context.Context, name, version string) (lockfile.Artifact, []byte, error) {
	dir, err := os.MkdirTemp("", "mcpgen-npm-")
	if err != nil {
		return lockfile.Artifact{}, nil, err
	}
	defer os.RemoveAll(dir)
	found, err := l.fill(ctx, dir, name, version, "--package-lock-only", "--omit-lockfile-registry-resolved")
	now := found.artifact()
	if err != nil || now.Name == "" || !l.resolved.Locked {
		return now, nil, err
	}
	tree, err := os.ReadFile(filepath.Join(dir, cacheLock))
	// The first member marks the file as mcpgen's; npm ignores it.
	tree = bytes.Replace(tree, []byte("{"), []byte("{\n  \"mcpgen\": 1,"), 1)
	now.Tree = lockfile.TextHash(string(tree))
	return now, tree, err
}

// fill has npm install a package in a folder, which is emptied first, without running
// any code of the package. npm reads the .npmrc that npx would read.
func (l launch) fill(ctx context.Context, folder, name, version string, flags ...string) (installed, error) {
	return l.fillWith(ctx, folder, name, version, nil, append([]string{"install", "--package-lock"}, flags...))
}

// fillWith has npm fill a folder, which is emptied first, by a lockfile unless it is
// nil.
func (l launch) fillWith(ctx context.Context, folder, name, version string,
	lock []byte, args []string) (installed, error) {
	made := installed{folder: folder, lock: cacheLock}
	if err := os.RemoveAll(folder); err != nil {
		return made, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return made, err
	}
	needs := map[string]string{name: version}
	manifest, _ := json.Marshal(map[string]any{ // strings can always be marshalled
		"name": "mcpgen", "private": true, "dependencies": needs})
	if err := os.WriteFile(filepath.Join(folder, "package.json"), manifest, 0o600); err != nil {
		return made, err
	}
	if lock != nil {
		if err := os.WriteFile(filepath.Join(folder, cacheLock), lock, 0o600); err != nil {
			return made, err
		}
	}
	settings := filepath.Join(folder, ".npmrc")
	if file := l.npmrc(); file != "" && os.Symlink(file, settings) != nil {
		_ = os.Link(file, settings) // without either, npm reports what it cannot find
	}
	args = append(args, "--ignore-scripts", "--global=false", "--git=git", "--no-audit", "--no-fund", "--loglevel=error")
	here := *l.finder
	here.dir = folder // not --prefix, which would change npm's global settings
	if _, err := here.run(ctx, "", l.tool("npm"), args...); err != nil {
		return made, err
	}
	return made.read(name), os.RemoveAll(settings)
}

// npmrc returns the file with npm's settings for the project that the server is
// started in; "" if there is none.
func (l launch) npmrc() string {
	root := l.dir
	for dir := l.dir; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if exists(dir, "package.json") || exists(dir, "node_modules") {
			root = dir
			break
		}
	}
	if !exists(root, ".npmrc") {
		return ""
	}
	return filepath.Join(root, ".npmrc")
}

// runFrom has the launch run the program of a package from the package's folder.
func (l launch) runFrom(found installed) error {
	words, _ := l.rest()
	programs := filepath.Join(found.folder, "node_modules", ".bin")
	command := words[0]
	if command == l.runner.Package {
		if command = found.program(); command == "" {
			return fmt.Errorf("the npm package %s has no program that is named like the package", l.runner.Package)
		}
	}
	l.firstInPath(programs)
	for _, ending := range []string{"", ".cmd"} {
		if file := command + ending; exists(programs, file) && onWindows() == (ending != "") {
			command = filepath.Join(programs, file)
		}
	}
	l.resolved.Command, l.resolved.Args = command, words[1:]
	return nil
}

// whole reports whether the package is installed, including its install scripts.
func (i installed) whole() bool {
	return exists(i.folder, "node_modules", filepath.FromSlash(i.name), "package.json") &&
		(!i.own || exists(i.folder, complete))
}

// program returns the program of a package that npx runs: the only one, or the one
// with the package's name.
func (i installed) program() string {
	files := map[string]string{}
	for program, file := range i.locked.Bin {
		files[file] = program
	}
	if len(files) == 1 {
		for _, program := range files {
			return program
		}
	}
	if program := path.Base(i.name); i.locked.Bin[program] != "" {
		return program
	}
	return ""
}
