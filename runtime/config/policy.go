// The keys policy, audit and ledger, and the permissions in imported files.

package config

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// DefaultAuditFile is the audit log if the key audit names no file.
const DefaultAuditFile = ".mcpgen/audit.jsonl"

// DefaultLedgerFile is the ledger if the key ledger names no file.
const DefaultLedgerFile = ".mcpgen/ledger.jsonl"

// policyKeys says who may call what.
type policyKeys struct {
	Mode    string               `json:"mode,omitempty" jsonschema:"enum=enforce,enum=ask,enum=yolo,default=enforce" jsonschema_description:"What happens to a call without a rule. With \"enforce\", it is denied. With \"ask\", a person decides. With \"yolo\", it is allowed."`
	Allow   []string             `json:"allow,omitempty" jsonschema_description:"Rules that allow calls of tools, such as tool:github/list_*, mcp:github_*, tool.invoke:mcp.github.* or tool.call.echo. Rules about prompts and resources begin with prompt: and resource:."`
	Deny    []string             `json:"deny,omitempty" jsonschema_description:"Rules that deny calls, of the same forms as in \"allow\". This key wins over \"allow\"."`
	Denied  string               `json:"denied,omitempty" jsonschema:"enum=hidden,enum=visible,default=hidden" jsonschema_description:"Whether models see tools that the policy denies. In the mode \"ask\", models see all tools that a person may still allow."`
	Callers []policy.CallerRules `json:"callers,omitempty" jsonschema_description:"Rules about callers: the people and programs that calls are made for."`
	Secrets []policy.SecretRule  `json:"secrets,omitempty" jsonschema_description:"The secrets that each server gets in its environment, in place of {{secret:name}}."`
	// SecretCommand finds secrets that are neither in the environment nor in the user's own stores.
	SecretCommand []string `json:"secret_command,omitempty" jsonschema_description:"A program that prints a secret, and its arguments. In the arguments, mcpgen replaces {name} by the secret's name. mcpgen runs this program only if it finds the secret nowhere else."`
}

// Audit is the key audit. In a [Project] its file is a path that the program can open.
type Audit struct {
	File      string `json:"file,omitempty" jsonschema:"default=.mcpgen/audit.jsonl" jsonschema_description:"The path of the log, relative to this file. Each line of the log is a JSON object."`
	Arguments bool   `json:"arguments,omitempty" jsonschema:"default=false" jsonschema_description:"Also log the values of arguments."`
}

// ledgerKeys is the key ledger.
type ledgerKeys struct {
	File string `json:"file,omitempty" jsonschema:"default=.mcpgen/ledger.jsonl" jsonschema_description:"The path of the ledger, relative to this file. Each line of the ledger is a JSON object."`
}

// checkPolicy checks each rule, and reports errors at the rule's place.
func (k *checker) checkPolicy(file *File, n *tree.Node, at tree.Path) {
	if file.Policy == nil {
		return
	}
	k.oneOf(n, at, "mode", "enforce", "ask", "yolo")
	k.oneOf(n, at, "denied", "hidden", "visible")
	k.checkRules(n, at, "allow", "deny")
	for i, c := range file.Policy.Callers {
		callers := n.Value("callers").List[i]
		here := at.Key("callers").Index(i)
		if err := c.Check(); err != nil && callers.Kind == tree.Map { // another kind was reported
			k.FailErr(callers.Pos, here, err)
		}
		k.checkRules(callers, here, "allow", "deny")
		for j, limit := range c.Limits {
			of, at := callers.Value("limits").List[j], here.Key("limits").Index(j)
			k.oneOf(of, at, "per", "caller", "tool", "both")
			limit.Per = "" // it was checked above
			if err := limit.Check(); err != nil {
				k.FailErr(of.Pos, at, err)
			}
		}
	}
	for i, s := range file.Policy.Secrets {
		p, _ := policy.New(policy.Config{}, nil)
		if err := p.AllowSecret(s); err != nil && s.Secret != "" && s.Tool != "" {
			k.FailErr(n.Value("secrets").List[i].Pos, at.Key("secrets").Index(i), err)
		}
	}
	if c := file.Policy.SecretCommand; len(c) > 0 && c[0] == "" {
		k.Fail(n.Value("secret_command").Pos, at.Key("secret_command"), "the command is empty", "name a program")
	}
}

// checkProfiles checks the names, the rules and the callers of profiles.
func (k *checker) checkProfiles(file *File, n *tree.Node) {
	for _, m := range n.Entries() {
		at := tree.Path("profiles").Key(m.Name)
		if err := policy.CheckProfileName(m.Name); err != nil {
			k.FailErr(m.Pos, at, err)
		}
		k.checkRules(m.Value, at, "include", "exclude")
		for i, who := range file.Profiles[m.Name].Callers {
			n := m.Value.Value("callers").List[i]
			if err := who.Check(); err != nil && n.Kind == tree.Map {
				k.FailErr(n.Pos, at.Key("callers").Index(i), err)
			}
		}
	}
}

// profiles sets the profiles, and notes servers of theirs that are not configured.
func (l *loader) profiles(p *Project, file *File, n *tree.Node) {
	p.Profiles = file.Profiles
	names := make([]string, len(p.Servers))
	for i, s := range p.Servers {
		names[i] = s.Name
	}
	for _, m := range n.Entries() {
		for i, name := range file.Profiles[m.Name].Servers {
			if !slices.Contains(names, name) && !slices.Contains(p.Disabled, name) {
				at, pos := tree.Path("profiles").Key(m.Name).Key("servers").Index(i), m.Value.Value("servers").List[i].Pos
				l.Note(pos, at, "no server is called "+tree.Quote(name), nearest.Question(name, names))
			}
		}
	}
}

// checkRules checks the rules of some lists.
func (k *checker) checkRules(n *tree.Node, at tree.Path, lists ...string) {
	for _, key := range lists {
		for i, rule := range n.Value(key).Items() {
			if rule.Kind != tree.String {
				continue // reported as a wrong type
			}
			// A rule about something other than MCP is allowed if it surely is one; New decides.
			if _, err := policy.New(policy.Config{Allow: []string{rule.Text}}, nil); err != nil {
				k.FailErr(rule.Pos, at.Key(key).Index(i), policy.CheckRule(rule.Text))
			}
		}
	}
}

// permissions sets the policy. The key policy replaces all others. Without it, the permissions of the
// imported files apply as in their own systems, some of which deny by default. A file allows only its own
// servers.
func (l *loader) permissions(p *Project, file *File, root *tree.Node) {
	names := make([]string, len(p.Servers))
	for i, s := range p.Servers {
		names[i] = s.Name
	}
	others := l.foreignPolicies(p)
	if file.Policy != nil {
		for _, o := range others {
			at := tree.Position{Path: l.Path}
			l.imports = append(l.imports, Notice{
				Path: o.Path, Text: "its permissions are ignored: " + at.String() + " has a policy of its own"})
		}
		p.Policy = &policy.Config{
			Mode: policy.Mode(file.Policy.Mode), Denied: policy.Showing(file.Policy.Denied), Servers: names, Naming: p.Naming,
			Allow: file.Policy.Allow, Deny: file.Policy.Deny, Secrets: file.Policy.Secrets, Callers: file.Policy.Callers}
		at := root.Value("policy")
		lists := append([]*tree.Node{at}, at.Value("callers").Items()...) // in the policy's order
		here := endpoint.Source{Path: l.Path, Line: at.Pos.Line}
		p.Rules = RuleSources{Allow: l.ruleSources(lists, "allow"), Deny: l.ruleSources(lists, "deny"),
			Files: []RuleFile{{Source: here, Grammar: policy.GrammarOwn, Key: "policy.allow"}}}
		p.SecretCommand = file.Policy.SecretCommand
		if _, err := policy.New(*p.Policy, nil); err != nil && len(l.Errors) == 0 {
			l.FailErr(at.Pos, "", err)
		}
		for _, key := range []string{"allow", "deny"} {
			for i, rule := range at.Value(key).Items() {
				if !policy.IsAbout(rule.Text, names) {
					l.Note(rule.Pos, tree.Path("policy").Key(key).Index(i),
						"the rule matches no tool of these servers: for a tool of any server, write tool:*/"+rule.Text)
				}
			}
		}
		return
	}
	mode := policy.Yolo
	if l.denies() {
		mode = policy.Enforce
	}
	if len(others) == 0 && mode == policy.Yolo {
		return
	}
	// In these systems, denied tools are still listed; only their calls are checked.
	p.Policy = &policy.Config{Servers: names, Naming: p.Naming,
		Foreign: true, Mode: mode, MCP: l.mcp, Denied: policy.Visible}
	if p.Rules.Granted = l.granted(); len(l.dialects) == 1 {
		p.Policy.Grammar = l.dialects[0].Grammar
	}
	if file.Version == 0 { // without an mcpgen.yaml, each manifest is a separate agent
		p.Policy.GrantFiles = grantFiles(p)
	}
	for _, o := range others {
		p.Policy.Mode = stricter(p.Policy.Mode, o.Config.Mode)
		rules := policy.FileRules{Servers: o.servers, Allow: o.Config.Allow, Secrets: o.Config.Secrets}
		p.Policy.Files = append(p.Policy.Files, rules)
		p.Policy.Deny = append(p.Policy.Deny, o.Config.Deny...)
		p.Rules.Allow = append(p.Rules.Allow, sources(o.Permissions, o.Allow)...)
		p.Rules.Deny = append(p.Rules.Deny, sources(o.Permissions, o.Deny)...)
		d, _ := dialect.Named(o.Format)
		p.Rules.Files = append(p.Rules.Files, RuleFile{Source: endpoint.Source{Path: o.Path, Format: o.Format},
			Grammar: d.Grammar, Key: d.AllowKey, Servers: o.servers})
		cfg := o.Config
		cfg.Servers, cfg.Foreign = o.servers, true
		if _, err := policy.New(cfg, nil); err != nil {
			r := tree.Report{Path: o.Path}
			r.FailErr(tree.Pos{}, "", err)
			l.Errors = append(l.Errors, r.Errors...)
		}
	}
	if f := p.Rules.Files; l.mcp == "" && len(f) == 1 && len(l.dialects) == 1 && len(f[0].Servers) == len(names) {
		p.Policy.AllowIn = f[0].Key + " in " + l.sources.source(f[0].Path, "", "").String()
	}
	if p.Policy.Mode == policy.Yolo {
		l.skipGate(p.Policy, others)
	}
}

// grantFiles returns the manifests of servers, by their real paths. Nil means none.
func grantFiles(p *Project) map[string]string {
	var files map[string]string
	for _, s := range p.Servers {
		m := p.Agent(s.Name)
		if m == nil {
			continue
		}
		path := absolute(m.Path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if files == nil {
			files = map[string]string{}
		}
		files[s.Name] = path
	}
	return files
}

// skipGate drops the rules that deny. Systems ignore them in their mode that allows calls without a
// matching rule.
func (l *loader) skipGate(cfg *policy.Config, from []filePermissions) {
	cfg.Deny = nil // Rules.Deny keeps the places of rules without effect
	for _, o := range from {
		for _, rule := range o.Config.Deny {
			if policy.CheckRule(rule) == nil { // other rules are not about tools of servers
				l.imports = append(l.imports, Notice{Path: o.Path,
					Text:  o.Yolo + ", so that the rule " + tree.Quote(rule) + " denies nothing",
					Steps: []string{"in mcpgen.yaml, write policy: {mode: yolo, deny: [" + tree.Quote(rule) + "]}"}})
			}
		}
	}
}

// stricter returns the mode that allows less.
func stricter(a, b policy.Mode) policy.Mode {
	order := []policy.Mode{policy.Enforce, policy.Ask, policy.Yolo}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// RuleSources holds the places of a policy's rules, and the files that could hold more of them.
type RuleSources struct {
	Allow, Deny []endpoint.Source // by index, in the order of the rules in [policy.Config]
	Files       []RuleFile        // the files with permissions
	// Granted is the grammar of a system whose user grants the rules, so that no project file has them. ""
	// means none.
	Granted policy.Grammar
}

// RuleFile is a file with permissions.
type RuleFile struct {
	endpoint.Source
	Grammar policy.Grammar // the syntax of its rules
	Key     string         // the list of rules that allow, such as policy.allow
	Servers []string       // the only servers that its rules allow, if Format is not ""
}

// granted returns the grammar of the first system whose rules the user grants.
func (l *loader) granted() policy.Grammar {
	for _, d := range l.dialects {
		if d.Grammar != "" && d.AllowKey == "" {
			return d.Grammar
		}
	}
	return ""
}

// sources returns the places of rules in a file.
func sources(p *dialect.Permissions, lines []int) []endpoint.Source {
	out := make([]endpoint.Source, len(lines))
	for i, line := range lines {
		out[i] = endpoint.Source{Path: p.Path, Format: p.Format, Line: line}
	}
	return out
}

// ruleSources returns the places of a key's rules in the configuration itself.
func (l *loader) ruleSources(lists []*tree.Node, key string) []endpoint.Source {
	var out []endpoint.Source
	for _, list := range lists {
		for _, rule := range list.Value(key).Items() {
			out = append(out, endpoint.Source{Path: l.Path, Line: rule.Pos.Line})
		}
	}
	return out
}

// filePermissions are the permissions of an imported file, and the names of the servers that they allow.
type filePermissions struct {
	*dialect.Permissions
	servers []string
}

// foreignPolicies collects the permissions of imported files: agents' manifests, and the files that
// systems keep next to their server files.
func (l *loader) foreignPolicies(p *Project) []filePermissions {
	var all []filePermissions
	add := func(said *dialect.Permissions, path string) {
		with := filePermissions{said, []string{}}
		for _, s := range p.Servers {
			if l.unit(s.Source.Path) == l.unit(path) {
				with.servers = append(with.servers, s.Name)
			}
		}
		all = append(all, with)
	}
	for _, m := range p.Manifests {
		l.imports = append(l.imports, noticesOf(m.Permissions.Notices)...)
		add(m.Permissions, m.Path)
	}
	seen := map[string]bool{}
	for _, d := range p.Definitions {
		path := d.Server.Source.Path
		system, ok := dialect.Named(d.Server.Source.Format)
		// A server that another file defines, too, still is a reason to apply the permissions of its file.
		if !ok || system.Permissions == nil || d.Left != "" && !d.Shadowed || seen[path] {
			continue
		}
		seen[path] = true
		said, wrong := system.Permissions(l.env.machine(), path)
		l.Errors = append(l.Errors, wrong...)
		if said != nil {
			add(said, path)
		}
	}
	return all
}

// unit returns what the permissions of a file apply to as a whole: the system that reads the file with
// others, or the file.
func (l *loader) unit(path string) string { return cmp.Or(l.together[path], path) }

// auditLog sets the audit log. Some systems always have one.
func (l *loader) auditLog(p *Project, file *File) {
	if file.Audit == nil {
		if !l.denies() {
			return
		}
		file.Audit = &Audit{}
	}
	path := l.statePath(file.Audit.File, DefaultAuditFile)
	if p.Home != "" && file.Audit.File == "" {
		path = filepath.Join(p.Home, filepath.FromSlash(DefaultAuditFile))
	}
	if file.Version == 0 && len(l.manifests) > 0 { // without an mcpgen.yaml
		path = filepath.Join(absolute(filepath.Dir(l.manifests[0].Path)), filepath.FromSlash(DefaultAuditFile))
	}
	p.Audit = &Audit{File: path, Arguments: file.Audit.Arguments}
}

// absolute makes a path absolute if the working directory is known.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// ledger sets the ledger, whose file must not be the audit log.
func (l *loader) ledger(p *Project, file *File, root *tree.Node) {
	if file.Ledger == nil {
		return
	}
	p.Ledger = l.statePath(file.Ledger.File, DefaultLedgerFile)
	if p.Audit != nil && p.Audit.File == p.Ledger {
		l.Fail(root.Value("ledger").Pos, "ledger.file", "this file is already the audit log", "choose another file")
	}
}

// statePath returns the path of a file that is written while servers run.
func (l *loader) statePath(file, otherwise string) string {
	path := filepath.FromSlash(cmp.Or(file, otherwise))
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.dir, path)
	}
	return path
}
