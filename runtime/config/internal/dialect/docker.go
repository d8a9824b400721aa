// The catalogue of Docker's gateway, with servers in containers and remote ones.

package dialect

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// docker is the dialect of docker-mcp.yaml. Files next to the folder of catalogues complete it:
// registry.yaml (enabled servers), config.yaml (values) and tools.yaml (selected tools).
func docker() Dialect {
	catalogued := func(n *tree.Node) bool {
		return n.Value("image") != nil || stringIn(n.Value("type"), "server", "remote", "poci") || n.Value("remote") != nil
	}
	return Dialect{
		Name:  "docker-catalog",
		names: []string{".docker/mcp/catalogs/docker-mcp.yaml"},
		sniff: func(root *tree.Node) bool {
			return has("registry", catalogued)(root) ||
				root.Value("name") != nil && stringIn(root.Value("type"), "server", "remote", "poci")
		},
		files: []place{home(".docker/mcp/catalogs/docker-mcp.yaml")},
		read:  readCatalogue,
		keys: append([]rowKey{
			{"type", func(e *entry, v *tree.Node, at tree.Path) { e.said = tree.Member{Name: "type", Value: v}; e.str(v, at) }},
			{"description", setDescription}, {"image", dockerImage}, {"remote", dockerRemote}, {"sseEndpoint", dockerSSE},
			{"env", dockerEnv}, {"secrets", dockerSecrets},
			{"prefix", func(e *entry, v *tree.Node, at tree.Path) { e.Prefix = e.str(v, at) }},
			{"policy", noted("mcpgen has policies of its own", "write the rules under the key policy in mcpgen.yaml")},
			{"allowHosts", noted("mcpgen does not filter what a container may reach")},
		}, quiet("title", "icon", "readme", "toolsUrl", "source", "upstream", "tools", "prompts", "resources", "metadata",
			"dateAdded", "ref", "command", "volumes", "user", "disableNetwork", "config", "oauth", "dynamic", "longLived",
			"name", "snapshot", "allowRestrictedHosts")...),
		finish: finishDocker, expands: true,
	}
}

// readCatalogue reads a whole catalogue, or a file with a single entry.
func readCatalogue(f *File, root *tree.Node) {
	f.catalogue = newCatalogue(f)
	if m, ok := root.Get("registry"); ok {
		f.rowsAt(m.Value, "registry", false)
	} else {
		f.element(root, "")
	}
	for i := range f.Rows {
		f.catalogue.choose(&f.Rows[i])
	}
}

func dockerImage(e *entry, v *tree.Node, at tree.Path) {
	image := e.str(v, at)
	if strings.HasPrefix(image, "-") || strings.ContainsAny(image, " \t\n") || image == "" {
		e.fail(v, at, "want the name of an image", "")
	}
	e.command = true
}

func dockerRemote(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{
		{"url", setURL}, {"headers", setHeaders},
		{"transport_type", func(e *entry, v *tree.Node, at tree.Path) {
			e.address.Transport = endpoint.HTTP
			if e.str(v, at) == "sse" {
				e.address.Transport = endpoint.SSE
			}
		}},
	})
	if e.address.Transport == endpoint.Auto {
		e.address.Transport = endpoint.HTTP
	}
}

func dockerSSE(e *entry, v *tree.Node, at tree.Path) {
	if e.url {
		return
	}
	setURL(e, v, at)
	e.address.Transport = endpoint.SSE
}

// dockerEnv reads a list of {name, value}.
func dockerEnv(e *entry, v *tree.Node, at tree.Path) {
	for n, at := range e.elements(v, at) {
		name := e.required(n, at, "name")
		if value := n.Value("value"); value == nil || value.Kind == tree.List || value.Kind == tree.Map {
			e.name(endpoint.FieldEnv, name, n.Pos, at)
		} else {
			e.addEnv(name, value.Text, n.Pos, at)
			e.origin("env."+name, value.Pos)
		}
	}
}

// dockerSecrets reads variables whose values are secrets of the store.
func dockerSecrets(e *entry, v *tree.Node, at tree.Path) {
	for n, at := range e.elements(v, at) {
		name, env := e.required(n, at, "name"), e.required(n, at, "env")
		if strings.ContainsAny(name, "{}") {
			e.fail(n, at, "a secret has no braces in its name", "")
		}
		e.addEnv(env, "{{secret:"+name+"}}", n.Pos, at)
		e.origin("env."+env, n.Pos)
	}
}

func finishDocker(e *entry) {
	said := e.word()
	switch {
	case said == "poci":
		e.Left = "the type poci starts a container for each call, which is not an MCP server"
		return
	case e.url:
		// A remote server uses its secrets in headers.
		dockerSecretHeaders(e)
		e.remote(e.address.Transport)
	case e.command:
		dockerContainer(e)
		e.local()
	default:
		e.fail(e.n, e.at, "neither image nor remote", "")
		return
	}
	e.Server.Expand = e.f.catalogue.expand
}

// dockerSecretHeaders excludes servers with a secret in a header: secrets are only passed in the environment of
// a process.
func dockerSecretHeaders(e *entry) {
	for _, v := range e.process.Env {
		for _, h := range e.address.Headers {
			if strings.Contains(h.Value, "${"+v.Name+"}") {
				e.Left = "its header " + tree.Quote(h.Name) + " needs a secret: define the server in mcpgen.yaml with ${env:NAME}"
			}
		}
	}
}

// dockerContainer builds the command line that runs the image. Environment variables are passed by name, so
// that their values are not visible in a list of processes.
func dockerContainer(e *entry) {
	args := []string{"run", "--rm", "-i", "--init", "--security-opt", "no-new-privileges"}
	for _, v := range e.process.Env {
		args = append(args, "-e", v.Name)
	}
	if v := e.n.Value("disableNetwork"); v != nil && e.boolean(v, e.at.Key("disableNetwork")) {
		args = append(args, "--network", "none")
	}
	if v := e.n.Value("user"); v != nil {
		for _, user := range e.f.catalogue.all([]string{e.str(v, e.at.Key("user"))}) {
			args = append(args, "-u", user)
		}
	}
	if v := e.n.Value("volumes"); v != nil {
		for _, volume := range e.f.catalogue.all(e.words(v, e.at.Key("volumes"))) {
			args = append(args, "-v", volume)
		}
	}
	args = append(args, e.n.Value("image").Text)
	if v := e.n.Value("command"); v != nil {
		args = append(args, e.f.catalogue.all(e.words(v, e.at.Key("command")))...)
	}
	e.process.Command, e.process.Args = "docker", args
	e.origin("command", e.n.Value("image").Pos)
	e.origin("args", e.n.Value("image").Pos)
}

// catalogue holds the files next to a catalogue.
type catalogue struct {
	values  *tree.Node          // config.yaml
	enabled *tree.Node          // registry.yaml; nil: all servers are enabled
	tools   map[string][]string // tools.yaml
}

func newCatalogue(f *File) *catalogue {
	c := &catalogue{tools: map[string][]string{}}
	if f.dir == "" || f.m.base(f.dir) != "catalogs" {
		return c
	}
	folder := f.m.parent(f.dir)
	beside := func(name string) *tree.Node {
		path := f.m.Join(folder, name)
		data, err := f.m.ReadFile(path, MaxFile)
		if err != nil {
			return nil
		}
		r := tree.Report{Path: path}
		root := tree.ParseYAML(&r, data)
		if len(r.Errors) > 0 && strings.TrimSpace(string(data)) != "" {
			first := r.Errors[0]
			notice := &tree.Finding{Position: first.Position, Text: first.Text + "; the file is left out", Steps: first.Steps}
			f.Notices = append(f.Notices, notice)
		}
		return root
	}
	c.values = beside("config.yaml")
	c.enabled = beside("registry.yaml").Value("registry")
	for _, m := range beside("tools.yaml").Entries() {
		names := []string{}
		for _, n := range m.Value.List {
			names = append(names, n.Text)
		}
		c.tools[m.Name] = names
	}
	return c
}

// choose sets whether a server is enabled, and which of its tools are.
func (c *catalogue) choose(r *Row) {
	if c.enabled != nil && c.enabled.Value(r.Server.Name) == nil {
		r.Disabled = true
	}
	if names, ok := c.tools[r.Server.Name]; ok {
		r.Include = exactly(names)
		if len(names) == 0 {
			r.Exclude = []string{"*"}
		}
	}
}

// itemFilter begins a filter that picks one element of a list.
const itemFilter = "item:"

// all expands placeholders of lists: a text that is such a placeholder is repeated for each element, and
// dropped if there are none.
func (c *catalogue) all(texts []string) []string {
	var all []string
	for _, text := range texts {
		inner, ok := strings.CutPrefix(text, "{{")
		inner, closed := strings.CutSuffix(inner, "}}")
		if !ok || !closed || strings.Contains(inner, "{{") {
			all = append(all, text)
			continue
		}
		values, list := c.evaluate(inner)
		switch {
		case list:
			for i := range values {
				all = append(all, "{{"+inner+"|"+itemFilter+strconv.Itoa(i)+"}}")
			}
		case len(values) > 0 && values[0] != "":
			all = append(all, text)
		}
	}
	return all
}

// find returns the value at a dotted name.
func (c *catalogue) find(name string) *tree.Node {
	n := c.values
	for part := range strings.SplitSeq(name, ".") {
		if n = n.Value(strings.TrimSpace(part)); n == nil {
			return nil
		}
	}
	return n
}

// expand replaces {{name|filter}}; an unknown name is empty. The name of a secret refers to that secret.
func (c *catalogue) expand(field endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		inner, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			out.WriteString(text)
			return out.String(), nil
		}
		out.WriteString(before)
		if strings.HasPrefix(inner, "secret:") && field == endpoint.FieldEnv {
			value, err := (&texts.Syntax{Forms: []texts.Form{texts.SecretForm()}}).Expander()(field, "{{"+inner+"}}", lookup)
			if err != nil {
				return "", err
			}
			out.WriteString(value)
		} else {
			// A program may override the value with an input. The catalogue's own values are not secrets.
			name := strings.TrimSpace(strings.Split(inner, "|")[0])
			value, ok := lookup(endpoint.Reference{Kind: endpoint.ReferenceInput, Name: name})
			if !ok {
				value = c.value(inner)
			}
			out.WriteString(value)
		}
		text = after
	}
}

// value returns the value of a placeholder as one text.
func (c *catalogue) value(inner string) string {
	values, _ := c.evaluate(inner)
	return strings.Join(values, " ")
}

// evaluate returns the value of a placeholder: one text, or a list of texts.
func (c *catalogue) evaluate(inner string) (values []string, list bool) {
	filters := strings.Split(inner, "|")
	n := c.find(filters[0])
	switch {
	case n == nil || n.Kind == tree.Null || n.Kind == tree.Map:
	case n.Kind == tree.List:
		list = true
		for _, item := range n.List {
			values = append(values, item.Text)
		}
	default:
		values = []string{n.Text}
	}
	for _, filter := range filters[1:] {
		values, list = dockerFilter(values, list, strings.TrimSpace(filter))
	}
	return values, list
}

// dockerFilter applies one filter. An unknown filter does nothing.
func dockerFilter(values []string, list bool, filter string) ([]string, bool) {
	name, argument, _ := strings.Cut(filter, ":")
	none := len(values) == 0 || !list && values[0] == ""
	switch name {
	case "or":
		if !none {
			return values, list
		}
		if inside, ok := strings.CutPrefix(argument, "["); ok && list && strings.HasSuffix(inside, "]") {
			return strings.FieldsFunc(strings.TrimSuffix(inside, "]"), func(r rune) bool { return r == ',' }), true
		}
		return []string{argument}, false
	case "into":
		return values, true
	case "first":
		return values[:min(1, len(values))], false
	case "last":
		return values[max(0, len(values)-1):], false
	case "item":
		if i, err := strconv.Atoi(argument); err == nil && i >= 0 && i < len(values) {
			return values[i : i+1], false
		}
		return nil, false
	case "mount_as":
		if none {
			return nil, false
		}
		return []string{values[0] + ":" + strings.TrimSpace(argument)}, false
	case "volume", "volume-target":
		changed := make([]string, 0, len(values))
		for _, v := range values {
			target := linuxPath(v)
			if name == "volume" && v != "" {
				target = v + ":" + target
			}
			changed = append(changed, target)
		}
		return changed, list
	}
	return values, list
}

// linuxPath converts a Windows path to its path in a container.
func linuxPath(path string) string {
	if len(path) < 3 || path[1] != ':' || path[2] != '\\' {
		return path
	}
	return "/" + path[:1] + strings.ReplaceAll(path[2:], `\`, "/")
}
