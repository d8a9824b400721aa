package workspace

// This file is what the command policy works with: the rules of the project, and
// what its user granted beside them.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os/user"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/grants"
)

// Permissions are who may call what in a project.
type Permissions struct {
	Mode    policy.Mode         `json:"mode"` // yolo without a policy
	Policy  bool                `json:"policy"`
	Allow   []string            `json:"allow"`
	Deny    []string            `json:"deny"`
	Secrets []policy.SecretRule `json:"secrets"`
	Grants  []policy.Grant      `json:"grants"`
	Skipped []string            `json:"skipped,omitempty"` // rules of other systems about other things
}

// Permissions returns the rules and the grants. What cannot mean anything is an
// error, as it is when a server is attached.
func (w *Workspace) Permissions() (*Permissions, error) {
	store, err := live.Grants(w.Project)
	if err != nil {
		return nil, err
	}
	out := &Permissions{Mode: policy.Yolo, Policy: w.Project.Policy != nil, Allow: []string{}, Deny: []string{}, Secrets: []policy.SecretRule{}, Grants: []policy.Grant{}}
	if cfg := w.Project.Policy; cfg != nil {
		out.Allow, out.Deny, out.Secrets = append(out.Allow, cfg.Allow...), append(out.Deny, cfg.Deny...), append(out.Secrets, cfg.Secrets...)
	}
	granted, err := store.Grants()
	if err != nil {
		return nil, err
	}
	out.Grants = append(out.Grants, granted...)
	p, err := live.Policy(w.Project, nil)
	if err != nil {
		return nil, err
	}
	out.Mode, out.Skipped = p.Mode(), p.Skipped()
	return out, nil
}

// secretWord is what a grant of a secret begins with on the command line.
const secretWord = "secret:"

// GrantOptions are the flags of policy grant.
type GrantOptions struct {
	Args  string // the one object of arguments that is allowed; "" is any
	Label string // of a secret
	Tool  string // of a secret; "" is every server
}

// GrantRule grants a rule, or a secret as secret:<name>, to the user of this
// project, or of each agent manifest that is used without one, and returns what was
// granted.
func (w *Workspace) GrantRule(text string, o GrantOptions) (policy.Grant, error) {
	g := policy.Grant{Rule: text, Time: time.Now().UTC().Truncate(time.Second), By: userName()}
	name, secret := strings.CutPrefix(text, secretWord)
	switch {
	case secret && o.Args != "":
		return g, errors.New("--args is about calls: a secret has none")
	case secret:
		tool := o.Tool
		if tool == "" {
			tool = "*"
		}
		g.Rule, g.Secret = "", &policy.SecretRule{Label: o.Label, Secret: name, Tool: tool}
	case o.Label != "" || o.Tool != "":
		return g, errors.New("--label and --tool are about secrets: grant secret:<name>")
	case o.Args != "":
		g.Scope = &policy.Scope{Version: 1, Arguments: policy.Arguments{Allow: json.RawMessage(o.Args)}}
	}
	check, err := policy.New(policy.Config{Servers: w.Names()}, nil)
	if err == nil {
		err = check.Grant(g)
	}
	if err != nil {
		return g, err
	}
	store, err := live.Grants(w.Project)
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

// grantFile is what --mcp has to name for a grant to count for a server: its agent
// manifest, or what this project was opened by; "" is a project with an mcpgen.yaml.
func (w *Workspace) grantFile(server string) string {
	if w.Project.Policy == nil {
		return ""
	}
	return cmp.Or(w.Project.Policy.GrantFiles[server], w.Project.Policy.MCP)
}

// RevokeRule takes a grant back, with every scope that it has, and returns what
// was taken.
func (w *Workspace) RevokeRule(text string) ([]policy.Grant, error) {
	store, err := live.Grants(w.Project)
	if err != nil {
		return nil, err
	}
	removed, err := store.Remove(func(g policy.Grant) bool { return GrantText(g) == text })
	if errors.Is(err, grants.ErrNotGranted) {
		err = fmt.Errorf("%w: %q: run mcpgen policy list; a rule in %s is removed by editing it", err, text, cmp.Or(w.Project.Path, "a file"))
	}
	return removed, err
}

// GrantText is how a grant is named on the command line.
func GrantText(g policy.Grant) string {
	if g.Secret != nil {
		return secretWord + g.Secret.Secret
	}
	return g.Rule
}

// userName is who grants; "" if the system does not tell.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
