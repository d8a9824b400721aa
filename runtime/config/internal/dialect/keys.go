// What keys mean that many formats share, under one name or another.

package dialect

import (
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// setter says what the value of a key does to a row.
type setter func(e *entry, v *tree.Node, at tree.Path)

// common are the keys that most formats have, and more behind them.
func common(more ...[]rowKey) []rowKey {
	return append([]rowKey{
		transportKey("type"), {"command", setCommand}, {"args", setArgs}, {"env", setEnv}, {"url", setURL}, {"headers", setHeaders},
	}, slices.Concat(more...)...)
}

// orNull makes a null say the same as the absence of the key.
func orNull(set setter) setter {
	return func(e *entry, v *tree.Node, at tree.Path) {
		if v.Kind != tree.Null {
			set(e, v, at)
		}
	}
}

// object is a mapping with keys of its own.
func object(keys []rowKey) setter {
	return func(e *entry, v *tree.Node, at tree.Path) { e.object(v, at, keys) }
}

func setCommand(e *entry, v *tree.Node, at tree.Path) {
	e.command = true
	e.process.Command = e.text(endpoint.FieldCommand, v, at)
	e.origin("command", v.Pos)
}

// setCommandList is a program with its arguments in one list.
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

// setCwd is a working directory, relative to the folder of the workspace.
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

// transportKey names the transport: see decide.
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

// setStart and setCall are times in a unit.
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

// setInclude and setExclude are exact names of tools.
func setInclude(e *entry, v *tree.Node, at tree.Path) {
	e.Include = exactly(e.words(v, at))
	e.origin("tools.include", v.Pos)
	if len(v.List) == 0 {
		e.Exclude = append(e.Exclude, "*") // an empty list lets nothing through
	}
}

func setExclude(e *entry, v *tree.Node, at tree.Path) {
	e.Exclude = append(e.Exclude, exactly(e.words(v, at))...)
	e.origin("tools.exclude", v.Pos)
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
	return each(func(*entry, *tree.Node, tree.Path) {}, names)
}

// grants are keys that let tools run without asking. A file must not grant that
// silently.
func grants(names ...string) []rowKey {
	return each(noted("grants nothing here", "write the rules into policy.allow of mcpgen.yaml"), names)
}

// each are keys that all do the same.
func each(set setter, names []string) []rowKey {
	keys := make([]rowKey, len(names))
	for i, name := range names {
		keys[i] = rowKey{name, set}
	}
	return keys
}

// noted is for a key whose meaning mcpgen does not carry over, with what to do.
func noted(text string, steps ...string) setter {
	return func(e *entry, v *tree.Node, at tree.Path) { e.f.Note(v.Pos, at, text, steps...) }
}

// envName reads the name of a variable of the environment.
func (e *entry) envName(v *tree.Node, at tree.Path) string {
	name := e.str(v, at)
	if v.Kind == tree.String && (texts.VariableName(name) != len(name) || name == "") {
		e.fail(v, at, "want the name of an environment variable", "")
	}
	return name
}

// auth reads a text of the server's authorisation, by its name in mcpgen.yaml.
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

// setOAuth says whether a server wants a sign-in.
func setOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.address.Auth.Kind = endpoint.AuthNone
	if e.boolean(v, at) {
		e.address.Auth.Kind = endpoint.AuthOAuth
	}
}

// setScopes is a list of scopes, or one text with spaces between them.
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
