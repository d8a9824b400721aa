// Goose: extensions of its config.yaml.

package dialect

import (
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// goose is the dialect of config.yaml. Extensions that are not MCP servers are ignored.
func goose() Dialect {
	return Dialect{
		Name:  "goose",
		names: []string{"goose/config.yaml", "goose/config/config.yaml"},
		sniff: has("extensions", func(n *tree.Node) bool {
			return stringIn(n.Value("type"), "stdio", "streamable_http", "sse", "builtin", "platform")
		}),
		files: []place{on(map[string]place{
			"darwin": home(".config/goose/config.yaml"), "windows": appData("Block/goose/config/config.yaml"),
		}, xdg("goose/config.yaml"))},
		rows: "extensions",
		keys: append([]rowKey{
			transportKey("type"), {"cmd", setCommand}, {"args", setArgs},
			{"uri", orNull(setURL)}, {"envs", orNull(setEnv)}, {"env_keys", gooseKeys},
			{"headers", setHeaders}, {"timeout", orNull(setCall(time.Second))}, {"enabled", setEnabled},
			{"available_tools", gooseTools},
			{"description", orNull(setDescription)},
		}, quiet("name", "display_name", "bundled", "dependencies", "code", "tools", "instructions", "socket")...),
		finish: finishGoose, vars: gooseVars,
	}
}

// finishGoose reads the transport from the type, which every extension has.
func finishGoose(e *entry) {
	switch e.oneOf("stdio", "streamable_http", "sse", "builtin", "platform", "frontend", "inline_python") {
	case "stdio":
		programOnly(e)
	case "streamable_http":
		e.urlOnly(endpoint.HTTP, "uri")
	case "sse":
		e.Left = "Goose no longer connects by SSE"
	case "":
	default:
		e.Left = "it is a part of Goose and not a server"
	}
}

// gooseKeys reads the names of variables that hold secrets. Here they are environment variables; Goose
// itself also uses its keyring.
func gooseKeys(e *entry, v *tree.Node, at tree.Path) {
	for i, name := range e.words(v, at) {
		value := "${env:" + name + "}"
		e.addEnv(name, value, v.Pos, at.Index(i))
		e.holds(endpoint.FieldEnv, value, v.Pos, at.Index(i))
	}
}

// gooseTools reads the tools that a server is limited to; an empty list means all.
func gooseTools(e *entry, v *tree.Node, at tree.Path) {
	if len(v.List) > 0 || v.Kind != tree.List {
		setInclude(e, v, at)
	}
}

// gooseVars expands ${NAME} and $NAME in headers, where an unset variable stays as written, and
// ${env:NAME} for env_keys, where an unset variable is an error.
func gooseVars(*File) *texts.Syntax {
	headers := []endpoint.Field{endpoint.FieldHeader}
	return &texts.Syntax{Forms: []texts.Form{
		{Open: "${env:", Close: "}", Fields: []endpoint.Field{endpoint.FieldEnv}},
		{Open: "${", Close: "}", Name: texts.VariableName, Fields: headers, Unset: texts.Literal},
		{Open: "$", Name: texts.VariableName, Fields: headers, Unset: texts.Literal},
	}}
}
