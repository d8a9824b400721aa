// The forms of rules, each in the syntax of its system.

package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// anyText returns a pattern that matches every text.
func anyText() glob { return glob{deep: true, prefixed: true} }

// parseCall parses tool.call.<name>: the tool of that name, of any server.
func parseCall(text string) (form, error) {
	g, err := parseGlob(text, true, '/')
	if err != nil {
		return nil, hint.With(err, "write tool.call.<tool>")
	}
	return ownForm{aboutTool, anyText(), g}, nil
}

// ownForm is tool:<server>/<name>, or the same form for prompts and resources.
type ownForm struct {
	kind         kind
	server, name glob
}

func parseOwn(k kind, text string) (form, error) {
	server, name, ok := cutSlash(text)
	if !ok {
		return nil, hint.New("it has no slash",
			"write a server and a name with a slash between them, such as github/list_prs or github/*")
	}
	f := ownForm{kind: k}
	var err error
	if server == "" { // native tools have none
		f.server = glob{exact: true}
	} else if f.server, err = parseGlob(server, true, '/'); err != nil {
		return nil, fmt.Errorf("the server: %w", err)
	}
	if f.name, err = parseGlob(name, true, '/'); err != nil {
		return nil, fmt.Errorf("the name: %w", err)
	}
	return f, nil
}

// cutSlash cuts at the first slash that is not escaped by a backslash.
func cutSlash(text string) (before, after string, ok bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '/':
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

func (f ownForm) match(t target, _ bool) bool {
	return t.kind == f.kind && f.server.match(t.server) && f.name.match(t.name)
}

func (f ownForm) whole(server string) bool {
	return f.kind == aboutTool && f.name.all() && f.server.match(server)
}

// ownText returns the rule that matches exactly this target.
func ownText(t target) string {
	prefix := [...]string{aboutTool: "tool:", aboutPrompt: "prompt:", aboutResource: "resource:"}[t.kind]
	return prefix + strings.ReplaceAll(exactly(t.server), "/", `\/`) + "/" + exactly(t.name)
}

// namespacedForm is mcp:<key>, where the key is the server's sanitized name, _ and
// the tool; a pattern for the arguments may follow.
type namespacedForm struct {
	text  string // as written, without arguments: an exact match comes first
	key   glob
	args  *argumentPattern
	owner *string // the only server that an allowing rule applies to; nil is any
}

func parseNamespaced(text string) (form, error) {
	var f namespacedForm
	f.text = text
	if key, args, ok := strings.Cut(text, " "); ok && (strings.HasPrefix(args, "{") || args == "*") {
		p, err := parseArguments(args)
		if err != nil {
			return nil, err
		}
		f.text, f.args = key, &p
	}
	var err error
	f.key, err = parseGlob(f.text, true, '/')
	if err != nil {
		return nil, hint.With(err, "write mcp:<server>_<tool>")
	}
	return f, nil
}

func (f namespacedForm) match(t target, deny bool) bool {
	if t.kind != aboutTool || !deny && f.owner != nil && *f.owner != t.server {
		return false
	}
	fits := func(key string) bool { return key == f.text || f.key.match(key) }
	if !fits(keyOf(t.server, t.name)) {
		// In a pattern, * stops at a slash, even if the shown name has no slash.
		shown := shownName(naming.Underscore, t)
		if shown != f.text && (!f.key.match(shown) || !deny && strings.Contains(t.name, "/")) {
			return false
		}
	}
	if f.args == nil || t.listed {
		return f.args == nil || !deny
	}
	value, ok := t.args.value()
	return ok && f.args.match(value, deny) || !ok && deny
}

func (f namespacedForm) whole(server string) bool {
	return f.args == nil && (f.owner == nil || *f.owner == server) && f.key.open(keyOf(server, ""))
}

// keyOf returns core-agent's name of a tool: the server's name with every character
// except A-Z, a-z, 0-9 and _ replaced by _, then _, then the tool unchanged. A native
// tool has no server before it.
func keyOf(server, tool string) string {
	if server == "" {
		return tool
	}
	return naming.Underscore.Qualify(server, "") + tool
}

// names holds the configured servers.
type names []string

func namesOf(servers []string) names {
	all := slices.Clone(servers)
	slices.Sort(all)
	return slices.Compact(all)
}

// resolveOwner sets the only server of an allowing rule that could refer to several:
// the one with the longest matching name. The error names servers that the rule
// cannot distinguish.
func (n names) resolveOwner(r rule) (rule, error) {
	switch f := r.form.(type) {
	case namespacedForm:
		owners, err := n.owners(f.key.literal, func(server string) string { return keyOf(server, "") })
		if err != nil {
			return r, fmt.Errorf("the rule %q: %w", r.text, err)
		}
		f.owner = owners
		r.form = f
	case invokeForm:
		prefix := strings.Join(f.segments, ".")
		if i := strings.IndexAny(prefix, `*?[\`); i >= 0 {
			prefix = prefix[:i]
		}
		f.owner, _ = n.owners(prefix, func(server string) string { return server + "." })
		r.form = f
	}
	return r, nil
}

// owners returns the server whose prefix is the longest one of the text; nil if none
// matches.
func (n names) owners(text string, prefixOf func(string) string) (*string, error) {
	var found []string
	for _, server := range n {
		if server != "" && strings.HasPrefix(text, prefixOf(server)) {
			found = append(found, server)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(prefixOf(b)), len(prefixOf(a))), strings.Compare(a, b))
	})
	// Of servers with the same name, the first has the plain name: see
	// naming.Namesake.
	if len(found) > 1 && prefixOf(found[0]) == prefixOf(found[1]) && naming.Plain(found[1]) != found[0] {
		err := fmt.Errorf("the servers %q and %q have the same prefix %q in rules of this form",
			found[0], found[1], prefixOf(found[0]))
		return nil, hint.With(err, "write tool:<server>/<tool>", "rename one of the servers")
	}
	return &found[0], nil
}
