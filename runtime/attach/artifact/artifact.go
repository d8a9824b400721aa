// Package artifact ensures that a server runs what was locked: the version and the
// checksum that a package runner such as npx resolves a name to. [Plan.Prepare]
// compares them before a server is started, and [Of] returns what ran.
//
// An artifact that cannot be identified for sure is unknown, and is not compared: see
// [Plan.Prepare].
package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/proc"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Of returns what the server's launch ran, in the environment that it was started
// with. Project is the absolute folder of the project. The zero value is unknown: for
// a server that is reached by URL, a runner whose files are not known, a package that
// is named by a variable, or a copy that npx finds in a project or globally.
// Dependencies of a package are not covered.
func Of(s endpoint.Server, project string) lockfile.Artifact {
	p, err := processOf(s)
	if p == nil || err != nil {
		return lockfile.Artifact{}
	}
	return newFinder(s, *p, project).found()
}

// processOf returns the process that a server starts, with its variables expanded;
// nil if it starts none.
func processOf(s endpoint.Server) (*endpoint.Process, error) {
	// No folder that is searched depends on a secret.
	s.Secret = func(string, endpoint.Reference) (string, error) { return "-", nil }
	r, err := s.Resolve(nil)
	p, _ := r.Launch.(*endpoint.Process)
	return p, err
}

// newFinder returns a finder for r, the expanded launch of s.
func newFinder(s endpoint.Server, r endpoint.Process, project string) *finder {
	dir, err := filepath.Abs(r.Dir) // by default this process's own
	p := &finder{resolved: r, dir: dir, project: project}
	written, _ := install.Of(s.Launch)
	p.runner, p.isRunner = install.Of(&r)
	p.unclear = err != nil || p.isRunner && (p.runner != written || wrapped(r.Command))
	return p
}

// kind returns the kind of artifact that the runner of a launch runs; "" without a
// runner, or if the kind is unknown.
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

// isNPX reports whether npm runs the launch.
func (p *finder) isNPX() bool {
	return slices.Contains([]string{"npx", "npm exec", "npm x"}, p.runner.Program)
}

// found returns what the launch ran, or would run without installing anything.
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
		a, _ := p.python(ctx) // unknown is no artifact
		return a
	}
	if p.unclear || p.isRunner {
		return lockfile.Artifact{}
	}
	return p.file()
}

// lookTime is how long a runner may take to report what ran.
const lookTime = 10 * time.Second

// named returns what a launch itself names: kind and name, and the version, tag or
// digest if it is fixed. The zero value means that it names nothing.
func (p *finder) named() lockfile.Artifact {
	a := lockfile.Artifact{Kind: p.kind()}
	switch a.Kind {
	case lockfile.ArtifactNPM:
		if a.Name, a.Version = p.npmPackage(); !npmExact().MatchString(a.Version) {
			a.Version = ""
		}
	case lockfile.ArtifactGo:
		if pkg, version, named := strings.Cut(p.runner.Package, "@"); named && !p.moved() {
			if a.Name = pkg; isGoVersion(version) {
				a.Version = version
			}
		}
	case lockfile.ArtifactImage:
		if m := digest().FindStringSubmatch(p.runner.Package); m != nil {
			a.Name, a.Integrity = m[1], m[2]
		} else if m := tagged().FindStringSubmatch(p.runner.Package); m != nil {
			a.Name, a.Version = m[1], m[2]
		}
	case lockfile.ArtifactPython:
		if m := pythonSpec().FindStringSubmatch(p.runner.Package); m != nil {
			a.Name, a.Version = m[1], m[3]
		}
	}
	if a.Name == "" {
		return lockfile.Artifact{}
	}
	return a
}

// finder finds what a launch runs, from its command, environment and folder.
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

// name replaces the package of the launch in its arguments.
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

// wrapped reports whether a shell starts the runner: it may change the folder or the
// variables.
func wrapped(command string) bool {
	switch install.ProgramName(command) {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "env":
		return true
	}
	return false
}

// file returns the program or script of the project that runs. Only its path is known
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

// absolute returns the absolute form of a path that is relative to the working
// directory.
func (p *finder) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.dir, path)
}

// fileAt returns a regular file of the project by its path; the zero value if it is
// not one.
func (p *finder) fileAt(path string) lockfile.Artifact {
	path = p.absolute(path)
	rel, err := filepath.Rel(p.project, path)
	if info, statErr := os.Stat(path); err != nil || statErr != nil || !info.Mode().IsRegular() || !filepath.IsLocal(rel) {
		return lockfile.Artifact{}
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: filepath.ToSlash(rel)}
}

// maxOutput bounds the output of a runner that is read, in bytes.
const maxOutput = 4 << 20

// run runs a program of the runner in the server's environment and folder, and
// returns its output.
func (p *finder) run(ctx context.Context, input, command string, args ...string) (string, error) {
	child, err := proc.Start(endpoint.Process{Command: command, Args: args, Dir: p.dir, Env: p.resolved.Env}, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = child.Shutdown(ctx) }() // it has ended, or time is up
	stop := context.AfterFunc(ctx, child.Kill)
	defer stop()
	_, _ = io.WriteString(child.Stdin(), input) // a program that does not read it explains its failure by its status
	_ = child.Stdin().Close()
	text, _ := io.ReadAll(io.LimitReader(child.Stdout(), maxOutput)) // ends with the program
	_, _ = io.Copy(io.Discard, child.Stdout())
	select {
	case <-child.Done():
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if ended, ok := errors.AsType[*proc.ExitError](child.Err()); ok && ended.Code != 0 {
		return "", fmt.Errorf("%s %s: %w", command, strings.Join(args, " "), ended)
	}
	return string(text), nil
}

// tool returns the program of a name in the folder of the launch's own program.
func (p *finder) tool(name string) string {
	command := p.resolved.Command
	if dir := filepath.Dir(command); filepath.IsAbs(command) && exists(dir, name) {
		return filepath.Join(dir, name)
	}
	return name
}

// Unpinned returns what a launch runs without naming a version, such as "npx
// @playwright/mcp": each start may run another version. "" means that the launch
// names a version, or that its program has no versions.
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
// "@playwright/mcp@0.0.61", and the arguments that name it so. It returns "" if the
// launch names a version or "latest", if the version is unknown, or if the package is
// not an argument by itself.
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
	return strings.HasPrefix(pkg, ".") || strings.HasPrefix(pkg, "~") || filepath.IsAbs(pkg) ||
		strings.Contains(pkg, "://") || strings.HasPrefix(pkg, "git+") || strings.ContainsAny(pkg, "${\\") ||
		strings.HasSuffix(pkg, ".go") || strings.HasSuffix(pkg, ".py")
}

// exists reports whether a path exists.
func exists(elements ...string) bool {
	_, err := os.Lstat(filepath.Join(elements...))
	return err == nil
}

func onWindows() bool { return runtime.GOOS == "windows" }
