// The files of OpenCode, in its first and its second form.

package config

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// openCode is opencode.json.
func openCode() dialect {
	d := openCodeRows()
	d.name = "opencode"
	d.path = func(p parts) bool { return p.end("opencode.json", "opencode.jsonc", "opencode/mcp-local.json") }
	d.sniff = func(root *tree.Node) bool {
		return has("mcp", isOpenCode)(root) || root.Value("mcp") != nil && has("servers", isOpenCode)(root.Value("mcp"))
	}
	d.files = openCodeFiles
	d.read = readOpenCode
	return d
}

// openCodeAgents is .agents/mcp.json of OpenCode, which core-agent has another
// form for: every member is a server.
func openCodeAgents() dialect {
	d := openCodeRows()
	d.name = "opencode-agents"
	d.path = func(p parts) bool { return p.end(".agents/mcp.json") }
	d.sniff = func(root *tree.Node) bool {
		for _, m := range root.Members {
			if m.Name != "$schema" && !isOpenCode(m.Value) {
				return false
			}
		}
		return len(root.Without("$schema").Members) > 0
	}
	d.files = func(env Environment) []file {
		return []file{
			{path: env.join(env.Dir, ".agents/mcp.json"), scope: scopeProject},
			{path: env.join(env.Home, ".agents/mcp.json"), scope: scopeUser},
		}
	}
	// core-agent has its files under the same names, and reports what is broken.
	d.owns = func(f *serverFile) bool { return f.isMapping() && d.sniff(f.root) }
	d.read = func(f *serverFile, root *tree.Node) { f.rowsAt(root.Without("$schema"), "", false) }
	return d
}

// isOpenCode tells one of its servers.
func isOpenCode(n *tree.Node) bool { return stringIn(n.Value("type"), "local", "remote") }

func openCodeRows() dialect {
	return dialect{
		keys: []rowKey{
			transportKey("type"), commandListKey("command"), envKey("environment"), cwdKey(), urlKey("url"), headersKey("headers"),
			enabledKey(), disabledKey(), startKey("timeout", time.Millisecond), {"oauth", openCodeOAuth}, descriptionKey(),
		},
		finish: func(e *entry) {
			switch e.oneOf("local", "remote") {
			case "local":
				programOnly(e)
			case "remote":
				if !e.url {
					e.fail(e.n, e.at, "remote needs a url", "")
					return
				}
				e.remote(endpoint.Auto)
			}
		},
		vars:    func(f *serverFile) *syntax { return openCodeVars(f.fileVariable) },
		inherit: whole(), start: startWorkspace, merge: firstWins,
	}
}

func openCodeFiles(env Environment) []file {
	if only := env.lookup("OPENCODE_CONFIG"); only != "" {
		return []file{{path: only, scope: scopeUser}}
	}
	local := env.join(env.Home, ".local/share/opencode/mcp-local.json")
	files := []file{{path: local, scope: scopeLocal}}
	for _, name := range [...]string{"opencode.jsonc", "opencode.json", ".opencode/opencode.json", ".opencode/opencode.jsonc"} {
		files = append(files, file{path: env.join(env.Dir, name), scope: scopeProject})
	}
	folders := []string{env.join(env.xdgConfig(), "opencode")}
	if env.OS == "darwin" {
		folders = []string{env.join(env.Home, ".config/opencode")}
	}
	if env.OS == "windows" {
		folders = []string{env.appData("opencode"), env.join(env.Home, ".config/opencode")}
	}
	if folder := env.lookup("OPENCODE_CONFIG_DIR"); folder != "" {
		folders = append([]string{folder}, folders...)
	}
	for _, folder := range folders {
		for _, name := range [...]string{"opencode.json", "opencode.jsonc"} {
			files = append(files, file{path: env.join(folder, name), scope: scopeUser})
		}
	}
	return files
}

// readOpenCode reads either form, and the file of a user's own servers for each
// project.
func readOpenCode(f *serverFile, root *tree.Node) {
	if f.env.base(f.path) == "mcp-local.json" {
		for _, m := range root.Members {
			if f.env.Dir != "" && f.env.same(m.Name, f.env.Dir) && m.Value.Kind == tree.Map {
				f.rowsAt(m.Value, tree.Path(m.Name), false)
			}
		}
		return
	}
	v, at, ok := f.below(root, "mcp")
	if !ok {
		return
	}
	// A server of the first form may be called servers; it has a type.
	if inner := v.Value("servers"); inner != nil && inner.Kind == tree.Map && (inner.Value("type") == nil || inner.Value("type").Kind != tree.String) {
		f.rowsAt(inner, at.Key("servers"), false)
	} else {
		f.rowsAt(v, at, false)
	}
	f.openCodeTools(root.Value("tools"))
}

// openCodeTools reads patterns of names such as server_tool that are off.
func (f *serverFile) openCodeTools(tools *tree.Node) {
	if tools == nil || tools.Kind != tree.Map {
		return
	}
	for _, m := range tools.Members {
		if m.Value.Kind != tree.Bool || m.Value.Bool() {
			continue
		}
		for i := range f.rows {
			r := &f.rows[i]
			if glob, ok := toolGlob(m.Name, r.server.Name+"_"); ok {
				r.exclude = append(r.exclude, glob)
			}
		}
	}
}

// toolGlob is what a pattern of names with a prefix means for names without it.
func toolGlob(pattern, prefix string) (string, bool) {
	if rest, ok := strings.CutPrefix(pattern, prefix); ok && rest != "" {
		return strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(rest), true
	}
	literal, isOpen := strings.CutSuffix(pattern, "*")
	if isOpen && !strings.ContainsAny(literal, "*?") && strings.HasPrefix(prefix, literal) {
		return "*", true
	}
	return "", false
}

func openCodeOAuth(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind == tree.Bool {
		if !v.Bool() {
			e.server.Auth.Kind = endpoint.AuthNone
		}
		return
	}
	e.object(v, at, []rowKey{clientIDKey("clientId"), clientSecretKey("clientSecret"), scopesKey("scope")})
}
