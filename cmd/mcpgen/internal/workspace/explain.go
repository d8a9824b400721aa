package workspace

// This file says what the gate decides about a call, and what would allow it.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Explanation is the gate's decision about a tool.
type Explanation struct {
	Server   string `json:"server"`
	Tool     string `json:"tool"`
	Decision string `json:"decision"`       // allowed, denied or ask
	Rule     string `json:"rule,omitempty"` // the one that decided
	Kind     string `json:"kind,omitempty"` // allow, deny or grant: what the rule is
	File     string `json:"file,omitempty"` // of the rule
	Line     int    `json:"line,omitempty"` // 0 if unknown
	Reason   string `json:"reason"`
	// Fixes are what would allow the call, each one by itself. A rule that denies
	// has to be changed first.
	Fixes []Fix `json:"fixes,omitempty"`
}

// Fix is a rule that would allow a call.
type Fix struct {
	Rule    string         `json:"rule"`
	Grammar policy.Grammar `json:"grammar"`
	File    string         `json:"file,omitempty"`    // where it would have to stand
	Key     string         `json:"key,omitempty"`     // in it
	Command string         `json:"command,omitempty"` // what adds it for the user alone
}

// Explain asks the gate about a call, by the name that call takes. No server is
// started: a qualified name has to be in the lock, and server/tool need not be.
func (w *Workspace) Explain(name string, args json.RawMessage) (*Explanation, error) {
	pair, err := w.offline(name)
	if err != nil {
		return nil, err
	}
	gate, err := live.Policy(w.Project, nil)
	if err != nil {
		return nil, err
	}
	req := runtime.Request{Server: pair.Server, Method: runtime.MethodCallTool, Name: pair.Tool, Args: args}
	said := gate.Explain(req)
	out := &Explanation{Server: pair.Server, Tool: pair.Tool, Rule: said.Rule, Kind: said.Place.List}
	out.Decision, out.Reason = decided(said)
	if w.Project.Policy == nil && said.Rule == "" {
		out.Reason = "there is no policy"
	}
	if err := w.locate(out, said.Place); err != nil {
		return nil, err
	}
	if !said.Allowed && said.Place.List != "deny" {
		out.Fixes = w.fixes(req)
	}
	return out, nil
}

// What the gate decides, in an [Explanation] and a [Need].
const (
	decisionAllowed = "allowed"
	decisionDenied  = "denied"
	decisionAsk     = "ask" // a person decides
)

// decided is a decision of the gate and its reason, in words.
func decided(e policy.Explanation) (decision, reason string) {
	switch {
	case e.Allowed:
		return decisionAllowed, e.Reason
	case e.Asked:
		return decisionAsk, e.Reason
	}
	return decisionDenied, e.Reason
}

// offline finds a tool without asking its server.
func (w *Workspace) offline(name string) (naming.Pair, error) {
	if found := w.matching(name, slices.Collect(maps.Keys(w.namesWith(nil)))); len(found) > 0 {
		return w.onlyOne(name, found)
	}
	for _, s := range w.Selected() {
		if tool, ok := strings.CutPrefix(name, s.Name+"/"); ok && tool != "" {
			return naming.Pair{Server: s.Name, Tool: tool}, nil
		}
	}
	return naming.Pair{}, fmt.Errorf("no locked tool is called %q: %swrite server/tool, or run mcpgen update first", name, w.meantTool(name))
}

// locate fills in the file and the line of the rule that decided.
func (w *Workspace) locate(e *Explanation, at policy.Place) error {
	if at.List == "grant" {
		store, err := live.Grants(w.Project)
		if err != nil {
			return err
		}
		e.File = store.Path()
		return nil
	}
	source, ok := w.ruleSource(at)
	if !ok && at.List != "" {
		return errors.New("policy: the position of the rule is not known")
	}
	e.File, e.Line = source.Path, source.Line
	return nil
}

// ruleSource is the position of a rule of the configuration.
func (w *Workspace) ruleSource(at policy.Place) (source endpoint.Source, ok bool) {
	list := map[string][]endpoint.Source{"allow": w.Project.Rules.Allow, "deny": w.Project.Rules.Deny}[at.List]
	if at.Index >= len(list) {
		return source, false
	}
	return list[at.Index], true
}

// fixes lists what would allow a tool: a rule in each file that says who may call
// what, in that file's grammar, and a grant.
func (w *Workspace) fixes(req runtime.Request) []Fix {
	var out []Fix
	for _, file := range w.Project.Rules.Files {
		if rule := policy.RuleFor(file.Grammar, req, w.Names()); rule != "" {
			out = append(out, Fix{Rule: rule, Grammar: file.Grammar, File: file.Path, Key: file.Key})
		}
	}
	rule := policy.RuleFor(policy.GrammarOwn, req, w.Names())
	return append(out, Fix{Rule: rule, Grammar: policy.GrammarOwn, Command: policy.GrantCommand(rule, w.grantFile(req.Server))})
}
