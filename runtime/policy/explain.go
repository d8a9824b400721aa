// Explanations of the gate's decisions, for a person who asks before the call.

package policy

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
)

// A Place is the position of a rule. In the zero value, no rule decided.
type Place struct {
	List  string // allow or deny of the [Config]; grant for later grants
	Index int    // in the list of the Config; 0 for a grant
}

// An Explanation is the gate's decision about a request, by the rules alone.
type Explanation struct {
	Allowed bool
	Asked   bool   // a person decides, in mode [Ask]
	Rule    string // the rule that decided; "" if the mode did
	Place   Place
	Reason  string   // in words
	Limits  []string // for the caller of the request, in words

	// Grant is a rule that would allow the request, as a denial names it, and Grammar
	// its grammar. "" means that a rule decides, or the name of the item.
	Grant   string
	Grammar Grammar
}

// Explain returns how [Policy.Check] would decide about a request. Nobody is asked
// and no event is sent. A nil policy allows everything.
func (p *Policy) Explain(req runtime.Request) Explanation {
	if p == nil {
		return Explanation{Allowed: true, Reason: "there is no policy"}
	}
	t := targetOf(req)
	d := p.decide(t)
	d.byMode(p.mode)
	e := Explanation{Allowed: d.allowed, Asked: d.open && p.mode == Ask, Rule: d.rule, Place: d.at, Reason: d.reason}
	for _, l := range p.limits.all {
		if l.isAbout(t) {
			e.Limits = append(e.Limits, l.String())
		}
	}
	if d.open {
		e.Grant, e.Grammar = p.ruleOf(t)
	}
	return e
}

// Shows reports whether a listing for a model shows the subject of a request to the
// request's caller: if it is allowed with some arguments, if a person would be asked,
// or if the configuration shows denied items. It
// never shows what is not in the request's profile. A nil policy shows everything.
func (p *Policy) Shows(req runtime.Request) bool {
	if p == nil {
		return true
	}
	t := targetOf(req)
	t.listed = true
	if p.shows {
		return p.profiles.outside(t) == ""
	}
	d := p.decide(t)
	d.byMode(p.mode)
	return d.allowed || d.open && p.mode == Ask
}

// byMode allows, in mode yolo, a request that no rule decides.
func (d *decision) byMode(mode Mode) {
	if d.open && mode == Yolo {
		d.allowed, d.open, d.reason = true, false, "mode yolo"
	}
}

// A Grammar is a system's notation of rules.
type Grammar string

// The grammars.
const (
	GrammarOwn       Grammar = "mcpgen"     // tool:github/list_prs
	GrammarScarab    Grammar = "scarab"     // tool.invoke:mcp.github.list_prs
	GrammarCoreAgent Grammar = "core-agent" // mcp:github_list_prs
	GrammarCovenant  Grammar = "covenant"   // tool.call.list_prs
)

// Grammars returns all grammars, the own one first.
func Grammars() []Grammar {
	return []Grammar{GrammarOwn, GrammarScarab, GrammarCoreAgent, GrammarCovenant}
}

// RuleFor returns the rule that allows a request, in a grammar, if these are the
// configured servers. The request is a call of a tool or, only in the own grammar,
// about a prompt or a resource. If a grammar cannot distinguish the tool from others,
// the rule may allow more: tool.call.echo is the echo of any server. It is "" if the
// grammar cannot express the request.
func RuleFor(g Grammar, req runtime.Request, servers []string) string {
	return ruleFor(g, targetOf(req), servers)
}

// ruleOf returns the rule that allows a target, in the grammar of its system if that can
// express the target.
func (p *Policy) ruleOf(t target) (string, Grammar) {
	if p.files[t.server] == "" {
		if text := ruleFor(p.grammar, t, p.servers); text != "" {
			return text, p.grammar
		}
	}
	return ownText(t), GrammarOwn
}

// ruleText returns the rule of ruleOf.
func (p *Policy) ruleText(t target) string {
	text, _ := p.ruleOf(t)
	return text
}

func ruleFor(g Grammar, t target, servers []string) string {
	var text string
	switch {
	case t.kind == aboutNothing:
		return ""
	case g == GrammarOwn:
		text = ownText(t)
	case t.kind != aboutTool || strings.ContainsAny(t.server+t.name, `*?[\`):
		return "" // the other grammars cannot escape a star
	case g == GrammarScarab:
		text = "tool.invoke:mcp." + t.server + "." + t.name
	case g == GrammarCoreAgent:
		text = "mcp:" + keyOf(t.server, t.name)
	case g == GrammarCovenant:
		text = "tool.call." + t.name
	}
	// Names may contain characters with a meaning in rules, so the gate checks
	// whether the rule has the intended effect.
	p, err := New(Config{Allow: []string{text}, Servers: slices.Clone(servers)}, nil)
	if err != nil || !p.decide(t).allowed {
		return ""
	}
	return text
}
