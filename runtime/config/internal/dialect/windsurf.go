// Windsurf: mcp_config.json.

package dialect

import (
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// windsurf is mcp_config.json.
func windsurf() Dialect {
	return Dialect{
		Name: "windsurf", shared: true,
		path:  func(p parts) bool { return p.end("mcp_config.json") },
		sniff: has("mcpServers", nil),
		files: func(m Machine) []Location {
			var files []Location
			for _, folder := range [...]string{".codeium/windsurf", ".codeium/windsurf-next", ".windsurf", ".config/.codeium/windsurf", ".codeium"} {
				files = append(files, Location{Path: m.Join(m.Home, folder+"/mcp_config.json"), Scope: ScopeUser})
			}
			if m.OS == "windows" {
				files = append(files, Location{Path: m.appData("Codeium/windsurf/mcp_config.json"), Scope: ScopeUser})
			}
			return files
		},
		read: in("mcpServers"),
		keys: concat([]rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("serverUrl"), urlKey("url"), headersKey("headers"),
			descriptionKey(), disabledKey(), excludeKey("disabledTools"),
		}, grants("alwaysAllow")),
		finish: decide,
		vars: func(f *File) *texts.Syntax {
			x := editorVars(nil)
			x.Forms = append(x.Forms, texts.Form{Open: "${file:", Close: "}", Kind: endpoint.ReferenceFile, Unset: texts.Missing})
			x.Anchor = f.fileVariable
			return x
		},
		inherit: whole(), Merge: FirstWins,
	}
}
