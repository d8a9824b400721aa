// Rules: their forms, and what all of them answer.

package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// kind is the kind of a request.
type kind byte

const (
	aboutTool kind = iota
	aboutPrompt
	aboutResource
	aboutNothing // a method that is not known, or a completion of nothing
)

// target is a request as rules see it.
type target struct {
	server    string
	kind      kind
	name      string
	addresses []*address // of a resource: its name, and what a completion makes of a template
	args      *arguments
	caller    string
	listed    bool // it is about a listing: arguments are not known yet
}

// rule is one rule as it was read.
type rule struct {
	text   string
	quoted string // for reasons
	form
	caller *glob  // whom it is about; nil is everybody
	at     Place  // where it stands
	folded []form // of the text in other spellings, for denying
}

// form is one form of rules.
type form interface {
	// match reports whether the rule is about the target. Where names leave
	// that open, a rule that denies takes it in, and one that allows does not.
	match(t target, deny bool) bool
	// whole reports whether the rule takes in every tool of a server, whatever
	// they are called.
	whole(server string) bool
}

// isFor reports whether a rule is about a caller.
func (r rule) isFor(caller string) bool { return r.caller == nil || r.caller.match(caller) }

// allows reports whether the rule allows the target. An address has to be allowed
// however a server may read it, unless the rule names exactly that address.
func (r rule) allows(t target) bool {
	if !r.isFor(t.caller) || !r.match(t, false) {
		return false
	}
	own, ok := r.form.(ownForm)
	if t.kind != aboutResource || ok && own.name.exact {
		return true
	}
	return ok && !slices.ContainsFunc(t.addresses, func(a *address) bool {
		return !own.name.match(a.text) || !a.within(own.name)
	})
}

// denies reports whether the rule denies a target, by one of the names that it may
// be taken for. What denies every tool of a server denies all that it offers.
func (r rule) denies(e equivalents) bool {
	if !r.isFor(e.targets[0].caller) {
		return false
	}
	for _, f := range append([]form{r.form}, r.folded...) {
		own, ok := f.(ownForm)
		for _, t := range e.targets {
			if f.match(t, true) || f.whole(t.server) || e.any && ok && own.kind == aboutResource && own.server.match(t.server) {
				return true
			}
		}
	}
	return false
}

// foreignRule is a rule about something that is not a tool, prompt or resource of
// an MCP server.
type foreignRule struct {
	known  bool // surely so: no misspelling either
	reason string
}

func (e *foreignRule) Error() string { return e.reason }

// parseRule reads a rule. The error quotes it and says how it is written.
func parseRule(text string) (rule, error) {
	f, err := parseForm(text)
	if err != nil {
		return rule{}, fmt.Errorf("the rule %q: %w", text, err)
	}
	r := rule{text: text, quoted: fmt.Sprintf("the rule %q", text), form: f}
	for _, one := range []string{fold(text), fold(decodedRule(text))} {
		if other, err := parseForm(one); err == nil && one != text { // what cannot be read this way has no other spelling
			r.folded = append(r.folded, other)
		}
	}
	return r, nil
}

func parseForm(text string) (form, error) {
	switch {
	case text == "":
		return nil, hint.New("it is empty", "remove it")
	case text != strings.TrimSpace(text) || strings.ContainsFunc(text, unicode.IsControl):
		return nil, errors.New("it begins or ends with a space, or has control characters, as no name does")
	case !utf8.ValidString(text):
		return nil, errors.New("it is not UTF-8")
	}
	if rest, ok := strings.CutPrefix(text, "tool.call."); ok {
		return parseCall(rest)
	}
	namespace, rest, ok := strings.Cut(text, ":")
	if !ok {
		return parseBare(text)
	}
	switch namespace {
	case "tool.invoke":
		return parseInvoke(rest)
	case "mcp":
		return parseNamespaced(rest)
	case "tool":
		return parseOwn(aboutTool, rest)
	case "prompt":
		return parseOwn(aboutPrompt, rest)
	case "resource":
		return parseOwn(aboutResource, rest)
	case "secret":
		return nil, hint.New("a secret is not allowed here", "write the rule under policy.secrets")
	}
	return nil, hint.With(&foreignRule{reason: fmt.Sprintf("%q is about no tool of an MCP server", namespace+":")},
		nearest(namespace), "begin it with tool.invoke:mcp., mcp:, tool.call., tool:, prompt: or resource:")
}

// parseBare reads a rule without a namespace. What looks like the segments of
// another form is refused, since it would match nothing.
func parseBare(text string) (form, error) {
	switch {
	case strings.HasPrefix(text, "mcp.") || text == "mcp":
		return nil, hint.New("it matches nothing this way", "write tool.invoke:"+text)
	case strings.HasPrefix(text, "tool.invoke") || strings.HasPrefix(text, "tool.call"):
		return nil, hint.New("it is incomplete", "write tool.invoke:mcp.<server>.<tool> or tool.call.<tool>")
	case strings.HasPrefix(text, "mcp__"):
		return nil, hint.New("rules are about servers and tools, not about the names that a model sees", "write tool:<server>/<tool>")
	}
	if name, _, _ := strings.Cut(text, " "); strings.Contains(name, "/") {
		return nil, hint.New("no prefix says what it is about", "write tool:"+text)
	}
	return parseNamespaced(text)
}

// IsAbout reports whether a rule may match something of servers with these names. One
// without a kind, such as write_file, is core-agent's form of a server and its tool: it may
// be about no server at all, and then matches only a native tool of that name.
func IsAbout(rule string, servers []string) bool {
	if strings.Contains(rule, ":") || strings.HasPrefix(rule, "tool.") {
		return true
	}
	if i := strings.IndexAny(rule, `*?[\ `); i >= 0 {
		rule = rule[:i]
	}
	return slices.ContainsFunc(servers, func(name string) bool {
		key := keyOf(name, "")
		return strings.HasPrefix(rule, key) || strings.HasPrefix(key, rule)
	})
}

// nearest proposes a namespace for one that is not known.
func nearest(namespace string) string {
	for _, known := range []string{"tool.invoke", "mcp", "tool", "prompt", "resource"} {
		if strings.EqualFold(namespace, known) || namespace == known+"s" || oneOff(namespace, known) {
			return fmt.Sprintf("did you mean %q?", known+":")
		}
	}
	return ""
}

// oneOff reports whether two words of one length differ in two neighbours that
// are swapped or in one letter, or one has a letter more.
func oneOff(a, b string) bool {
	if len(a) < 3 || len(b) < 3 || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	i, j := 0, 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	for j < min(len(a), len(b))-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	left, right := a[i:len(a)-j], b[i:len(b)-j]
	if len(left) == 2 && len(right) == 2 {
		return left[0] == right[1] && left[1] == right[0]
	}
	return len(left) <= 1 && len(right) <= 1
}

// kindOf returns what a method is about; of a completion its arguments say that.
func kindOf(method string) kind {
	switch method {
	case protocol.MethodCallTool, protocol.MethodGetTask, protocol.MethodAwaitTask, protocol.MethodUpdateTask, protocol.MethodCancelTask:
		return aboutTool // a task is the call of its tool
	case protocol.MethodGetPrompt:
		return aboutPrompt
	case protocol.MethodReadResource, protocol.MethodSubscribe:
		return aboutResource
	}
	return aboutNothing
}
