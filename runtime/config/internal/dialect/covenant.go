// The file of Covenant: ~/.covenant/secrets.toml.

package dialect

import (
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// covenant is the dialect of ~/.covenant/secrets.toml.
func covenant() Dialect {
	return Dialect{
		Name:  "covenant",
		names: []string{".covenant/secrets.toml", "secrets.toml"},
		sniff: func(root *tree.Node) bool {
			servers := root.Value("mcp").Value("server")
			return servers != nil && servers.Kind == tree.List
		},
		files: []place{home(".covenant/secrets.toml")},
		read: func(f *File, root *tree.Node) {
			v, at, ok := f.below(root, "mcp", "server")
			if !ok {
				return
			}
			if v.Kind != tree.List {
				f.Fail(v.Pos, at, "want tables [[mcp.server]], found "+v.Kind.String())
				return
			}
			for i, n := range v.List {
				f.element(n, at.Index(i))
			}
		},
		keys:   []rowKey{{"command", setCommand}, {"args", setArgs}, {"env", setEnv}, {"description", setDescription}},
		finish: programOnly, vars: covenantVars, Naming: naming.Bare,
		Grammar: policy.GrammarCovenant,
		Denies:  true, Native: []string{"echo", "clock"},
		Home: ".covenant", Commands: []string{"tools", "capabilities"},
	}
}

// covenantVars expands $NAME in command, args and env. An unset variable is empty.
func covenantVars(*File) *texts.Syntax {
	return &texts.Syntax{Unset: texts.Empty, Forms: []texts.Form{{Open: "$", Name: texts.VariableName,
		Fields: []endpoint.Field{endpoint.FieldCommand, endpoint.FieldArg, endpoint.FieldEnv}}}}
}
