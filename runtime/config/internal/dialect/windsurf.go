// Windsurf: mcp_config.json.

package dialect

import (
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// windsurf is the dialect of mcp_config.json.
func windsurf() Dialect {
	return Dialect{
		Name: "windsurf", shared: true,
		names: []string{"mcp_config.json"},
		files: []place{
			home(".codeium/windsurf/mcp_config.json", ".codeium/windsurf-next/mcp_config.json", ".windsurf/mcp_config.json",
				".config/.codeium/windsurf/mcp_config.json", ".codeium/mcp_config.json"),
			on(map[string]place{"windows": appData("Codeium/windsurf/mcp_config.json")}, allOf()),
		},
		rows: "mcpServers",
		keys: slices.Concat([]rowKey{{"serverUrl", setURL}}, common([]rowKey{
			{"description", setDescription}, {"disabled", setDisabled}, {"disabledTools", setExclude},
		}, grants("alwaysAllow"))),
		finish: decide,
		vars: func(f *File) *texts.Syntax {
			x := editorVars(nil)
			x.Forms = append(x.Forms, texts.Form{Open: "${file:", Close: "}", Kind: endpoint.ReferenceFile, Unset: texts.Fails})
			x.Anchor = f.fileVariable
			return x
		},
	}
}
