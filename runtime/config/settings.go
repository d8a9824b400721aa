// The effective configuration, with the place of every value.

package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// settingsCollector collects the settings.
type settingsCollector struct {
	path  string
	dir   string // the project's folder
	root  *tree.Node
	about string // the server that values are added for
	out   []Setting
}

func (s *settingsCollector) add(key, value string, masked bool, at tree.Position) {
	s.out = append(s.out, Setting{
		Key: key, Server: s.about, Value: value, Path: at.Path, Line: at.Line, Column: at.Column, Masked: masked,
	})
}

// top adds a value of mcpgen.yaml or its default.
func (s *settingsCollector) top(key, value string) {
	at := tree.Position{}
	if m, ok := s.root.Get(key); ok {
		at = tree.Position{Path: s.path, Line: m.Value.Pos.Line, Column: m.Value.Pos.Column}
	}
	s.add(key, value, false, at)
}

// settingsOf returns the effective configuration: that of the file and of the rows that count.
func settingsOf(p *Project, root *tree.Node, rows []*dialect.Row) []Setting {
	s := &settingsCollector{path: cmp.Or(p.Path, "mcpgen.yaml"), dir: p.Dir, root: root}
	s.top("output", p.Output)
	if imports := root.Value("import"); imports != nil {
		s.walk("import", imports)
	}
	s.top("naming", string(p.Naming))
	s.top("docs", p.Docs.String())
	s.top("fakes", strconv.FormatBool(p.Fakes))
	for _, m := range p.Manifests {
		for _, v := range m.Values {
			s.add(v.Key, v.Text, false, v.Position)
		}
	}
	for _, r := range rows {
		s.server(r, p.Build[r.Server.Name], root.Value("servers").Value(r.Server.Name))
	}
	for _, m := range root.Entries() {
		switch m.Name {
		case "output", "import", "naming", "docs", "fakes", "servers", "version", "$schema":
		default:
			s.walk(tree.Path(m.Name), m.Value)
		}
	}
	return s.out
}

// walk adds all values below a node. A list of scalars is one value.
func (s *settingsCollector) walk(at tree.Path, n *tree.Node) {
	switch {
	case n.Kind == tree.Map:
		for _, m := range n.Members {
			s.walk(at.Key(m.Name), m.Value)
		}
	case n.Kind == tree.List && slices.ContainsFunc(n.List, func(item *tree.Node) bool {
		return item.Kind == tree.Map || item.Kind == tree.List
	}):
		for i, item := range n.List {
			s.walk(at.Index(i), item)
		}
	default:
		text := n.Text
		if n.Kind == tree.List {
			items := make([]string, len(n.List))
			for i, item := range n.List {
				items[i] = item.Text
			}
			text = texts.Line(items)
		}
		s.add(string(at), text, false, tree.Position{Path: s.path, Line: n.Pos.Line, Column: n.Pos.Column})
	}
}

// server adds the values of one server. Entry is its entry in mcpgen.yaml, or nil.
func (s *settingsCollector) server(r *dialect.Row, b Build, entry *tree.Node) {
	s.about = r.Server.Name
	defer func() { s.about = "" }()
	at := tree.Path("servers").Key(r.Server.Name)
	v := serverValues{settingsCollector: s, row: r, at: at, mask: masker{r.Server.Expand}}
	v.launch()
	v.authorisation(entry)
	v.rest(b, entry)
}

// serverValues adds the values of one server.
type serverValues struct {
	*settingsCollector
	row  *dialect.Row
	at   tree.Path
	mask masker
}

// add adds a value with its place in the row; "" means no value.
func (v *serverValues) add(key, value string, masked bool) {
	if value == "" {
		return
	}
	where := tree.Position{}
	for _, o := range v.row.Origins {
		if o.Key == key || key == "enabled" && o.Key == "disabled" {
			where = tree.Position{Path: v.row.Server.Source.Path, Line: o.Pos.Line, Column: o.Pos.Column}
		}
	}
	shown := v.at
	head, name, named := strings.Cut(key, ".")
	shown = shown.Key(head)
	if named {
		shown = shown.Key(name)
	}
	v.settingsCollector.add(string(shown), value, masked, where)
	if where.Path == "" {
		v.out[len(v.out)-1].From = v.row.Server.Source.Format
	}
}

func (v *serverValues) plain(key, value string) {
	text, masked := v.mask.text(value)
	v.add(key, text, masked)
}

func (v *serverValues) launch() {
	s := flatten(v.row.Server.Launch)
	v.plain("command", s.Command)
	args, masked := v.mask.args(s.Args)
	v.add("args", texts.Line(args), masked)
	for _, e := range s.Env {
		text, masked := v.mask.named(endpoint.FieldEnv, e.Name, e.Value)
		v.add("env."+e.Name, text, masked)
	}
	v.plain("envFile", s.EnvFile)
	v.plain("cwd", v.below(s.Dir))
	v.add("inherit_env", inherited(s.Inherit), false)
	v.plain("url", s.URL)
	for _, h := range s.Headers {
		text, masked := v.mask.named(endpoint.FieldHeader, h.Name, h.Value)
		v.add("headers."+h.Name, text, masked)
	}
	v.add("transport", string(v.row.Server.EffectiveTransport()), false)
}

// below returns a folder relative to the project's if it is inside.
func (v *serverValues) below(folder string) string {
	if rel, err := filepath.Rel(v.dir, folder); err == nil && v.dir != "" && folder != "" && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return folder
}

func inherited(i endpoint.Inherit) string {
	switch {
	case i.All && len(i.Without) > 0:
		return "all without " + strings.Join(i.Without, ", ")
	case i.All:
		return "all"
	}
	return strings.Join(i.Names, ", ")
}

// authorisation adds how requests are authorised: of mcpgen.yaml its own keys, of other files what they mean.
func (v *serverValues) authorisation(entry *tree.Node) {
	if n := entry.Value("auth"); n != nil {
		first := len(v.out)
		v.walk(v.at.Key("auth"), n)
		for i := range v.out[first:] {
			if s := &v.out[first+i]; strings.HasSuffix(s.Key, ".client_secret") {
				s.Value, s.Masked = v.mask.named(endpoint.FieldAuth, "client_secret", s.Value)
			}
		}
		return
	}
	a := flatten(v.row.Server.Launch).Auth
	v.add("auth.kind", string(a.Kind), false)
	v.add("auth.scopes", strings.Join(a.Scopes, " "), false)
	v.plain("auth.client_id", a.ClientID)
	secret, masked := v.mask.named(endpoint.FieldAuth, "client_secret", a.ClientSecret)
	v.add("auth.client_secret", secret, masked)
	for _, text := range [...]struct{ key, value string }{
		{"redirect_url", a.RedirectURL}, {"issuer", a.Issuer}, {"metadata_url", a.MetadataURL},
		{"authorization_url", a.AuthorizationURL}, {"token_url", a.TokenURL},
		{"audiences", strings.Join(a.Audiences, ", ")},
	} {
		v.plain("auth."+text.key, text.value)
	}
}

// rest adds the values that are not about the launch.
func (v *serverValues) rest(b Build, entry *tree.Node) {
	s := &v.row.Server
	v.plain("description", s.Description)
	own := func(key string) bool {
		n := entry.Value(key)
		if n != nil {
			v.walk(v.at.Key(key), n)
		}
		return n != nil
	}
	if !own("enabled") {
		v.add("enabled", strconv.FormatBool(!v.row.Disabled), false)
	}
	if !own("package") {
		v.settingsCollector.add(string(v.at.Key("package")), b.Package, false, tree.Position{})
	}
	if !own("tools") {
		v.add("tools.include", strings.Join(b.Include, ", "), false)
		v.add("tools.exclude", strings.Join(b.Exclude, ", "), false)
	}
	for _, key := range [...]string{
		"results", "decode", "budget", "types", "artifacts", "install_scripts", "resources",
		"client", "protocol", "from", "single", "allow_empty", "lazy", "validate",
	} {
		own(key)
	}
	if !own("timeout") {
		if s.Timeout.Start != 0 {
			v.add("timeout.start", s.Timeout.Start.String(), false)
		}
		if s.Timeout.Call != 0 {
			v.add("timeout.call", s.Timeout.Call.String(), false)
		}
	}
	own("limits")
	if s.ReadOnly {
		v.add("read_only", "true", false)
	}
	if s.Required {
		v.add("required", "true", false)
	}
	v.add("prefix", v.row.Prefix, false)
}
