// The files of five agent systems: scarab, core-agent, Covenant, tallow, indusr.

package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// coreAgent is .agents/mcp.json of core-agent.
func coreAgent() dialect {
	return dialect{
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
		finish: finishCoreAgent, vars: vars(coreAgentVars), inherit: whole(), start: startWorkspace, merge: firstWins, naming: naming.Underscore,
	}
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

// covenant is ~/.covenant/secrets.toml.
func covenant() dialect {
	return dialect{
		name: "covenant",
		path: func(p parts) bool { return p.end(".covenant/secrets.toml", "secrets.toml") },
		sniff: func(root *tree.Node) bool {
			servers := root.Value("mcp").Value("server")
			return servers != nil && servers.Kind == tree.List
		},
		files: func(env Environment) []file {
			return []file{{path: env.join(env.Home, ".covenant/secrets.toml"), scope: scopeUser}}
		},
		read: func(f *serverFile, root *tree.Node) {
			v, at, ok := f.below(root, "mcp", "server")
			if !ok {
				return
			}
			if v.Kind != tree.List {
				f.fail(v.Pos, at, "want tables [[mcp.server]], found "+v.Kind.String(), "")
				return
			}
			for i, n := range v.List {
				f.element(n, at.Index(i))
			}
		},
		keys:   []rowKey{commandKey("command"), argsKey(), envKey("env"), descriptionKey()},
		finish: programOnly, vars: vars(covenantVars), inherit: whole(), merge: firstWins, naming: naming.Bare,
		denies: true, native: []string{"echo", "clock"},
	}
}

func programOnly(e *entry) {
	if !e.command {
		e.fail(e.n, e.at, "no command", "name the program to start")
		return
	}
	e.local()
}

// tallow is mcpServers of its settings. A user's file comes first and a project's
// one overrides it, if the project is trusted.
func tallow() dialect {
	return dialect{
		name:  "tallow",
		path:  func(p parts) bool { return p.end(".tallow/settings.json") },
		sniff: has("mcpServers", nil),
		files: func(env Environment) []file {
			return []file{
				{path: env.join(env.Dir, ".tallow/settings.json"), scope: scopeProject},
				{path: env.join(env.Home, ".tallow/settings.json"), scope: scopeUser},
			}
		},
		read: in("mcpServers"),
		keys: []rowKey{transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers")},
		finish: func(e *entry) {
			if e.said.Value == nil {
				programOnly(e)
			} else {
				decide(e)
			}
			e.server.Timeout.Call = 120 * time.Second
		},
		vars: noVars, inherit: whole(), start: startWorkspace, restart: endpoint.RestartOnce, lenient: true, merge: overlay,
		naming: naming.MCPDoubleUnderscore, gated: true,
	}
}

// indusr is .indusvx/mcp.json. Nothing in it is ever an error.
func indusr() dialect {
	return dialect{
		name: "indusr",
		path: func(p parts) bool {
			return p.end(".indusvx/mcp.json", "indusvx/mcp.json", ".indusvx/agent/mcp.json", ".indusvx/agent/mcp-servers.json")
		},
		sniff: func(root *tree.Node) bool {
			servers := root.Value("servers")
			if servers == nil || root.Value("mcpServers") != nil {
				return false
			}
			typed := func(n *tree.Node) bool { return n.Value("type") != nil || n.Value("transport") != nil }
			for _, m := range servers.Members {
				if typed(m.Value) {
					return false
				}
			}
			return (servers.Kind == tree.List || servers.Kind == tree.Map) && !slices.ContainsFunc(servers.List, typed)
		},
		files: indusrFiles,
		read: func(f *serverFile, root *tree.Node) {
			if servers := root.Value("servers"); servers != nil {
				f.rowsAt(servers, "servers", true)
			} else {
				f.notice(root.Pos, "", "no servers in it, so it has none")
			}
		},
		keys: []rowKey{commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"), enabledKey(), descriptionKey()},
		// Its own transport for a URL is SSE; the newer one is tried before it.
		finish: urlWins(endpoint.Auto), vars: noVars, inherit: whole(), start: startWorkspace, lenient: true, coerce: true, merge: lastCounts,
		naming: naming.DoubleUnderscore, asked: true,
	}
}

func indusrFiles(env Environment) []file {
	config := env.lookup("XDG_CONFIG_HOME")
	if config == "" {
		config = env.join(env.Home, ".config")
	}
	return []file{
		{path: env.join(env.Dir, ".indusvx/mcp.json"), scope: scopeProject},
		{path: env.join(config, "indusvx/mcp.json"), scope: scopeUser},
		{path: env.join(env.Home, ".indusvx/agent/mcp.json"), scope: scopeUser},
		{path: env.join(env.Home, ".indusvx/agent/mcp-servers.json"), scope: scopeUser},
	}
}

// The header of a scarab manifest.
const (
	manifestVersion = "scarab/v1"
	manifestKind    = "AgentManifest"
)

// scarab is an agent manifest in YAML.
func scarab() dialect {
	return dialect{
		name: "scarab",
		path: func(parts) bool { return false },
		sniff: func(root *tree.Node) bool {
			return stringIn(root.Value("apiVersion"), manifestVersion) || stringIn(root.Value("kind"), manifestKind) ||
				root.Value("spec").Value("mcp_servers") != nil
		},
		files: func(Environment) []file { return nil },
		read:  readManifest,
		keys: []rowKey{
			transportKey("transport"), commandKey("command"), argsKey(), urlKey("url"), {"env_template", envTemplate}, descriptionKey(),
		},
		finish: func(e *entry) {
			switch e.oneOf("stdio", "http") {
			case "stdio":
				programOnly(e)
			case "http":
				if !e.url {
					e.fail(e.n, e.at, "Http needs a url", "")
					return
				}
				e.remote(endpoint.Auto)
			}
		},
		vars: vars(manifestVars), inherit: whole(), start: startFile, merge: firstWins, naming: naming.Dot,
	}
}

func readManifest(f *serverFile, root *tree.Node) {
	for _, constant := range [...]struct{ name, want string }{{"apiVersion", manifestVersion}, {"kind", manifestKind}} {
		if v := root.Value(constant.name); v == nil {
			f.fail(root.Pos, tree.Path(constant.name), "the key is missing", "write "+constant.name+": "+constant.want)
		} else if !stringIn(v, constant.want) {
			f.fail(v.Pos, tree.Path(constant.name), "want "+constant.want, "this is the one that there is")
		}
	}
	spec := root.Value("spec")
	if spec == nil || spec.Kind != tree.Map {
		f.fail(root.Pos, "spec", "want a mapping", "")
		return
	}
	f.readManifestRules(root, spec)
	servers := spec.Value("mcp_servers")
	if servers == nil {
		return
	}
	at := tree.Path("spec.mcp_servers")
	if servers.Kind != tree.List {
		f.fail(servers.Pos, at, "want a list, found "+servers.Kind.String(), "")
		return
	}
	first := map[string]int{}
	for i, n := range servers.List {
		if name := n.Value("name"); name != nil {
			if line, again := first[name.Text]; again {
				f.fail(name.Pos, at.Index(i).Key("name"), fmt.Sprintf("the server %s stands in line %d already", tree.Quote(name.Text), line), "give each server a name of its own")
				continue
			}
			first[name.Text] = name.Pos.Line
			f.manifest.Servers = append(f.manifest.Servers, name.Text)
		}
		f.element(n, at.Index(i))
	}
}

// envTemplate is a list of pairs.
func envTemplate(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.List, v, at) {
		return
	}
	for i, pair := range v.List {
		at := at.Index(i)
		if !e.want(tree.List, pair, at) {
			continue
		}
		if len(pair.List) != 2 {
			e.fail(pair, at, fmt.Sprintf("want a pair of name and value, found %d elements", len(pair.List)), "")
			continue
		}
		name := e.str(pair.List[0], at.Index(0))
		e.name(endpoint.FieldEnv, name, pair.List[0].Pos, at.Index(0))
		value := e.text(endpoint.FieldEnv, pair.List[1], at.Index(1))
		e.server.Env = append(e.server.Env, endpoint.Var{Name: name, Value: value})
		e.origin("env."+name, pair.Pos)
	}
}

// readManifestRules reads what the manifest says about permissions.
func (f *serverFile) readManifestRules(root, spec *tree.Node) {
	m := &Manifest{Path: f.path}
	f.manifest = m
	if name := root.Value("metadata").Value("name"); name != nil && name.Kind == tree.String {
		m.Name = name.Text
	}
	d := tree.Decoder{}
	if v := spec.Value("capabilities"); v != nil {
		d.Decode(v, "spec.capabilities", &m.Capabilities)
		for _, entry := range v.List {
			m.capabilities = append(m.capabilities, place{f.path, entry.Pos.Line, entry.Pos.Column})
		}
	}
	if v := spec.Value("trust_level"); v != nil && d.Want(tree.String, v, "spec.trust_level") {
		m.TrustLevel = v.Text
		if levels := trustLevels(); !slices.Contains(levels, v.Text) {
			d.Fail(v.Pos, "spec.trust_level", "unknown level "+tree.Quote(v.Text), tree.Suggest(v.Text, levels))
		}
	}
	if v := spec.Value("secret_policy"); v != nil && d.Want(tree.List, v, "spec.secret_policy") {
		for i, entry := range v.List {
			m.Secrets = append(m.Secrets, secretPolicy(&d, entry, tree.Path("spec.secret_policy").Index(i)))
			m.places = append(m.places, place{f.path, entry.Pos.Line, entry.Pos.Column})
		}
	}
	f.problems(d.Problems)
}

func trustLevels() []string { return []string{"untrusted", "sandboxed", "trusted", "privileged"} }

func secretPolicy(d *tree.Decoder, n *tree.Node, at tree.Path) SecretPolicy {
	var p struct {
		Label   string `json:"label"`
		Secret  string `json:"secret_pattern"`
		Tool    string `json:"tool_pattern"`
		Host    string `json:"host_pattern,omitempty"`
		Expires string `json:"expires_at,omitempty"`
		Uses    int    `json:"max_uses,omitempty"`
		Agent   string `json:"agent_matcher,omitempty"`
	}
	d.Decode(n, at, &p)
	return SecretPolicy{Label: p.Label, SecretPattern: p.Secret, ToolPattern: p.Tool, HostPattern: p.Host,
		ExpiresAt: p.Expires, MaxUses: p.Uses, AgentMatcher: p.Agent}
}
