// Plain server files: {"mcpServers": {…}} and {"servers": {…} or […]}.

package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// row is one server as a file defines it, before files are merged.
type row struct {
	server   endpoint.Server
	disabled bool
	place    place
}

// serverFile reads the rows of one file of another system.
type serverFile struct {
	report
	dialect dialect
	dir     string // absolute folder of the file
	rows    []row
}

// readServerFile reads a plain server file. The path is opened as it is and
// named so in errors.
func readServerFile(path string) *serverFile {
	f := &serverFile{report: report{path: path}, dialect: dialectOf(path)}
	if reason := noServerFile(path); reason != "" {
		f.fail(tree.Pos{}, "", reason, "name a JSON server file of another tool")
		return f
	}
	data, err := readFile(path, maxServerFile)
	if err != nil {
		f.errs = append(f.errs, unreadable(path, err, ""))
		return f
	}
	if abs, err := filepath.Abs(path); err == nil {
		f.dir = filepath.Dir(abs)
	}
	f.parse(data)
	return f
}

// noServerFile says why the name of a file shows that it is none that can be
// read here.
func noServerFile(path string) string {
	base := filepath.Base(path)
	switch {
	case slices.Contains(fileNames(), base):
		return "a configuration of mcpgen is no server file"
	case slices.Contains([]string{".yaml", ".yml", ".toml"}, filepath.Ext(base)):
		return "this version reads server files in JSON only"
	}
	return ""
}

func (f *serverFile) parse(data []byte) {
	root, problems := tree.ParseJSON(data)
	f.problems(problems)
	if root == nil {
		return
	}
	if root.Kind != tree.Map {
		f.fail(root.Pos, "", "want a mapping, found "+root.Kind.String(), `begin with {"mcpServers": {`)
		return
	}
	f.doubles(root, "")
	container, ok := f.container(root)
	if !ok {
		return
	}
	at := tree.Path("").Key(container.Name)
	switch {
	case container.Value.Kind == tree.Map:
		f.doubles(container.Value, at)
		for _, m := range container.Value.Members {
			f.row(m.Name, m.Pos, m.Value, at.Key(m.Name))
		}
	case container.Value.Kind == tree.List && container.Name == "servers":
		for i, n := range container.Value.List {
			f.element(n, at.Index(i))
		}
	default:
		f.fail(container.Value.Pos, at, "want a mapping of servers, found "+container.Value.Kind.String(), "")
	}
}

// container finds the member that holds the servers.
func (f *serverFile) container(root *tree.Node) (tree.Member, bool) {
	mcp, isMCP := root.Get("mcpServers")
	plain, isPlain := root.Get("servers")
	switch {
	case isMCP && isPlain:
		f.fail(plain.Pos, "servers", "the file has mcpServers too, so it is not clear which one counts", "keep one of them")
		return tree.Member{}, false
	case isMCP:
		return mcp, true
	case isPlain:
		return plain, true
	}
	f.fail(root.Pos, "", "no mcpServers and no servers in it", "this is no server file of a form that mcpgen reads")
	return tree.Member{}, false
}

// doubles notes keys that are written twice. Other readers take the last one,
// so it counts here too.
func (f *serverFile) doubles(n *tree.Node, at tree.Path) {
	if n == nil {
		return
	}
	for _, m := range n.Shadowed {
		f.notice(m.Pos, at.Key(m.Name), "the key is written twice, the last one counts")
	}
}

// element reads one server of the list form.
func (f *serverFile) element(n *tree.Node, at tree.Path) {
	name := n.Value("name")
	switch {
	case n.Kind != tree.Map:
		f.fail(n.Pos, at, "want a mapping, found "+n.Kind.String(), "")
	case name == nil:
		f.fail(n.Pos, at, "the server has no name", "")
	case name.Kind != tree.String:
		f.fail(name.Pos, at.Key("name"), "want a string, found "+name.Kind.String(), "")
	default:
		f.row(name.Text, n.Pos, n.Without("name"), at)
	}
}

// rowKeys are the keys of a row that mean something here.
type rowKeys struct {
	Command   string   `json:"command,omitempty"`
	Args      []string `json:"args,omitempty"`
	Env       coerced  `json:"env,omitempty"`
	URL       string   `json:"url,omitempty"`
	Headers   coerced  `json:"headers,omitempty"`
	Type      string   `json:"type,omitempty"`
	Transport string   `json:"transport,omitempty"`
	Disabled  bool     `json:"disabled,omitempty"`
	Enabled   *bool    `json:"enabled,omitempty"`
}

// row reads one server. What is wrong with it is an error of the file.
func (f *serverFile) row(name string, pos tree.Pos, n *tree.Node, at tree.Path) {
	before := len(f.errs)
	if reason := checkServerName(name); reason != "" {
		f.fail(pos, at, reason, "")
	}
	if n.Kind != tree.Map {
		f.fail(n.Pos, at, "want a mapping, found "+n.Kind.String(), "")
		return
	}
	known := f.known(n, at)
	f.doubles(n, at)
	f.doubles(n.Value("env"), at.Key("env"))
	f.doubles(n.Value("headers"), at.Key("headers"))
	known.Shadowed = nil
	var keys rowKeys
	d := tree.Decoder{Custom: coercions()}
	d.Decode(known, at, &keys)
	f.problems(d.Problems)

	r := row{place: place{f.path, pos.Line, pos.Column}}
	r.disabled = keys.Disabled || keys.Enabled != nil && !*keys.Enabled
	r.server = endpoint.Server{
		Name:    name,
		Source:  endpoint.Source{Path: f.path, Line: pos.Line},
		Command: keys.Command, Args: keys.Args, Env: keys.Env,
		URL: keys.URL, Headers: keys.Headers,
	}
	f.transport(&r.server, &keys, n, at)
	f.launch(&r.server, n, at)
	if len(f.errs) == before {
		f.rows = append(f.rows, r)
	}
}

// known is the row without the keys that have no meaning here, which are
// noted: another system may need them.
func (f *serverFile) known(n *tree.Node, at tree.Path) *tree.Node {
	var unknown []string
	keys := tree.Keys(rowKeys{})
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Name) {
			unknown = append(unknown, m.Name)
		}
	}
	if len(unknown) == 0 {
		return n.Without()
	}
	shown := make([]string, 0, len(unknown))
	for _, name := range unknown[:min(len(unknown), 10)] {
		shown = append(shown, tree.Quote(name))
	}
	f.notice(n.Pos, at, "without effect here: "+strings.Join(shown, ", "))
	return n.Without(unknown...)
}

// transport decides what a row says about the way to its server: its type
// where there is one, and the only one of command and url where there is none.
func (f *serverFile) transport(s *endpoint.Server, keys *rowKeys, n *tree.Node, at tree.Path) {
	key, said := "type", keys.Type
	if said == "" {
		key, said = "transport", keys.Transport
	} else if keys.Transport != "" {
		f.fail(n.Pos, at, "both type and transport", "keep one of them")
		return
	}
	hasCommand, hasURL := n.Value("command") != nil, n.Value("url") != nil
	transport, known := transportOf(said)
	switch {
	case !known:
		f.fail(n.Value(key).Pos, at.Key(key), fmt.Sprintf("unknown transport %s", tree.Quote(said)), "one of stdio, http, streamable-http, sse")
	case said == "" && hasCommand && hasURL:
		f.fail(n.Pos, at, "both command and url", "keep one of them, or say which with type")
	case said == "" && !hasCommand && !hasURL:
		f.fail(n.Pos, at, "neither command nor url", "give it one of them")
	case transport == endpoint.Stdio && !hasCommand:
		f.fail(n.Pos, at, said+" needs a command", "")
	case (transport == endpoint.HTTP || transport == endpoint.SSE) && !hasURL:
		f.fail(n.Pos, at, said+" needs a url", "")
	}
	s.Transport = transport
	if transport == endpoint.Stdio || transport == endpoint.Auto && !hasURL {
		s.URL, s.Headers = "", nil
	} else {
		s.Command, s.Args, s.Env = "", nil, nil
	}
}

// transportOf reads the spellings in use.
func transportOf(said string) (endpoint.Transport, bool) {
	switch strings.ToLower(said) {
	case "":
		return endpoint.Auto, true
	case "stdio":
		return endpoint.Stdio, true
	case "http", "streamable-http", "streamablehttp":
		return endpoint.HTTP, true
	case "sse":
		return endpoint.SSE, true
	}
	return "", false
}

// launch checks the texts of a row and gives the server what its dialect says
// about variables, environment and working directory.
func (f *serverFile) launch(s *endpoint.Server, n *tree.Node, at tree.Path) {
	if s.Command != "" || s.URL == "" {
		s.Inherit = f.dialect.inherit
		if f.dialect.inDir {
			s.Dir = f.dir
		}
	}
	checkTexts(&f.report, f.dialect.vars, s, n, at)
	s.Expand = f.dialect.vars.expander()
	if f.dialect.vars != nil {
		return
	}
	for _, t := range textsOf(s, n, at) {
		if strings.Contains(t.text, "${") {
			f.notice(t.pos, t.at, "looks like a variable, but texts of this file are literal; "+
				"a file named .mcp.json has ${NAME}, and mcpgen.yaml has ${env:NAME}")
		}
	}
}
