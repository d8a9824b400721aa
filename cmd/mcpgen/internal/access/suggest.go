package access

// This file determines the permissions that the project needs: for the calls in its code, and those in
// its audit log.

import (
	"cmp"
	"context"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/logs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// SuggestOptions are the flags of policy suggest.
type SuggestOptions struct {
	Grammar policy.Grammar // "" is the grammar of the file with the permissions
	Denied  bool           // include calls that were always denied
}

// Suggestion is the smallest list of rules that allows the needed calls.
type Suggestion struct {
	Grammar policy.Grammar `json:"grammar"`
	File    string         `json:"file,omitempty"` // the file for the rules
	Key     string         `json:"key,omitempty"`  // the key in the file
	Needs   []Need         `json:"needs"`
	// Denied are logged calls that were always denied and that no line of the code makes: a person decides
	// whether they are needed.
	Denied []Need          `json:"denied,omitempty"`
	Unseen []report.Unseen `json:"unseen,omitempty"` // parts of the module that could not be searched
}

// Need is an item that is called, with the rule for it.
type Need struct {
	Server string `json:"server"` // "" for a native tool
	Method string `json:"method"`
	Name   string `json:"name"`
	// Rule is "" if the grammar has no rule for the item. No grammar has a rule for an address that is built
	// at run time.
	Rule      string           `json:"rule,omitempty"`
	CallSites []drift.CallSite `json:"callSites,omitempty"`
	Calls     int              `json:"calls,omitempty"`   // number of logged calls, without denied ones
	Refused   int              `json:"refused,omitempty"` // calls that the gate denied
	Decision  string           `json:"decision"`          // the current one: allowed, denied or ask
	Reason    string           `json:"reason"`
	DeniedBy  string           `json:"deniedBy,omitempty"` // the rule that denies it, regardless of rules that allow
	template  bool
}

// Allowed reports whether the current rules allow the item.
func (n Need) Allowed() bool { return n.Decision == workspace.DecisionAllowed }

// Missing returns the needs of the code that the rules do not allow. Addresses that are built at run time
// are ignored.
func (s *Suggestion) Missing() []Need {
	return slices.DeleteFunc(slices.Clone(s.Needs), func(n Need) bool {
		return len(n.CallSites) == 0 || n.Allowed() || n.template
	})
}

// Suggest collects the calls of the module and of the audit log. No server is started. The error is
// ctx's, or that of an unreadable policy or log; parts of the module that cannot be searched are in the
// result.
func Suggest(ctx context.Context, in *inputs.Servers, o SuggestOptions) (*Suggestion, error) {
	out := &Suggestion{Needs: []Need{}}
	grammarFor(in.Project, out, o.Grammar)
	uses, unseen, err := workspace.Uses(ctx, in)
	if err != nil {
		return nil, err
	}
	out.Unseen = unseen
	gate, err := live.Policy(in.Project, nil)
	if err != nil {
		return nil, err
	}
	all := needs{}
	for _, u := range uses {
		n := all.of(u.Server, workspace.MethodOf(u.Kind), u.Item)
		n.CallSites, n.template = u.Sites, u.Kind == schema.KindTemplate
	}
	if err := logged(in.Project, all); err != nil {
		return nil, err
	}
	for _, n := range all {
		req := runtime.Request{Server: n.Server, Method: n.Method, Name: n.Name}
		said := gate.Explain(req)
		n.Decision, n.Reason = workspace.Decided(said)
		if said.Place.List == "deny" {
			n.DeniedBy = said.Rule
		}
		if !n.template {
			n.Rule = policy.RuleFor(out.Grammar, req, in.Names())
		}
		if len(n.CallSites) == 0 && n.Calls == 0 && !o.Denied {
			out.Denied = append(out.Denied, *n)
			continue
		}
		out.Needs = append(out.Needs, *n)
	}
	slices.SortFunc(out.Needs, byItem)
	slices.SortFunc(out.Denied, byItem)
	return out, nil
}

// grammarFor determines how rules are written, and in which file.
func grammarFor(project *config.Project, s *Suggestion, wanted policy.Grammar) {
	rules := project.Rules
	s.Grammar = wanted
	for _, file := range rules.Files {
		if s.Grammar == "" || s.Grammar == file.Grammar {
			s.Grammar, s.File, s.Key = file.Grammar, file.Path, file.Key
			return
		}
	}
	s.Grammar = cmp.Or(s.Grammar, rules.Granted, policy.GrammarOwn)
	if s.Grammar == policy.GrammarOwn {
		s.File, s.Key = project.Path, "policy.allow"
	}
}

// needs are items by server, method and name.
type needs map[[3]string]*Need

func (n needs) of(server, method, name string) *Need {
	id := [3]string{server, method, name}
	if n[id] == nil {
		n[id] = &Need{Server: server, Method: method, Name: name}
	}
	return n[id]
}

func byItem(a, b Need) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Name, b.Name))
}

// logged adds the calls of the audit log. A project without a log has none. Calls of unknown tools are
// ignored: a caller may have made up the name.
func logged(project *config.Project, all needs) error {
	if project.Audit == nil {
		return nil
	}
	native, err := workspace.NativeSpecs(project)
	if err != nil {
		return err
	}
	isNative := func(name string) bool {
		return slices.ContainsFunc(native, func(s runtime.Spec) bool { return s.Name == name })
	}
	_, err = logs.ReadAudit(project.Audit.File, audit.Filter{Kinds: []string{audit.KindCall}}, func(r audit.Record) error {
		method := cmp.Or(r.Method, protocol.MethodCallTool)
		switch method {
		case protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource:
		default:
			return nil
		}
		if r.Server == "" && !isNative(r.Tool) {
			return nil
		}
		if n := all.of(r.Server, method, r.Tool); r.Decision == audit.Denied {
			n.Refused++
		} else {
			n.Calls++
		}
		return nil
	})
	return err
}
