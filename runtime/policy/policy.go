// The policy: parsed rules, and the decisions made while it is in use.

package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// Options are the collaborators of a [Policy]. Nil and the zero value are usable.
type Options struct {
	// Prompter asks a person, in mode [Ask]. If nil, requests that no rule allows are
	// denied with [ErrNoPrompter].
	Prompter Prompter
	// Grants stores permissions for longer than this process. If nil, grants end with
	// the process.
	Grants GrantStore
	// OnEvent is called for each check, also of secrets. It must not block.
	OnEvent func(event.Event)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
	// Replaces is a policy in use that the new one replaces. Answers of persons are
	// kept, and so are the counts of limits that both have. If nil, the new policy
	// begins without these.
	Replaces *Policy
}

// A GrantStore keeps grants. Its methods are safe for concurrent use, by several
// processes if the store outlives one.
type GrantStore interface {
	Grants() ([]Grant, error)
	Add(Grant) error
}

// Policy is a gate. Its methods are safe for concurrent use. A nil Policy allows
// every request and no secret: it is the policy of a configuration without one.
type Policy struct {
	mode     Mode
	deny     []rule
	opts     Options
	now      func() time.Time
	skipped  []string
	files    map[string]string // Config.GrantFiles
	mcp      string            // Config.MCP
	in       string            // Config.AllowIn
	servers  names
	naming   naming.Scheme
	grammar  Grammar
	shows    bool // models are shown denied items
	limits   limits
	profiles profiles

	mu      sync.RWMutex
	allow   []permission
	secrets []secretPermission

	*answers
}

// answers holds the answers of persons until the end of the process, shared by all
// policies that replace the first one.
type answers struct {
	asking chan struct{} // holds one token: one question at a time

	said      sync.RWMutex
	session   map[string]bool // the allowed calls and tools
	approvals []Approval
}

// allowed reports whether a person allowed a tool, or a call of it, until the end of
// the process.
func (a *answers) allowed(t target) bool {
	a.said.RLock()
	defer a.said.RUnlock()
	return len(a.session) > 0 && (a.session[toolKey(t)] || a.session[callKey(t)])
}

// permission is a rule that allows, with or without a scope.
type permission struct {
	rule
	scope *scope
	of    serverSet
}

// secretPermission allows a secret.
type secretPermission struct {
	SecretRule
	name  glob
	tools rule
	of    serverSet
}

// serverSet reports whether a permission applies to a server. Nil applies to all.
type serverSet func(server string) bool

func (s serverSet) has(server string) bool { return s == nil || s(server) }

// ofFile returns the servers of an agent manifest: see [Config.GrantFiles].
func (p *Policy) ofFile(file string) serverSet {
	return func(server string) bool { return p.files[server] == file }
}

// New parses the rules of a configuration and the grants of the store. The error
// joins one error for each invalid rule.
func New(cfg Config, opts *Options) (*Policy, error) {
	mode, err := parseMode(string(cfg.Mode))
	errs := []error{err}
	p := &Policy{
		mode: mode, files: cfg.GrantFiles, mcp: cfg.MCP, in: cfg.AllowIn,
		servers: namesOf(cfg.Servers), naming: cfg.Naming, grammar: cfg.Grammar,
		profiles: profiles{}, now: time.Now,
	}
	if p.in == "" && !cfg.Foreign {
		p.in = ownList
	}
	if opts != nil {
		p.opts = *opts
	}
	before := p.opts.Replaces
	if p.opts.Replaces = nil; before != nil {
		p.answers, p.limits.tasks = before.answers, before.limits.tasks
	} else {
		p.limits.tasks = &running{all: map[taskKey]counted{}}
		p.answers = &answers{asking: make(chan struct{}, 1), session: map[string]bool{}}
	}
	if p.opts.Now != nil {
		p.now = p.opts.Now
	}
	p.limits.now = p.now
	switch p.shows = cfg.Denied == Visible; cfg.Denied {
	case "", Hidden, Visible:
	default:
		errs = append(errs, hint.With(fmt.Errorf("policy: denied: %q", cfg.Denied), "write hidden or visible"))
	}
	in := parser{p, cfg.Foreign, map[string]int{}}
	for i, f := range cfg.Files {
		errs = append(errs, within(in.fileRules(f), "files[%d]", i))
	}
	errs = append(errs, in.rules(cfg.Deny, cfg.Allow, nil, ""))
	for i, c := range cfg.Callers {
		errs = append(errs, in.callerRules(c, fmt.Sprintf("callers[%d].", i)))
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Profiles)) {
		p.profiles[name], err = parseProfile(name, cfg.Profiles[name], p.servers)
		errs = append(errs, err)
	}
	for i, g := range cfg.Grants {
		errs = append(errs, within(p.Grant(g), "grants[%d]", i))
	}
	for i, s := range cfg.Secrets {
		errs = append(errs, within(p.AllowSecret(s), "secrets[%d]", i))
	}
	if p.opts.Grants != nil {
		errs = append(errs, p.stored())
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if before != nil {
		for i, l := range p.limits.all {
			if same := slices.IndexFunc(before.limits.all, l.is); same >= 0 {
				p.limits.all[i] = before.limits.all[same]
			}
		}
	}
	return p, nil
}

// stored adds the grants of the store.
func (p *Policy) stored() error {
	grants, err := p.opts.Grants.Grants()
	if err != nil {
		return fmt.Errorf("policy: the stored grants: %w", err)
	}
	var errs []error
	for _, g := range grants {
		errs = append(errs, within(p.grant(g, p.ofFile(g.File)), "the stored grant %q", g.name()))
	}
	return errors.Join(errs...)
}

// CheckRule returns the error of an invalid rule, or nil. A rule about something that
// is not a tool, prompt or resource of an MCP server is invalid.
func CheckRule(text string) error {
	_, err := parseRule(text)
	return err
}

// Mode returns the mode. A nil policy has [Yolo].
func (p *Policy) Mode() Mode {
	if p == nil {
		return Yolo
	}
	return p.mode
}

// Skipped returns the rules that concern no tool of an MCP server, in their order.
func (p *Policy) Skipped() []string {
	if p == nil {
		return nil
	}
	return slices.Clone(p.skipped)
}

// Grant adds a permission from now on, in this process. It is for programs that add
// permissions before they attach; the store is not changed. Without a file, the grant
// applies to all servers.
func (p *Policy) Grant(g Grant) error {
	if g.File == "" {
		return p.grant(g, nil)
	}
	return p.grant(g, p.ofFile(g.File))
}

// grant adds a permission for some servers.
func (p *Policy) grant(g Grant, of serverSet) error {
	if g.Secret != nil {
		if g.Rule != "" || g.Scope != nil {
			return errors.New("a grant has a rule or a secret, not both")
		}
		return p.allowSecret(*g.Secret, p.servers, of)
	}
	granted, err := p.permissionOf(g, of)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allow = append(p.allow, granted)
	return nil
}

// permissionOf returns the permission of a grant with a rule.
func (p *Policy) permissionOf(g Grant, of serverSet) (permission, error) {
	r, err := parseRule(g.Rule)
	if err != nil {
		return permission{}, err
	}
	if g.Caller != "" {
		if r.callers, err = (CallerMatch{Caller: g.Caller}).callers(); err != nil {
			return permission{}, err
		}
	}
	if r, err = p.servers.resolveOwner(r); err != nil {
		return permission{}, err
	}
	r.at = Place{List: "grant"}
	s, err := g.Scope.read()
	return permission{rule: r, scope: s, of: of}, err
}

// name returns the name of a grant in errors.
func (g Grant) name() string {
	if g.Secret != nil {
		return "secret:" + g.Secret.Secret
	}
	return g.Rule
}

// event sends the event of a check.
func (p *Policy) event(e event.Event) {
	if p.opts.OnEvent == nil {
		return
	}
	e.Time, e.Kind = p.now(), event.Check
	p.opts.OnEvent(e)
}

// Middleware returns the gate. A denied request fails with a [*runtime.CallError] of
// the stage [stage.Gate] around a [*DeniedError], and does not reach the next
// invoker. The middleware of a nil policy allows everything.
func (p *Policy) Middleware() runtime.Middleware {
	if p == nil {
		return func(next runtime.Invoker) runtime.Invoker { return next }
	}
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			leave, err := p.check(ctx, req, true)
			if err != nil {
				at := stage.Gate
				if err == runtime.ErrUnknownTool {
					at = stage.Route
				}
				return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: at, Err: err}
			}
			goesOn := false
			defer func() {
				if !goesOn {
					leave()
				}
			}()
			res, err := next.Invoke(ctx, req)
			goesOn = p.limits.follow(ctx, req, res, err, leave)
			return res, err
		})
	}
}
