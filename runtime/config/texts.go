// The texts of a server that may hold variables, wherever it is configured.

package config

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// text is one of them with its place.
type text struct {
	field endpoint.Field
	text  string
	pos   tree.Pos
	at    tree.Path
}

// textsOf lists the texts of a server. The node is its mapping, whose keys are
// named as in [endpoint.Field].
func textsOf(s *endpoint.Server, n *tree.Node, at tree.Path) []text {
	var texts []text
	single := func(field endpoint.Field, value string) {
		if node := n.Value(string(field)); node != nil && node.Kind == tree.String && node.Text == value {
			texts = append(texts, text{field, value, node.Pos, at.Key(string(field))})
		}
	}
	single(endpoint.FieldCommand, s.Command)
	if args := n.Value(string(endpoint.FieldArg)); args != nil && len(args.List) == len(s.Args) {
		for i, arg := range s.Args {
			texts = append(texts, text{endpoint.FieldArg, arg, args.List[i].Pos, at.Key("args").Index(i)})
		}
	}
	named := func(field endpoint.Field, vars []endpoint.Var) {
		node := n.Value(string(field))
		for _, v := range vars {
			if value := node.Value(v.Name); value != nil {
				texts = append(texts, text{field, v.Value, value.Pos, at.Key(string(field)).Key(v.Name)})
			}
		}
	}
	named(endpoint.FieldEnv, s.Env)
	single(endpoint.FieldURL, s.URL)
	named(endpoint.FieldHeader, s.Headers)
	return texts
}

// checkTexts checks names and values of a server's texts.
func checkTexts(r *report, vars *syntax, s *endpoint.Server, n *tree.Node, at tree.Path) {
	for _, t := range textsOf(s, n, at) {
		_, reason := vars.split(t.field, t.text)
		if reason == "" {
			reason = checkField(t, vars)
		}
		if reason != "" {
			r.fail(t.pos, t.at, reason, "")
		}
	}
	checkNames(r, n.Value("env"), at.Key("env"), s.Env, checkEnvName)
	checkNames(r, n.Value("headers"), at.Key("headers"), s.Headers, checkHeaderName)
	seen := map[string]string{}
	for _, h := range s.Headers {
		lower := strings.ToLower(h.Name)
		if first, again := seen[lower]; again {
			m, _ := n.Value("headers").Get(h.Name)
			r.fail(m.Pos, at.Key("headers").Key(h.Name), "the same header as "+tree.Quote(first), "keep one of them")
		}
		seen[lower] = h.Name
	}
}

func checkField(t text, vars *syntax) string {
	switch t.field {
	case endpoint.FieldCommand:
		return checkCommand(t.text)
	case endpoint.FieldURL:
		return checkURL(t.text, vars)
	case endpoint.FieldHeader:
		return checkHeaderValue(t.text)
	}
	return checkProcessText(t.text)
}

func checkNames(r *report, n *tree.Node, at tree.Path, vars []endpoint.Var, check func(string) string) {
	for _, v := range vars {
		if reason := check(v.Name); reason != "" {
			m, _ := n.Get(v.Name)
			r.fail(m.Pos, at.Key(v.Name), reason, "")
		}
	}
}
