// Files of no known system.

package dialect

import (
	"github.com/mcpgen/mcpgen/internal/tree"
)

const plainName = "plain"

// plain is the dialect of files of no known system. Cline and Roo use the same form.
func plain() Dialect {
	return Dialect{
		Name:   plainName,
		names:  []string{"cline_mcp_settings.json", ".roo/mcp.json", "mcp.json"},
		sniff:  func(root *tree.Node) bool { return root.Value("mcpServers") != nil || root.Value("servers") != nil },
		folder: []string{".roo"},
		read:   readPlain,
		keys: common([]rowKey{
			transportKey("transport"), {"cwd", setCwd}, {"description", setDescription},
			{"enabled", setEnabled}, {"disabled", setDisabled},
			{"disabledTools", setExclude},
		}, grants("autoApprove", "alwaysAllow")),
		finish: decide,
	}
}

// readPlain finds the member with the servers.
func readPlain(f *File, root *tree.Node) {
	mcp, isMCP := root.Get("mcpServers")
	plain, isPlain := root.Get("servers")
	switch {
	case isMCP && isPlain:
		f.Fail(plain.Pos, "servers",
			"the file has both mcpServers and servers, so it is not clear which key to read", "keep one of them")
	case isMCP:
		f.rowsAt(mcp.Value, "mcpServers", false)
	case isPlain:
		f.rowsAt(plain.Value, "servers", true)
	default:
		f.Fail(root.Pos, "", "the file has neither mcpServers nor servers",
			"give the path of a server file in a format that mcpgen reads")
	}
}
