// Zed: context_servers of its settings.

package dialect

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// zed is context_servers of Zed's settings.
func zed() Dialect {
	return Dialect{
		Name:   "zed",
		path:   func(p parts) bool { return p.end(".zed/settings.json", "zed/settings.json") },
		sniff:  has("context_servers", nil),
		folder: []string{".zed"},
		files: func(m Machine) []Location {
			files := []Location{{Path: m.Join(m.Dir, ".zed/settings.json"), Scope: ScopeProject}}
			if m.OS == "windows" {
				files = append(files, Location{Path: m.appData("Zed/settings.json"), Scope: ScopeUser})
			}
			folder := m.Join(m.Home, ".config")
			if m.OS == "linux" {
				folder = m.xdgConfig()
			}
			return append(files, Location{Path: m.Join(folder, "zed/settings.json"), Scope: ScopeUser})
		},
		read: in("context_servers"),
		keys: concat([]rowKey{
			{"source", zedSource}, {"command", zedCommand}, argsKey(), orNull(envKey("env")), urlKey("url"), headersKey("headers"),
			enabledKey(), orNull(callKey("timeout", time.Second)), {"oauth", zedOAuth}, descriptionKey(),
		}, quiet("remote", "settings")),
		finish: finishZed, inherit: whole(), start: startWorkspace, Merge: FirstWins,
	}
}

func zedSource(e *entry, v *tree.Node, at tree.Path) {
	if e.str(v, at) == "extension" {
		e.Left = "an extension of Zed, which Zed alone can start"
	}
}

// zedCommand is a program, or in older files a mapping with all that starts it.
func zedCommand(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind != tree.Map {
		commandKey("command").set(e, v, at)
		return
	}
	e.object(v, at, []rowKey{commandKey("path"), argsKey(), orNull(envKey("env")), orNull(callKey("timeout", time.Millisecond))})
	if !e.command {
		e.fail(v, at, "no path in it", "name the program")
	}
}

func zedOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{clientIDKey("client_id"), clientSecretKey("client_secret")})
}

func finishZed(e *entry) {
	if e.Left != "" {
		return
	}
	nested := e.n.Value("command") != nil && e.n.Value("command").Kind == tree.Map
	switch {
	case !e.command && !e.url && e.n.Value("settings") != nil:
		e.Left = "an extension of Zed, which Zed alone can start"
	case e.command && (nested || e.n.Value("args") != nil):
		e.local()
	case e.url:
		e.remote(endpoint.Auto)
	case e.command:
		e.fail(e.n, e.at.Key("args"), "args is required: Zed does not load a server without it", `add "args": []`)
	default:
		e.neither()
	}
}
