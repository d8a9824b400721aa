// The files of core-agent: .agents/mcp.json.

package config

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// coreAgent is .agents/mcp.json of core-agent.
func coreAgent() dialect {
	d := dialect{
		name: "coreagent",
		path: func(p parts) bool { return p.end(".agents/mcp.json") },
		sniff: func(root *tree.Node) bool {
			servers := root.Value("servers")
			if servers == nil || servers.Kind != tree.Map {
				return false
			}
			version := root.Value("version")
			return version != nil && version.Kind == tree.Int || has("servers", hasKey("transport"))(root)
		},
		files: func(env Environment) []file {
			return []file{
				{path: env.join(env.Dir, ".agents/mcp.json"), scope: scopeProject},
				{path: env.join(env.Home, ".agents/mcp.json"), scope: scopeUser},
			}
		},
		read: readCoreAgent,
		keys: []rowKey{
			transportKey("transport"), commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"),
			{"auth", coreAgentAuth}, descriptionKey(),
			{"read_only", func(e *entry, v *tree.Node, at tree.Path) { e.server.ReadOnly = e.boolean(v, at) }},
			noted("agentic_never", "decides about prompts of core-agent and has no effect here"),
		},
		finish: finishCoreAgent, vars: vars(coreAgentVars), inherit: whole(), start: startWorkspace, merge: firstWins, naming: naming.Underscore, asked: true,
		grammar: policy.GrammarCoreAgent, allowKey: "permissions.allow",
	}
	// OpenCode has agents of its own under the same names.
	d.owns = func(f *serverFile) bool { return !f.isMapping() || d.sniff(f.root) }
	return d
}

func readCoreAgent(f *serverFile, root *tree.Node) {
	version := root.Value("version")
	if version != nil {
		if n, ok := version.Int(); !ok || n != 1 {
			f.notice(version.Pos, "version", "only version 1 is known here; what is new in others is not read")
		}
	}
	if servers := root.Value("servers"); servers != nil {
		f.rowsAt(servers, "servers", false)
	} else if version == nil && !f.searched {
		f.fail(root.Pos, "", "no servers in it", "name another file")
	}
}

func finishCoreAgent(e *entry) {
	said := e.oneOf("stdio", "http")
	switch {
	case e.command && e.url:
		e.fail(e.n, e.at, "server "+tree.Quote(e.server.Name)+" has both command and url", "keep the one that its transport needs")
	case said == "stdio" && !e.command:
		e.fail(e.n, e.at, "stdio needs a command", "")
	case said == "http" && !e.url:
		e.fail(e.n, e.at, "http needs a url", "")
	case said == "stdio":
		e.without("http", "headers", "auth")
		e.local()
	case said == "http":
		e.without("stdio", "args", "env")
		e.remote(endpoint.HTTP)
	}
}

// without refuses the keys of another transport, if there is anything in them.
func (e *entry) without(theirs string, keys ...string) {
	for _, key := range keys {
		if v := e.n.Value(key); v != nil && len(v.List)+len(v.Members) > 0 {
			e.fail(v, e.at.Key(key), "it goes with "+theirs+" only", "remove it, or change the transport")
		}
	}
}

// coreAgentAuth wants exactly one way to authorise, of which there is one.
func coreAgentAuth(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.Map, v, at) {
		return
	}
	if token := v.Value("google_id_token"); token != nil {
		e.fail(token, at.Key("google_id_token"), "it is not supported, as in core-agent itself",
			"use google_oauth with its scopes, or an Authorization header with a token of your own")
		return
	}
	google := v.Value("google_oauth")
	if google == nil {
		e.fail(v, at, "no way to authorise is named", "google_oauth with its scopes")
		return
	}
	for _, m := range v.Members {
		if m.Name != "google_oauth" {
			e.f.fail(m.Pos, at.Key(m.Name), "unknown way to authorise", "google_oauth is the one that there is")
		}
	}
	e.googleScopes(google, at.Key("google_oauth"))
}

// googleScopes reads {scopes: […]}, which has no default.
func (e *entry) googleScopes(v *tree.Node, at tree.Path) {
	if !e.want(tree.Map, v, at) {
		return
	}
	scopes := v.Value("scopes")
	if scopes == nil || scopes.Kind == tree.List && len(scopes.List) == 0 {
		e.fail(v, at.Key("scopes"), "at least one scope is needed, and there is no default", `such as "https://www.googleapis.com/auth/cloud-platform"`)
		return
	}
	for i, scope := range e.words(scopes, at.Key("scopes")) {
		if strings.TrimSpace(scope) == "" {
			e.fail(scopes, at.Key("scopes").Index(i), "the scope is empty", "")
		}
		e.server.Auth.Scopes = append(e.server.Auth.Scopes, scope)
	}
	e.server.Auth.Kind = endpoint.AuthGoogle
	e.origin("auth.scopes", scopes.Pos)
}
