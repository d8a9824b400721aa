// Converting a server of a user's own file to an entry of mcpgen.yaml, without secrets and with as little
// as possible that depends on the machine.

package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// portable converts one server to the variables of mcpgen.yaml.
type portable struct {
	server endpoint.Server
	dir    string          // the project's folder, absolute
	shared map[string]bool // variables that servers set to different values
	m      masker

	names  []string // variables that were invented
	local  []string // absolute paths outside the project
	reason string   // why the server cannot be converted; the first reason
}

// portableEntry returns the server of a row as an entry of an mcpgen.yaml in the folder dir. Every value
// of its environment and headers becomes ${env:…}, and so does whatever looks like a credential
// elsewhere. Absolute paths into dir begin with ${dir}, also in values; local are the other absolute
// paths. If the server cannot be converted, entry is nil and reason says why.
func portableEntry(r dialect.Row, dir string, shared map[string]bool) (entry *Entry, local []string, reason string) {
	s := flatten(r.Server.Launch)
	p := &portable{server: r.Server, dir: dir, shared: shared, m: masker{r.Server.Expand}}
	e := &Entry{
		Command: p.text(endpoint.FieldCommand, s.Command), Args: p.args(s.Args), InheritEnv: Inherit{Names: s.Inherit.Names},
		URL: p.text(endpoint.FieldURL, s.URL), Auth: p.auth(s.Auth), Transport: string(s.Transport),
	}
	for _, v := range s.Env {
		e.Env = append(e.Env, endpoint.Var{Name: v.Name, Value: p.variable(v)})
	}
	for _, h := range s.Headers {
		e.Headers = append(e.Headers, endpoint.Var{Name: h.Name, Value: p.header(h)})
	}
	if len(r.Include)+len(r.Exclude) > 0 {
		e.Tools = &Tools{Include: r.Include, Exclude: r.Exclude}
	}
	if t := r.Server.Timeout; t != (endpoint.Timeouts{}) {
		e.Timeout = &t
	}
	switch {
	case s.EnvFile != "":
		p.refuse("its environment variables are in a file")
	case s.Dir != "" && filepath.Clean(s.Dir) != filepath.Clean(dir):
		p.refuse("it starts in a folder other than the project's")
	}
	if p.reason != "" {
		return nil, nil, p.reason
	}
	slices.Sort(p.local)
	return e, slices.Compact(p.local), ""
}

func (p *portable) refuse(reason string) {
	if p.reason == "" {
		p.reason = reason
	}
}

// text converts a command, an argument or a URL.
func (p *portable) text(field endpoint.Field, text string) string {
	shown, _ := p.m.text(text)
	return p.unmasked(p.written(field, text, shown), "")
}

func (p *portable) args(args []string) []string {
	shown, _ := p.m.args(args)
	var out []string
	for i, arg := range args {
		flag := "" // the flag that this is the value of
		if i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") {
			flag = args[i-1]
		}
		out = append(out, p.unmasked(p.written(endpoint.FieldArg, arg, shown[i]), flag))
	}
	return out
}

// written converts a text, given in the form for display, to the variables of mcpgen.yaml.
func (p *portable) written(field endpoint.Field, text, shown string) string {
	if len(text) > maxMasked {
		p.refuse("one of its values is too long to be searched for secrets")
	}
	return p.variables(field, shown)
}

// paths replaces dir by ${dir} in the paths of a text.
func (p *portable) paths(text string) string {
	return eachPath(text, p.dir, "${dir}", func(path string) string {
		if len(path) > len("/c") { // neither the root nor an option of Windows
			p.local = append(p.local, strings.ReplaceAll(path, markVariable, ""))
		}
		return path
	})
}

// markVariable surrounds the name of a variable. No text of a launch can contain it.
const markVariable = "\x00"

// ownEscapes escapes what mcpgen.yaml would read as a variable.
var ownEscapes = strings.NewReplacer("${", "$${", "{{secret:", "${{secret:")

// variables converts the variables of a text to variables of mcpgen.yaml. In commands, arguments and URLs
// they keep their defaults.
func (p *portable) variables(field endpoint.Field, text string) string {
	if p.server.Expand == nil {
		return p.paths(ownEscapes.Replace(text))
	}
	var names []string
	whole, err := p.server.Expand(field, text, func(r endpoint.Reference) (string, bool) {
		name := strings.TrimPrefix(r.Name, endpoint.InputVariable)
		switch {
		case r.Kind == endpoint.ReferenceKnown:
			return "", false
		case r.Kind != endpoint.ReferenceEnv || texts.VariableName(name) != len(name):
			p.refuse("it needs " + r.String())
			return "", true
		}
		names = append(names, r.Name)
		return marked(r.Name), true
	})
	if err != nil {
		p.refuse(err.Error())
		return ""
	}
	out := p.paths(ownEscapes.Replace(whole))
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		own := "${env:" + strings.TrimPrefix(name, endpoint.InputVariable)
		if field != endpoint.FieldEnv && field != endpoint.FieldHeader {
			own += p.fallback(field, text, whole, name)
		}
		out = strings.ReplaceAll(out, marked(name), own+"}")
	}
	return out
}

func marked(name string) string { return markVariable + name + markVariable }

// fallback returns the default of one variable of a text, preceded by ":-"; "" if it has none. Whole is
// the text with its variables marked.
func (p *portable) fallback(field endpoint.Field, text, whole, name string) string {
	unset := false
	got, err := p.server.Expand(field, text, func(r endpoint.Reference) (string, bool) {
		unset = unset || r.Kind == endpoint.ReferenceUnset
		return marked(r.Name), r.Kind == endpoint.ReferenceEnv && r.Name != name
	})
	before, after, _ := strings.Cut(whole, marked(name))
	value, ok := strings.CutPrefix(got, before)
	value, end := strings.CutSuffix(value, after)
	if err != nil || unset || !ok || !end || strings.ContainsAny(value, markVariable+"}") ||
		strings.Contains(value, maskText) || len(credentials.Credentials(value)) > 0 {
		return ""
	}
	return ":-" + value
}

// beforeMask matches the name before a masked value.
var beforeMask = regexp.MustCompile(`(?i)([a-z0-9_-]+)\s*[=:]\s*(?:(?:bearer|basic|token|apikey)[\s:]+)?$`)

// unmasked replaces masked values by variables. A variable gets the name before the masked value, or that
// of the flag, which is "" if there is none.
func (p *portable) unmasked(text, flag string) string {
	for {
		before, after, found := strings.Cut(text, maskText)
		if !found {
			return text
		}
		what := flag
		if m := beforeMask.FindStringSubmatch(before); m != nil {
			what = m[1]
		}
		text = before + p.made(strings.TrimLeft(what, "-")) + after
	}
}

// made invents a variable for a value of the server; what names the value.
func (p *portable) made(what string) string {
	if what == "" {
		what = "secret"
	}
	name := variableOf(p.server.Name + "_" + what)
	for n := 2; slices.Contains(p.names, name); n++ {
		name = variableOf(p.server.Name + "_" + what + "_" + strconv.Itoa(n))
	}
	p.names = append(p.names, name)
	return "${env:" + name + "}"
}

// variableOf converts a text to the name of a variable: in upper case, with _ for every character that is
// not an ASCII letter or digit.
func variableOf(text string) string {
	name := endpoint.Variable("", text)
	if texts.VariableName(name) != len(name) {
		name = "_" + name
	}
	return name
}

// variable converts the value of an environment variable.
func (p *portable) variable(v endpoint.Var) string {
	if own, ok := p.referring(endpoint.FieldEnv, v.Value); ok {
		return own
	}
	if insidePrefix(v.Value, p.dir) > 0 && !strings.ContainsAny(v.Value, afterPath+" ") {
		return p.written(endpoint.FieldEnv, v.Value, v.Value)
	}
	if texts.VariableName(v.Name) == len(v.Name) && !p.shared[v.Name] {
		return "${env:" + v.Name + "}"
	}
	return p.made(v.Name)
}

// header converts the value of a header. A scheme such as Bearer stays.
func (p *portable) header(h endpoint.Var) string {
	if own, ok := p.referring(endpoint.FieldHeader, h.Value); ok {
		return own
	}
	if m := credential.FindString(h.Value); m != "" {
		return m[:strings.IndexAny(m, " \t:")] + " " + p.made("token")
	}
	return p.made(h.Name)
}

// referring converts a value that consists of variables and at most a scheme; false for other values.
func (p *portable) referring(field endpoint.Field, value string) (string, bool) {
	if rest := p.m.literal(field, value); p.server.Expand == nil || !schemes.MatchString(rest) {
		return "", false
	}
	own := p.variables(field, value)
	return own, strings.Contains(own, "${env:")
}

// auth converts the authorisation; nil if the file has none.
func (p *portable) auth(a endpoint.Auth) *Auth {
	if a.IsZero() {
		return nil
	}
	switch a.Kind {
	case endpoint.AuthNone:
		return &Auth{None: true}
	case endpoint.AuthGoogle:
		return &Auth{Google: &googleKeys{Scopes: a.Scopes}}
	}
	for _, text := range [...]*string{
		&a.ClientID, &a.RedirectURL, &a.Issuer, &a.MetadataURL, &a.AuthorizationURL, &a.TokenURL,
	} {
		*text = p.text(endpoint.FieldAuth, *text)
	}
	if a.ClientSecret != "" {
		own, ok := p.referring(endpoint.FieldAuth, a.ClientSecret)
		if !ok {
			own = p.made("client_secret")
		}
		a.ClientSecret = own
	}
	return &Auth{OAuth: &OAuth{Auth: a, ClientCredentials: a.Kind == endpoint.AuthClientCredentials}}
}

// sharedVariables returns the environment variables that rows set to different values.
func sharedVariables(rows []dialect.Row) map[string]bool {
	values, shared := map[string]string{}, map[string]bool{}
	for _, r := range rows {
		for _, v := range flatten(r.Server.Launch).Env {
			if value, again := values[v.Name]; again && value != v.Value {
				shared[v.Name] = true
			}
			values[v.Name] = v.Value
		}
	}
	return shared
}
