// Keys that many formats share, under one name or another.

package dialect

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// orNull makes a key of one whose null says the same as its absence.
func orNull(k rowKey) rowKey {
	return rowKey{k.name, func(e *entry, v *tree.Node, at tree.Path) {
		if v.Kind != tree.Null {
			k.set(e, v, at)
		}
	}}
}

func commandKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.command = true
		e.Server.Command = e.text(endpoint.FieldCommand, v, at)
		e.origin("command", v.Pos)
	}}
}

// commandListKey is a program with its arguments in one list.
func commandListKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.command = true
		if !e.want(tree.List, v, at) {
			return
		}
		if len(v.List) == 0 {
			e.fail(v, at, "the list is empty", "name a program")
			return
		}
		e.Server.Command = e.text(endpoint.FieldCommand, v.List[0], at.Index(0))
		e.origin("command", v.List[0].Pos)
		rest := *v
		rest.List = v.List[1:]
		e.setArgs(&rest, at)
	}}
}

func argsKey() rowKey {
	return rowKey{"args", func(e *entry, v *tree.Node, at tree.Path) { e.setArgs(v, at) }}
}

func (e *entry) setArgs(v *tree.Node, at tree.Path) {
	e.Server.Args = e.list(endpoint.FieldArg, v, at)
	if len(e.Server.Args) > 0 {
		e.origin("args", v.Pos)
	}
}

func envKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) { e.Server.Env = e.vars(endpoint.FieldEnv, v, at) }}
}

func envFileKey() rowKey {
	return rowKey{"envFile", func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.EnvFile = e.text(endpoint.FieldEnvFile, v, at)
		e.origin("envFile", v.Pos)
	}}
}

// cwdKey is a working directory, relative to the folder of the workspace.
func cwdKey() rowKey {
	return rowKey{"cwd", func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Dir = e.f.inWorkspace(e.str(v, at))
		e.origin("cwd", v.Pos)
	}}
}

func urlKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.url = true
		e.Server.URL = e.text(endpoint.FieldURL, v, at)
		e.origin("url", v.Pos)
	}}
}

func headersKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Headers = append(e.Server.Headers, e.vars(endpoint.FieldHeader, v, at)...)
	}}
}

func descriptionKey() rowKey {
	return rowKey{"description", func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Description = e.str(v, at)
		e.origin("description", v.Pos)
	}}
}

// transportKey names the transport: see [entry.decide].
func transportKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		if e.said.Value != nil {
			e.f.Fail(e.n.Pos, e.at, "both "+e.said.Name+" and "+name, "keep one of them")
			return
		}
		e.str(v, at)
		e.said = tree.Member{Name: name, Pos: v.Pos, Value: v}
		e.origin("transport", v.Pos)
	}}
}

func enabledKey() rowKey {
	return rowKey{"enabled", func(e *entry, v *tree.Node, at tree.Path) {
		if e.f.Dialect.coerce && v.Kind != tree.Bool {
			e.f.Note(v.Pos, at, "only false leaves a server out, found "+v.Kind.String())
			return
		}
		if on := e.boolean(v, at); v.Kind == tree.Bool {
			e.Disabled = e.Disabled || !on
			e.origin("enabled", v.Pos)
		}
	}}
}

func disabledKey() rowKey {
	return rowKey{"disabled", func(e *entry, v *tree.Node, at tree.Path) {
		if off := e.boolean(v, at); v.Kind == tree.Bool {
			e.Disabled = e.Disabled || off
			e.origin("disabled", v.Pos)
		}
	}}
}

func requiredKey() rowKey {
	return rowKey{"required", func(e *entry, v *tree.Node, at tree.Path) { e.Server.Required = e.boolean(v, at) }}
}

// startKey and callKey are times in a unit.
func startKey(name string, unit time.Duration) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Timeout.Start = e.duration(v, at, unit)
		e.origin("timeout.start", v.Pos)
	}}
}

func callKey(name string, unit time.Duration) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Timeout.Call = e.duration(v, at, unit)
		e.origin("timeout.call", v.Pos)
	}}
}

// includeKey and excludeKey are exact names of tools.
func includeKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.Include = exactly(e.words(v, at))
		e.origin("tools.include", v.Pos)
		if len(v.List) == 0 {
			e.Exclude = append(e.Exclude, "*") // an empty list lets nothing through
		}
	}}
}

func excludeKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.Exclude = append(e.Exclude, exactly(e.words(v, at))...)
		e.origin("tools.exclude", v.Pos)
	}}
}

// exactly makes globs that match these names alone.
func exactly(names []string) []string {
	quote := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
	globs := make([]string, 0, len(names))
	for _, name := range names {
		globs = append(globs, quote.Replace(name))
	}
	return globs
}

// quiet are keys that concern the other system's screens alone.
func quiet(names ...string) []rowKey {
	keys := make([]rowKey, len(names))
	for i, name := range names {
		keys[i] = rowKey{name, func(*entry, *tree.Node, tree.Path) {}}
	}
	return keys
}

// noted is a key whose meaning mcpgen does not carry over, with what to do.
func noted(name, text string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) { e.f.Note(v.Pos, at, text) }}
}

// grants are keys that let tools run without asking. A file must not grant that
// silently.
func grants(names ...string) []rowKey {
	keys := make([]rowKey, len(names))
	for i, name := range names {
		keys[i] = noted(name, "grants nothing here; write the rules into policy.allow of mcpgen.yaml")
	}
	return keys
}

// bearerKey names a variable of the environment that holds a bearer token.
func bearerKey(name, variable string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		env := e.envName(v, at)
		e.header("Authorization", "Bearer "+strings.ReplaceAll(variable, "NAME", env), v, at)
	}}
}

// envName reads the name of a variable of the environment.
func (e *entry) envName(v *tree.Node, at tree.Path) string {
	name := e.str(v, at)
	if v.Kind == tree.String && (texts.VariableName(name) != len(name) || name == "") {
		e.fail(v, at, "want the name of an environment variable", "")
	}
	return name
}

// authText is a text of the server's authorisation, with its name here.
func authText(name, canonical string, of func(*endpoint.Auth) *string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		*of(&e.Server.Auth) = e.text(endpoint.FieldAuth, v, at)
		e.Server.Auth.Kind = endpoint.AuthOAuth
		e.origin("auth."+canonical, v.Pos)
	}}
}

func clientIDKey(name string) rowKey {
	return authText(name, "client_id", func(a *endpoint.Auth) *string { return &a.ClientID })
}

func clientSecretKey(name string) rowKey {
	return authText(name, "client_secret", func(a *endpoint.Auth) *string { return &a.ClientSecret })
}

// oauthKey says whether a server wants a sign-in.
func oauthKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Auth.Kind = endpoint.AuthNone
		if e.boolean(v, at) {
			e.Server.Auth.Kind = endpoint.AuthOAuth
		}
	}}
}

func redirectKey(name string) rowKey {
	return authText(name, "redirect_url", func(a *endpoint.Auth) *string { return &a.RedirectURL })
}

// scopesKey is a list of scopes, or one text with spaces between them.
func scopesKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		if v.Kind == tree.String {
			e.Server.Auth.Scopes = strings.Fields(v.Text)
		} else {
			e.Server.Auth.Scopes = e.words(v, at)
		}
		e.Server.Auth.Kind = endpoint.AuthOAuth
		e.origin("auth.scopes", v.Pos)
	}}
}

func portKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		if !e.want(tree.Int, v, at) {
			return
		}
		port, ok := v.Int()
		if !ok || port < 1 || port > 65535 {
			e.fail(v, at, "want a port from 1 to 65535", "")
			return
		}
		e.Server.Auth.CallbackPort = int(port)
		e.Server.Auth.Kind = endpoint.AuthOAuth
	}}
}
