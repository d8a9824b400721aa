// The policy: rules that were read, and what was decided while it is in use.

package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// Options are the collaborators of a [Policy]. Nil, like the zero value, is usable.
type Options struct {
	// Prompter asks a person, in mode [Ask]. Nil: there is nobody to ask, and what
	// no rule allows is denied with [ErrNoPrompter].
	Prompter Prompter
	// Grants keeps what was granted for longer than this process. Nil: grants
	// end with it.
	Grants GrantStore
	// OnEvent is called for each check, of secrets as well. It must not block.
	OnEvent func(event.Event)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
	// Replaces is a policy that is in use and that the new one takes the place of. What
	// persons answered holds on, and so does what limits counted that both have. Nil
	// begins anew.
	Replaces *Policy
}

// A GrantStore keeps grants. Its methods are safe for concurrent use, by
// several processes if it lives longer than one.
type GrantStore interface {
	Grants() ([]Grant, error)
	Add(Grant) error
}

// Policy is a gate. Its methods are safe for concurrent use. A nil Policy allows
// every request and no secret: it is what a configuration without a policy
// means.
type Policy struct {
	mode    Mode
	deny    []rule
	opts    Options
	now     func() time.Time
	skipped []string
	files   map[string]string // Config.GrantFiles
	mcp     string            // Config.MCP
	servers names
	naming  naming.Scheme
	grammar Grammar
	places  map[string]int // how many rules were read of each list
	shows   bool           // models are shown what is denied
	limits  []*limit

	mu      sync.RWMutex
	allow   []permission
	secrets []secretPermission

	*answers
}

// answers are what persons said until the end of the process, under every policy that
// replaces the first one.
type answers struct {
	asking chan struct{} // holds one token: one question at a time

	said      sync.RWMutex
	session   map[string]bool // the allowed calls and tools
	approvals []Approval
}

// allowed reports whether a person allowed a tool, or a call of it, until the end.
func (a *answers) allowed(t target) bool {
	a.said.RLock()
	defer a.said.RUnlock()
	return len(a.session) > 0 && (a.session[toolKey(t)] || a.session[callKey(t)])
}

// permission is a rule that allows, for some arguments or for any.
type permission struct {
	rule
	scope *scope
	limit *string // the servers of this file alone, see Config.GrantFiles; nil: those of all
}

// secretPermission allows a secret.
type secretPermission struct {
	SecretRule
	name  glob
	tools rule
	limit *string // as in permission
}

// covers reports whether a permission with a limit counts for a server.
func (p *Policy) covers(limit *string, server string) bool {
	return limit == nil || *limit == p.files[server]
}

// New reads the rules of a configuration and the grants of the store. The error
// joins each rule that cannot mean anything.
func New(cfg Config, opts *Options) (*Policy, error) {
	mode, err := ParseMode(string(cfg.Mode))
	errs := []error{err}
	p := &Policy{mode: mode, files: cfg.GrantFiles, mcp: cfg.MCP, servers: namesOf(cfg.Servers), naming: cfg.Naming, grammar: cfg.Grammar, places: map[string]int{}, now: time.Now}
	if opts != nil {
		p.opts = *opts
	}
	before := p.opts.Replaces
	if p.opts.Replaces = nil; before != nil {
		p.answers = before.answers
	} else {
		p.answers = &answers{asking: make(chan struct{}, 1), session: map[string]bool{}}
	}
	if p.opts.Now != nil {
		p.now = p.opts.Now
	}
	switch p.shows = cfg.Denied == Visible; cfg.Denied {
	case "", Hidden, Visible:
	default:
		errs = append(errs, hint.With(fmt.Errorf("policy: denied: %q", cfg.Denied), "write hidden or visible"))
	}
	errs = append(errs, p.rules(cfg.Deny, cfg.Allow, nil, cfg.Foreign, ""))
	for i, c := range cfg.Callers {
		errs = append(errs, p.callerRules(c, cfg.Foreign, fmt.Sprintf("callers[%d].", i)))
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
		for i, l := range p.limits {
			if same := slices.IndexFunc(before.limits, l.is); same >= 0 {
				p.limits[i] = before.limits[same]
			}
		}
	}
	return p, nil
}

// rules reads those that are about a caller; nil is everybody. At is where their lists
// stand. Their places count on from those that were read before.
func (p *Policy) rules(deny, allow []string, caller *glob, foreign bool, at string) error {
	var errs []error
	for i, text := range deny {
		r, ok, err := p.read(text, foreign)
		r.at, r.caller = p.place("deny"), caller
		if errs = append(errs, within(err, at+"deny[%d]", i)); ok {
			p.deny = append(p.deny, r)
		}
	}
	for i, text := range allow {
		r, ok, err := p.read(text, foreign)
		if err == nil && ok {
			r, err = p.servers.resolveOwner(r)
		}
		r.at, r.caller = p.place("allow"), caller
		if errs = append(errs, within(err, at+"allow[%d]", i)); err == nil && ok {
			p.allow = append(p.allow, permission{rule: r})
		}
	}
	return errors.Join(errs...)
}

// place is where the next rule of a list stands.
func (p *Policy) place(list string) Place {
	at := Place{List: list, Index: p.places[list]}
	p.places[list]++
	return at
}

// callerRules reads the rules and limits of some callers.
func (p *Policy) callerRules(c CallerRules, foreign bool, at string) error {
	caller, err := readCaller(c.Caller)
	if err != nil {
		return within(err, at+"caller")
	}
	errs := []error{p.rules(c.Deny, c.Allow, caller, foreign, at)}
	for i, l := range c.Limits {
		read, err := readLimit(l, caller)
		if errs = append(errs, within(err, at+"limits[%d]", i)); err == nil {
			p.limits = append(p.limits, read)
		}
	}
	return errors.Join(errs...)
}

// readCaller reads a pattern for callers.
func readCaller(text string) (*glob, error) {
	if text == "" {
		return nil, hint.New("it names no caller", `for all of them, write "*"`)
	}
	g, err := parseGlob(text, true, '/')
	return &g, err
}

// stored takes in the grants of the store.
func (p *Policy) stored() error {
	grants, err := p.opts.Grants.Grants()
	if err != nil {
		return fmt.Errorf("policy: the stored grants: %w", err)
	}
	var errs []error
	for _, g := range grants {
		errs = append(errs, within(p.grant(g, &g.File), "the stored grant %q", g.name()))
	}
	return errors.Join(errs...)
}

// within says where in a policy something is wrong.
func within(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("policy: "+format+": %w", append(args, err)...)
}

// read reads a rule. It reports false for one that is skipped.
func (p *Policy) read(text string, foreign bool) (rule, bool, error) {
	r, err := parseRule(text)
	var other *foreignRule
	if errors.As(err, &other) && (foreign || other.known) {
		p.skipped = append(p.skipped, text)
		return rule{}, false, nil
	}
	return r, err == nil, err
}

// CheckRule returns what is wrong with the text of a rule, or nil. A rule
// about something that is not a tool, prompt or resource of an MCP server is wrong.
func CheckRule(text string) error {
	_, err := parseRule(text)
	return err
}

// Mode returns the mode. That of a nil policy is [Yolo].
func (p *Policy) Mode() Mode {
	if p == nil {
		return Yolo
	}
	return p.mode
}

// Skipped returns the rules that concern no tool of an MCP server, in the order
// in which they stand.
func (p *Policy) Skipped() []string {
	if p == nil {
		return nil
	}
	return slices.Clone(p.skipped)
}

// Grant allows what g says from now on, in this process. It is for programs that
// add permissions before they attach; the store is not touched. Without a file it
// counts for all servers.
func (p *Policy) Grant(g Grant) error {
	if g.File == "" {
		return p.grant(g, nil)
	}
	return p.grant(g, &g.File)
}

// grant allows what g says to the servers within a limit.
func (p *Policy) grant(g Grant, limit *string) error {
	if g.Secret != nil {
		if g.Rule != "" || g.Scope != nil {
			return errors.New("a grant is about a rule or a secret, not about both")
		}
		return p.allowSecret(*g.Secret, limit)
	}
	r, err := parseRule(g.Rule)
	if err != nil {
		return err
	}
	if g.Caller != "" {
		if r.caller, err = readCaller(g.Caller); err != nil {
			return err
		}
	}
	if r, err = p.servers.resolveOwner(r); err != nil {
		return err
	}
	s, err := g.Scope.read()
	if err != nil {
		return err
	}
	r.at = Place{List: "grant"}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allow = append(p.allow, permission{rule: r, scope: s, limit: limit})
	return nil
}

// name names a grant in errors.
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

// Middleware returns the gate. What it denies fails with a
// [*runtime.CallError] of the stage [stage.Gate] around a
// [*DeniedError], and does not reach the next invoker. The middleware of
// a nil policy lets everything through.
func (p *Policy) Middleware() runtime.Middleware {
	if p == nil {
		return func(next runtime.Invoker) runtime.Invoker { return next }
	}
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			leave, err := p.enter(ctx, req)
			if err != nil {
				return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Gate, Err: err}
			}
			defer leave()
			return next.Invoke(ctx, req)
		})
	}
}
