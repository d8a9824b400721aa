// Gemini CLI: mcpServers of its settings.

package dialect

import (
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// gemini is mcpServers of Gemini's settings.
func gemini() Dialect {
	return Dialect{
		Name: "gemini", shared: true,
		path: func(p parts) bool {
			return p.end(".gemini/settings.json", "gemini-cli/settings.json", "gemini-cli/system-defaults.json", "GeminiCli/settings.json", "GeminiCli/system-defaults.json")
		},
		sniff:  has("mcpServers", nil),
		folder: []string{".gemini"},
		files:  geminiFiles,
		read: func(f *File, root *tree.Node) {
			in("mcpServers")(f, root)
			f.choose(root.Value("mcp"), "mcp")
		},
		keys: concat([]rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), cwdKey(), urlKey("url"), urlKey("httpUrl"), headersKey("headers"),
			callKey("timeout", time.Millisecond), includeKey("includeTools"), excludeKey("excludeTools"), descriptionKey(),
			{"oauth", geminiOAuth}, {"authProviderType", geminiProvider},
			noted("targetAudience", "mcpgen does not impersonate service accounts"), noted("targetServiceAccount", "mcpgen does not impersonate service accounts"),
		}, quiet("extension", "tcp"), grants("trust")),
		finish: finishGemini, vars: func(f *File) *texts.Syntax { return geminiVars(f.m.OS) },
		inherit: endpoint.Inherit{All: true, Without: []string{"TOKEN", "SECRET", "PASSWORD", "KEY", "AUTH", "CREDENTIAL"}},
		start:   startWorkspace, Merge: FirstWins,
	}
}

func geminiFiles(m Machine) []Location {
	folder := "/etc/gemini-cli"
	switch m.OS {
	case "darwin":
		folder = "/Library/Application Support/GeminiCli"
	case "windows":
		folder = `C:\ProgramData\gemini-cli`
	}
	system, defaults := m.lookup("GEMINI_CLI_SYSTEM_SETTINGS_PATH"), m.lookup("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
	if system == "" {
		system = m.Join(folder, "settings.json")
	}
	if defaults == "" {
		defaults = m.Join(folder, "system-defaults.json")
	}
	return []Location{
		{Path: system, Scope: ScopeManaged},
		{Path: m.Join(m.Dir, ".gemini/settings.json"), Scope: ScopeProject},
		{Path: m.Join(m.Home, ".gemini/settings.json"), Scope: ScopeUser},
		{Path: defaults, Scope: ScopeSystem},
	}
}

func finishGemini(e *entry) {
	s := &e.Server
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
		e.Left = "a web socket, which mcpgen does not dial"
	default:
		e.neither()
	}
}

// choose applies mcp.allowed and mcp.excluded: names of servers.
func (f *File) choose(v *tree.Node, at tree.Path) {
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
	f.Add(d.Problems...)
	for i := range f.Rows {
		r := &f.Rows[i]
		switch {
		case slices.Contains(excluded, r.Server.Name):
			r.Left = "mcp.excluded names it"
		case v.Value("allowed") != nil && !slices.Contains(allowed, r.Server.Name):
			r.Left = "mcp.allowed does not name it"
		}
	}
}

func geminiOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{
		clientIDKey("clientId"), clientSecretKey("clientSecret"), scopesKey("scopes"), redirectKey("redirectUri"),
		authText("authorizationUrl", "authorization_url", func(a *endpoint.Auth) *string { return &a.AuthorizationURL }),
		authText("tokenUrl", "token_url", func(a *endpoint.Auth) *string { return &a.TokenURL }),
		{"audiences", func(e *entry, v *tree.Node, at tree.Path) { e.Server.Auth.Audiences = e.words(v, at) }},
		oauthKey("enabled"),
		noted("tokenParamName", "mcpgen sends tokens in the Authorization header"),
	})
}

func geminiProvider(e *entry, v *tree.Node, at tree.Path) {
	switch provider := e.str(v, at); provider {
	case "dynamic_discovery", "":
	case "google_credentials":
		e.Server.Auth.Kind = endpoint.AuthGoogle
		if len(e.Server.Auth.Scopes) == 0 {
			e.fail(v, at, "google_credentials needs scopes", "name them in oauth.scopes")
		}
	default:
		e.Left = "mcpgen cannot authorise as " + tree.Quote(provider)
	}
}

// geminiVars are $NAME, ${NAME} and ${NAME:-default}: an unset one stays as it
// is written, and is empty in env, which is expanded once more when a process
// starts, on Windows with %NAME% too.
func geminiVars(goos string) *texts.Syntax {
	x := &texts.Syntax{
		Forms: []texts.Form{
			{Open: "${", Close: "}", Defaults: true},
			{Open: "$", Name: texts.WordName},
		},
		Unset: func(field endpoint.Field) texts.Unset {
			if field == endpoint.FieldEnv {
				return texts.Empty
			}
			return texts.Literal
		},
	}
	if goos == "windows" {
		x.Forms = append(x.Forms, texts.Form{Open: "%", Close: "%", Name: texts.WordName, Fields: []endpoint.Field{endpoint.FieldEnv}})
	}
	return x
}
