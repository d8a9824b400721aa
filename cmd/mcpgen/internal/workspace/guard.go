package workspace

// This file puts the project's gate, log and secrets before every session, as a
// program does that reads the same configuration.

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/grants"
	"github.com/mcpgen/mcpgen/runtime/policy/keyring"
	"github.com/mcpgen/mcpgen/runtime/policy/secrets"
)

// guard is who may call what in a project, and what is written down of it.
type guard struct {
	policy *policy.Policy
	log    *audit.Log // nil: nothing is written down
	mask   endpoint.Mask
	source policy.SecretSource
}

// guard returns the project's guard, which is made when it is first needed: a
// command that starts no server needs none.
func (w *Workspace) guard() (*guard, error) {
	if w.guarded != nil {
		return w.guarded, nil
	}
	g := &guard{}
	var err error
	if g.source, err = w.SecretSource(); err != nil {
		return nil, fail(ExitUsage, err)
	}
	if a := w.Project.Audit; a != nil {
		g.log, err = audit.Open(a.File, &audit.Options{Arguments: a.Arguments, Key: w.contentKey, Launch: w.launchText, Mask: &g.mask, OnError: w.logFailed(a.File)})
		if err != nil {
			return nil, fail(ExitUsage, fmt.Errorf("the audit log: %w: mend it, or change audit.file in %s", err, w.Project.Path))
		}
	}
	if g.policy, err = w.policy(g.log.Event); err != nil {
		return nil, fail(ExitUsage, errors.Join(err, g.log.Close()))
	}
	w.guarded = g
	return g, nil
}

// logFailed warns once of a log that cannot be written any more.
func (w *Workspace) logFailed(file string) func(error) {
	told := false
	return func(err error) {
		if !told {
			w.opts.Console.Warn("%s: the audit log cannot be written: %v", file, err)
		}
		told = true
	}
}

// policy makes the gate. A project without a policy lets every call through, but
// what was granted to its servers in secrets counts.
func (w *Workspace) policy(onEvent func(runtime.Event)) (*policy.Policy, error) {
	cfg := policy.Config{Mode: policy.Yolo, Servers: w.Names()}
	if w.Project.Policy != nil {
		cfg = *w.Project.Policy
	}
	store, err := w.Grants()
	if err != nil {
		return nil, err
	}
	return policy.New(cfg, &policy.Options{Prompter: w.opts.Console.Prompter(), Grants: store, OnEvent: onEvent})
}

// Grants returns the grants of the project: the user's own, beside no project.
func (w *Workspace) Grants() (*grants.Store, error) {
	root := w.Root
	if root == "" {
		root = "."
	}
	return grants.Open("", root)
}

// SecretSource finds secrets in their order: the environment, the user's file,
// the keyring, the project's command.
func (w *Workspace) SecretSource() (policy.SecretSource, error) {
	file, err := secrets.OpenFile("")
	if err != nil {
		return nil, err
	}
	var command policy.SecretSource
	if argv := w.Project.SecretCommand; len(argv) > 0 {
		command = secrets.Command(w.program(argv)...)
	}
	return policy.FirstOf(secrets.Environment(nil), file.Source(), keyring.Source(), command), nil
}

// program makes the program of a command line relative to the project.
func (w *Workspace) program(argv []string) []string {
	if strings.ContainsAny(argv[0], `/\`) && !filepath.IsAbs(argv[0]) {
		return append([]string{filepath.Join(w.Root, argv[0])}, argv[1:]...)
	}
	return argv
}

// options are what every session of the project is attached with.
func (g *guard) options(o attach.Options) *attach.Options {
	o.Middleware = []runtime.Middleware{g.log.Middleware(), g.policy.Middleware()}
	o.Secrets = g.policy.Secrets(g.source)
	o.Mask = &g.mask
	o.OnEvent = g.log.Event
	return &o
}

// contentKey is the locked content key of a tool.
func (w *Workspace) contentKey(server, tool string) string {
	if l := w.Lock.Servers[server]; l != nil {
		return l.Tools[tool].Key
	}
	return ""
}

// launchText is how a server is started, as it is configured, without secrets.
func (w *Workspace) launchText(server string) string {
	for _, s := range w.Project.Servers {
		if s.Name == server {
			return config.Launch(s)
		}
	}
	return ""
}

// Close ends what the commands of this workspace opened.
func (w *Workspace) Close() error {
	if w.guarded == nil {
		return nil
	}
	return w.guarded.log.Close()
}
