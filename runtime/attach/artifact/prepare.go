package artifact

// This file compares what a server would run with the lock, before the server is
// started.

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Plan restricts what a server may run. The zero value allows everything.
type Plan struct {
	Project string            // the absolute folder of the project
	Output  string            // the absolute folder of the generated packages, with the trees of dependencies
	Locked  lockfile.Artifact // what was accepted; the zero value is unknown
	// Newest has a launch that names no version run the version that it resolves to
	// now. Only callers that show the difference set it: otherwise the locked version
	// runs.
	Newest bool
	// Accepted allows other bytes of the locked version, and what the launch resolves
	// to now.
	Accepted bool
}

// MismatchError reports a server that would run other bytes of the locked version.
type MismatchError struct {
	Locked, Now lockfile.Artifact
}

// Error names both artifacts.
func (e *MismatchError) Error() string {
	return "it would run something other than what was locked: " + e.Locked.Difference(e.Now) +
		"; the server is not started"
}

// Check compares what a server runs with what was locked. The error wraps a
// [*MismatchError]. Another version, or an unknown artifact, is not an error.
func (p Plan) Check(s endpoint.Server, now lockfile.Artifact) error {
	if p.Accepted || !p.Locked.OtherBytes(now) {
		return nil
	}
	return p.refuse(s, now)
}

// refuse returns the error of a server that would run something else than was locked.
func (p Plan) refuse(s endpoint.Server, now lockfile.Artifact) error {
	return hint.With(&MismatchError{p.Locked, now}, AcceptSteps(s.Name, ruleid.BytesChanged)...)
}

// AcceptSteps returns the next steps for a finding about a server that is not
// started.
func AcceptSteps(server, rule string) []string {
	accept := hint.Word(server) + " --accept " + hint.Word(server+"/"+rule)
	return []string{"see what that changes in its tools: mcpgen update --dry-run " + accept,
		"accept it: mcpgen update " + accept}
}

// Prepare ensures that the launch r, expanded from server s, runs what was locked,
// and returns what it will run; it changes r if necessary. It is called before each
// start. If the package is installed, it only looks at files; else it has the runner
// install or fetch the package, and runs no code of it before the comparison.
//
//   - npx: a copy with the locked checksum is run without npx, from npm's cache or a folder of
//     mcpgen's own. It is installed there, without install scripts before the comparison.
//   - go run of a version: the module's checksum, downloaded first.
//   - docker, podman and nerdctl: the image by its digest.
//   - pipx: the wheel that it installs, downloaded into a folder of mcpgen's own.
//   - uvx: the checksums of the files of the release, which are requested from the index at
//     each start, as uvx does.
//   - go tool, and go run of a module that go.mod requires: the checksum in go.sum.
//
// A launch with [endpoint.Process.Locked] runs nothing else: see held.go.
//
// The zero value means that the artifact is unknown before the start: call [Of] after
// it. That is so for other runners, behind a shell, for a package that a variable
// names, for several packages, for flags that lead the runner elsewhere, and if npx
// runs a copy that was installed for the whole machine.
func (p Plan) Prepare(ctx context.Context, s endpoint.Server, r *endpoint.Process) (lockfile.Artifact, error) {
	f := newFinder(s, *r, p.Project)
	kind := f.kind()
	if r.Locked {
		var err error
		if kind, err = p.held(f); err != nil {
			return lockfile.Artifact{}, err
		}
	}
	l := launch{f, p, s}
	switch now := f.named(); {
	case p.Locked == (lockfile.Artifact{}):
		if !r.Locked || kind != lockfile.ArtifactNPM && kind != lockfile.ArtifactFile {
			return lockfile.Artifact{}, nil
		}
	case now.Kind != "" && !p.Accepted && !leadsTo(now, p.Locked):
		return lockfile.Artifact{}, p.refuse(s, now) // the launch is the locked one: the lock was edited by hand
	case kind != p.Locked.Kind && r.Locked && !p.Accepted:
		return lockfile.Artifact{}, p.refuse(s, lockfile.Artifact{Kind: kind}) // here, too
	case kind != p.Locked.Kind && !r.Locked:
		return lockfile.Artifact{}, nil
	}
	var ran lockfile.Artifact
	var err error
	switch kind {
	case lockfile.ArtifactFile:
		ran, err = l.hashed()
	case lockfile.ArtifactNPM:
		ran, err = l.npm(ctx)
	case lockfile.ArtifactGo:
		ran, err = l.goModule(ctx)
	case lockfile.ArtifactImage:
		ran, err = l.image(ctx)
	case lockfile.ArtifactPython:
		ran, err = l.python(ctx)
	}
	if err == nil {
		err = p.Check(s, ran)
	}
	if err == nil && ran == (lockfile.Artifact{}) {
		err = l.cannotHold()
	}
	if err != nil {
		return lockfile.Artifact{}, err
	}
	*r = f.resolved
	return ran, nil
}

// leadsTo reports whether the name in a launch may resolve to an artifact.
func leadsTo(named, a lockfile.Artifact) bool {
	return named.Kind == a.Kind && a.Integrity != "" &&
		(named.Name == a.Name || a.Kind == lockfile.ArtifactGo && strings.HasPrefix(named.Name, a.Name+"/")) &&
		(named.Version == "" || named.Version == a.Version) &&
		(named.Integrity == "" || named.Integrity == a.Integrity)
}

// launch is one start of a server with a locked artifact.
type launch struct {
	*finder
	plan   Plan
	server endpoint.Server
}

// follows reports whether the current resolution of the launch is needed: because it
// names no version, or because other bytes were accepted.
func (l launch) follows(exact bool) bool { return l.plan.Newest && !exact || l.plan.Accepted }

// rest returns the arguments of the package, from its first word. It is false if the
// launch is a command line that hides where they begin.
func (l launch) rest() (words []string, ok bool) {
	args := l.resolved.Args
	at := len(args) - l.runner.Rest
	quoted := func(a string) bool { return strings.ContainsAny(a, " \t\"") }
	if l.runner.Rest == 0 || at < 0 ||
		install.ProgramName(l.resolved.Command) == "cmd" && slices.ContainsFunc(args, quoted) {
		return nil, false
	}
	return args[at:], true
}

// firstInPath puts a folder before the others of PATH.
func (l launch) firstInPath(dir string) {
	name := "PATH"
	for _, v := range l.resolved.Env {
		if strings.EqualFold(v.Name, name) {
			name = v.Name
		}
	}
	path := endpoint.Var{Name: name, Value: dir + string(filepath.ListSeparator) + l.variable(name)}
	l.resolved.Env = append(slices.Clone(l.resolved.Env), path)
}
