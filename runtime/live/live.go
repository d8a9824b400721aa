// Package live connects a program to its MCP servers in one call:
//
//	host, err := live.Connect(ctx, mcp.Manifests()...)
//
// Connect finds mcpgen.yaml and applies everything in it: the policy, with the user's
// grants and a question on the terminal if a person decides; the audit log and the
// ledger; secrets from the environment, the user's file, the keyring and the
// project's command; trust of files that were found by searching; sign-in; the rules
// about drift; the check of arguments; and the variables that limit a run to some servers. [Open] does the
// same with options: the source of the configuration, the servers, and all settings
// of the host.
//
// A server whose launch differs from the locked one is refused until mcpgen update
// has shown and accepted the change. The others are not affected. The locked launch
// is in the mcpgen.lock of the configuration's folder, or else in the generated
// packages. A server that would run other bytes of the locked version is refused,
// too; a launch without a version, such as "npx -y pkg", runs the locked version. If
// the runner knows the bytes beforehand, this is checked before the start: see
// package attach/artifact.
//
// The package attach below knows only sessions. A program without a configuration, or
// with its own wiring, uses that package and links less.
//
// A program that is built with -tags mcpgen_lean links 13 modules less. It has no
// keyring, no Google credentials, no TOML files and no ledger, derives no schemas of
// native tools from Go types, and does not ask at the terminal. A configuration that
// needs one of these is an error that says so; the program can pass its own Auth,
// Secrets and Prompter.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/extension"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Options are the choices of [Open]. The zero value is that of [Connect].
//
// At most one of Config, File, MCP, System and Project names the configuration.
// Without any, mcpgen.yaml is searched in Dir and its parents, see [config.Find].
type Options struct {
	// Config is the text of an mcpgen.yaml, such as one embedded in the program.
	// Relative paths in it are relative to Dir.
	Config []byte
	// File is the path of an mcpgen.yaml, also under another name.
	File string
	// MCP lists server files of other programs, folders of indusr, and names of
	// systems, as the flag --mcp does: see [config.Environment.LoadServers].
	MCP []string
	// System is the name of another system, such as tallow: the files that this
	// system reads by itself for the project in Dir are read.
	System string
	// Project is a configuration that the program has read with the package config.
	// The program must log its notices.
	Project *config.Project
	// Reread returns the options of the next reading, for [Host.Reload]: their
	// configuration, servers, manifests and launches are then used. If nil, the
	// source named above is read again, which is impossible for Project.
	Reread func() (Options, error)
	// Watch has the host reload, as [Host.Reload] does, when one of the files of the
	// configuration has changed. Files are checked once a second. A failure is logged
	// as an error, the previous configuration stays in force, and the host tries
	// again at growing intervals, of at most a minute.
	Watch bool

	// Dir is the project's folder. "" is the working directory.
	Dir string
	// Servers are the names of the servers to attach. A name without an enabled
	// server is an error. If nil, the variables of [config.ScopeVariables] that are set
	// name the servers; without such a variable, all are attached.
	Servers []string
	// AgentFile is the markdown file of an agent, in tallow's format, whose front
	// matter names the servers: see [config.LoadAgent]. It takes precedence over the
	// variables, and Servers over it. "" means none.
	AgentFile string
	// Profile is the name of a profile of the configuration: only its servers are
	// attached, and calls and listings that name no other profile have this one. Servers
	// takes precedence over its servers. "" is everything.
	Profile string
	// Toolset selects the tools of the program, as indusr's flags --tools and
	// --no-tools do: names select among the tools that do not belong to a server, and
	// None means no tools at all, so that no server is started or connected to. The
	// zero value selects all.
	Toolset config.Toolset

	// Lazy starts each server with its first call, as lazy: true in an mcpgen.yaml
	// does. Until then the server is shown with the tools of its manifest, or else of
	// its last use on this machine. A server whose tools are unknown is started at
	// once.
	Lazy bool

	// Prompter asks a person about calls in policy mode ask. Nil asks on the
	// terminal, if standard input and standard error are a terminal, and otherwise
	// nobody.
	Prompter policy.Prompter
	// Terminal is where a person at the terminal reads how to sign in; the last write
	// before an answer does not end with a newline. Nil is standard error.
	Terminal io.Writer
	// AnyLaunch also starts servers whose launch differs from the locked one. It is
	// for programs that show the change themselves.
	AnyLaunch bool
	// Lock is the accepted state of the servers; nil is the mcpgen.lock in the
	// configuration's folder.
	Lock *lockfile.Lock
	// RequireSignature starts servers only if keys that the user trusts signed the
	// mcpgen.lock in the configuration's folder, as require_signature in an mcpgen.yaml
	// does. It excludes Lock. A program that passes Lock answers for it.
	RequireSignature bool
	// Signers is the file of the trusted keys: see [provenance.Load].
	Signers string
	// Newest runs the version that an unversioned launch resolves to now. It is for
	// programs that show the change themselves; otherwise the locked version runs.
	Newest bool
	// Accepted are the names of servers that run what their launch resolves to now,
	// even if it is other bytes of the locked version.
	Accepted []string

	// Manifests describe the servers of the generated packages: mcp.Manifests()
	// returns all of them. A tool that differs is judged by the rules of the
	// configuration, unless Attach has its own Judge.
	Manifests []*codec.Manifest
	// Outer runs before all other middleware, including the configuration's. It also
	// sees the calls that the policy refuses, as the package runtime/otel must.
	Outer []runtime.Middleware
	// Attach are the settings of the host: handlers for what servers
	// ask, limits. What the configuration decides is added: its middleware stands
	// before Middleware, its log gets events before OnEvent and is closed after OnClose,
	// its launches are checked after Admit, its sign-in is asked after Auth, and
	// Judge, Secrets, Mask and Protocols are filled in where they are not set.
	// OnEvent also gets the permissions that were asked for, possibly by several
	// goroutines at a time. Logger also gets the notices of the configuration; nil sends them to
	// slog.Default().
	Attach attach.Options
	// Agent are the settings of what an agent sees of the host. The configuration is
	// added: tools of its systems precede Native, sections of its systems follow
	// Sections, and Naming and Shows are set if they are not.
	Agent agent.Options
}

// Host is a host with a configuration in force, and what an agent sees of the host.
type Host struct {
	*attach.Host
	*agent.View

	setup *setup
}

// Runs returns what a server runs: the package, version and checksum that its runner
// resolved its launch to. The zero value is unknown.
func (h *Host) Runs(server endpoint.Server) lockfile.Artifact {
	return h.setup.now.Load().launches.runs(server)
}

// Snapshot lists the whole surface of a server, with skills and apps: see
// [attach.Host.Snapshot].
func (h *Host) Snapshot(ctx context.Context, server string) (*schema.Snapshot, []schema.Problem, error) {
	return h.Host.Snapshot(ctx, server, extension.Complete)
}

// HasProfile reports whether the configuration in force has a profile. A host that was
// opened for one profile has no other.
func (h *Host) HasProfile(name string) bool {
	now := h.setup.now.Load()
	_, ok := now.project.Profiles[name]
	return ok && (now.opts.Profile == "" || now.opts.Profile == name)
}

// AllowsProfile reports whether the configuration in force allows a profile to a caller
// with claims, which are as in [runtime.Options].
func (h *Host) AllowsProfile(name, caller string, claims []string) bool {
	return h.setup.now.Load().project.Profiles[name].IsFor(caller, claims...)
}

// SearchTools returns find_tools, describe_tool and call_tool over the tools that
// [agent.View.Tools] returns at the time of each call. An agent gets these three if
// there are too many tools to describe in each request: see [native.Search]. The
// three are neither gated nor logged; each call that call_tool makes is, as a call of
// the tool that it names. The text of [agent.View.Instructions] has a line for every
// tool, and is not for such an agent.
func (h *Host) SearchTools() []runtime.Tool {
	set := native.Search(func(context.Context) ([]runtime.Tool, error) { return h.Tools() })
	return set.Tools(set)
}

// Connect attaches to all servers of the mcpgen.yaml that [config.Find] finds from
// the working directory, with everything in it in force. Manifests are as in
// [Options].
//
// The error is for an invalid configuration; then no server has been started. A
// server that does not start is not an error: the host's Err joins such failures. The
// context bounds the attaching; the host lives until its Close, which the caller must
// call and which also closes audit log and ledger.
func Connect(ctx context.Context, manifests ...*codec.Manifest) (*Host, error) {
	return Open(ctx, Options{Manifests: manifests})
}

// Open is [Connect] with options.
func Open(ctx context.Context, opts Options) (*Host, error) {
	logger := opts.Attach.Logger
	if logger == nil {
		logger = slog.Default()
	}
	began := time.Now()
	project, servers, err := opts.configuration(logger)
	if err != nil {
		return nil, err
	}
	s, err := newSetup(&opts, project, logger)
	if err != nil {
		return nil, err
	}
	host, err := attach.Connect(ctx, servers, s.options())
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.tellClients(servers)
	view := agent.NewView(host, s.view())
	s.enrolled.start(view)
	h := &Host{host, view, s}
	if opts.Watch {
		s.watcher.follow(began, s.now.Load())
		h.watch()
	}
	return h, nil
}

// configuration reads what the options name: a project, and the servers of this run.
func (o *Options) configuration(logger *slog.Logger) (*config.Project, []endpoint.Server, error) {
	project, err := o.project(logger)
	if err != nil {
		return nil, nil, err
	}
	if o.Project == nil {
		for _, n := range project.Notices {
			logger.Warn(n.String())
		}
	}
	if _, ok := project.Profiles[o.Profile]; !ok && o.Profile != "" {
		known := strings.Join(slices.Sorted(maps.Keys(project.Profiles)), ", ")
		return nil, nil, fmt.Errorf("%sthere is no profile %q; configured: %s",
			projectPrefix(project), o.Profile, cmp.Or(known, "none"))
	}
	servers, err := o.servers(project, logger)
	servers = slices.Clone(o.Toolset.Servers(servers)) // they may be the project's own
	for i := range servers {
		servers[i].Lazy = servers[i].Lazy || o.Lazy
	}
	return project, servers, err
}

// project reads the configuration that the options name.
func (o *Options) project(logger *slog.Logger) (*config.Project, error) {
	dir := o.Dir
	if dir == "" {
		dir = "."
	}
	var given []string
	for _, source := range []struct {
		name string
		set  bool
	}{
		{"Config", o.Config != nil}, {"File", o.File != ""}, {"MCP", o.MCP != nil}, {"System", o.System != ""},
		{"Project", o.Project != nil},
	} {
		if source.set {
			given = append(given, source.name)
		}
	}
	if len(given) > 1 {
		return nil, hint.With(fmt.Errorf("live.Options: %s exclude each other", strings.Join(given, " and ")),
			"set one of them")
	}
	switch {
	case o.Project != nil:
		return o.Project, nil
	case o.Config != nil:
		return embedded(dir, o.Config)
	case o.File != "":
		return load(o.File, logger)
	case o.MCP != nil || o.System != "":
		return o.foreign(dir)
	}
	path, err := config.Find(dir)
	if err != nil {
		return nil, err
	}
	return load(path, logger)
}

// load reads an mcpgen.yaml on this machine. If an import is missing here and its
// servers are locked, these are left out with a warning.
func load(path string, logger *slog.Logger) (*config.Project, error) {
	env, err := Environment()
	if err != nil {
		return nil, err
	}
	p, err := env.Load(path)
	partial, ok := errors.AsType[*config.PartialError](err)
	if !ok {
		return p, err
	}
	lock, lockErr := readLock(partial.Project.Dir, nil)
	absent, rest := partial.Without(lock)
	for _, name := range absent {
		logger.Warn(fmt.Sprintf(
			"server %q is not attached: %s is not on this machine, or cannot be read",
			name, lock.Servers[name].Source))
	}
	return partial.Project, errors.Join(lockErr, rest)
}

// embedded parses the text of an mcpgen.yaml. Servers get that name as their
// position, as errors of the text do.
func embedded(dir string, text []byte) (*config.Project, error) {
	p, err := config.ParseAt(dir, text)
	if err != nil {
		return nil, err
	}
	for i := range p.Servers {
		if at := &p.Servers[i].Source; at.Path == "" {
			at.Path = "mcpgen.yaml"
		}
	}
	return p, nil
}

// foreign reads the files of other systems.
func (o *Options) foreign(dir string) (*config.Project, error) {
	env, err := Environment()
	if err != nil {
		return nil, err
	}
	if env.Dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if o.System != "" {
		return config.Search(env, o.System)
	}
	return env.LoadServers(o.MCP...)
}

// servers returns the enabled servers of this run.
func (o *Options) servers(project *config.Project, logger *slog.Logger) ([]endpoint.Server, error) {
	if o.Servers != nil {
		if len(o.Servers) == 0 {
			return nil, nil
		}
		servers, _ := project.Only(o.Servers)
		var errs []error
		for _, name := range o.Servers {
			if !slices.ContainsFunc(servers, func(s endpoint.Server) bool { return s.Name == name }) {
				errs = append(errs, fmt.Errorf("%sno enabled server is called %q; enabled: %s",
					projectPrefix(project), name, names(project)))
			}
		}
		return servers, errors.Join(errs...)
	}
	chosen, by := config.Scope(lookup(o)), strings.Join(config.ScopeVariables(), ", ")
	if of := project.Profiles[o.Profile].Servers; of != nil {
		chosen, by = of, "the profile "+o.Profile
	}
	if o.AgentFile != "" {
		agent, err := config.LoadAgent(o.AgentFile)
		if err != nil {
			return nil, err
		}
		for _, n := range agent.Notices {
			logger.Warn(n.String())
		}
		chosen, by = agent.Servers, agent.Path
	}
	servers, unknown := project.Only(chosen)
	for _, name := range unknown {
		logger.Warn(fmt.Sprintf("%s: no server is called %q; enabled: %s", by, name, names(project)))
	}
	return servers, nil
}

func names(project *config.Project) string {
	var all []string
	for _, s := range project.Servers {
		all = append(all, s.Name)
	}
	if all == nil {
		return "none"
	}
	return strings.Join(all, ", ")
}

// projectPrefix returns the beginning of an error about a whole configuration.
func projectPrefix(project *config.Project) string {
	if project.Path == "" {
		return ""
	}
	return project.Path + ": "
}
