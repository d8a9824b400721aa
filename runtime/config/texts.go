// The texts of a server that may hold variables, wherever it is configured.

package config

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// textsOf lists the texts of a server. The node is its mapping, whose keys are
// named as in [endpoint.Field].
func textsOf(s *endpoint.Server, n *tree.Node, at tree.Path) []texts.Text {
	var all []texts.Text
	single := func(field endpoint.Field, value string) {
		if node := n.Value(string(field)); node != nil && node.Kind == tree.String && node.Text == value {
			all = append(all, texts.Text{Field: field, Text: value, Pos: node.Pos, At: at.Key(string(field))})
		}
	}
	single(endpoint.FieldCommand, s.Command)
	if args := n.Value(string(endpoint.FieldArg)); args != nil && len(args.List) == len(s.Args) {
		for i, arg := range s.Args {
			all = append(all, texts.Text{Field: endpoint.FieldArg, Text: arg, Pos: args.List[i].Pos, At: at.Key("args").Index(i)})
		}
	}
	named := func(field endpoint.Field, vars []endpoint.Var) {
		node := n.Value(string(field))
		for _, v := range vars {
			if value := node.Value(v.Name); value != nil {
				all = append(all, texts.Text{Field: field, Text: v.Value, Pos: value.Pos, At: at.Key(string(field)).Key(v.Name)})
			}
		}
	}
	named(endpoint.FieldEnv, s.Env)
	single(endpoint.FieldURL, s.URL)
	named(endpoint.FieldHeader, s.Headers)
	return all
}

// checkTexts checks names and values of a server's texts.
func checkTexts(r *tree.Report, vars *texts.Syntax, s *endpoint.Server, n *tree.Node, at tree.Path) {
	for _, t := range textsOf(s, n, at) {
		if err := vars.Check(t); err != nil {
			r.FailErr(t.Pos, t.At, err)
		}
	}
	checkNames(r, n.Value("env"), at.Key("env"), s.Env, texts.EnvName)
	checkNames(r, n.Value("headers"), at.Key("headers"), s.Headers, texts.HeaderName)
	seen := map[string]string{}
	for _, h := range s.Headers {
		lower := strings.ToLower(h.Name)
		if first, again := seen[lower]; again {
			m, _ := n.Value("headers").Get(h.Name)
			r.Fail(m.Pos, at.Key("headers").Key(h.Name), "the same header as "+tree.Quote(first), "keep one of them")
		}
		seen[lower] = h.Name
	}
}

func checkNames(r *tree.Report, n *tree.Node, at tree.Path, vars []endpoint.Var, check func(string) string) {
	for _, v := range vars {
		if reason := check(v.Name); reason != "" {
			m, _ := n.Get(v.Name)
			r.Fail(m.Pos, at.Key(v.Name), reason)
		}
	}
}
