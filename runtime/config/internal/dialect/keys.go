// The meaning of keys that many formats share, under the same or different names.

package dialect

import (
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// setter applies the value of a key to a row.
type setter func(e *entry, v *tree.Node, at tree.Path)

// common returns the keys of most formats, followed by more.
func common(more ...[]rowKey) []rowKey {
	return append([]rowKey{
		transportKey("type"), {"command", setCommand}, {"args", setArgs}, {"env", setEnv},
		{"url", setURL}, {"headers", setHeaders},
	}, slices.Concat(more...)...)
}

// orNull makes null equivalent to the absence of the key.
func orNull(set setter) setter {
	return func(e *entry, v *tree.Node, at tree.Path) {
		if v.Kind != tree.Null {
			set(e, v, at)
		}
	}
}

// object reads a mapping with the given keys.
func object(keys []rowKey) setter {
	return func(e *entry, v *tree.Node, at tree.Path) { e.object(v, at, keys) }
}

func setCommand(e *entry, v *tree.Node, at tree.Path) {
	e.command = true
	e.process.Command = e.text(endpoint.FieldCommand, v, at)
	e.origin("command", v.Pos)
}

// setCommandList reads a program with its arguments in one list.
func setCommandList(e *entry, v *tree.Node, at tree.Path) {
	e.command = true
	if !e.want(tree.List, v, at) {
		return
	}
	if len(v.List) == 0 {
		e.fail(v, at, "the list is empty", "name a program")
		return
	}
	e.process.Command = e.text(endpoint.FieldCommand, v.List[0], at.Index(0))
	e.origin("command", v.List[0].Pos)
	rest := *v
	rest.List = v.List[1:]
	setArgs(e, &rest, at)
}

func setArgs(e *entry, v *tree.Node, at tree.Path) {
	e.process.Args = e.list(endpoint.FieldArg, v, at)
	if len(e.process.Args) > 0 {
		e.origin("args", v.Pos)
	}
}

func setEnv(e *entry, v *tree.Node, at tree.Path) { e.process.Env = e.vars(endpoint.FieldEnv, v, at) }

func setEnvFile(e *entry, v *tree.Node, at tree.Path) {
	e.process.EnvFile = e.text(endpoint.FieldEnvFile, v, at)
	e.origin("envFile", v.Pos)
}

// setCwd reads a working directory, relative to the folder of the workspace.
func setCwd(e *entry, v *tree.Node, at tree.Path) {
	e.process.Dir = e.f.inWorkspace(e.str(v, at))
	e.origin("cwd", v.Pos)
}

func setURL(e *entry, v *tree.Node, at tree.Path) {
	e.url = true
	e.address.URL = e.text(endpoint.FieldURL, v, at)
	e.origin("url", v.Pos)
}

func setHeaders(e *entry, v *tree.Node, at tree.Path) {
	e.address.Headers = append(e.address.Headers, e.vars(endpoint.FieldHeader, v, at)...)
}

func setDescription(e *entry, v *tree.Node, at tree.Path) {
	e.Server.Description = e.str(v, at)
	e.origin("description", v.Pos)
}

// transportKey returns the key that names the transport: see decide.
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

func setEnabled(e *entry, v *tree.Node, at tree.Path) {
	if on := e.boolean(v, at); v.Kind == tree.Bool {
		e.Disabled = e.Disabled || !on
		e.origin("enabled", v.Pos)
	}
}

func setDisabled(e *entry, v *tree.Node, at tree.Path) {
	if off := e.boolean(v, at); v.Kind == tree.Bool {
		e.Disabled = e.Disabled || off
		e.origin("disabled", v.Pos)
	}
}

// setStart and setCall read timeouts in a unit.
func setStart(unit time.Duration) setter {
	return func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Timeout.Start = e.duration(v, at, unit)
		e.origin("timeout.start", v.Pos)
	}
}

func setCall(unit time.Duration) setter {
	return func(e *entry, v *tree.Node, at tree.Path) {
		e.Server.Timeout.Call = e.duration(v, at, unit)
		e.origin("timeout.call", v.Pos)
	}
}

// setInclude and setExclude read exact names of tools.
func setInclude(e *entry, v *tree.Node, at tree.Path) {
	e.Include = exactly(e.words(v, at))
	e.origin("tools.include", v.Pos)
	if len(v.List) == 0 {
		e.Exclude = append(e.Exclude, "*") // an empty list excludes all tools
	}
}

func setExclude(e *entry, v *tree.Node, at tree.Path) {
	e.Exclude = append(e.Exclude, exactly(e.words(v, at))...)
	e.origin("tools.exclude", v.Pos)
}

// exactly returns globs that match only these names.
func exactly(names []string) []string {
	quote := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
	globs := make([]string, 0, len(names))
	for _, name := range names {
		globs = append(globs, quote.Replace(name))
	}
	return globs
}

// quiet returns keys that only affect the other system's user interface.
func quiet(names ...string) []rowKey {
	return each(func(*entry, *tree.Node, tree.Path) {}, names)
}

// grants returns keys that let tools run without asking. A file must not grant that silently, so they
// become notices.
func grants(names ...string) []rowKey {
	return each(noted("grants nothing here", "write the rules under policy.allow in mcpgen.yaml"), names)
}

// each returns keys with the same setter.
func each(set setter, names []string) []rowKey {
	keys := make([]rowKey, len(names))
	for i, name := range names {
		keys[i] = rowKey{name, set}
	}
	return keys
}

// noted returns a setter for a key that has no effect in mcpgen: a notice with the next steps.
func noted(text string, steps ...string) setter {
	return func(e *entry, v *tree.Node, at tree.Path) { e.f.Note(v.Pos, at, text, steps...) }
}

// envName reads the name of an environment variable.
func (e *entry) envName(v *tree.Node, at tree.Path) string {
	name := e.str(v, at)
	if v.Kind == tree.String && (texts.VariableName(name) != len(name) || name == "") {
		e.fail(v, at, "want the name of an environment variable", "")
	}
	return name
}

// auth reads a text of the server's authorisation; name is its key in mcpgen.yaml.
func (e *entry) auth(name string, into *string, v *tree.Node, at tree.Path) {
	*into = e.text(endpoint.FieldAuth, v, at)
	e.address.Auth.Kind = endpoint.AuthOAuth
	e.origin("auth."+name, v.Pos)
}

func setClientID(e *entry, v *tree.Node, at tree.Path) {
	e.auth("client_id", &e.address.Auth.ClientID, v, at)
}

func setClientSecret(e *entry, v *tree.Node, at tree.Path) {
	e.auth("client_secret", &e.address.Auth.ClientSecret, v, at)
}

func setRedirect(e *entry, v *tree.Node, at tree.Path) {
	e.auth("redirect_url", &e.address.Auth.RedirectURL, v, at)
}

// setOAuth reads whether a server requires a sign-in.
func setOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.address.Auth.Kind = endpoint.AuthNone
	if e.boolean(v, at) {
		e.address.Auth.Kind = endpoint.AuthOAuth
	}
}

// setScopes reads a list of scopes, or one string with spaces between them.
func setScopes(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind == tree.String {
		e.address.Auth.Scopes = strings.Fields(v.Text)
	} else {
		e.address.Auth.Scopes = e.words(v, at)
	}
	e.address.Auth.Kind = endpoint.AuthOAuth
	e.origin("auth.scopes", v.Pos)
}

func setPort(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.Int, v, at) {
		return
	}
	port, ok := v.Int()
	if !ok || port < 1 || port > 65535 {
		e.fail(v, at, "want a port from 1 to 65535", "")
		return
	}
	e.address.Auth.CallbackPort = int(port)
	e.address.Auth.Kind = endpoint.AuthOAuth
}
