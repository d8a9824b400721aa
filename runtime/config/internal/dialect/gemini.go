// Gemini CLI: mcpServers of its settings.

package dialect

import (
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// gemini is the dialect of Gemini's settings.
func gemini() Dialect {
	return Dialect{
		Name: "gemini", shared: true,
		names: []string{
			".gemini/settings.json", "gemini-cli/settings.json", "gemini-cli/system-defaults.json",
			"GeminiCli/settings.json", "GeminiCli/system-defaults.json",
		},
		folder: []string{".gemini"},
		files: []place{
			geminiSystem(ScopeManaged, "settings.json").namedBy("GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
			project(".gemini/settings.json"), home(".gemini/settings.json"),
			geminiSystem(ScopeSystem, "system-defaults.json").namedBy("GEMINI_CLI_SYSTEM_DEFAULTS_PATH"),
		},
		rows: "mcpServers", decides: []string{"mcpServers", "mcp"},
		read: func(f *File, root *tree.Node) {
			f.mapping(root)
			geminiChoice(f, root.Value("mcp"), "mcp")
		},
		keys: common([]rowKey{
			{"cwd", setCwd}, {"httpUrl", setURL},
			{"timeout", setCall(time.Millisecond)}, {"includeTools", setInclude}, {"excludeTools", setExclude},
			{"description", setDescription}, {"oauth", geminiOAuth()}, {"authProviderType", geminiProvider},
		}, each(noted("mcpgen does not impersonate service accounts"), []string{"targetAudience", "targetServiceAccount"}),
			quiet("extension", "tcp"), grants("trust")),
		finish: finishGemini, vars: func(f *File) *texts.Syntax { return geminiVars(f.m.OS) },
		inherit: &endpoint.Inherit{All: true, Without: []string{"TOKEN", "SECRET", "PASSWORD", "KEY", "AUTH", "CREDENTIAL"}},
		start:   startWorkspace,
	}
}

// geminiSystem is a file for the whole machine.
func geminiSystem(scope, name string) place {
	return on(map[string]place{
		"darwin":  file(scope, "/Library/Application Support/GeminiCli/"+name),
		"windows": file(scope, `C:\ProgramData\gemini-cli\`+name),
	}, file(scope, "/etc/gemini-cli/"+name))
}

func finishGemini(e *entry) {
	s := &e.Server
	if s.Timeout.Call == 0 {
		s.Timeout.Call = 10 * time.Minute
	}
	http, url := e.n.Value("httpUrl"), e.n.Value("url")
	switch {
	case http != nil:
		e.address.URL = http.Text
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
		e.Left = "it uses a web socket, which mcpgen does not support"
	default:
		e.neither()
	}
}

// geminiChoice applies mcp.allowed and mcp.excluded, which are names of servers.
func geminiChoice(f *File, v *tree.Node, at tree.Path) {
	if v == nil || v.Kind != tree.Map {
		return
	}
	var allowed, excluded []string
	d := tree.Decoder{Report: &f.Report}
	for _, list := range [...]struct {
		name string
		into *[]string
	}{{"allowed", &allowed}, {"excluded", &excluded}} {
		if n := v.Value(list.name); n != nil {
			d.Decode(n, at.Key(list.name), list.into)
		}
	}
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

func geminiOAuth() setter {
	return object([]rowKey{
		{"clientId", setClientID}, {"clientSecret", setClientSecret}, {"scopes", setScopes}, {"redirectUri", setRedirect},
		{"authorizationUrl", func(e *entry, v *tree.Node, at tree.Path) {
			e.auth("authorization_url", &e.address.Auth.AuthorizationURL, v, at)
		}},
		{"tokenUrl", func(e *entry, v *tree.Node, at tree.Path) { e.auth("token_url", &e.address.Auth.TokenURL, v, at) }},
		{"audiences", func(e *entry, v *tree.Node, at tree.Path) { e.address.Auth.Audiences = e.words(v, at) }},
		{"enabled", setOAuth},
		{"tokenParamName", noted("mcpgen sends tokens in the Authorization header")},
	})
}

func geminiProvider(e *entry, v *tree.Node, at tree.Path) {
	switch provider := e.str(v, at); provider {
	case "dynamic_discovery", "":
	case "google_credentials":
		e.address.Auth.Kind = endpoint.AuthGoogle
		if len(e.address.Auth.Scopes) == 0 {
			e.fail(v, at, "google_credentials needs scopes", "name them in oauth.scopes")
		}
	default:
		e.Left = "mcpgen cannot authorise as " + tree.Quote(provider)
	}
}

// geminiVars expands $NAME, ${NAME} and ${NAME:-default}. An unset variable stays as written, but is
// empty in env: env is expanded once more when a process starts, on Windows with %NAME% too.
func geminiVars(goos string) *texts.Syntax {
	env := []endpoint.Field{endpoint.FieldEnv}
	x := &texts.Syntax{Unset: texts.Literal, Forms: []texts.Form{
		{Open: "${", Close: "}", Defaults: true, Fields: env, Unset: texts.Empty},
		{Open: "$", Name: texts.WordName, Fields: env, Unset: texts.Empty},
		{Open: "${", Close: "}", Defaults: true},
		{Open: "$", Name: texts.WordName},
	}}
	if goos == "windows" {
		x.Forms = append(x.Forms, texts.Form{Open: "%", Close: "%", Name: texts.WordName, Fields: env, Unset: texts.Empty})
	}
	return x
}
