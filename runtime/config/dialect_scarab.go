// The files of scarab: agent manifests.

package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// The header of a manifest.
const (
	manifestGroup   = "scarab/"
	manifestVersion = manifestGroup + "v1"
	manifestKind    = "AgentManifest"
)

// manifestNames are what manifests are called in a project. Its documentation names
// no file, and others have files of these names, so the header decides.
func manifestNames() []string {
	return []string{"agent.yaml", "agent.yml", "manifest.yaml", "manifest.yml"}
}

// scarab is an agent manifest in YAML. Its gate is on by itself, and what becomes of
// each server and call is written down.
func scarab() dialect {
	return dialect{
		name: "scarab",
		path: func(p parts) bool { return p.end(manifestNames()...) },
		sniff: func(root *tree.Node) bool {
			return stringIn(root.Value("apiVersion"), manifestVersion) || stringIn(root.Value("kind"), manifestKind) ||
				root.Value("spec").Value("mcp_servers") != nil
		},
		files: func(env Environment) []file {
			var files []file
			for _, name := range manifestNames() {
				files = append(files, file{path: env.join(env.Dir, name), scope: scopeProject})
			}
			return files
		},
		owns: isManifest,
		read: readManifest,
		keys: []rowKey{
			transportKey("transport"), commandKey("command"), argsKey(), urlKey("url"), {"env_template", envTemplate}, descriptionKey(),
		},
		finish: func(e *entry) {
			switch e.oneOf("stdio", "http") {
			case "stdio":
				programOnly(e)
			case "http":
				if !e.url {
					e.fail(e.n, e.at, "Http needs a url", "")
					return
				}
				e.remote(endpoint.Auto)
			}
		},
		vars: vars(manifestVars), inherit: whole(), start: startFile, merge: firstWins, naming: naming.Dot,
		denies: true, asked: true, commands: []string{"secrets"},
		grammar: policy.GrammarScarab, allowKey: "spec.capabilities",
	}
}

// isManifest reports whether a file has the header of a manifest, of whatever
// version. Of one that cannot be parsed the text says it, so that an error in a
// manifest does not make it another's.
func isManifest(f *serverFile) bool {
	if !f.isMapping() {
		return bytes.Contains(f.text, []byte(manifestVersion)) || bytes.Contains(f.text, []byte(manifestKind))
	}
	if version := f.root.Value("apiVersion"); version != nil {
		return version.Kind == tree.String && strings.HasPrefix(version.Text, manifestGroup)
	}
	return stringIn(f.root.Value("kind"), manifestKind)
}

func readManifest(f *serverFile, root *tree.Node) {
	for _, constant := range [...]struct{ name, want string }{{"apiVersion", manifestVersion}, {"kind", manifestKind}} {
		if v := root.Value(constant.name); v == nil {
			f.fail(root.Pos, tree.Path(constant.name), "the key is missing", "write "+constant.name+": "+constant.want)
		} else if !stringIn(v, constant.want) {
			f.fail(v.Pos, tree.Path(constant.name), "want "+constant.want, "this is the one that there is")
		}
	}
	spec := root.Value("spec")
	if spec == nil || spec.Kind != tree.Map {
		f.fail(root.Pos, "spec", "want a mapping", "")
		return
	}
	f.readManifestRules(root, spec)
	servers := spec.Value("mcp_servers")
	if servers == nil {
		return
	}
	at := tree.Path("spec.mcp_servers")
	if servers.Kind != tree.List {
		f.fail(servers.Pos, at, "want a list, found "+servers.Kind.String(), "")
		return
	}
	first := map[string]int{}
	for i, n := range servers.List {
		if name := n.Value("name"); name != nil {
			if line, again := first[name.Text]; again {
				f.fail(name.Pos, at.Index(i).Key("name"), fmt.Sprintf("the server %s stands in line %d already", tree.Quote(name.Text), line), "give each server a name of its own")
				continue
			}
			first[name.Text] = name.Pos.Line
			f.manifest.Servers = append(f.manifest.Servers, name.Text)
		}
		f.element(n, at.Index(i))
	}
}

// envTemplate is a list of pairs.
func envTemplate(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.List, v, at) {
		return
	}
	for i, pair := range v.List {
		at := at.Index(i)
		if !e.want(tree.List, pair, at) {
			continue
		}
		if len(pair.List) != 2 {
			e.fail(pair, at, fmt.Sprintf("want a pair of name and value, found %d elements", len(pair.List)), "")
			continue
		}
		name := e.str(pair.List[0], at.Index(0))
		e.name(endpoint.FieldEnv, name, pair.List[0].Pos, at.Index(0))
		value := e.text(endpoint.FieldEnv, pair.List[1], at.Index(1))
		e.server.Env = append(e.server.Env, endpoint.Var{Name: name, Value: value})
		e.origin("env."+name, pair.Pos)
	}
}

// readManifestRules reads what the manifest says about permissions.
func (f *serverFile) readManifestRules(root, spec *tree.Node) {
	m := &Manifest{Path: f.path}
	f.manifest = m
	d := tree.Decoder{}
	metadata := root.Value("metadata")
	m.Name, m.Version = m.shown("name", metadata.Value("name")), m.shown("version", metadata.Value("version"))
	if v := spec.Value("capabilities"); v != nil {
		d.Decode(v, "spec.capabilities", &m.Capabilities)
		for _, entry := range v.List {
			m.capabilities = append(m.capabilities, place{f.path, entry.Pos.Line, entry.Pos.Column})
		}
	}
	if v := spec.Value("trust_level"); v != nil && d.Want(tree.String, v, "spec.trust_level") {
		m.TrustLevel = m.shown("trust_level", v)
		if levels := trustLevels(); !slices.Contains(levels, v.Text) {
			d.Fail(v.Pos, "spec.trust_level", "unknown level "+tree.Quote(v.Text), tree.Suggest(v.Text, levels))
		}
	}
	if v := spec.Value("secret_policy"); v != nil && d.Want(tree.List, v, "spec.secret_policy") {
		for i, entry := range v.List {
			m.Secrets = append(m.Secrets, secretPolicy(&d, entry, tree.Path("spec.secret_policy").Index(i)))
			m.places = append(m.places, place{f.path, entry.Pos.Line, entry.Pos.Column})
		}
	}
	f.problems(d.Problems)
}

// shown returns a plain value and notes it for [Project.Settings]; "" is none.
func (m *Manifest) shown(key string, v *tree.Node) string {
	if v == nil || v.Kind != tree.String && v.Kind != tree.Int && v.Kind != tree.Float {
		return ""
	}
	m.settings = append(m.settings, Setting{Key: "agent." + key, Value: v.Text, Path: m.Path, Line: v.Pos.Line, Column: v.Pos.Column})
	return v.Text
}

func trustLevels() []string { return []string{"untrusted", "sandboxed", "trusted", "privileged"} }

func secretPolicy(d *tree.Decoder, n *tree.Node, at tree.Path) SecretPolicy {
	var p struct {
		Label   string `json:"label"`
		Secret  string `json:"secret_pattern"`
		Tool    string `json:"tool_pattern"`
		Host    string `json:"host_pattern,omitempty"`
		Expires string `json:"expires_at,omitempty"`
		Uses    int    `json:"max_uses,omitempty"`
		Agent   string `json:"agent_matcher,omitempty"`
	}
	d.Decode(n, at, &p)
	return SecretPolicy{Label: p.Label, SecretPattern: p.Secret, ToolPattern: p.Tool, HostPattern: p.Host,
		ExpiresAt: p.Expires, MaxUses: p.Uses, AgentMatcher: p.Agent}
}
