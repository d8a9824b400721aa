// mcporter: mcporter.json.

package dialect

import (
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// mcporter is mcporter.json. Each key may be written in snake case, too.
func mcporter() Dialect {
	return Dialect{
		Name: "mcporter", shared: true,
		folder: []string{"config"},
		path:   func(p parts) bool { return p.end("mcporter.json", "mcporter.jsonc") },
		sniff:  func(root *tree.Node) bool { return has("mcpServers", nil)(root) },
		files:  mcporterFiles,
		read: func(f *File, root *tree.Node) {
			if v := root.Value("imports"); v != nil && len(v.List) > 0 {
				f.Note(v.Pos, "imports", "mcpgen reads no imports of other files here; name those files in import of mcpgen.yaml")
			}
			in("mcpServers")(f, root)
		},
		keys: mcporterKeys(), finish: finishMcporter, vars: vars(mcporterVars), inherit: whole(), start: startFile, Merge: FirstWins,
	}
}

func mcporterFiles(m Machine) []Location {
	if only := m.lookup("MCPORTER_CONFIG"); only != "" {
		return []Location{{Path: only, Scope: ScopeUser}}
	}
	files := []Location{{Path: m.Join(m.Dir, "config/mcporter.json"), Scope: ScopeProject}}
	var folders []string
	if xdg := m.lookup("XDG_CONFIG_HOME"); m.isAbs(xdg) {
		folders = append(folders, m.Join(xdg, "mcporter"))
	}
	for _, folder := range append(folders, m.Join(m.Home, ".mcporter")) {
		for _, name := range [...]string{"mcporter.json", "mcporter.jsonc"} {
			files = append(files, Location{Path: m.Join(folder, name), Scope: ScopeUser})
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
		{"oauthClientSecretEnv", variable(func(e *entry, text string) { e.Server.Auth.ClientSecret = text })},
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
	words, ok := texts.Words(v.Text)
	switch {
	case !ok:
		e.fail(v, at, "a quote is not closed", "")
	case len(words) > 0:
		e.Server.Command, e.Server.Args = words[0], words[1:]
	}
}

// exists reports whether a program is a file.
func (f *File) exists(path string) bool {
	if !strings.ContainsAny(path, `/\`) || f.m.Read != nil {
		return false
	}
	info, err := os.Stat(f.inWorkspace(path))
	return err == nil && info.Mode().IsRegular()
}

func mcporterAuth(e *entry, v *tree.Node, at tree.Path) {
	switch auth := e.str(v, at); auth {
	case "oauth":
		e.Server.Auth.Kind = endpoint.AuthOAuth
	case "refreshable_bearer":
		e.Left = "mcpgen cannot authorise with a refreshable bearer token"
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

// mcporterVars are ${NAME}, ${NAME:-default} and, as a whole value, $env:NAME.
func mcporterVars() *texts.Syntax {
	return &texts.Syntax{Escape: `\`, Forms: []texts.Form{
		{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true, EmptyIs: true},
		{Open: "$env:", Name: texts.VariableName, Whole: true},
	}}
}
