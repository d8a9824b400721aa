// The server files of core-agent: .agents/mcp.json.

package dialect

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

const coreAgentName = "coreagent"

// coreAgent is the dialect of core-agent's .agents/mcp.json.
func coreAgent() Dialect {
	d := Dialect{
		Name: coreAgentName, also: "core-agent",
		names: []string{".agents/mcp.json"},
		sniff: func(root *tree.Node) bool {
			servers := root.Value("servers")
			if servers == nil || servers.Kind != tree.Map {
				return false
			}
			version := root.Value("version")
			return version != nil && version.Kind == tree.Int || has("servers", hasKey("transport"))(root)
		},
		folder: []string{".agents"}, example: `{"version": 1, "servers": {"name": {"transport": "stdio", "command": "…"}}}`,
		files:  []place{project(".agents/mcp.json"), home(".agents/mcp.json")},
		beside: keysOf([]string{"permissions"}, ".agents/config.json"),
		read:   readCoreAgent,
		keys: []rowKey{
			transportKey("transport"), {"command", setCommand}, {"args", setArgs}, {"env", setEnv},
			{"url", setURL}, {"headers", setHeaders},
			{"auth", coreAgentAuth}, {"description", setDescription},
			{"read_only", func(e *entry, v *tree.Node, at tree.Path) { e.Server.ReadOnly = e.boolean(v, at) }},
			{"agentic_never", noted("controls prompts of core-agent and has no effect in mcpgen")},
		},
		finish: finishCoreAgent, vars: coreAgentVars, start: startWorkspace, Naming: naming.Underscore, Gate: GateNobody,
		Grammar: policy.GrammarCoreAgent, AllowKey: "permissions.allow", Permissions: corePermissions,
	}
	// OpenCode uses the same file names for its own agents.
	d.owns = func(f *File) bool {
		return !f.isMapping() || len(f.root.Members) == 0 || !openCodeAgents().sniff(f.root) &&
			(f.root.Value("servers") != nil || f.root.Value("version") != nil)
	}
	return d
}

func readCoreAgent(f *File, root *tree.Node) {
	version := root.Value("version")
	if version != nil {
		if n, ok := version.Int(); !ok || n != 1 {
			f.Note(version.Pos, "version", "only version 1 is known here; mcpgen does not read what other versions add")
		}
	}
	if servers := root.Value("servers"); servers != nil {
		f.rowsAt(servers, "servers", false)
	} else if version == nil && !f.Searched {
		f.Fail(root.Pos, "", "no servers in it", f.Dialect.Step())
	}
}

func finishCoreAgent(e *entry) {
	said := e.oneOf("stdio", "http")
	switch {
	case e.command && e.url:
		e.fail(e.n, e.at, "server "+tree.Quote(e.Server.Name)+" has both command and url",
			"keep the key that its transport needs")
	case said == "stdio" && !e.command:
		e.fail(e.n, e.at, "stdio needs a command", "")
	case said == "http" && !e.url:
		e.fail(e.n, e.at, "http needs a url", "")
	case said == "stdio":
		coreAgentWithout(e, "http", "headers", "auth")
		e.local()
	case said == "http":
		coreAgentWithout(e, "stdio", "args", "env")
		e.remote(endpoint.HTTP)
	}
}

// coreAgentWithout reports keys of the other transport that are not empty.
func coreAgentWithout(e *entry, theirs string, keys ...string) {
	for _, key := range keys {
		if v := e.n.Value(key); v != nil && len(v.List)+len(v.Members) > 0 {
			e.fail(v, e.at.Key(key), "it goes with "+theirs+" only", "remove it", "change the transport")
		}
	}
}

// coreAgentAuth requires exactly one way to authorise. Only one is supported.
func coreAgentAuth(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.Map, v, at) {
		return
	}
	if token := v.Value("google_id_token"); token != nil {
		e.fail(token, at.Key("google_id_token"), "it is not supported, as in core-agent itself",
			"use google_oauth with its scopes, or an Authorization header with a token of your own")
		return
	}
	google := v.Value("google_oauth")
	if google == nil {
		e.fail(v, at, "there is no way to authorise", "write google_oauth with its scopes")
		return
	}
	for _, m := range v.Members {
		if m.Name != "google_oauth" {
			e.f.Fail(m.Pos, at.Key(m.Name), "unknown way to authorise", "write google_oauth")
		}
	}
	googleScopes(e, google, at.Key("google_oauth"))
}

// googleScopes reads {scopes: […]}, which has no default.
func googleScopes(e *entry, v *tree.Node, at tree.Path) {
	if !e.want(tree.Map, v, at) {
		return
	}
	scopes := v.Value("scopes")
	if scopes == nil || scopes.Kind == tree.List && len(scopes.List) == 0 {
		e.fail(v, at.Key("scopes"), "at least one scope is required, and there is no default",
			`such as "https://www.googleapis.com/auth/cloud-platform"`)
		return
	}
	for i, scope := range e.words(scopes, at.Key("scopes")) {
		if strings.TrimSpace(scope) == "" {
			e.fail(scopes, at.Key("scopes").Index(i), "the scope is empty", "")
		}
		e.address.Auth.Scopes = append(e.address.Auth.Scopes, scope)
	}
	e.address.Auth.Kind = endpoint.AuthGoogle
	e.origin("auth.scopes", scopes.Pos)
}

// coreAgentVars expands ${env:NAME} in values of env and headers. An unset variable is empty.
func coreAgentVars(*File) *texts.Syntax {
	f := texts.EnvForm()
	f.Fields = []endpoint.Field{endpoint.FieldEnv, endpoint.FieldHeader}
	return &texts.Syntax{Forms: []texts.Form{f}, Unset: texts.Empty}
}

// maxSettings bounds the size of the settings file next to a server file, in bytes.
const maxSettings = 1 << 20

// corePermissions reads the permissions in config.json next to a server file. The result is nil if the
// file has none or does not exist.
func corePermissions(m Machine, path string) (*Permissions, []*tree.Finding) {
	path = filepath.Join(filepath.Dir(path), "config.json")
	data, err := m.ReadFile(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []*tree.Finding{tree.Unreadable(path, err)}
	}
	r := tree.Report{Path: path}
	root := tree.ParseJSON(&r, data)
	if root == nil || !wants(&r, root, "", tree.Map) {
		return nil, r.Errors
	}
	r.Doubles(root, "", "permissions")
	found := anyCase(&r, root, "", "permissions")
	if found == nil || !wants(&r, found, "permissions", tree.Map) || found.Kind == tree.Null {
		return nil, r.Errors
	}
	r.Doubles(found, "permissions")
	p := &Permissions{Path: path, Format: coreAgentName}
	p.core(&r, found, "permissions")
	return p, r.Errors
}

// wants reports whether a value has a kind, or is null, as one that is missing. Else it fails: a rule must not
// be left out because of its form.
func wants(r *tree.Report, n *tree.Node, at tree.Path, kind tree.Kind) bool {
	if n == nil || n.Kind == kind || n.Kind == tree.Null {
		return true
	}
	r.Fail(n.Pos, at, "want "+kind.String()+", found "+n.Kind.String())
	return false
}

// anyCase returns the value of a key. Core-agent reads a key in any case, and mcpgen as it is written here: another
// case fails.
func anyCase(r *tree.Report, n *tree.Node, at tree.Path, key string) *tree.Node {
	for _, m := range n.Entries() {
		if m.Name != key && strings.EqualFold(m.Name, key) {
			r.Fail(m.Pos, at.Key(m.Name), "the key has another case", "write "+key)
		}
	}
	return n.Value(key)
}

// core reads mode, allow and deny. Other keys are about built-in tools.
func (p *Permissions) core(r *tree.Report, n *tree.Node, at tree.Path) {
	p.Config.Mode = policy.Ask
	mode := anyCase(r, n, at, "mode")
	if mode != nil && wants(r, mode, at.Key("mode"), tree.String) {
		switch mode.Text {
		case "ask", "":
		case "yolo":
			p.Config.Mode, p.Yolo = policy.Yolo, "permissions.mode: mode yolo skips the gate, as in core-agent"
		case "allow", "plan": // plan allows nothing before there is a plan, and mcpgen has no plans
			p.Config.Mode = policy.Enforce
		case "acceptEdits": // about files; for other tools the user is asked
		default:
			r.Fail(mode.Pos, at.Key("mode"), "unknown mode "+tree.Quote(mode.Text), "write ask, allow or yolo")
		}
	}
	p.Config.Allow, p.Allow = coreRules(r, anyCase(r, n, at, "allow"), at.Key("allow"))
	p.Config.Deny, p.Deny = coreRules(r, anyCase(r, n, at, "deny"), at.Key("deny"))
	if mode != nil && mode.Text == "plan" {
		p.Config.Allow, p.Allow = nil, nil
	}
}

// coreRules returns the rules of a list, with their lines.
func coreRules(r *tree.Report, list *tree.Node, at tree.Path) (rules []string, lines []int) {
	if !wants(r, list, at, tree.List) {
		return nil, nil
	}
	for i, rule := range list.Items() {
		if rule.Kind != tree.String {
			r.Fail(rule.Pos, at.Index(i), "want a text, found "+rule.Kind.String())
			continue
		}
		checkRule(r, rule, at.Index(i))
		rules, lines = append(rules, rule.Text), append(lines, rule.Pos.Line)
	}
	return rules, lines
}
