// The texts of a server that may hold variables, in any configuration file.

package config

import (
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// textsOf lists the texts of a server. N is the server's mapping, whose keys are named as in
// [endpoint.Field].
func textsOf(s endpoint.Server, n *tree.Node, at tree.Path) []texts.Text {
	var all []texts.Text
	for _, t := range s.Texts() {
		key := at.Key(string(t.Field))
		node := n.Value(string(t.Field))
		switch {
		case t.Name != "":
			node, key = node.Value(t.Name), key.Key(t.Name)
		case t.Field == endpoint.FieldArg:
			if node == nil || t.Index >= len(node.List) {
				continue
			}
			node, key = node.List[t.Index], key.Index(t.Index)
		}
		if node != nil && node.Kind != tree.List && node.Kind != tree.Map && node.Text == *t.Value {
			all = append(all, texts.Text{Field: t.Field, Text: *t.Value, Pos: node.Pos, At: key})
		}
	}
	return all
}

// checkTexts checks names and values of a server's texts.
func checkTexts(r *tree.Report, vars *texts.Syntax, s endpoint.Server, n *tree.Node, at tree.Path) {
	for _, t := range textsOf(s, n, at) {
		if err := vars.Check(t); err != nil {
			r.FailErr(t.Pos, t.At, err)
		}
	}
	flat := flatten(s.Launch)
	checkNames(r, n.Value("env"), at.Key("env"), flat.Env, texts.EnvName)
	checkNames(r, n.Value("headers"), at.Key("headers"), flat.Headers, texts.HeaderName)
	seen := map[string]string{}
	for _, h := range flat.Headers {
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
