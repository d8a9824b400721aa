// Codex: [mcp_servers.name] of config.toml.

package dialect

import (
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// codex is the dialect of [mcp_servers.name] in config.toml.
func codex() Dialect {
	return Dialect{
		Name:   "codex",
		names:  []string{".codex/config.toml", "config.toml"},
		folder: []string{".codex"}, Gate: GateAll,
		files: []place{project(".codex/config.toml"), home(".codex/config.toml").movedBy("CODEX_HOME")},
		rows:  "mcp_servers",
		keys: slices.Concat([]rowKey{
			{"command", setCommand}, {"args", setArgs}, {"env", setEnv}, {"env_vars", codexForward}, {"cwd", setCwd},
			{"url", setURL}, {"http_headers", setHeaders}, {"env_http_headers", codexHeaders},
			{"bearer_token_env_var", func(e *entry, v *tree.Node, at tree.Path) {
				codexTemplate(e, "Authorization", "Bearer ", v, at)
			}},
			{"bearer_token", func(e *entry, v *tree.Node, at tree.Path) {
				e.fail(v, at, "this file must not contain a token, and Codex refuses it",
					"set bearer_token_env_var to the name of an environment variable")
			}},
			{"enabled", setEnabled},
			{"required", func(e *entry, v *tree.Node, at tree.Path) { e.Server.Required = e.boolean(v, at) }},
			{"startup_timeout_ms", setStart(time.Millisecond)}, {"startup_timeout_sec", setStart(time.Second)},
			{"tool_timeout_sec", setCall(time.Second)},
			{"enabled_tools", setInclude}, {"disabled_tools", setExclude},
			{"scopes", setScopes}, {"oauth", object([]rowKey{{"client_id", setClientID}})}, {"description", setDescription},
			{"oauth_resource", func(e *entry, v *tree.Node, at tree.Path) {
				e.address.Auth.Kind, e.address.Auth.Audiences = endpoint.AuthOAuth, []string{e.str(v, at)}
			}},
		}, quiet("supports_parallel_tool_calls", "name"), grants("default_tools_approval_mode", "tools")),
		finish: finishCodex, inherit: &endpoint.Inherit{}, start: startWorkspace,
	}
}

func finishCodex(e *entry) {
	switch {
	case e.command && e.url:
		e.fail(e.n.Value("url"), e.at.Key("url"), "the server has both a command and a url", "keep one of them")
	case e.command:
		for _, name := range [...]string{
			"scopes", "oauth", "oauth_resource", "bearer_token_env_var", "http_headers", "env_http_headers",
		} {
			if v := e.n.Value(name); v != nil {
				e.fail(v, e.at.Key(name), name+" goes with a url only", "remove it")
			}
		}
		e.local()
	case e.url:
		e.remote(endpoint.HTTP)
	default:
		e.neither()
	}
}

// codexForward reads the names of variables that the process inherits. Each is a string, or a table with
// a name.
func codexForward(e *entry, v *tree.Node, at tree.Path) {
	for item, at := range e.elements(v, at) {
		if name := item.Value("name"); name != nil {
			item = name
		}
		if name := e.str(item, at); name != "" {
			e.name(endpoint.FieldEnv, name, item.Pos, at)
			e.process.Inherit.Names = append(e.process.Inherit.Names, name)
		}
	}
	e.origin("inherit_env", v.Pos)
}

// codexHeaders reads headers whose values are in environment variables.
func codexHeaders(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.Map, v, at) {
		return
	}
	for _, m := range v.Members {
		codexTemplate(e, m.Name, "", m.Value, at.Key(m.Name))
	}
}

// codexTemplate adds a header whose value is in the variable that v names. Other texts of the row stay
// literal. If the value is only an unset variable, the header is omitted.
func codexTemplate(e *entry, header, before string, v *tree.Node, at tree.Path) {
	name := e.envName(v, at)
	value := before + "${env:" + name + "}"
	e.header(header, value, v, at)
	e.templates = append(e.templates, value)
	others := e.Server.Expand
	e.Server.Expand = func(field endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		if field != endpoint.FieldHeader || text != value {
			if others == nil {
				return text, nil
			}
			return others(field, text, lookup)
		}
		if before == "" {
			if _, ok := lookup(endpoint.Reference{Name: name}); !ok {
				return "", endpoint.ErrOmit
			}
		}
		return (&texts.Syntax{Forms: []texts.Form{texts.EnvForm()}}).Expander()(field, text, lookup)
	}
}
