package artifact

// This file restricts a launch to what is in the lock: an npm package with its whole
// tree of dependencies, or a program by its hash on this system.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// ErrHeld is the error of a launch with [endpoint.Process.Locked] that cannot be
// restricted to the lock, or for which the lock is incomplete.
var ErrHeld = errors.New("artifacts: locked")

func notHeld(text string, steps ...string) error {
	return hint.With(fmt.Errorf("%w, and %s; the server is not started", ErrHeld, text), steps...)
}

// thisSystem is the system that this program runs on, as a lock names it: GOOS/GOARCH.
const thisSystem = runtime.GOOS + "/" + runtime.GOARCH

// TreeFile is the name of the file with the tree of dependencies of an npm package,
// in the folder of its generated package. It is npm's own lockfile.
const TreeFile = "package-lock.json"

// held returns the kind of artifact of a launch with Locked. The error is for a
// launch that cannot be locked, and for one that is not in the lock.
func (p Plan) held(f *finder) (lockfile.ArtifactKind, error) {
	kind := f.kind()
	switch {
	case kind == lockfile.ArtifactPython, kind == "" && (f.unclear || f.isRunner):
		return "", launch{finder: f}.cannotHold()
	case kind == "":
		kind = lockfile.ArtifactFile
	}
	if p.Locked == (lockfile.Artifact{}) && !p.locks() {
		return "", notHeld("mcpgen.lock does not record what the command runs", "lock it: mcpgen update")
	}
	return kind, nil
}

// locks reports whether what runs now will be locked, or compared with the lock.
func (p Plan) locks() bool { return p.Newest || p.Accepted }

// cannotHold returns the error of a launch with Locked that cannot be restricted to a
// lock; nil without Locked.
func (l launch) cannotHold() error {
	if !l.resolved.Locked {
		return nil
	}
	what := l.runner.String()
	if what == "" {
		what = install.ProgramName(l.resolved.Command)
	}
	return notHeld("mcpgen cannot lock everything that "+what+" runs",
		"start one npm package (npx PACKAGE), go run PACKAGE@VERSION, an image, or a program", "remove artifacts: locked")
}

// hashed compares the program or script of a launch with its locked hash for this
// system.
func (l launch) hashed() (lockfile.Artifact, error) {
	a, path := l.program()
	if a.Name == "" {
		return a, l.cannotHold()
	}
	file, err := os.Open(path)
	if err != nil {
		return a, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return a, fmt.Errorf("%s: %w", a.Name, err)
	}
	a.Systems = a.Systems.With(thisSystem, "sha256:"+hex.EncodeToString(sum.Sum(nil)))
	return a, nil
}

// program returns what a launch runs, and its path: a file of the project, or a
// program by name. If the command is an interpreter, it is the script, which must be
// the first argument: another word may be the value of a flag. Arguments of other
// programs are ignored.
func (l launch) program() (lockfile.Artifact, string) {
	command, words := l.resolved.Command, append([]string{l.resolved.Command}, l.resolved.Args...)
	switch install.ProgramName(command) {
	case "env", "sudo", "doas", "nice", "nohup", "timeout", "time", "stdbuf", "setsid", "exec", "xvfb-run":
		return lockfile.Artifact{}, "" // it starts another program
	}
	if install.RunsUnnamed(words) != "" {
		return lockfile.Artifact{}, ""
	}
	if install.RunsOther(command) {
		if len(words) < 2 {
			return lockfile.Artifact{}, ""
		}
		a := l.fileAt(words[1])
		return a, filepath.Join(l.project, filepath.FromSlash(a.Name))
	}
	path := ""
	if filepath.Base(command) != command {
		path = l.absolute(command)
	}
	for _, dir := range filepath.SplitList(l.variable("PATH")) {
		if found, err := exec.LookPath(filepath.Join(dir, command)); path == "" && err == nil && filepath.IsAbs(found) {
			path = found
		}
	}
	if path == "" {
		return lockfile.Artifact{}, ""
	}
	l.resolved.Command = path // what is hashed runs
	if a := l.fileAt(path); filepath.Base(command) != command && a.Name != "" {
		return a, path
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: filepath.Base(command)}, path
}

// fromTree has the launch run a package from its tree of dependencies: the tree given
// or, if it is nil, the locked file. npm compares every package with its integrity in
// the tree before it unpacks the package.
func (l launch) fromTree(ctx context.Context, want lockfile.Artifact, tree []byte) (lockfile.Artifact, error) {
	own, err := treeFolder(want, l.resolved.Scripts)
	if err != nil {
		return lockfile.Artifact{}, err
	}
	ready := func(made installed) bool {
		return made.whole() && hashOfFile(filepath.Join(made.folder, cacheLock)) == want.Tree
	}
	made := own.read(want.Name)
	if !ready(made) {
		if tree == nil {
			if tree, err = l.lockedTree(want.Tree); err != nil {
				return lockfile.Artifact{}, err
			}
		}
		fill := func() (installed, error) { return l.fillTree(ctx, own.folder, want, tree) }
		made, err = l.installIn(ctx, own, want.Name, ready, fill)
		if err != nil {
			return lockfile.Artifact{}, err
		}
	}
	now := made.artifact()
	now.Tree = want.Tree
	if now != want {
		return now, fmt.Errorf("the %s with the hash in mcpgen.lock is for %s %s, not for %s %s",
			TreeFile, now.Name, now.Version, want.Name, want.Version)
	}
	return now, l.runFrom(made)
}

// lockedTree finds the tree with a hash in the folders of the generated packages.
func (l launch) lockedTree(hash string) ([]byte, error) {
	if hash == "" {
		return nil, notHeld("mcpgen.lock does not record the dependencies of the package",
			"lock it: mcpgen update "+hint.Word(l.server.Name))
	}
	files, err := filepath.Glob(filepath.Join(l.plan.Output, "*", TreeFile))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := regular.ReadFile(file, maxLockfile)
		if data = regular.WithLF(data); err == nil && lockfile.TextHash(string(data)) == hash {
			return data, nil
		}
	}
	return nil, notHeld(fmt.Sprintf("no %s in the generated packages has the hash that is in mcpgen.lock", TreeFile),
		"restore the file with git checkout", "lock the package again: mcpgen update "+hint.Word(l.server.Name))
}

// hasTree reports whether the locked tree is available: installed, or as a file.
func (l launch) hasTree(want lockfile.Artifact) bool {
	own, err := treeFolder(want, l.resolved.Scripts)
	if err == nil && want.Tree != "" && hashOfFile(filepath.Join(own.folder, cacheLock)) == want.Tree {
		return true
	}
	_, err = l.lockedTree(want.Tree)
	return err == nil
}

// Tree returns the tree of dependencies that a server with Locked ran from on this
// machine; nil if it has none. Locked launches that cannot be locked are an error,
// too.
func Tree(s endpoint.Server, ran lockfile.Artifact) ([]byte, error) {
	p, err := processOf(s)
	switch {
	case p == nil || err != nil || ran.Tree == "" && ran.Integrity+string(ran.Systems) != "":
		return nil, err
	case ran.Tree == "":
		r, _ := install.Of(p)
		return nil, launch{finder: &finder{resolved: *p, runner: r}}.cannotHold()
	}
	own, err := treeFolder(ran, p.Scripts)
	if err != nil {
		return nil, err
	}
	return regular.ReadFile(filepath.Join(own.folder, cacheLock), maxLockfile)
}

// treeFolder returns where a tree of packages is installed, with the scripts of some
// run.
func treeFolder(want lockfile.Artifact, scripts []string) (installed, error) {
	want.Integrity = strings.Join(slices.Concat([]string{want.Tree}, scripts), "\x00")
	return ownFolder(want)
}

func hashOfFile(path string) string {
	data, err := regular.ReadFile(path, maxLockfile)
	if err != nil {
		return ""
	}
	return lockfile.TextHash(string(data))
}

// fillTree has npm fill a folder with a tree of packages, and runs the allowed
// install scripts.
func (l launch) fillTree(ctx context.Context, folder string, want lockfile.Artifact, tree []byte) (installed, error) {
	packages, err := ReadTree(tree)
	if err != nil {
		return installed{}, err
	}
	made, err := l.fillWith(ctx, folder, want.Name, want.Version, tree, []string{"ci"})
	if err != nil {
		return made, l.otherDependency(err, packages)
	}
	var run []string
	for _, p := range packages {
		if p.Scripts && slices.Contains(l.resolved.Scripts, p.Name) {
			run = append(run, p.Name)
		}
	}
	return made, l.finish(ctx, made, len(run) > 0, run...)
}

var gotOther = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`wanted (sha\S+) but got (sha[0-9]+-[A-Za-z0-9+/=]+)`)
})

// otherDependency turns npm's error about a package with other bytes than in the tree
// into a [*MismatchError]. Any other error is returned unchanged.
func (l launch) otherDependency(err error, packages []TreePackage) error {
	m := gotOther().FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	for _, p := range packages {
		if p.Integrity != m[1] {
			continue
		}
		was := lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: p.Name, Version: p.Version, Integrity: m[1]}
		now := was
		now.Integrity = m[2]
		return Plan{Locked: was}.refuse(l.server, now)
	}
	return err
}

// TreePackage is a package of a tree of dependencies.
type TreePackage struct {
	Name, Version, Integrity string
	Scripts                  bool // it has install scripts
}

// ReadTree returns the packages of a tree of dependencies, sorted by name and
// version. A package without integrity is an error, since npm would accept any bytes
// for it.
func ReadTree(tree []byte) ([]TreePackage, error) {
	var lock struct {
		Packages map[string]struct {
			lockedPackage
			Name, Resolved string
			InBundle       bool
		}
	}
	if err := json.Unmarshal(tree, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", TreeFile, err)
	}
	var all []TreePackage
	for path, p := range lock.Packages {
		if path == "" || p.InBundle { // the folder itself, and packages inside other packages
			continue
		}
		at, name := strings.LastIndex(path, "node_modules/"), p.Name
		if at >= 0 && name == "" {
			name = path[at+len("node_modules/"):]
		}
		fetched := p.Resolved == "" || strings.HasPrefix(p.Resolved, "https://") || strings.HasPrefix(p.Resolved, "http://")
		if at < 0 || name == "" || !fetched || p.Link || !npmIntegrity().MatchString(p.Integrity) {
			return nil, notHeld(fmt.Sprintf("npm has no checksum for %q, a dependency of the package", path),
				"remove artifacts: locked")
		}
		all = append(all, TreePackage{name, p.Version, p.Integrity, p.HasInstallScript})
	}
	slices.SortFunc(all, func(a, b TreePackage) int {
		order := cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
		return cmp.Or(order, strings.Compare(a.Integrity, b.Integrity))
	})
	return slices.Compact(all), nil
}
