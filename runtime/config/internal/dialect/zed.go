// Zed: context_servers of its settings.

package dialect

import (
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// zed is the dialect of context_servers in Zed's settings.
func zed() Dialect {
	return Dialect{
		Name:   "zed",
		names:  []string{".zed/settings.json", "zed/settings.json"},
		folder: []string{".zed"},
		files: []place{project(".zed/settings.json"), on(map[string]place{
			"linux": xdg("zed/settings.json"), "windows": allOf(appData("Zed/settings.json"), home(".config/zed/settings.json")),
		}, home(".config/zed/settings.json"))},
		rows: "context_servers", decides: []string{"context_servers"},
		keys: append([]rowKey{
			{"source", zedSource}, {"command", zedCommand}, {"args", setArgs},
			{"env", orNull(setEnv)}, {"url", setURL}, {"headers", setHeaders},
			{"enabled", setEnabled}, {"timeout", orNull(setCall(time.Second))}, {"description", setDescription},
			{"oauth", object([]rowKey{{"client_id", setClientID}, {"client_secret", setClientSecret}})},
		}, quiet("remote", "settings")...),
		finish: finishZed, start: startWorkspace,
	}
}

func zedSource(e *entry, v *tree.Node, at tree.Path) {
	if e.str(v, at) == "extension" {
		e.Left = "it is an extension of Zed, which only Zed can start"
	}
}

// zedCommand reads a program, or in older files a mapping with the whole launch.
func zedCommand(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind != tree.Map {
		setCommand(e, v, at)
		return
	}
	e.object(v, at, []rowKey{
		{"path", setCommand}, {"args", setArgs}, {"env", orNull(setEnv)}, {"timeout", orNull(setCall(time.Millisecond))},
	})
	if !e.command {
		e.fail(v, at, "no path in it", "name the program")
	}
}

func finishZed(e *entry) {
	if e.Left != "" {
		return
	}
	nested := e.n.Value("command") != nil && e.n.Value("command").Kind == tree.Map
	switch {
	case !e.command && !e.url && e.n.Value("settings") != nil:
		e.Left = "it is an extension of Zed, which only Zed can start"
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
