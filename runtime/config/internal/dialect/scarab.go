// The files of scarab: agent manifests.

package dialect

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// The header of a manifest.
const (
	manifestGroup   = "scarab/"
	manifestVersion = manifestGroup + "v1"
	scarabName      = "scarab"
	manifestKind    = "AgentManifest"
)

// manifestNames returns the usual names of manifests in a project. The documentation prescribes no name,
// and other programs use these names too, so the header decides.
func manifestNames() []string {
	return []string{"agent.yaml", "agent.yml", "manifest.yaml", "manifest.yml"}
}

// scarab is the dialect of agent manifests in YAML. Its gate is on by default, and servers and calls are
// logged.
func scarab() Dialect {
	return Dialect{
		Name:  scarabName,
		names: manifestNames(),
		sniff: func(root *tree.Node) bool {
			return stringIn(root.Value("apiVersion"), manifestVersion) || stringIn(root.Value("kind"), manifestKind) ||
				root.Value("spec").Value("mcp_servers") != nil
		},
		files: []place{project(manifestNames()...)},
		owns:  isManifest, example: "spec: {mcp_servers: [{name: name, transport: Stdio, command: …}]}",
		read: readManifest,
		keys: []rowKey{
			transportKey("transport"), {"command", setCommand}, {"args", setArgs},
			{"url", setURL}, {"env_template", envTemplate},
			{"description", setDescription},
		},
		finish: finishManifest,
		vars:   manifestVars, start: startFile, Naming: naming.Dot,
		Denies: true, Gate: GateNobody, Commands: []string{"secrets"},
		Grammar: policy.GrammarScarab, AllowKey: "spec.capabilities",
	}
}

// isManifest reports whether a file has the header of a manifest, of any version. If the file cannot be
// parsed, its text is searched for the header, so that a broken manifest is still a manifest.
func isManifest(f *File) bool {
	if !f.isMapping() {
		return bytes.Contains(f.Text, []byte(manifestVersion)) || bytes.Contains(f.Text, []byte(manifestKind))
	}
	if version := f.root.Value("apiVersion"); version != nil {
		return version.Kind == tree.String && strings.HasPrefix(version.Text, manifestGroup)
	}
	return stringIn(f.root.Value("kind"), manifestKind)
}

func readManifest(f *File, root *tree.Node) {
	for _, constant := range [...]struct{ name, want string }{{"apiVersion", manifestVersion}, {"kind", manifestKind}} {
		if v := root.Value(constant.name); v == nil {
			f.Fail(root.Pos, tree.Path(constant.name), "the key is missing", "write "+constant.name+": "+constant.want)
		} else if !stringIn(v, constant.want) {
			f.Fail(v.Pos, tree.Path(constant.name), "want "+constant.want+", found "+tree.Quote(v.Text))
		}
	}
	spec := root.Value("spec")
	if spec == nil || spec.Kind != tree.Map {
		f.Fail(root.Pos, "spec", "want a mapping")
		return
	}
	if !f.Doubles(root, "", "spec") {
		return
	}
	f.NoteDoubles(spec, "spec", "capabilities", "secret_policy")
	readManifestRules(f, root, spec)
	servers := spec.Value("mcp_servers")
	if servers == nil {
		return
	}
	at := tree.Path("spec.mcp_servers")
	if servers.Kind != tree.List {
		f.Fail(servers.Pos, at, "want a list, found "+servers.Kind.String())
		return
	}
	first := map[string]int{}
	for i, n := range servers.List {
		if name := n.Value("name"); name != nil {
			if line, again := first[name.Text]; again {
				f.Fail(name.Pos, at.Index(i).Key("name"),
					fmt.Sprintf("the server %s is defined in line %d already", tree.Quote(name.Text), line),
					"give each server a name of its own")
				continue
			}
			first[name.Text] = name.Pos.Line
			f.Manifest.Servers = append(f.Manifest.Servers, name.Text)
		}
		f.element(n, at.Index(i))
	}
}

// finishManifest sets the launch, and warns about keys of the other transport.
func finishManifest(e *entry) {
	spoken("stdio", "http")(e)
	theirs, keys := "Http", []string{"url"}
	if e.Server.Launch == e.address {
		theirs, keys = "Stdio", []string{"command", "args", "env_template"}
	}
	for _, key := range keys {
		if v := e.n.Value(key); v != nil && e.Server.Launch != nil {
			e.f.Note(v.Pos, e.at.Key(key), "it goes with "+theirs+" only, and has no effect here")
		}
	}
}

// envTemplate reads a list of pairs.
func envTemplate(e *entry, v *tree.Node, at tree.Path) {
	for pair, at := range e.elements(v, at) {
		if !e.want(tree.List, pair, at) {
			continue
		}
		if len(pair.List) != 2 {
			e.fail(pair, at, fmt.Sprintf("want a pair of name and value, found %d elements", len(pair.List)), "")
			continue
		}
		name := e.str(pair.List[0], at.Index(0))
		e.addEnv(name, e.text(endpoint.FieldEnv, pair.List[1], at.Index(1)), pair.List[0].Pos, at.Index(0))
		e.origin("env."+name, pair.Pos)
	}
}

// readManifestRules reads the manifest's permissions.
func readManifestRules(f *File, root, spec *tree.Node) {
	m := &Manifest{Path: f.Path, Permissions: &Permissions{Path: f.Path, Format: f.Dialect.Name}}
	f.Manifest = m
	d := tree.Decoder{Report: &f.Report}
	metadata := root.Value("metadata")
	m.Name, m.Version = m.shown("name", metadata.Value("name")), m.shown("version", metadata.Value("version"))
	if v := spec.Value("capabilities"); v != nil && f.Doubles(spec, "spec", "capabilities") {
		d.Decode(v, "spec.capabilities", &m.Capabilities)
		for i, entry := range v.List {
			if at := tree.Path("spec.capabilities").Index(i); isRule(&f.Report, entry, at) {
				m.Permissions.Config.Allow = append(m.Permissions.Config.Allow, entry.Text)
				m.Permissions.Allow = append(m.Permissions.Allow, entry.Pos.Line)
			}
		}
	}
	if v := spec.Value("trust_level"); v != nil && d.Want(tree.String, v, "spec.trust_level") {
		m.TrustLevel = m.shown("trust_level", v)
		if levels := trustLevels(); !slices.Contains(levels, v.Text) {
			d.Note(v.Pos, "spec.trust_level",
				"unknown level "+tree.Quote(v.Text)+", which mcpgen shows but does not apply",
				tree.Suggest(v.Text, levels))
		}
	}
	m.Permissions.Config.Mode = policy.Enforce
	v := spec.Value("secret_policy")
	if v != nil && f.Doubles(spec, "spec", "secret_policy") && d.Want(tree.List, v, "spec.secret_policy") {
		for i, entry := range v.List {
			var s SecretPolicy
			at, before := tree.Path("spec.secret_policy").Index(i), len(f.Errors)
			d.Decode(entry, at, &s)
			m.Secrets = append(m.Secrets, s)
			if checkSecret(&f.Report, entry, at); len(f.Errors) == before {
				m.Permissions.secret(s, f.At(entry.Pos))
			}
		}
	}
}

// isRule reports whether a capability is a rule for the gate. Capabilities about other things have forms of
// their own, which do not matter here, even if they look like a rule of mcpgen that is not valid.
func isRule(r *tree.Report, entry *tree.Node, at tree.Path) bool {
	switch {
	case entry.Kind != tree.String:
		return false // reported as a wrong type
	case strings.HasPrefix(entry.Text, "tool.invoke"):
		return checkRule(r, entry, at)
	}
	if _, err := policy.New(policy.Config{Allow: []string{entry.Text}, Foreign: true}, nil); err == nil {
		return true
	}
	if strings.HasPrefix(entry.Text, "mcp") {
		r.Note(entry.Pos, at, "the capability "+tree.Quote(entry.Text)+" allows no tool here",
			"begin it with tool.invoke:mcp.")
	}
	return false
}

// checkSecret reports an entry of secret_policy without a pattern, or with one that is not valid.
func checkSecret(r *tree.Report, entry *tree.Node, at tree.Path) {
	for _, key := range [...]struct{ name, step string }{
		{"secret_pattern", "write the name of a secret, or a pattern"},
		{"tool_pattern", `write "*" for all servers of the manifest, or mcp.<server>.* for one`},
	} {
		if stringIn(entry.Value(key.name), "") {
			r.Fail(entry.Value(key.name).Pos, at.Key(key.name), "the text is empty", key.step)
			return
		}
	}
	secret, tool := entry.Value("secret_pattern"), entry.Value("tool_pattern")
	if secret == nil || tool == nil {
		return // reported as missing
	}
	gate, _ := policy.New(policy.Config{}, nil)
	if err := gate.AllowSecret(policy.SecretRule{Secret: secret.Text, Tool: tool.Text}); err != nil {
		r.FailErr(entry.Pos, at, err)
	}
}

// secret adds the rule for an entry of secret_policy. An entry that cannot be enforced here allows
// nothing and is reported.
func (p *Permissions) secret(s SecretPolicy, at tree.Position) {
	r := policy.SecretRule{Label: s.Label, Secret: s.SecretPattern, Tool: s.ToolPattern}
	var reason string
	switch {
	case s.HostPattern != "" && s.HostPattern != "*":
		reason = "host_pattern: mcpgen cannot see where a server sends a secret"
	case s.MaxUses != 0:
		reason = "max_uses: mcpgen does not count the uses of a secret"
	case s.AgentMatcher != "" && s.AgentMatcher != "*":
		reason = "agent_matcher: mcpgen does not distinguish agents"
	case s.ExpiresAt != "":
		until, err := time.Parse(time.RFC3339, s.ExpiresAt)
		if err != nil {
			reason = "expires_at: want a time such as 2026-01-31T00:00:00Z"
		}
		r.Until = until
	}
	if reason == "" {
		p.Config.Secrets = append(p.Config.Secrets, r)
		return
	}
	p.Notices = append(p.Notices, &tree.Finding{Position: at,
		Text:  "the secret policy " + tree.Quote(cmp.Or(s.Label, s.SecretPattern)) + " allows nothing: " + reason,
		Steps: []string{"to allow the secret without this condition, write the rule under policy.secrets in mcpgen.yaml"}})
}

// shown returns a scalar value and records it in Values; "" means none.
func (m *Manifest) shown(key string, v *tree.Node) string {
	if v == nil || v.Kind != tree.String && v.Kind != tree.Int && v.Kind != tree.Float {
		return ""
	}
	at := tree.Position{Path: m.Path, Line: v.Pos.Line, Column: v.Pos.Column}
	m.Values = append(m.Values, Value{"agent." + key, v.Text, at})
	return v.Text
}

func trustLevels() []string { return []string{"untrusted", "sandboxed", "trusted", "privileged"} }

// manifestVars expands secrets only.
func manifestVars(*File) *texts.Syntax { return &texts.Syntax{Forms: []texts.Form{texts.SecretForm()}} }
