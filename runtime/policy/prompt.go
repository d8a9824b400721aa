// Asking a person, and keeping the answer.

package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// A Prompter asks a person whether a request is allowed. It gets one question at a
// time. A prompter that cannot ask returns an error that wraps [ErrNoPrompter].
type Prompter interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// PrompterFunc makes a function a [Prompter].
type PrompterFunc func(ctx context.Context, q Question) (Answer, error)

// Ask calls f.
func (f PrompterFunc) Ask(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// A Question is put to a person. Its texts may come from a model or a server, and
// must be made fit to be shown.
type Question struct {
	Server string
	Method string // a method of package protocol
	Name   string // tool, prompt or URI
	Detail string // tool and arguments, at most 200 characters
	Rule   string // the rule that [Always] would allow, to this caller
	Caller string // the caller of the request, see runtime.Options; "" is the program itself
}

// An Answer is a person's decision.
type Answer struct {
	Decision Decision
	By       string // who answered; "" if unknown
}

// A Decision is a person's choice. The zero value denies.
type Decision int

// The decisions.
const (
	No          Decision = iota // not this time
	Once                        // this call
	Session                     // this call with these arguments, while the policy lives
	SessionTool                 // this tool with any arguments, while the policy lives
	Always                      // this tool from now on: the grant is stored
)

// String returns the name of a decision: no, once, session, tool, always.
func (d Decision) String() string {
	words := [...]string{"no", "once", "session", "tool", "always"}
	if d < 0 || int(d) >= len(words) {
		return "?"
	}
	return words[d]
}

// Approval is a question that a person answered with yes.
type Approval struct {
	Tool     string // server and name, as server/name
	Key      string // the text shown: tool and arguments, at most 200 characters
	Decision Decision
	Time     time.Time
	By       string // "" if unknown
}

// Approvals returns what persons have allowed while the policy was in use, the oldest
// first.
func (p *Policy) Approvals() []Approval {
	if p == nil {
		return nil
	}
	p.said.RLock()
	defer p.said.RUnlock()
	return slices.Clone(p.approvals)
}

// remember keeps an answer for as long as its decision says.
func (p *Policy) remember(t target, a Answer) error {
	now := p.now()
	if a.Decision == Always {
		g := Grant{Rule: p.ruleText(t), Caller: exactly(t.caller), File: p.files[t.server], Time: now.UTC(), By: a.By}
		granted, err := p.permissionOf(g, p.ofFile(g.File))
		if err != nil {
			return fmt.Errorf("the grant is not valid: %w", err)
		}
		if p.opts.Grants != nil {
			if err := p.opts.Grants.Add(g); err != nil {
				return fmt.Errorf("the grant could not be stored: %w", err)
			}
		}
		p.mu.Lock()
		p.allow = append(p.allow, granted)
		p.mu.Unlock()
	}
	p.said.Lock()
	defer p.said.Unlock()
	switch a.Decision {
	case Session:
		p.session[callKey(t)] = true
	case SessionTool:
		p.session[toolKey(t)] = true
	}
	p.approvals = append(p.approvals, Approval{
		Tool: t.server + "/" + t.name, Key: p.detail(t), Decision: a.Decision, Time: now, By: a.By,
	})
	return nil
}

// toolKey and callKey identify targets. Different targets have different keys.
func toolKey(t target) string {
	return fmt.Sprintf("tool %d %q %q %q", t.kind, t.caller, t.server, t.name)
}

func callKey(t target) string {
	text, ok := t.args.canonical()
	if !ok {
		text = string(t.args.raw)
	}
	return fmt.Sprintf("call %d %q %q %q %s", t.kind, t.caller, t.server, t.name, text)
}

// maxDetail is the maximum length of a detail, in characters, and ellipsis ends a cut
// detail.
const (
	maxDetail = 200
	ellipsis  = "..."
)

// detail returns the text about a request for a person. A tool has the name of its
// own system there.
func (p *Policy) detail(t target) string {
	return questionDetail(shownName(p.naming, t), t.args.raw)
}

// shownName returns the name of a request's subject; the name of a tool includes its
// server.
func shownName(scheme naming.Scheme, t target) string {
	if t.kind != aboutTool {
		return t.name
	}
	return scheme.Qualify(t.server, t.name)
}

// questionDetail describes a call to a person: the tool, a space and the arguments as JSON on
// one line. A text longer than 200 characters is cut to 200, of which the last three
// are "...". Without arguments it is the tool alone.
func questionDetail(name string, args json.RawMessage) string {
	text := name
	if args = bytes.TrimSpace(args); len(args) > 0 {
		if line := jsontext.Compact(args); line != nil {
			args = line
		}
		text += " " + string(args)
	}
	if utf8.RuneCountInString(text) <= maxDetail {
		return text
	}
	n := 0
	for i := range text {
		if n == maxDetail-len(ellipsis) {
			return text[:i] + ellipsis
		}
		n++
	}
	return text
}
