// The gate's decision, with its reason, for a person who asks before
// the call.

package policy

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
)

// A Place says where a rule stands. The zero value is nowhere: no rule decided.
type Place struct {
	List  string // allow or deny, those of the [Config]; grant for later grants
	Index int    // in the list of the Config; 0 for a grant
}

// An Explanation is the gate's decision about a request, as far as rules alone
// make it.
type Explanation struct {
	Allowed bool
	Asked   bool   // a person decides, in mode [Ask]
	Rule    string // the rule that decided; "" if the mode did
	Place   Place
	Reason  string   // in words
	Limits  []string // of who makes the request, in words
}

// Explain returns what [Policy.Check] decides about a request. Nobody is asked and
// no event is sent. A nil policy allows everything.
func (p *Policy) Explain(req runtime.Request) Explanation {
	if p == nil {
		return Explanation{Allowed: true, Reason: "there is no policy"}
	}
	return p.explain(targetOf(req))
}

func (p *Policy) explain(t target) Explanation {
	d := p.decide(t)
	d.byMode(p.mode)
	e := Explanation{Allowed: d.allowed, Asked: d.open && p.mode == Ask, Rule: d.rule, Place: d.at, Reason: d.reason}
	for _, l := range p.limits {
		if l.isAbout(t) {
			e.Limits = append(e.Limits, l.String())
		}
	}
	return e
}

// Shows reports whether who would make a request is shown what it is about, in a listing
// for a model: it may be made with some arguments, or a person would be asked, or the
// configuration shows what is denied. A nil policy shows everything.
func (p *Policy) Shows(req runtime.Request) bool {
	if p == nil || p.shows {
		return true
	}
	t := targetOf(req)
	t.listed = true
	d := p.decide(t)
	d.byMode(p.mode)
	return d.allowed || d.open && p.mode == Ask
}

// byMode decides in mode yolo what no rule speaks about.
func (d *decision) byMode(mode Mode) {
	if d.open && mode == Yolo {
		d.allowed, d.open, d.reason = true, false, "mode yolo"
	}
}

// A Grammar is a system's way to write rules.
type Grammar string

// The grammars.
const (
	GrammarOwn       Grammar = "mcpgen"     // tool:github/list_prs
	GrammarScarab    Grammar = "scarab"     // tool.invoke:mcp.github.list_prs
	GrammarCoreAgent Grammar = "core-agent" // mcp:github_list_prs
	GrammarCovenant  Grammar = "covenant"   // tool.call.list_prs
)

// Grammars are all of them, the own one first.
func Grammars() []Grammar {
	return []Grammar{GrammarOwn, GrammarScarab, GrammarCoreAgent, GrammarCovenant}
}

// RuleFor writes the rule that allows a request, in a grammar, where the configured
// servers have these names: a call of a tool, or, in the own grammar alone, a prompt
// or a resource. In a grammar that cannot tell the tool from others the rule may
// allow more: tool.call.echo is the echo of any server. It is "" if the grammar has
// no rule for the request.
func RuleFor(g Grammar, req runtime.Request, servers []string) string {
	return ruleFor(g, targetOf(req), servers)
}

// ruleText is the rule that allows a target, as its system writes it.
func (p *Policy) ruleText(t target) string {
	if p.files[t.server] == "" {
		if text := ruleFor(p.grammar, t, p.servers); text != "" {
			return text
		}
	}
	return ownText(t)
}

func ruleFor(g Grammar, t target, servers []string) string {
	var text string
	switch {
	case t.kind == aboutNothing:
		return ""
	case g == GrammarOwn:
		text = ownText(t)
	case t.kind != aboutTool || strings.ContainsAny(t.server+t.name, `*?[\`):
		return "" // the others have no way to say that a star is a star
	case g == GrammarScarab:
		text = "tool.invoke:mcp." + t.server + "." + t.name
	case g == GrammarCoreAgent:
		text = "mcp:" + keyOf(t.server, t.name)
	case g == GrammarCovenant:
		text = "tool.call." + t.name
	}
	// Names may hold what means something else in a rule: the gate says whether
	// the rule does what is wanted.
	p, err := New(Config{Allow: []string{text}, Servers: slices.Clone(servers)}, nil)
	if err != nil || !p.decide(t).allowed {
		return ""
	}
	return text
}
