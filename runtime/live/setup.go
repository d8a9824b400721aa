// The effect of a configuration on calls, as the options of a host.

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/internal/resources"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/grants"
	"github.com/mcpgen/mcpgen/runtime/policy/secrets"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// setup holds what a configuration adds in front of the sessions of one host.
type setup struct {
	opts     *Options
	logger   *slog.Logger
	mask     *mask.Set
	log      *audit.Log  // nil: no audit log
	enrolled *enrolment  // nil: no ledger
	native   *native.Set // nil: no native tools
	sections []agent.Section
	links    resources.Links

	now     atomic.Pointer[inForce]
	reload  sync.Mutex // one at a time
	watcher watcher
}

func newSetup(opts *Options, project *config.Project, logger *slog.Logger) (*setup, error) {
	s := &setup{opts: opts, logger: logger, mask: &mask.Set{}}
	if given := opts.Attach.Mask; given != nil {
		var ok bool
		if s.mask, ok = given.(*mask.Set); !ok {
			err := fmt.Errorf("live.Options.Attach: the Mask is a %T, which cannot mask logs", given)
			return nil, hint.With(err, "make it a *mask.Set")
		}
	}
	_, err := naming.ParseScheme(string(opts.Agent.Naming))
	if err != nil {
		return nil, fmt.Errorf("live.Options.Agent: %w", err)
	}
	if s.sections, err = guides(project); err != nil {
		return nil, fmt.Errorf("%s%w", projectPrefix(project), err)
	}
	if s.enrolled, err = openLedger(project, logger); err != nil {
		return nil, err
	}
	if a := project.Audit; a != nil {
		s.log, err = audit.Open(a.File, &audit.Options{
			Arguments: a.Arguments, Key: s.contentKey, Launch: s.launchText,
			Position: s.enrolled.position, Mask: s.mask, OnError: unwritten("audit log", a.File, logger),
		})
		if err != nil {
			_ = s.enrolled.close() // nothing was written
			err = fmt.Errorf("%sthe audit log cannot be opened: %w", projectPrefix(project), err)
			return nil, hint.With(err, "correct the path or the permissions of the file", "change audit.file")
		}
	}
	if s.native, err = systemTools(opts, project); err != nil {
		_ = s.log.Close() // nothing was written
		return nil, fmt.Errorf("%s%w", projectPrefix(project), err)
	}
	now, err := s.read(opts, project)
	if err != nil {
		_ = s.close() // nothing was written
		return nil, err
	}
	s.now.Store(now)
	return s, nil
}

// resources returns how a server's resources are configured.
func (s *setup) resources(server string) endpoint.Resources {
	for _, known := range s.now.Load().project.Servers {
		if known.Name == server {
			return known.Resources
		}
	}
	return ""
}

// options returns the options of the program with the additions of the configuration.
func (s *setup) options() *attach.Options {
	o := s.opts.Attach
	o.Middleware = slices.Concat([]runtime.Middleware{s.inProfile}, s.opts.Outer, []runtime.Middleware{
		s.current(func(f *inForce) runtime.Middleware { return f.decoding }), s.enrolled.middleware(), s.log.Middleware(),
		s.current(func(f *inForce) runtime.Middleware { return f.selecting }),
		s.current(func(f *inForce) runtime.Middleware { return f.gate.Middleware() }),
		s.current(func(f *inForce) runtime.Middleware { return f.checking }),
	}, o.Middleware)
	if s.native != nil {
		// The program's own middleware runs first.
		o.Middleware = append(o.Middleware, s.native.Middleware())
	}
	if o.Drift != attach.DriftWarn && o.Drift != attach.DriftOff { // those modes allow all
		o.Middleware = append(o.Middleware, s.current(func(f *inForce) runtime.Middleware {
			return s.links.Middleware(s.resources, f.opts.Manifests...)
		}))
	}
	if o.Secrets == nil {
		o.Secrets = func(ctx context.Context, server endpoint.Server, name string) (string, error) {
			return s.now.Load().secrets(ctx, server, name)
		}
	}
	o.Enforces = []endpoint.Requirement{
		endpoint.RequirePolicy, endpoint.RequireAudit, endpoint.RequireLedger, endpoint.RequireSecrets,
	}
	o.Mask, o.OnEvent = s.mask, s.event
	o.Auth = slices.Concat(o.Auth, signIn(s.opts.Terminal))
	if o.Judge == nil {
		o.Judge = s
	}
	first := s.now.Load()
	if o.Listings == nil {
		o.Listings = listings{first.launches.dir}
	}
	if o.Memory == 0 {
		o.Memory = first.project.Memory
	}
	if o.Protocols == nil {
		o.Protocols = first.launches.protocols(first.project.Servers)
	}
	if admit := o.Admit; !s.opts.AnyLaunch {
		o.Admit = func(server endpoint.Server) error {
			if admit != nil {
				if err := admit(server); err != nil {
					return err
				}
			}
			return s.now.Load().launches.check(server)
		}
	}
	if o.Prepare == nil {
		o.Prepare = func(ctx context.Context, server endpoint.Server,
			launch *endpoint.Process) (started func() error, err error) {
			return s.now.Load().launches.prepare(ctx, server, launch)
		}
	}
	onClose := o.OnClose
	o.OnClose = func() error {
		if onClose == nil {
			return s.close()
		}
		err := onClose()
		if closed := s.close(); err == nil {
			err = closed
		}
		return err
	}
	return &o
}

// ofProfile returns a request in the program's profile, if it names no other.
func (s *setup) ofProfile(req runtime.Request) runtime.Request {
	req.Options.Profile = cmp.Or(req.Options.Profile, s.opts.Profile)
	return req
}

// inProfile is the middleware of ofProfile.
func (s *setup) inProfile(next runtime.Invoker) runtime.Invoker {
	if s.opts.Profile == "" {
		return next
	}
	return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		return next.Invoke(ctx, s.ofProfile(req))
	})
}

// tellClients logs, for each server, which handlers of this program are not declared
// to it. It also logs if the declared capabilities have changed since the server was
// locked, since it may then offer other items.
func (s *setup) tellClients(servers []endpoint.Server) {
	var answered endpoint.Offers
	if in := s.opts.Attach.Input; in != nil {
		answered = in.Offers()
	}
	for _, server := range servers {
		declared := *cmp.Or(server.Client, &answered)
		tell := func(text string, steps ...string) {
			s.logger.Info(hint.With(fmt.Errorf("%sserver %q: %s", server.Source.Prefix(), server.Name, text), steps...).Error())
		}
		if silent := answered.Beyond(declared); silent != nil {
			tell("the key client does not declare " + strings.Join(silent, ", ") +
				", so the program's handlers for these requests are not called")
		}
		locked := s.now.Load().launches.lock.Servers[server.Name]
		if locked == nil || locked.ClientCapabilities == nil {
			continue
		}
		if was := endpoint.OffersOf(locked.ClientCapabilities); was != declared {
			tell(fmt.Sprintf("this program declares client: %v, but the lock was made with client: %v, "+
				"so the server may offer other items", declared, was),
				fmt.Sprintf("set client: %v in mcpgen.yaml, then run mcpgen update %s", declared, server.Name))
		}
	}
}

// view returns the options of what an agent sees of the host.
func (s *setup) view() *agent.Options {
	o := s.opts.Agent
	o.Native = s.ownTools(o.Native)
	o.Sections = slices.Concat(o.Sections, s.sections)
	o.Naming = cmp.Or(o.Naming, s.now.Load().project.Naming)
	if o.Shows == nil {
		o.Shows = func(req runtime.Request) bool { return s.now.Load().shows(s.ofProfile(req)) }
	}
	return &o
}

// systemTools returns the tools of the systems that the toolset selects.
func systemTools(opts *Options, project *config.Project) (*native.Set, error) {
	chosen := *project
	left := func(name string) bool { return !opts.Toolset.Native(name) }
	chosen.Native = slices.DeleteFunc(slices.Clone(chosen.Native), left)
	return Native(&chosen)
}

// ownTools returns the tools of the systems and of the program that the toolset
// selects.
func (s *setup) ownTools(program func(runtime.Invoker) []runtime.Tool) func(runtime.Invoker) []runtime.Tool {
	return func(inv runtime.Invoker) []runtime.Tool {
		var tools []runtime.Tool
		if s.native != nil {
			tools = s.native.Tools(inv)
		}
		if program != nil {
			tools = append(tools, program(inv)...)
		}
		return slices.DeleteFunc(tools, func(t runtime.Tool) bool { return !s.opts.Toolset.Native(t.Spec().Name) })
	}
}

// close closes what was opened for the host.
func (s *setup) close() error {
	s.watcher.stop()
	return errors.Join(s.enrolled.close(), s.log.Close())
}

// event records an event, and passes it to the program.
func (s *setup) event(e event.Event) {
	s.enrolled.event(e)
	s.log.Event(e)
	if s.opts.Attach.OnEvent != nil {
		s.opts.Attach.OnEvent(e)
	}
}

// unwritten returns a function that logs that a file cannot be written any more; what
// describes the file.
func unwritten(what, file string, logger *slog.Logger) func(error) {
	return func(err error) {
		logger.Error(fmt.Sprintf("%s: the %s cannot be written, but calls continue: %v", file, what, err))
	}
}

// contentKey returns the key of a tool from the lock, or else from a manifest; "" if
// neither has one.
func (s *setup) contentKey(server, tool string) string {
	now := s.now.Load()
	if key := now.launches.key(server, tool); key != "" {
		return key
	}
	for _, m := range now.opts.Manifests {
		if m == nil || m.Server() != server {
			continue
		}
		if def := m.Definition(tool); def != nil {
			if parsed, _, err := schema.ParseTool(def); err == nil {
				key, _ := lockfile.ContentKey(server, tool, parsed.InputSchema) // "" for a schema without one
				return key
			}
		}
	}
	return ""
}

// launchText returns how a server is configured to start, without secrets.
func (s *setup) launchText(server string) string {
	for _, e := range s.now.Load().project.Servers {
		if e.Name == server {
			return config.Launch(e)
		}
	}
	return ""
}

// Grants returns the user's grants for a project on this machine: see mcpgen policy
// grant. An agent manifest that is used without an mcpgen.yaml has its own grants.
// Grants of a system that keeps them for its user apply in every folder, as long as its
// files alone define the servers: see [config.Project.Home]. The error is for a machine without a folder for the user's
// own files.
func Grants(project *config.Project) (*grants.Store, error) {
	dir := cmp.Or(project.Home, project.Dir, ".")
	var files []string
	if cfg := project.Policy; cfg != nil && len(cfg.GrantFiles) > 0 {
		files = slices.Compact(slices.Sorted(maps.Values(cfg.GrantFiles)))
		if len(cfg.GrantFiles) == len(cfg.Servers) {
			dir = ""
		}
	}
	return grants.Open("", dir, files...)
}

// Native returns the tools that the systems of a project provide themselves: see
// [config.Project.Native]. Nil means none. An unknown name is an error.
func Native(project *config.Project) (*native.Set, error) {
	var tools []*native.Tool
	for _, name := range project.Native {
		switch name {
		case native.EchoName:
			tools = append(tools, native.Echo())
		case native.ClockName:
			tools = append(tools, native.Clock(nil))
		default:
			return nil, fmt.Errorf("there is no native tool %q", name)
		}
	}
	if tools == nil {
		return nil, nil
	}
	return native.NewSet(tools...)
}

// guides returns the sections that the systems of a project add to instructions. An
// unknown name is an error.
func guides(project *config.Project) ([]agent.Section, error) {
	var sections []agent.Section
	for _, name := range project.Guides {
		if name != "documentation" {
			return nil, fmt.Errorf("unknown section of instructions %q", name)
		}
		sections = append(sections, agent.DocumentationWorkflow())
	}
	return sections, nil
}

// Policy returns the gate of a project, with the user's grants. A project without a
// policy allows every call; its servers get the secrets that were granted to them.
// Opts may be nil; a non-nil Grants in it is used.
func Policy(project *config.Project, opts *policy.Options) (*policy.Policy, error) {
	cfg := policy.Config{Mode: policy.Yolo}
	for _, s := range project.Servers {
		cfg.Servers = append(cfg.Servers, s.Name)
	}
	if project.Policy != nil {
		cfg = *project.Policy
	}
	cfg.Profiles = project.Profiles
	var o policy.Options
	if opts != nil {
		o = *opts
	}
	if o.Grants == nil {
		if store, err := Grants(project); err == nil {
			o.Grants = store
		}
	}
	return policy.New(cfg, &o)
}

// secretsOfCallers is Secrets for the servers of a host. For the session of one caller,
// the secret NAME/CALLER in the user's stores precedes NAME. The environment cannot
// distinguish all pairs, and the project's command gets no name that a caller chose.
func secretsOfCallers(project *config.Project, lookupEnv func(string) (string, bool)) policy.SecretSource {
	none := func(string) (string, bool) { return "", false }
	shared, own := Secrets(project, lookupEnv), Secrets(&config.Project{}, none)
	return func(ctx context.Context, name string) (string, error) {
		if caller := attach.CallerOf(ctx); caller != "" {
			if value, err := own(ctx, name+"/"+caller); !errors.Is(err, policy.ErrNoSecret) {
				return value, err
			}
		}
		return shared(ctx, name)
	}
}

// Secrets returns a source that looks up secrets in this order: the environment, the
// user's file, the keyring, the project's command. A nil lookupEnv uses this
// process's environment. A policy decides who may have which secret: see [Policy].
func Secrets(project *config.Project, lookupEnv func(string) (string, bool)) policy.SecretSource {
	sources := []policy.SecretSource{secrets.Environment(lookupEnv)}
	if file, err := secrets.OpenFile(""); err == nil { // otherwise there is no folder for one
		sources = append(sources, file.Source())
	}
	sources = append(sources, keyringSource())
	if argv := project.SecretCommand; len(argv) > 0 {
		if strings.ContainsAny(argv[0], `/\`) && !filepath.IsAbs(argv[0]) {
			argv = append([]string{filepath.Join(project.Dir, argv[0])}, argv[1:]...)
		}
		sources = append(sources, secrets.Command(argv...))
	}
	return policy.FirstOf(sources...)
}
