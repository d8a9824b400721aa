// Rules: their forms, and the methods of all forms.

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
	aboutNothing // an unknown method, or a completion without a subject
)

// target is the subject of a request, for rules.
type target struct {
	server    string
	kind      kind
	name      string
	addresses []*address // of a resource: its name, and the template with the values of a completion
	args      *arguments
	caller    string
	claims    []string // of the caller
	profile   string   // "" is none
	listed    bool     // for a listing: the arguments are not known yet
}

// rule is a parsed rule.
type rule struct {
	text   string
	quoted string // in reasons
	form
	callers *callers // that it applies to
	at      Place    // its position
	folded  []form   // parsed from other spellings of the text, for denying
}

// form is one form of rules.
type form interface {
	// match reports whether the rule matches the target. If names leave that open, a
	// rule that denies matches, and a rule that allows does not.
	match(t target, deny bool) bool
	// whole reports whether the rule matches every tool of a server, whatever the
	// tools are called.
	whole(server string) bool
}

// allows reports whether the rule allows the target. The rule must match every form
// of an address, unless it names exactly that address.
func (r rule) allows(t target) bool {
	if !r.callers.match(t) || !r.match(t, false) {
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

// denies reports whether the rule denies a target, by any of its equivalents. A rule
// that denies every tool of a server denies everything that the server offers.
func (r rule) denies(e equivalents) bool {
	if !r.callers.match(e.targets[0]) {
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

// foreignRule reports a rule about something that is not a tool, prompt or resource
// of an MCP server.
type foreignRule struct {
	known  bool // certainly foreign, and not a misspelling
	reason string
}

func (e *foreignRule) Error() string { return e.reason }

// parseRule parses a rule. The error quotes the rule and explains the syntax.
func parseRule(text string) (rule, error) {
	f, err := parseForm(text)
	if err != nil {
		return rule{}, fmt.Errorf("the rule %q: %w", text, err)
	}
	r := rule{text: text, quoted: fmt.Sprintf("the rule %q", text), form: f}
	for _, one := range []string{fold(text), fold(decodedRule(text))} {
		if other, err := parseForm(one); err == nil && one != text { // a text that does not parse has no other spelling
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
		return nil, errors.New("the rule begins or ends with a space, or has control characters")
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
	return nil, hint.With(&foreignRule{reason: fmt.Sprintf("%q matches no tool of an MCP server", namespace+":")},
		nearest(namespace), "begin it with tool.invoke:mcp., mcp:, tool.call., tool:, prompt: or resource:")
}

// parseBare parses a rule without a namespace. A text that looks like another form is
// refused, since it would match nothing.
func parseBare(text string) (form, error) {
	switch {
	case strings.HasPrefix(text, "mcp.") || text == "mcp":
		return nil, hint.New("the rule has no prefix, so it matches nothing", "write tool.invoke:"+text)
	case strings.HasPrefix(text, "tool.invoke") || strings.HasPrefix(text, "tool.call"):
		return nil, hint.New("it is incomplete", "write tool.invoke:mcp.<server>.<tool> or tool.call.<tool>")
	case strings.HasPrefix(text, "mcp__"):
		return nil, hint.New("a rule names a server and a tool, not the name that a model sees", "write tool:<server>/<tool>")
	}
	if name, _, _ := strings.Cut(text, " "); strings.Contains(name, "/") {
		return nil, hint.With(&foreignRule{reason: "it has no prefix"}, "write tool:"+text)
	}
	return parseNamespaced(text)
}

// IsAbout reports whether a rule may match something of servers with these names. A
// rule without a kind, such as write_file, has core-agent's form of a server and its
// tool. It may match no server at all, and then only matches a native tool of that
// name.
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

// nearest suggests a namespace for an unknown one.
func nearest(namespace string) string {
	for _, known := range []string{"tool.invoke", "mcp", "tool", "prompt", "resource"} {
		if strings.EqualFold(namespace, known) || namespace == known+"s" || oneOff(namespace, known) {
			return fmt.Sprintf("did you mean %q?", known+":")
		}
	}
	return ""
}

// oneOff reports whether two words differ in two swapped neighbours, in one letter,
// or in one additional letter.
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

// kindOf returns the subject of a method; for a completion, the arguments decide.
func kindOf(method string) kind {
	switch method {
	case protocol.MethodCallTool, protocol.MethodGetTask, protocol.MethodAwaitTask,
		protocol.MethodUpdateTask, protocol.MethodCancelTask:
		return aboutTool // a task is the call of its tool
	case protocol.MethodGetPrompt:
		return aboutPrompt
	case protocol.MethodReadResource, protocol.MethodSubscribe:
		return aboutResource
	}
	return aboutNothing
}
