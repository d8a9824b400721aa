// The files of Codex, Gemini CLI, OpenCode and mcporter.

package config

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// codex is [mcp_servers.name] of config.toml.
func codex() dialect {
	return dialect{
		name:  "codex",
		path:  func(p parts) bool { return p.end(".codex/config.toml", "config.toml") },
		sniff: has("mcp_servers", nil),
		files: func(env Environment) []file {
			user := env.join(env.Home, ".codex/config.toml")
			if folder := env.lookup("CODEX_HOME"); folder != "" {
				user = env.join(folder, "config.toml")
			}
			return []file{
				{path: env.join(env.Dir, ".codex/config.toml"), scope: scopeProject},
				{path: user, scope: scopeUser},
			}
		},
		read: in("mcp_servers"),
		keys: concat([]rowKey{
			commandKey("command"), argsKey(), envKey("env"), {"env_vars", codexForward}, cwdKey(),
			urlKey("url"), headersKey("http_headers"), {"env_http_headers", codexHeaders},
			{"bearer_token_env_var", func(e *entry, v *tree.Node, at tree.Path) { e.template("Authorization", "Bearer ", v, at) }},
			{"bearer_token", func(e *entry, v *tree.Node, at tree.Path) {
				e.fail(v, at, "a token does not belong into this file, and Codex refuses it", "name a variable with bearer_token_env_var")
			}},
			enabledKey(), requiredKey(), startKey("startup_timeout_ms", time.Millisecond), startKey("startup_timeout_sec", time.Second),
			callKey("tool_timeout_sec", time.Second), includeKey("enabled_tools"), excludeKey("disabled_tools"),
			scopesKey("scopes"), {"oauth", codexOAuth}, descriptionKey(),
			{"oauth_resource", func(e *entry, v *tree.Node, at tree.Path) {
				e.server.Auth.Kind, e.server.Auth.Audiences = endpoint.AuthOAuth, []string{e.str(v, at)}
			}},
		}, quiet("supports_parallel_tool_calls", "name"), grants("default_tools_approval_mode", "tools")),
		finish: finishCodex, vars: noVars, start: startWorkspace, merge: firstWins,
	}
}

func codexOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{clientIDKey("client_id")})
}

func finishCodex(e *entry) {
	switch {
	case e.command && e.url:
		e.fail(e.n.Value("url"), e.at.Key("url"), "url is not supported for stdio, and there is a command", "keep one of them")
	case e.command:
		for _, name := range [...]string{"scopes", "oauth", "oauth_resource", "bearer_token_env_var", "http_headers", "env_http_headers"} {
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

// codexForward are names of variables that the process gets, each a text or a
// table with a name.
func codexForward(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.List, v, at) {
		return
	}
	for i, item := range v.List {
		if name := item.Value("name"); item.Kind == tree.Map && name != nil {
			item = name
		}
		if name := e.str(item, at.Index(i)); name != "" {
			e.name(endpoint.FieldEnv, name, item.Pos, at.Index(i))
			e.server.Inherit.Names = append(e.server.Inherit.Names, name)
		}
	}
	e.origin("inherit_env", v.Pos)
}

// codexHeaders are headers with the names of variables that hold their values.
func codexHeaders(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.Map, v, at) {
		return
	}
	for _, m := range v.Members {
		e.template(m.Name, "", m.Value, at.Key(m.Name))
	}
}

// template adds a header whose value stands in a variable that v names. Other
// texts of the row stay literal. A header that is nothing but an unset variable
// is left out.
func (e *entry) template(header, before string, v *tree.Node, at tree.Path) {
	name := e.envName(v, at)
	value := before + "${env:" + name + "}"
	e.header(header, value, v, at)
	e.templates = append(e.templates, value)
	others := e.server.Expand
	e.server.Expand = func(field endpoint.Field, text string, lookup func(string) (string, bool)) (string, error) {
		if field != endpoint.FieldHeader || text != value {
			if others == nil {
				return text, nil
			}
			return others(field, text, lookup)
		}
		if before == "" {
			if _, ok := lookup(name); !ok {
				return "", endpoint.ErrOmit
			}
		}
		return (&syntax{forms: []form{envForm()}}).expander()(field, text, lookup)
	}
}

// gemini is mcpServers of Gemini's settings.
func gemini() dialect {
	return dialect{
		name: "gemini",
		path: func(p parts) bool {
			return p.end(".gemini/settings.json", "gemini-cli/settings.json", "gemini-cli/system-defaults.json", "GeminiCli/settings.json", "GeminiCli/system-defaults.json")
		},
		sniff: has("mcpServers", nil),
		files: geminiFiles,
		read: func(f *serverFile, root *tree.Node) {
			in("mcpServers")(f, root)
			f.choose(root.Value("mcp"), "mcp")
		},
		keys: concat([]rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), cwdKey(), urlKey("url"), urlKey("httpUrl"), headersKey("headers"),
			callKey("timeout", time.Millisecond), includeKey("includeTools"), excludeKey("excludeTools"), descriptionKey(),
			{"oauth", geminiOAuth}, {"authProviderType", geminiProvider},
			noted("targetAudience", "mcpgen does not impersonate service accounts"), noted("targetServiceAccount", "mcpgen does not impersonate service accounts"),
		}, quiet("extension", "tcp"), grants("trust")),
		finish: finishGemini, vars: func(f *serverFile) *syntax { return geminiVars(f.env.OS) },
		inherit: endpoint.Inherit{All: true, Without: []string{"TOKEN", "SECRET", "PASSWORD", "KEY", "AUTH", "CREDENTIAL"}},
		start:   startWorkspace, merge: firstWins,
	}
}

func geminiFiles(env Environment) []file {
	folder := "/etc/gemini-cli"
	switch env.OS {
	case "darwin":
		folder = "/Library/Application Support/GeminiCli"
	case "windows":
		folder = `C:\ProgramData\gemini-cli`
	}
	system, defaults := env.lookup("GEMINI_CLI_SYSTEM_SETTINGS_PATH"), env.lookup("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
	if system == "" {
		system = env.join(folder, "settings.json")
	}
	if defaults == "" {
		defaults = env.join(folder, "system-defaults.json")
	}
	return []file{
		{path: system, scope: scopeManaged},
		{path: env.join(env.Dir, ".gemini/settings.json"), scope: scopeProject},
		{path: env.join(env.Home, ".gemini/settings.json"), scope: scopeUser},
		{path: defaults, scope: scopeSystem},
	}
}

func finishGemini(e *entry) {
	s := &e.server
	if s.Timeout.Call == 0 {
		s.Timeout.Call = 10 * time.Minute
	}
	http, url := e.n.Value("httpUrl"), e.n.Value("url")
	switch {
	case http != nil:
		s.URL = http.Text
		e.remote(endpoint.HTTP)
	case url != nil:
		t, known := transportOf(e.word())
		if !known || t == endpoint.Stdio {
			e.failWord("unknown transport "+tree.Quote(e.word()), "one of http, sse")
		}
		e.remote(t)
	case e.command:
		e.local()
	case e.n.Value("tcp") != nil:
		e.left = "a web socket, which mcpgen does not dial"
	default:
		e.neither()
	}
}

// choose applies mcp.allowed and mcp.excluded: names of servers.
func (f *serverFile) choose(v *tree.Node, at tree.Path) {
	if v == nil || v.Kind != tree.Map {
		return
	}
	var allowed, excluded []string
	d := tree.Decoder{}
	for _, list := range [...]struct {
		name string
		into *[]string
	}{{"allowed", &allowed}, {"excluded", &excluded}} {
		if n := v.Value(list.name); n != nil {
			d.Decode(n, at.Key(list.name), list.into)
		}
	}
	f.problems(d.Problems)
	for i := range f.rows {
		r := &f.rows[i]
		switch {
		case slices.Contains(excluded, r.server.Name):
			r.left = "mcp.excluded names it"
		case v.Value("allowed") != nil && !slices.Contains(allowed, r.server.Name):
			r.left = "mcp.allowed does not name it"
		}
	}
}

func geminiOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{
		clientIDKey("clientId"), clientSecretKey("clientSecret"), scopesKey("scopes"), redirectKey("redirectUri"),
		authText("authorizationUrl", "authorization_url", func(a *endpoint.Auth) *string { return &a.AuthorizationURL }),
		authText("tokenUrl", "token_url", func(a *endpoint.Auth) *string { return &a.TokenURL }),
		{"audiences", func(e *entry, v *tree.Node, at tree.Path) { e.server.Auth.Audiences = e.words(v, at) }},
		{"enabled", func(e *entry, v *tree.Node, at tree.Path) {
			e.server.Auth.Kind = endpoint.AuthNone
			if e.boolean(v, at) {
				e.server.Auth.Kind = endpoint.AuthOAuth
			}
		}},
		noted("tokenParamName", "mcpgen sends tokens in the Authorization header"),
	})
}

func geminiProvider(e *entry, v *tree.Node, at tree.Path) {
	switch provider := e.str(v, at); provider {
	case "dynamic_discovery", "":
	case "google_credentials":
		e.server.Auth.Kind = endpoint.AuthGoogle
		if len(e.server.Auth.Scopes) == 0 {
			e.fail(v, at, "google_credentials needs scopes", "name them in oauth.scopes")
		}
	default:
		e.left = "mcpgen cannot authorise as " + tree.Quote(provider)
	}
}

// mcporter is mcporter.json. Each key may be written in snake case, too.
func mcporter() dialect {
	return dialect{
		name:  "mcporter",
		path:  func(p parts) bool { return p.end("mcporter.json", "mcporter.jsonc") },
		sniff: func(root *tree.Node) bool { return has("mcpServers", nil)(root) },
		files: mcporterFiles,
		read: func(f *serverFile, root *tree.Node) {
			if v := root.Value("imports"); v != nil && len(v.List) > 0 {
				f.notice(v.Pos, "imports", "mcpgen reads no imports of other files here; name those files in import of mcpgen.yaml")
			}
			in("mcpServers")(f, root)
		},
		keys: mcporterKeys(), finish: finishMcporter, vars: vars(mcporterVars), inherit: whole(), start: startFile, merge: firstWins,
	}
}

func mcporterFiles(env Environment) []file {
	if only := env.lookup("MCPORTER_CONFIG"); only != "" {
		return []file{{path: only, scope: scopeUser}}
	}
	files := []file{{path: env.join(env.Dir, "config/mcporter.json"), scope: scopeProject}}
	var folders []string
	if xdg := env.lookup("XDG_CONFIG_HOME"); env.isAbs(xdg) {
		folders = append(folders, env.join(xdg, "mcporter"))
	}
	for _, folder := range append(folders, env.join(env.Home, ".mcporter")) {
		for _, name := range [...]string{"mcporter.json", "mcporter.jsonc"} {
			files = append(files, file{path: env.join(folder, name), scope: scopeUser})
		}
	}
	return files
}

func mcporterKeys() []rowKey {
	variable := func(set func(e *entry, text string)) func(*entry, *tree.Node, tree.Path) {
		return func(e *entry, v *tree.Node, at tree.Path) { set(e, "${"+e.envName(v, at)+"}") }
	}
	keys := []rowKey{
		{"command", mcporterCommand}, {"executable", mcporterCommand}, argsKey(), envKey("env"), cwdKey(),
		// The last one that is there counts.
		urlKey("server_url"), urlKey("serverUrl"), urlKey("url"), urlKey("base_url"), urlKey("baseUrl"), headersKey("headers"),
		{"bearerToken", func(e *entry, v *tree.Node, at tree.Path) { e.header("Authorization", "Bearer "+e.str(v, at), v, at) }},
		bearerKey("bearerTokenEnv", "${NAME}"),
		{"auth", mcporterAuth}, clientIDKey("oauthClientId"), clientSecretKey("oauthClientSecret"),
		{"oauthClientSecretEnv", variable(func(e *entry, text string) { e.server.Auth.ClientSecret = text })},
		redirectKey("oauthRedirectUrl"), scopesKey("oauthScope"), descriptionKey(),
		includeKey("allowedTools"), excludeKey("blockedTools"),
		noted("refresh", "mcpgen refreshes tokens that it got itself only"),
	}
	keys = concat(keys, quiet("lifecycle", "logging", "protocolVersion", "httpFetch", "tokenCacheDir", "oauthTokenEndpointAuthMethod",
		"oauthClientMetadataUrl", "oauthCommand"))
	for _, k := range slices.Clone(keys) {
		if snake := snakeCase(k.name); snake != k.name && !slices.ContainsFunc(keys, func(other rowKey) bool { return other.name == snake }) {
			keys = append(keys, rowKey{snake, k.set})
		}
	}
	return keys
}

func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// mcporterCommand is a list, or a text that is split as a shell does where it has
// no args beside it and is no file.
func mcporterCommand(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind == tree.List {
		commandListKey("command").set(e, v, at)
		return
	}
	commandKey("command").set(e, v, at)
	if v.Kind != tree.String || e.n.Value("args") != nil || e.f.exists(v.Text) {
		return
	}
	words, ok := splitWords(v.Text)
	switch {
	case !ok:
		e.fail(v, at, "a quote is not closed", "")
	case len(words) > 0:
		e.server.Command, e.server.Args = words[0], words[1:]
	}
}

// exists reports whether a program is a file.
func (f *serverFile) exists(path string) bool {
	if !strings.ContainsAny(path, `/\`) || f.env.Read != nil {
		return false
	}
	info, err := os.Stat(f.inWorkspace(path))
	return err == nil && info.Mode().IsRegular()
}

func mcporterAuth(e *entry, v *tree.Node, at tree.Path) {
	switch auth := e.str(v, at); auth {
	case "oauth":
		e.server.Auth.Kind = endpoint.AuthOAuth
	case "refreshable_bearer":
		e.left = "mcpgen cannot authorise with a refreshable bearer token"
	default:
		if v.Kind == tree.String {
			e.fail(v, at, "unknown way to authorise "+tree.Quote(auth), "one of oauth, refreshable_bearer")
		}
	}
}

func finishMcporter(e *entry) {
	allowed, blocked := e.n.Value("allowedTools"), e.n.Value("blockedTools")
	if allowed == nil {
		allowed = e.n.Value("allowed_tools")
	}
	if blocked == nil {
		blocked = e.n.Value("blocked_tools")
	}
	if allowed != nil && blocked != nil {
		e.fail(e.n, e.at, "both allowedTools and blockedTools", "keep one of them")
	}
	urlWins(endpoint.Auto)(e)
}
