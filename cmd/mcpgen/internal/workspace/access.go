package workspace

// This file says for the pages who may call what, as far as the configuration says it.

import (
	"cmp"
	"path/filepath"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
)

// item changes what is known of an item.
func item(f *generator.Facts, id generator.ItemID, change func(*generator.ItemFacts)) {
	known := f.Items[id]
	change(&known)
	if f.Items == nil {
		f.Items = map[generator.ItemID]generator.ItemFacts{}
	}
	f.Items[id] = known
}

// policyFacts are what the configuration says of who may call what. What a person
// granted beside it counts on that person's machine alone.
func (w *Workspace) policyFacts(snapshots map[string]*schema.Snapshot) (generator.Facts, error) {
	var facts generator.Facts
	cfg := w.Project.Policy
	if cfg == nil {
		return facts, nil
	}
	gate, err := policy.New(*cfg, nil)
	if err != nil {
		return facts, err
	}
	facts.Policy = policyWords(gate.Mode())
	for server, s := range snapshots {
		for it := range s.Items() {
			if it.Kind == schema.KindTemplate {
				continue // which addresses are made of it is known at run time
			}
			said := gate.Explain(runtime.Request{Server: server, Method: methodOf(it.Kind), Name: it.Name})
			access := generator.Access{Rule: said.Rule, File: w.ruleFile(said.Place)}
			access.Decision, access.Reason = decided(said)
			item(&facts, generator.ItemID{Server: server, Kind: string(it.Kind), Name: it.Name}, func(f *generator.ItemFacts) { f.Access = access })
		}
	}
	return facts, nil
}

// policyWords say what a mode does.
func policyWords(m policy.Mode) string {
	switch m {
	case policy.Ask:
		return "Mode ask: a person is asked about a call that no rule allows or denies."
	case policy.Yolo:
		return "Mode yolo: a call that no rule denies is allowed."
	}
	return "Mode enforce: a call that no rule allows is denied."
}

// ruleFile is the file of a rule, relative to the project; "" if it is not known.
func (w *Workspace) ruleFile(at policy.Place) string {
	source, ok := w.ruleSource(at)
	if !ok {
		return ""
	}
	file := source.Path
	if rel, err := filepath.Rel(w.Root, cmp.Or(absolute(file), file)); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(file) // where it lies is the business of one machine
}

func absolute(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	return abs
}
