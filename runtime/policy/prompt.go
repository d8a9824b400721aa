// Asking a person, and what becomes of the answer.

package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

// A Prompter asks a person whether a request may go on. It is asked one question
// at a time. A prompter that cannot ask returns an error that wraps
// [ErrNoPrompter].
type Prompter interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// PrompterFunc makes a function a [Prompter].
type PrompterFunc func(ctx context.Context, q Question) (Answer, error)

// Ask calls f.
func (f PrompterFunc) Ask(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// A Question is put to a person. Its texts may come from a model or a
// server: whoever shows them has to make them fit for that.
type Question struct {
	Server string
	Method string // one that package protocol names
	Name   string // tool, prompt or URI
	Detail string // see [Detail]
	Rule   string // what [Always] would allow, to this caller
	Caller string // who makes the request, see runtime.Options; "" is the program itself
}

// An Answer is a person's decision.
type Answer struct {
	Decision Decision
	By       string // who answered; "" if that is not known
}

// A Decision is a person's choice. The zero value is no.
type Decision int

// The decisions.
const (
	No          Decision = iota // not this time
	Once                        // this call
	Session                     // this call with these arguments, as long as the policy lives
	SessionTool                 // this tool with any arguments, as long as the policy lives
	Always                      // this tool from now on: the grant is stored
)

// String returns the word for a decision: no, once, session, tool, always.
func (d Decision) String() string {
	words := [...]string{"no", "once", "session", "tool", "always"}
	if d < 0 || int(d) >= len(words) {
		return "?"
	}
	return words[d]
}

// Approval is a question to which a person said yes.
type Approval struct {
	Tool     string // server and name, as server/name
	Key      string // what was shown: see [Detail]
	Decision Decision
	Time     time.Time
	By       string // "" if that is not known
}

// Approvals returns what persons allowed while the policy was in use, the oldest
// first.
func (p *Policy) Approvals() []Approval {
	if p == nil {
		return nil
	}
	p.said.RLock()
	defer p.said.RUnlock()
	return slices.Clone(p.approvals)
}

// remember keeps an answer for the answer's own time.
func (p *Policy) remember(t target, a Answer) error {
	now := p.now()
	var granted *permission
	if a.Decision == Always {
		g := Grant{Rule: p.ruleText(t), Caller: callerText(t.caller), File: p.files[t.server], Time: now.UTC(), By: a.By}
		r, err := parseRule(g.Rule)
		if err == nil {
			r.caller, err = readCaller(g.Caller)
		}
		if err != nil {
			return fmt.Errorf("what was allowed cannot be kept: %w", err)
		}
		if p.opts.Grants != nil {
			if err := p.opts.Grants.Add(g); err != nil {
				return fmt.Errorf("what was allowed could not be stored: %w", err)
			}
		}
		granted = &permission{rule: r, limit: &g.File}
	}
	if granted != nil {
		p.mu.Lock()
		p.allow = append(p.allow, *granted)
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

// callerText is the pattern that takes one caller alone.
func callerText(caller string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(caller)
}

// toolKey and callKey identify targets. No two targets share one.
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

// maxDetail is the length of the longest detail, in characters, and ellipsis is the
// end of one that was longer.
const (
	maxDetail = 200
	ellipsis  = "..."
)

// detail is what a person is shown of a request. A tool has the name there that its
// system gives it.
func (p *Policy) detail(t target) string {
	return Detail(shownName(p.naming, t), t.args.raw)
}

// shownName is the name of what a request is about, that of a tool with its server
// in it.
func shownName(scheme naming.Scheme, t target) string {
	if t.kind != aboutTool {
		return t.name
	}
	return scheme.Qualify(t.server, t.name)
}

// Detail describes a call to a person: the tool, a space and the
// arguments as JSON on one line. What is longer than 200 characters is cut to as
// many, the last three of which are "...". Without arguments it is the tool alone.
func Detail(name string, args json.RawMessage) string {
	text := name
	if args = bytes.TrimSpace(args); len(args) > 0 {
		var line bytes.Buffer
		if json.Compact(&line, args) == nil {
			args = line.Bytes()
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
