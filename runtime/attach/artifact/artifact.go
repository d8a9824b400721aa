// Package artifact sees to it that what was locked is what runs: the version and the
// checksum that a package runner such as npx resolves a name to. [Plan.Prepare] compares
// them before a server is started, and [Of] says afterwards what ran.
//
// What cannot be known for sure is unknown, and is not compared: see [Plan.Prepare].
package artifact

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/runtime/attach/install"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Of returns what the server's launch ran, in the environment that it was started
// with. Project is the absolute folder of the project. The zero value is unknown:
// a server that is reached by URL, a runner whose files are not known, a package
// that is named by a variable, a copy that npx finds in a project or globally.
// Dependencies of a package are not covered.
func Of(s endpoint.Server, project string) lockfile.Artifact {
	p, err := processOf(s)
	if p == nil || err != nil {
		return lockfile.Artifact{}
	}
	return newFinder(s, *p, project).found()
}

// processOf is the process that a server starts, with its variables expanded; nil if it
// starts none.
func processOf(s endpoint.Server) (*endpoint.Process, error) {
	// The values of secrets are in no folder that is looked at.
	s.Secret = func(string, endpoint.Reference) (string, error) { return "-", nil }
	r, err := s.Resolve(nil)
	p, _ := r.Launch.(*endpoint.Process)
	return p, err
}

// newFinder looks at a launch that is written as s has it, with its variables expanded.
func newFinder(s endpoint.Server, r endpoint.Process, project string) *finder {
	dir, err := filepath.Abs(r.Dir) // by default this process's own
	p := &finder{resolved: r, dir: dir, project: project}
	written, _ := install.Of(s.Launch)
	p.runner, p.isRunner = install.Of(&r)
	p.unclear = err != nil || p.isRunner && (p.runner != written || wrapped(r.Command))
	return p
}

// kind is the kind of artifact that the runner of a launch runs; "" if there is no runner,
// or it is not known what it runs.
func (p *finder) kind() lockfile.ArtifactKind {
	switch {
	case p.unclear || !p.isRunner:
		return ""
	case p.isNPX():
		return lockfile.ArtifactNPM
	}
	switch p.runner.Program {
	case "go run", "go tool":
		return lockfile.ArtifactGo
	case "docker run", "podman run", "nerdctl run", "docker container run":
		return lockfile.ArtifactImage
	case "uvx", "uv tool run", "pipx run":
		return lockfile.ArtifactPython
	}
	return ""
}

// isNPX reports whether the launch is one of npm's.
func (p *finder) isNPX() bool {
	return slices.Contains([]string{"npx", "npm exec", "npm x"}, p.runner.Program)
}

// found is what the launch ran, or would run without installing anything.
func (p *finder) found() lockfile.Artifact {
	switch p.kind() {
	case lockfile.ArtifactNPM:
		return p.npm()
	case lockfile.ArtifactGo:
		return p.goModule()
	case lockfile.ArtifactImage:
		return p.image()
	case lockfile.ArtifactPython:
		ctx, cancel := context.WithTimeout(context.Background(), lookTime)
		defer cancel()
		a, _ := p.python(ctx) // what is not known is no artifact
		return a
	}
	if p.unclear || p.isRunner {
		return lockfile.Artifact{}
	}
	return p.file()
}

// finder finds what a launch runs, by where and how it is started.
type finder struct {
	resolved endpoint.Process
	dir      string // working directory, absolute
	project  string
	runner   install.Runner
	isRunner bool
	unclear  bool // a shell or a variable decides what runs
}

// variable returns a variable of the server's environment.
func (p *finder) variable(name string) string { return npmcache.Variable(p.resolved.Environ(), name) }

// name gives the package of the launch another name in its arguments.
func (p *finder) name(pkg string) {
	args := slices.Clone(p.resolved.Args)
	for i, arg := range args {
		if flag, value, assigned := strings.Cut(arg, "="); arg == p.runner.Package {
			args[i] = pkg
		} else if assigned && strings.HasPrefix(flag, "-") && value == p.runner.Package {
			args[i] = flag + "=" + pkg
		} else {
			continue
		}
		break
	}
	p.resolved.Args = args
}

// wrapped reports whether a shell stands before the runner: it may have gone to
// another folder or set other variables.
func wrapped(command string) bool {
	switch programOf(command) {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "env":
		return true
	}
	return false
}

// programOf is the name of a command without folder and ending.
func programOf(command string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(command)), ".exe")
}

// file is a program or script in the project: nothing more than its path is known
// to stay the same.
func (p *finder) file() lockfile.Artifact {
	r := p.resolved
	words := []string{r.Command}
	if filepath.Base(r.Command) == r.Command { // an interpreter; the script is its first argument
		if i := slices.IndexFunc(r.Args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
			words = r.Args[i : i+1]
		}
	}
	return p.fileAt(words[0])
}

// absolute is a path of the launch, which is relative to its working directory.
func (p *finder) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.dir, path)
}

// fileAt is a regular file of the project, by its path; the zero value if it is none.
func (p *finder) fileAt(path string) lockfile.Artifact {
	path = p.absolute(path)
	rel, err := filepath.Rel(p.project, path)
	if info, statErr := os.Stat(path); err != nil || statErr != nil || !info.Mode().IsRegular() || !filepath.IsLocal(rel) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: filepath.ToSlash(rel)}
}

// Unpinned returns what a launch runs without naming a version, such as "npx
// @playwright/mcp": each start may run another one. "" says that it names one, or
// runs nothing that has versions.
func Unpinned(s endpoint.Server) string {
	r, ok := install.Of(s.Launch)
	if !ok || r.Package == "" || isLocal(r.Package) {
		return ""
	}
	name, version := r.Package, ""
	switch r.Program {
	case "docker run", "podman run", "nerdctl run", "docker container run":
		if i := strings.LastIndexAny(name, ":@"); i > strings.LastIndexByte(name, '/') {
			version = name[i+1:]
		}
	case "uvx", "uv tool run", "pipx run":
		if i := strings.IndexAny(name, "=@<>~"); i > 0 {
			version = strings.TrimLeft(name[i:], "=@<>~")
		}
	case "go tool", "uv run":
		return ""
	default:
		if i := strings.LastIndexByte(name, '@'); i > 0 {
			version = name[i+1:]
		}
	}
	if version != "" && version != "latest" {
		return ""
	}
	return r.String()
}

// Pinned returns the npm package that a launch ran with its version, such as
// "@playwright/mcp@0.0.61", and the arguments that name it so. It is "" where the launch says which version it takes, also by
// "latest", where none is known, or where the package is not one argument of its own.
func Pinned(s endpoint.Server, ran lockfile.Artifact) (pkg string, args []string) {
	r, isRunner := install.Of(s.Launch)
	p, isProcess := s.Launch.(*endpoint.Process)
	if !isRunner || !isProcess || ran.Kind != lockfile.ArtifactNPM || ran.Version == "" || r.Package != ran.Name {
		return "", nil
	}
	i := slices.Index(p.Args, ran.Name)
	if i < 0 {
		return "", nil
	}
	args = slices.Clone(p.Args)
	args[i] = ran.Name + "@" + ran.Version
	return args[i], args
}

// isLocal reports whether a package is a path, an address or a variable.
func isLocal(pkg string) bool {
	return strings.HasPrefix(pkg, ".") || strings.HasPrefix(pkg, "~") || filepath.IsAbs(pkg) || strings.Contains(pkg, "://") ||
		strings.ContainsAny(pkg, "${\\") || strings.HasSuffix(pkg, ".go") || strings.HasSuffix(pkg, ".py") || strings.HasPrefix(pkg, "git+")
}

// exists reports whether there is something at a path.
func exists(elements ...string) bool {
	_, err := os.Lstat(filepath.Join(elements...))
	return err == nil
}

func onWindows() bool { return runtime.GOOS == "windows" }
