package access

// This file implements the command policy: the rules of the project, the grants of its user, and
// decisions about calls.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/calling"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/grants"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Permissions are the rules and grants of a project.
type Permissions struct {
	Mode    policy.Mode          `json:"mode"` // yolo without a policy
	Policy  bool                 `json:"policy"`
	Allow   []string             `json:"allow"`
	Deny    []string             `json:"deny"`
	Callers []policy.CallerRules `json:"callers,omitempty"`
	Secrets []policy.SecretRule  `json:"secrets"`
	Files   []policy.FileRules   `json:"files,omitempty"` // rules that apply to a part of the servers
	Grants  []policy.Grant       `json:"grants"`
	Skipped []string             `json:"skipped,omitempty"` // rules of other systems that are not about MCP
	// Tools is the number of locked tools, and Allowed the number of them that may be called without asking,
	// judged by name; 0 without a policy.
	Tools   int `json:"tools,omitempty"`
	Allowed int `json:"allowed,omitempty"`
	// Hidden is the number of locked tools that models do not see, and Saved about how many tokens that saves
	// in each request.
	Hidden int `json:"hidden,omitempty"`
	Saved  int `json:"saved,omitempty"`
	// Idle are rules of mcpgen.yaml about tools that match no locked tool.
	Idle []string `json:"idle,omitempty"`
}

// PermissionsOf returns the rules and the grants. With a caller, by its name and claims, it returns only
// what applies to that caller. Invalid rules are an error, as when a server is attached.
func PermissionsOf(in *inputs.Servers, by runtime.Options) (*Permissions, error) {
	store, err := live.Grants(in.Project)
	if err != nil {
		return nil, err
	}
	out := &Permissions{
		Mode: policy.Yolo, Policy: in.Project.Policy != nil,
		Allow: []string{}, Deny: []string{}, Secrets: []policy.SecretRule{}, Grants: []policy.Grant{},
	}
	if cfg := in.Project.Policy; cfg != nil {
		out.Callers = cfg.Callers
		for _, f := range cfg.Files {
			if len(f.Servers) < len(cfg.Servers) {
				out.Files = append(out.Files, f)
				continue
			}
			out.Allow, out.Secrets = append(out.Allow, f.Allow...), append(out.Secrets, f.Secrets...)
		}
		out.Allow, out.Deny = append(out.Allow, cfg.Allow...), append(out.Deny, cfg.Deny...)
		out.Secrets = append(out.Secrets, cfg.Secrets...)
	}
	granted, err := store.Grants()
	if err != nil {
		return nil, err
	}
	out.Grants = append(out.Grants, granted...)
	if by.Caller != "" {
		out.Callers = slices.DeleteFunc(slices.Clone(out.Callers), func(c policy.CallerRules) bool {
			return !c.IsFor(by.Caller, by.Claims...)
		})
		out.Grants = slices.DeleteFunc(out.Grants, func(g policy.Grant) bool {
			return g.Caller != "" && !policy.CallerMatch{Caller: g.Caller}.IsFor(by.Caller)
		})
	}
	p, err := live.Policy(in.Project, nil)
	if err != nil {
		return nil, err
	}
	out.Mode, out.Skipped = p.Mode(), p.Skipped()
	if out.Policy {
		effect(in, out, p, by)
	}
	return out, nil
}

// effect adds the effect of the rules on the locked tools.
func effect(in *inputs.Servers, out *Permissions, p *policy.Policy, by runtime.Options) {
	var calls []runtime.Request
	for _, name := range slices.Sorted(maps.Keys(in.Lock.Servers)) {
		calls = append(calls, workspace.ToolCalls(name, in.Lock.Servers[name])...)
	}
	out.Tools = len(calls)
	for _, call := range calls {
		if call.Options = by; in.Project.Build[call.Server].Selects(call.Name) && p.Explain(call).Allowed {
			out.Allowed++
		}
	}
	out.Hidden, out.Saved = workspace.Hidden(in, p, by)
	out.Idle = workspace.Idle(in.Project, slices.Concat(out.Deny, out.Allow), calls)
}

// secretWord is the prefix of a grant of a secret on the command line.
const secretWord = "secret:"

// GrantOptions are the flags of policy grant.
type GrantOptions struct {
	Caller string // a pattern for callers; "" is all of them
	Args   string // the only object of arguments that is allowed; "" is any
	Label  string // of a secret
	Tool   string // of a secret; "" is every server
}

// GrantRule grants a rule, or a secret as secret:<name>, to the user, and returns the grant. It applies to
// this project, or, without an mcpgen.yaml, to each of its agent manifests.
func GrantRule(st *locks.State, text string, o GrantOptions) (policy.Grant, error) {
	g := policy.Grant{Rule: text, Caller: o.Caller, Time: time.Now().UTC().Truncate(time.Second), By: userName()}
	name, secret := strings.CutPrefix(text, secretWord)
	switch {
	case secret && o.Caller != "":
		return g, errors.New("--caller applies to calls, not to secrets: a server gets a secret for all callers")
	case secret && o.Args != "":
		return g, errors.New("--args applies to calls, not to secrets")
	case secret:
		tool := o.Tool
		if tool == "" {
			tool = "*"
		}
		g.Rule, g.Secret = "", &policy.SecretRule{Label: o.Label, Secret: name, Tool: tool}
	case o.Label != "" || o.Tool != "":
		return g, hint.New("--label and --tool apply only to a grant of a secret", "grant secret:NAME")
	case o.Args != "":
		g.Scope = &policy.Scope{Version: 1, Arguments: policy.Arguments{Allow: json.RawMessage(o.Args)}}
	}
	check, err := policy.New(policy.Config{Servers: st.Names()}, nil)
	if err == nil {
		err = check.Grant(g)
	}
	if err != nil {
		return g, err
	}
	store, err := live.Grants(st.Project)
	if err != nil {
		return g, err
	}
	for _, file := range store.Files() {
		g.File = file
		if err := store.Add(g); err != nil {
			return g, err
		}
	}
	return g, nil
}

// grantFile returns what --mcp has to name for a grant to apply to a server: its agent manifest, or what
// this project was opened with; "" is a project with an mcpgen.yaml.
func grantFile(project *config.Project, server string) string {
	if project.Policy == nil {
		return ""
	}
	return cmp.Or(project.Policy.GrantFiles[server], project.Policy.MCP)
}

// RevokeRule removes a grant with all of its scopes and callers, or only that of one caller, as it was
// granted. It returns what was removed.
func RevokeRule(project *config.Project, text, caller string) ([]policy.Grant, error) {
	store, err := live.Grants(project)
	if err != nil {
		return nil, err
	}
	removed, err := store.Remove(func(g policy.Grant) bool {
		return GrantText(g) == text && (caller == "" || g.Caller == caller)
	})
	if errors.Is(err, grants.ErrNotGranted) {
		err = hint.With(fmt.Errorf("%w: %q", err, text), "list the grants: mcpgen policy list",
			"if the rule is in a file, edit the file: "+cmp.Or(project.Path, "policy list names the file"))
	}
	return removed, err
}

// GrantText returns the name of a grant on the command line.
func GrantText(g policy.Grant) string {
	if g.Secret != nil {
		return secretWord + g.Secret.Secret
	}
	return g.Rule
}

// userName returns the name of the user who grants; "" if the system does not know it.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// Explanation is the decision of the policy about a tool.
type Explanation struct {
	Server   string   `json:"server"`
	Tool     string   `json:"tool"`
	Caller   string   `json:"caller,omitempty"`
	Claims   []string `json:"claims,omitempty"` // of the caller, as NAME=VALUE
	Hidden   bool     `json:"hidden,omitempty"` // models do not see the tool
	Decision string   `json:"decision"`         // allowed, denied or ask
	Rule     string   `json:"rule,omitempty"`   // the deciding rule
	Kind     string   `json:"kind,omitempty"`   // the kind of rule: allow, deny or grant
	File     string   `json:"file,omitempty"`   // of the rule
	Line     int      `json:"line,omitempty"`   // 0 if unknown
	Reason   string   `json:"reason"`
	// Limits are the limits of the caller, in words.
	Limits []string `json:"limits,omitempty"`
	// Fixes are alternatives that would each allow the call. A rule that denies has to be changed first.
	Fixes []Fix `json:"fixes,omitempty"`
}

// Fix is a rule that would allow a call.
type Fix struct {
	Rule    string         `json:"rule"`
	Grammar policy.Grammar `json:"grammar"`
	File    string         `json:"file,omitempty"`    // the file to add it to
	Key     string         `json:"key,omitempty"`     // the key in the file
	Command string         `json:"command,omitempty"` // adds it only for the user
}

// Explain returns the decision about a call, by the name that call accepts. No server is started: the tool must
// be in the lock, unless its server is not locked. By has the caller, its claims and the
// profile.
func Explain(in *inputs.Servers, name string, by runtime.Options, args json.RawMessage) (*Explanation, error) {
	pair, err := offline(in, name)
	if err != nil {
		return nil, err
	}
	if _, err := workspace.ProfileOf(in.Project, by.Profile); err != nil {
		return nil, err
	}
	out := &Explanation{Server: pair.Server, Tool: pair.Tool, Caller: by.Caller, Claims: by.Claims}
	if !in.Project.Build[pair.Server].Selects(pair.Tool) { // the policy is not asked
		out.Hidden, out.Decision, out.Reason = true, "denied", "the configuration leaves this tool out"
		return out, nil
	}
	gate, err := live.Policy(in.Project, nil)
	if err != nil {
		return nil, err
	}
	req := runtime.Request{Server: pair.Server, Method: protocol.MethodCallTool, Name: pair.Tool, Args: args, Options: by}
	said := gate.Explain(req)
	out.Rule, out.Kind, out.Hidden, out.Limits = said.Rule, said.Place.List, !gate.Shows(req), said.Limits
	out.Decision, out.Reason = workspace.Decided(said)
	if in.Project.Policy == nil && said.Rule == "" && said.Allowed {
		out.Reason = "there is no policy"
	}
	if err := locate(in.Project, out, said.Place); err != nil {
		return nil, err
	}
	if !said.Allowed && said.Grant != "" { // no rule decides
		out.Fixes = fixes(in.State, req, said)
	}
	return out, nil
}

// offline finds a tool without contacting its server. If the server is not locked, it is found by name, in
// any naming scheme.
func offline(in *inputs.Servers, name string) (naming.Pair, error) {
	if found := calling.Matching(in, name, slices.Collect(maps.Keys(calling.NamesWith(in, nil)))); len(found) > 0 {
		return calling.OnlyOne(in, name, found)
	}
	err, step := fmt.Errorf("no locked tool is called %q", name), "write server/tool"
	if pair := naming.FindServer(locks.ServerNames(in.Selected()), name); pair.Server != "" {
		l := in.Lock.Servers[pair.Server]
		if l == nil {
			return pair, nil
		}
		if _, ok := l.Tools[pair.Tool]; ok {
			return pair, nil
		}
		err = fmt.Errorf("%s: the server has no tool %q in %s", name, pair.Tool, locks.Name)
		step = "list its tools: mcpgen list " + hint.Word(pair.Server)
	}
	return naming.Pair{}, hint.With(err, calling.MeantTool(in, name), step, "lock it first: mcpgen update")
}

// locate sets the file and the line of the deciding rule.
func locate(project *config.Project, e *Explanation, at policy.Place) error {
	if at.List == "grant" {
		store, err := live.Grants(project)
		if err != nil {
			return err
		}
		e.File = store.Path()
		return nil
	}
	source, ok := workspace.RuleSource(project, at)
	if !ok && at.List != "" {
		return errors.New("policy: mcpgen does not know which file has the rule")
	}
	e.File, e.Line = source.Path, source.Line
	return nil
}

// fixes lists what would allow a tool: for each file with permissions a rule in that file's grammar, and
// the grant that a denial names.
func fixes(st *locks.State, req runtime.Request, said policy.Explanation) []Fix {
	var out []Fix
	for _, file := range st.Project.Rules.Files {
		if file.Format != "" && !slices.Contains(file.Servers, req.Server) {
			continue // its rules allow its own servers
		}
		if rule := policy.RuleFor(file.Grammar, req, st.Names()); rule != "" {
			out = append(out, Fix{Rule: rule, Grammar: file.Grammar, File: file.Path, Key: file.Key})
		}
	}
	if said.Grant == "" {
		return out
	}
	command := policy.GrantCommand(said.Grant, grantFile(st.Project, req.Server), req.Options.Caller)
	return append(out, Fix{Rule: said.Grant, Grammar: said.Grammar, Command: command})
}
