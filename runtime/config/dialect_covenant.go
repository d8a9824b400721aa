// The file of Covenant: ~/.covenant/secrets.toml.

package config

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// covenant is ~/.covenant/secrets.toml.
func covenant() dialect {
	return dialect{
		name: "covenant",
		path: func(p parts) bool { return p.end(".covenant/secrets.toml", "secrets.toml") },
		sniff: func(root *tree.Node) bool {
			servers := root.Value("mcp").Value("server")
			return servers != nil && servers.Kind == tree.List
		},
		files: func(env Environment) []file {
			return []file{{path: env.join(env.Home, ".covenant/secrets.toml"), scope: scopeUser}}
		},
		read: func(f *serverFile, root *tree.Node) {
			v, at, ok := f.below(root, "mcp", "server")
			if !ok {
				return
			}
			if v.Kind != tree.List {
				f.fail(v.Pos, at, "want tables [[mcp.server]], found "+v.Kind.String(), "")
				return
			}
			for i, n := range v.List {
				f.element(n, at.Index(i))
			}
		},
		keys:   []rowKey{commandKey("command"), argsKey(), envKey("env"), descriptionKey()},
		finish: programOnly, vars: vars(covenantVars), inherit: whole(), merge: firstWins, naming: naming.Bare,
		grammar: policy.GrammarCovenant,
		denies:  true, native: []string{"echo", "clock"},
		home: ".covenant", commands: []string{"tools", "capabilities"},
	}
}

func programOnly(e *entry) {
	if !e.command {
		e.fail(e.n, e.at, "no command", "name the program to start")
		return
	}
	e.local()
}
