// server.json of the registry, which describes how to start or reach one published server.

package dialect

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

var registryName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)
})

// registry is the dialect of server.json, also as the registry's API returns it: inside {"server": …}.
// The server's name is the part after its slash.
func registry() Dialect {
	return Dialect{
		Name:  "server.json",
		names: []string{"server.json"},
		sniff: func(root *tree.Node) bool {
			if inner := root.Value("server"); inner != nil && inner.Kind == tree.Map {
				root = inner
			}
			if s := root.Value("$schema"); s != nil && strings.HasSuffix(s.Text, "/server.schema.json") {
				return true
			}
			name := root.Value("name")
			return name != nil && registryName().MatchString(name.Text) &&
				(root.Value("packages") != nil || root.Value("remotes") != nil)
		},
		read: readRegistry, expands: true,
	}
}

func readRegistry(f *File, root *tree.Node) {
	at := tree.Path("")
	if inner := root.Value("server"); inner != nil && inner.Kind == tree.Map {
		root, at = inner, "server"
	}
	name := root.Value("name")
	if name == nil || !registryName().MatchString(name.Text) {
		pos := root.Pos
		if name != nil {
			pos = name.Pos
		}
		f.Fail(pos, at.Key("name"), "want a name such as io.github.owner/server")
		return
	}
	_, short, _ := strings.Cut(name.Text, "/")
	e := &entry{f: f, n: root, at: at, process: &endpoint.Process{}, address: &endpoint.Address{}}
	e.Column = name.Pos.Column
	e.Server = endpoint.Server{Name: short, Source: f.source(name.Pos.Line)}
	if d := root.Value("description"); d != nil && d.Kind == tree.String {
		e.Server.Description = d.Text
	}
	before := len(f.Errors)
	(&published{e, map[string]input{}}).launchable()
	if len(f.Errors) == before {
		if e.Left == "" {
			e.launch()
		}
		if len(f.Errors) == before {
			f.Rows = append(f.Rows, e.Row)
		}
	}
}

// published reads a published server. Its texts have {name} for the inputs that the user is asked for.
type published struct {
	*entry
	inputs map[string]input
}

// launchable uses the first package that can be started, else the first remote.
func (e *published) launchable() {
	packages, remotes := e.n.Value("packages"), e.n.Value("remotes")
	for i, p := range packages.Items() {
		if launcherOf(p) != nil {
			e.pack(p, e.at.Key("packages").Index(i))
			return
		}
	}
	if len(remotes.Items()) > 0 {
		e.remoteOf(remotes.List[0], e.at.Key("remotes").Index(0))
		return
	}
	if len(packages.Items()) > 0 {
		kind := packages.List[0].Value("registryType")
		e.Left = "mcpgen starts no package of this kind"
		if kind != nil {
			e.Left = "mcpgen starts no package of the kind " + tree.Quote(kind.Text) +
				": install the package and write its program under command in mcpgen.yaml"
		}
		return
	}
	e.fail(e.n, e.at, "the server has neither packages nor remotes", "add a package to start or a remote to connect to")
}

// launcher describes how packages of one registry are started.
type launcher struct {
	program string
	before  []string // arguments if the package has none
	version string   // separates identifier and version; "" omits the version
	dashes  bool     // -- precedes the package's own arguments
	docker  bool
}

// id returns the package's identifier with its version.
func (l *launcher) id(identifier, version string) string {
	if l.version == "" || version == "" || version == "latest" && l.version != "@" {
		return identifier
	}
	return identifier + l.version + version
}

// launcherOf returns nil for packages that cannot be started without installing them. Only packages that
// use the standard streams count: others start a server with its own port.
func launcherOf(p *tree.Node) *launcher {
	if t := p.Value("transport").Value("type"); t != nil && t.Text != "stdio" {
		return nil
	}
	kind := p.Value("registryType")
	if kind == nil {
		return nil
	}
	switch kind.Text {
	case "npm":
		return &launcher{program: "npx", before: []string{"-y"}, version: "@"}
	case "pypi":
		return &launcher{program: "uvx", version: "=="}
	case "nuget":
		return &launcher{program: "dnx", version: "@", dashes: true}
	case "oci":
		return &launcher{program: "docker", docker: true}
	case "cargo":
		return &launcher{}
	}
	return nil
}

// pack builds the command line of a package.
func (e *published) pack(p *tree.Node, at tree.Path) {
	l := launcherOf(p)
	id := e.required(p, at, "identifier")
	version := ""
	if v := p.Value("version"); v != nil {
		version = e.str(v, at.Key("version"))
	}
	if strings.HasPrefix(id, "-") {
		e.fail(p.Value("identifier"), at.Key("identifier"), "an identifier must not begin with a dash", "")
	}
	e.environment(p.Value("environmentVariables"), at.Key("environmentVariables"))
	runtime := e.arguments(p.Value("runtimeArguments"), at.Key("runtimeArguments"))
	own := e.arguments(p.Value("packageArguments"), at.Key("packageArguments"))
	program := l.program
	// A file must not choose a program with other arguments.
	if hint := p.Value("runtimeHint"); l.docker && stringIn(hint, "podman") {
		program = hint.Text
	}
	var args []string
	switch {
	case l.docker:
		args = append([]string{"run", "-i", "--rm"}, runtime...)
		for _, v := range e.process.Env {
			args = append(args, "-e", v.Name)
		}
		args = append(args, l.id(id, version))
	case program == "":
		program = l.id(id, version)
	default:
		if len(runtime) == 0 {
			runtime = l.before
		}
		args = append(slices.Clone(runtime), l.id(id, version))
	}
	if l.dashes && len(own) > 0 {
		args = append(args, "--")
	}
	e.process.Command, e.process.Args = program, append(args, own...)
	e.origin("command", p.Pos)
	e.origin("args", p.Pos)
	e.local()
	e.Server.Expand = e.expand
}

// remoteOf reads a server that is reached by its URL.
func (e *published) remoteOf(r *tree.Node, at tree.Path) {
	e.url = true
	e.address.URL = e.required(r, at, "url")
	e.variables(r.Value("variables"), at.Key("variables"))
	e.origin("url", r.Pos)
	for h, at := range e.elements(r.Value("headers"), at.Key("headers")) {
		if name, value, ok := e.keyValue(h, at); ok {
			e.header(name, value, h, at)
		}
	}
	t, known := transportOf(e.required(r, at, "type"))
	if !known || t == endpoint.Stdio {
		e.fail(r.Value("type"), at.Key("type"), "unknown transport", "one of streamable-http, sse")
	}
	e.remote(t)
	e.Server.Expand = e.expand
}

func (e *published) environment(v *tree.Node, at tree.Path) {
	for n, at := range e.elements(v, at) {
		if name, value, ok := e.keyValue(n, at); ok {
			e.addEnv(name, value, n.Pos, at)
			e.origin("env."+name, n.Pos)
		}
	}
}

// keyValue reads an input with a name. An optional input with neither value nor default is omitted.
func (e *published) keyValue(n *tree.Node, at tree.Path) (name, value string, ok bool) {
	if !e.want(tree.Map, n, at) {
		return "", "", false
	}
	name = e.required(n, at, "name")
	e.variables(n.Value("variables"), at.Key("variables"))
	value, ok = e.inputText(n, name)
	return name, value, ok && name != ""
}

// inputText returns the text for an input: its fixed value, or a variable that the user or a default
// sets.
func (e *published) inputText(n *tree.Node, name string) (string, bool) {
	if v := n.Value("value"); v != nil {
		if v.Kind == tree.String {
			return v.Text, true
		}
		return "", false
	}
	in := inputOf(n)
	if !in.required && !in.hasDefault {
		return "", false
	}
	e.inputs[name] = in
	return "{" + name + "}", true
}

// arguments reads arguments of a launcher or a package.
func (e *published) arguments(v *tree.Node, at tree.Path) []string {
	var args []string
	for n, at := range e.elements(v, at) {
		if !e.want(tree.Map, n, at) {
			continue
		}
		e.variables(n.Value("variables"), at.Key("variables"))
		kind := e.required(n, at, "type")
		switch kind {
		case "named":
			name := e.required(n, at, "name")
			args = append(args, name)
			if value, ok := e.inputText(n, strings.TrimLeft(name, "-")); ok {
				args = append(args, value)
			} else if b := n.Value("format"); n.Value("valueHint") != nil && (b == nil || b.Text != "boolean") {
				args = args[:len(args)-1] // an optional argument without a value
			}
		case "positional":
			name := "argument"
			if hint := n.Value("valueHint"); hint != nil && hint.Kind == tree.String && hint.Text != "" {
				name = hint.Text
			}
			if value, ok := e.inputText(n, name); ok {
				args = append(args, value)
			}
		case "":
		default:
			e.fail(n.Value("type"), at.Key("type"), "unknown kind of argument "+tree.Quote(kind), "one of named, positional")
		}
	}
	return args
}

func (e *published) variables(v *tree.Node, at tree.Path) {
	if v == nil || !e.want(tree.Map, v, at) {
		return
	}
	for _, m := range v.Members {
		e.inputs[m.Name] = inputOf(m.Value)
	}
}

// input is a value that the user may be asked for.
type input struct {
	value, description   string
	hasDefault, required bool
}

func inputOf(n *tree.Node) input {
	in := input{}
	if d := n.Value("description"); d != nil {
		in.description = d.Text
	}
	if r := n.Value("isRequired"); r != nil {
		in.required = r.Kind == tree.Bool && r.Bool()
	}
	for _, name := range [...]string{"default", "value"} {
		if v := n.Value(name); v != nil && v.Kind != tree.Null && v.Kind != tree.List && v.Kind != tree.Map {
			in.value, in.hasDefault = v.Text, true
		}
	}
	return in
}

var curlyName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([^{}]{1,256})\}`) })

// expand replaces {name} by the value that the user gave, else by the default.
func (e *published) expand(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
	var missing error
	expanded := curlyName().ReplaceAllStringFunc(text, func(found string) string {
		name := found[1 : len(found)-1]
		in, known := e.inputs[name]
		if !known {
			return found
		}
		for _, asked := range [...]endpoint.Reference{
			{Name: texts.InputVariable(name)}, {Kind: endpoint.ReferenceInput, Name: name},
		} {
			if value, ok := lookup(asked); ok {
				return value
			}
		}
		if !in.hasDefault && in.required && missing == nil {
			what := "the input " + tree.Quote(name)
			if in.description != "" {
				what += " (" + tree.Clip(in.description) + ")"
			}
			missing = hint.New(what+" is required and has no default",
				"set "+texts.InputVariable(name)+" where this program runs")
		}
		return in.value
	})
	if missing != nil {
		return "", missing
	}
	return expanded, nil
}
