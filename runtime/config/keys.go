// Keys that many formats share, under one name or another.

package config

import (
	"strings"
	"time"

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
		e.server.Command = e.text(endpoint.FieldCommand, v, at)
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
		e.server.Command = e.text(endpoint.FieldCommand, v.List[0], at.Index(0))
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
	e.server.Args = e.list(endpoint.FieldArg, v, at)
	if len(e.server.Args) > 0 {
		e.origin("args", v.Pos)
	}
}

func envKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) { e.server.Env = e.vars(endpoint.FieldEnv, v, at) }}
}

func envFileKey() rowKey {
	return rowKey{"envFile", func(e *entry, v *tree.Node, at tree.Path) {
		e.server.EnvFile = e.text(endpoint.FieldEnvFile, v, at)
		e.origin("envFile", v.Pos)
	}}
}

// cwdKey is a working directory, relative to the folder of the workspace.
func cwdKey() rowKey {
	return rowKey{"cwd", func(e *entry, v *tree.Node, at tree.Path) {
		e.server.Dir = e.f.inWorkspace(e.str(v, at))
		e.origin("cwd", v.Pos)
	}}
}

func urlKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.url = true
		e.server.URL = e.text(endpoint.FieldURL, v, at)
		e.origin("url", v.Pos)
	}}
}

func headersKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.server.Headers = append(e.server.Headers, e.vars(endpoint.FieldHeader, v, at)...)
	}}
}

func descriptionKey() rowKey {
	return rowKey{"description", func(e *entry, v *tree.Node, at tree.Path) {
		e.server.Description = e.str(v, at)
		e.origin("description", v.Pos)
	}}
}

// transportKey names the transport: see [entry.decide].
func transportKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		if e.said.Value != nil {
			e.f.fail(e.n.Pos, e.at, "both "+e.said.Name+" and "+name, "keep one of them")
			return
		}
		e.str(v, at)
		e.said = tree.Member{Name: name, Pos: v.Pos, Value: v}
		e.origin("transport", v.Pos)
	}}
}

func enabledKey() rowKey {
	return rowKey{"enabled", func(e *entry, v *tree.Node, at tree.Path) {
		if e.f.dialect.coerce && v.Kind != tree.Bool {
			e.f.notice(v.Pos, at, "only false leaves a server out, found "+v.Kind.String())
			return
		}
		if on := e.boolean(v, at); v.Kind == tree.Bool {
			e.disabled = e.disabled || !on
			e.origin("enabled", v.Pos)
		}
	}}
}

func disabledKey() rowKey {
	return rowKey{"disabled", func(e *entry, v *tree.Node, at tree.Path) {
		if off := e.boolean(v, at); v.Kind == tree.Bool {
			e.disabled = e.disabled || off
			e.origin("disabled", v.Pos)
		}
	}}
}

func requiredKey() rowKey {
	return rowKey{"required", func(e *entry, v *tree.Node, at tree.Path) { e.server.Required = e.boolean(v, at) }}
}

// startKey and callKey are times in a unit.
func startKey(name string, unit time.Duration) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.server.Timeout.Start = e.duration(v, at, unit)
		e.origin("timeout.start", v.Pos)
	}}
}

func callKey(name string, unit time.Duration) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.server.Timeout.Call = e.duration(v, at, unit)
		e.origin("timeout.call", v.Pos)
	}}
}

// includeKey and excludeKey are exact names of tools.
func includeKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.include = exactly(e.words(v, at))
		e.origin("tools.include", v.Pos)
		if len(v.List) == 0 {
			e.exclude = append(e.exclude, "*") // an empty list lets nothing through
		}
	}}
}

func excludeKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		e.exclude = append(e.exclude, exactly(e.words(v, at))...)
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
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) { e.f.notice(v.Pos, at, text) }}
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
	if v.Kind == tree.String && (variableName(name) != len(name) || name == "") {
		e.fail(v, at, "want the name of an environment variable", "")
	}
	return name
}

// authText is a text of the server's authorisation, with its name here.
func authText(name, canonical string, of func(*endpoint.Auth) *string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		*of(&e.server.Auth) = e.text(endpoint.FieldAuth, v, at)
		e.server.Auth.Kind = endpoint.AuthOAuth
		e.origin("auth."+canonical, v.Pos)
	}}
}

func clientIDKey(name string) rowKey {
	return authText(name, "client_id", func(a *endpoint.Auth) *string { return &a.ClientID })
}

func clientSecretKey(name string) rowKey {
	return authText(name, "client_secret", func(a *endpoint.Auth) *string { return &a.ClientSecret })
}

func redirectKey(name string) rowKey {
	return authText(name, "redirect_url", func(a *endpoint.Auth) *string { return &a.RedirectURL })
}

// scopesKey is a list of scopes, or one text with spaces between them.
func scopesKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		if v.Kind == tree.String {
			e.server.Auth.Scopes = strings.Fields(v.Text)
		} else {
			e.server.Auth.Scopes = e.words(v, at)
		}
		e.server.Auth.Kind = endpoint.AuthOAuth
		e.origin("auth.scopes", v.Pos)
	}}
}
