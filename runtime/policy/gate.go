// The decision about one request.

package policy

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// maxName bounds the names that are matched against rules, in bytes.
const maxName = 8 << 10

// decision is the outcome of the rules for a request.
type decision struct {
	allowed bool
	open    bool   // no rule matches: the mode decides
	rule    string // the rule that decided; "" if none did
	at      Place  // the position of that rule
	reason  string
	outside bool // of its profile
	cause   error
}

// Check decides about one request, and asks a person if the mode requires it. Nil
// allows the request; the error is a [*DeniedError]. Each check is reported to
// [Options.OnEvent]. A nil policy allows everything.
func (p *Policy) Check(ctx context.Context, req runtime.Request) error {
	_, err := p.check(ctx, req, false)
	return err
}

// check is Check. A counted call follows at once: the limits count it until leave is called.
func (p *Policy) check(ctx context.Context, req runtime.Request, counted bool) (leave func(), err error) {
	if p == nil {
		return func() {}, nil
	}
	t := targetOf(req)
	d := p.decide(t)
	if d.byMode(p.mode); (d.open || d.outside) && stage.IsUnknown(ctx) {
		return nil, runtime.ErrUnknownTool
	}
	if d.open && p.mode == Ask {
		d, err = p.ask(ctx, t, req)
	}
	leave = func() {}
	if d.allowed && counted {
		if why := ""; len(p.limits.all) > 0 {
			if leave, why = p.limits.count(t, req.Method); why != "" {
				d = decision{reason: why, cause: stage.ErrWait}
			}
		}
	}
	if !d.allowed && err == nil {
		e := p.denied(t, req, d)
		e.cause = d.cause
		err = e
	}
	p.event(event.Event{
		Server: req.Server, Tool: req.Name, Method: req.Method, Caller: req.Options.Caller,
		Allowed: d.allowed, Detail: d.reason, Err: err,
	})
	return leave, err
}

// Allows reports whether the rules alone allow a request: it asks no person and sends
// no event. It is for showing the effect of a policy.
func (p *Policy) Allows(req runtime.Request) bool {
	return p.Explain(req).Allowed
}

// decide matches a target with the rules, first with the denying ones.
func (p *Policy) decide(t target) decision {
	switch {
	case t.kind == aboutNothing:
		return decision{reason: "it names no tool, prompt or resource"}
	case len(t.server) > maxName || len(t.name) > maxName:
		return decision{reason: fmt.Sprintf("the name is longer than %d bytes", maxName)}
	case !utf8.ValidString(t.server) || !utf8.ValidString(t.name):
		// It would be sent as another name.
		return decision{reason: "its name is not UTF-8"}
	}
	if why := p.profiles.outside(t); why != "" {
		return decision{reason: why, outside: true}
	}
	if len(p.deny) > 0 {
		names := t.equivalentNames()
		for _, r := range p.deny {
			if r.denies(names) {
				return decision{rule: r.text, at: r.at, reason: r.quoted + r.callers.by() + " denies it"}
			}
		}
	}
	if isClock(t) {
		return decision{allowed: true, reason: "the built-in tool clock needs no permission"}
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, a := range p.allow {
		if a.allows(t) && a.scope.takes(t) && a.of.has(t.server) {
			return decision{allowed: true, rule: a.text, at: a.at, reason: a.quoted + a.callers.by() + " allows it"}
		}
	}
	if p.allowed(t) {
		return decision{allowed: true, reason: "it was allowed for this session"}
	}
	return decision{open: true, reason: t.unallowed()}
}

// unallowed returns why no rule allows a target.
func (t target) unallowed() string {
	for _, a := range t.addresses {
		if a.parse().why != "" {
			return "no rule allows it, and no pattern can match it: " + a.why
		}
	}
	return "no rule allows it"
}

// isClock reports whether t is the only tool that needs no permission: reading the
// time proves that calls work, and reveals nothing.
func isClock(t target) bool { return t.kind == aboutTool && t.server == "" && t.name == "clock" }

// denied returns the error of a request that was denied.
func (p *Policy) denied(t target, req runtime.Request, d decision) *DeniedError {
	e := &DeniedError{
		Server: req.Server, Method: req.Method, Name: req.Name,
		Rule: d.rule, Reason: d.reason, caller: req.Options.Caller,
	}
	if d.open {
		e.Grant, e.File, e.in, e.mcp = p.ruleText(t), p.files[t.server], p.in, p.mcp
	}
	return e
}

// ask has a person decide about a request that no rule decides.
func (p *Policy) ask(ctx context.Context, t target, req runtime.Request) (decision, error) {
	refuse := func(reason string, cause error) (decision, error) {
		e := p.denied(t, req, decision{open: cause != nil, reason: reason})
		e.cause = cause
		return decision{reason: reason}, e
	}
	if p.opts.Prompter == nil {
		return refuse("no rule allows it, and "+ErrNoPrompter.Error(), ErrNoPrompter)
	}
	select { // one question at a time
	case p.asking <- struct{}{}:
		defer func() { <-p.asking }()
	case <-ctx.Done():
		return refuse("no answer in time", ctx.Err())
	}
	if d := p.decide(t); !d.open { // by the answer to the previous question
		return d, nil
	}
	answer, err := p.opts.Prompter.Ask(ctx, Question{
		Server: req.Server, Method: req.Method, Name: req.Name, Caller: req.Options.Caller,
		Detail: p.detail(t), Rule: p.ruleText(t),
	})
	if err != nil {
		if errors.Is(err, ErrNoPrompter) {
			err = ErrNoPrompter
		}
		return refuse("the question to a person was not answered: "+err.Error(), err)
	}
	if answer.Decision == No || answer.Decision > Always {
		return refuse("a person said no", nil)
	}
	if err := p.remember(t, answer); err != nil {
		return refuse(err.Error(), err)
	}
	return decision{allowed: true, reason: "a person allowed it: " + answer.Decision.String()}, nil
}
