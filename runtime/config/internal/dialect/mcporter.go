// mcporter: mcporter.json.

package dialect

import (
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// mcporter is the dialect of mcporter.json. Each key may also be written in snake case.
func mcporter() Dialect {
	return Dialect{
		Name: "mcporter", shared: true,
		folder: []string{"config"},
		names:  []string{"mcporter.json", "mcporter.jsonc"},
		only:   "MCPORTER_CONFIG",
		files: []place{
			project("config/mcporter.json"),
			below(ScopeUser, Machine.xdgSaid, "mcporter/mcporter.json", "mcporter/mcporter.jsonc"),
			home(".mcporter/mcporter.json", ".mcporter/mcporter.jsonc"),
		},
		rows: "mcpServers",
		read: func(f *File, root *tree.Node) {
			if v := root.Value("imports"); v != nil && len(v.List) > 0 {
				f.Note(v.Pos, "imports", "mcpgen reads no imports of other files here",
					"list those files under the key import in mcpgen.yaml")
			}
			f.mapping(root)
		},
		keys: mcporterKeys(), finish: finishMcporter, vars: mcporterVars, start: startFile,
	}
}

func mcporterKeys() []rowKey {
	keys := append([]rowKey{
		{"command", mcporterCommand}, {"executable", mcporterCommand}, {"args", setArgs}, {"env", setEnv}, {"cwd", setCwd},
		// If several are present, the last one of this list counts.
		{"server_url", setURL}, {"serverUrl", setURL}, {"url", setURL},
		{"base_url", setURL}, {"baseUrl", setURL}, {"headers", setHeaders},
		{"bearerToken", func(e *entry, v *tree.Node, at tree.Path) {
			e.header("Authorization", "Bearer "+e.str(v, at), v, at)
		}},
		{"bearerTokenEnv", func(e *entry, v *tree.Node, at tree.Path) {
			e.header("Authorization", "Bearer ${"+e.envName(v, at)+"}", v, at)
		}},
		{"auth", mcporterAuth}, {"oauthClientId", setClientID}, {"oauthClientSecret", setClientSecret},
		{"oauthClientSecretEnv", func(e *entry, v *tree.Node, at tree.Path) {
			e.address.Auth.ClientSecret = "${" + e.envName(v, at) + "}"
		}},
		{"oauthRedirectUrl", setRedirect}, {"oauthScope", setScopes}, {"description", setDescription},
		{"allowedTools", setInclude}, {"blockedTools", setExclude},
		{"refresh", noted("mcpgen refreshes only tokens that it got itself")},
	}, quiet("lifecycle", "logging", "protocolVersion", "httpFetch", "tokenCacheDir", "oauthTokenEndpointAuthMethod",
		"oauthClientMetadataUrl", "oauthCommand")...)
	for _, k := range slices.Clone(keys) {
		snake := snakeCase(k.name)
		if snake != k.name && !slices.ContainsFunc(keys, func(other rowKey) bool { return other.name == snake }) {
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

// mcporterCommand reads a list, or a string. A string that is not a file, in a row without args, is split
// like a shell command.
func mcporterCommand(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind == tree.List {
		setCommandList(e, v, at)
		return
	}
	setCommand(e, v, at)
	if v.Kind != tree.String || e.n.Value("args") != nil || isProgram(e.f, v.Text) {
		return
	}
	words, ok := texts.Words(v.Text)
	switch {
	case !ok:
		e.fail(v, at, "a quote is not closed", "")
	case len(words) > 0:
		e.process.Command, e.process.Args = words[0], words[1:]
	}
}

// isProgram reports whether a command is the path of a file.
func isProgram(f *File, path string) bool {
	if !strings.ContainsAny(path, `/\`) || f.m.Read != nil {
		return false
	}
	info, err := os.Stat(f.inWorkspace(path))
	return err == nil && info.Mode().IsRegular()
}

func mcporterAuth(e *entry, v *tree.Node, at tree.Path) {
	switch auth := e.str(v, at); auth {
	case "oauth":
		e.address.Auth.Kind = endpoint.AuthOAuth
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
	urlWins(e)
}

// mcporterVars expands ${NAME}, ${NAME:-default} and, as a whole value, $env:NAME.
func mcporterVars(*File) *texts.Syntax {
	return &texts.Syntax{Escape: `\`, Forms: []texts.Form{
		{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true, EmptyIs: true},
		{Open: "$env:", Name: texts.VariableName, Whole: true},
	}}
}
