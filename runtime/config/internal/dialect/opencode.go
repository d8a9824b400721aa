// OpenCode: opencode.json, in its first and its second form.

package dialect

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// openCode is the dialect of opencode.json.
func openCode() Dialect {
	d := openCodeRows()
	d.Name = "opencode"
	d.folder = []string{".opencode"}
	d.names = []string{"opencode.json", "opencode.jsonc", "opencode/mcp-local.json"}
	d.sniff = func(root *tree.Node) bool {
		return has("mcp", isOpenCode)(root) || root.Value("mcp") != nil && has("servers", isOpenCode)(root.Value("mcp"))
	}
	d.only = "OPENCODE_CONFIG"
	d.files = []place{
		home(".local/share/opencode/mcp-local.json").as(ScopeLocal),
		project("opencode.jsonc", "opencode.json", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
		below(ScopeUser, func(m Machine) string {
			return m.lookup("OPENCODE_CONFIG_DIR")
		}, "opencode.json", "opencode.jsonc"),
		on(map[string]place{
			"darwin": home(".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"),
			"windows": allOf(appData("opencode/opencode.json", "opencode/opencode.jsonc"),
				home(".config/opencode/opencode.json", ".config/opencode/opencode.jsonc")),
		}, xdg("opencode/opencode.json", "opencode/opencode.jsonc")),
	}
	d.read, d.decides = readOpenCode, []string{"mcp", "tools"}
	return d
}

// isOpenCode reports whether n is a server of OpenCode.
func isOpenCode(n *tree.Node) bool { return stringIn(n.Value("type"), "local", "remote") }

func openCodeRows() Dialect {
	return Dialect{
		keys: []rowKey{
			transportKey("type"), {"command", setCommandList}, {"environment", setEnv},
			{"cwd", setCwd}, {"url", setURL}, {"headers", setHeaders},
			{"enabled", setEnabled}, {"disabled", setDisabled},
			{"timeout", setStart(time.Millisecond)}, {"oauth", openCodeOAuth},
			{"description", setDescription},
		},
		finish: spoken("local", "remote"),
		vars:   func(f *File) *texts.Syntax { return openCodeVars(f.fileVariable) },
		start:  startWorkspace,
	}
}

// readOpenCode reads either form, and the file with a user's own servers for each project.
func readOpenCode(f *File, root *tree.Node) {
	if f.m.base(f.Path) == "mcp-local.json" {
		for _, m := range root.Members {
			if f.m.Dir != "" && f.m.same(m.Name, f.m.Dir) && m.Value.Kind == tree.Map {
				f.rowsAt(m.Value, tree.Path(m.Name), false)
			}
		}
		return
	}
	v, at, ok := f.below(root, "mcp")
	if !ok {
		return
	}
	// In the first form, servers may be the name of a server, which has a type.
	inner := v.Value("servers")
	if inner != nil && inner.Kind == tree.Map &&
		(inner.Value("type") == nil || inner.Value("type").Kind != tree.String) {
		f.rowsAt(inner, at.Key("servers"), false)
	} else {
		f.rowsAt(v, at, false)
	}
	openCodeTools(f.Rows, root.Value("tools"))
}

// openCodeTools reads patterns of disabled tools, whose names have the form server_tool.
func openCodeTools(rows []Row, tools *tree.Node) {
	for _, m := range tools.Entries() {
		if m.Value.Kind != tree.Bool || m.Value.Bool() {
			continue
		}
		for i := range rows {
			r := &rows[i]
			if glob, ok := toolGlob(m.Name, r.Server.Name+"_"); ok {
				r.Exclude = append(r.Exclude, glob)
			}
		}
	}
}

// toolGlob converts a pattern for names with a prefix to one for names without the prefix.
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
			e.address.Auth.Kind = endpoint.AuthNone
		}
		return
	}
	e.object(v, at, []rowKey{{"clientId", setClientID}, {"clientSecret", setClientSecret}, {"scope", setScopes}})
}

// openCodeVars expands {env:NAME} and {file:path}.
func openCodeVars(anchor func(string) string) *texts.Syntax {
	return &texts.Syntax{Unset: texts.Empty, Anchor: anchor, Forms: []texts.Form{
		{Open: "{env:", Close: "}"},
		{Open: "{file:", Close: "}", Kind: endpoint.ReferenceFile, Unset: texts.Fails},
	}}
}
