package judge

// This file asks package drift what a difference means, and bounds the time that
// the answer may take: a server decides how hard the question is.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// The bounds of judging. What is beyond them counts as changed, or, of new
// tools, as new: nothing is let through that was not looked at.
const (
	DefaultToolLimit    = 250 * time.Millisecond // one tool
	DefaultListingLimit = 5 * time.Second        // all tools of a listing
	maxDefinition       = 1 << 20                // bytes of a definition that is looked into
	maxNew              = 256                    // new tools that are looked into
)

// Options say how differences are judged. The zero value judges for a caller.
type Options struct {
	Drift        drift.Options // profile, overrides, accepted changes, tools of other servers
	ToolLimit    time.Duration // 0 is DefaultToolLimit
	ListingLimit time.Duration // 0 is DefaultListingLimit
}

// compareAll judges tools whose definition is not the pinned one.
func (s *Surface) compareAll(differ []schema.Item, o Options) map[string]Verdict {
	verdicts := make(map[string]Verdict, len(differ))
	if len(differ) == 0 {
		return verdicts
	}
	deadline := time.Now().Add(cmp.Or(o.ListingLimit, DefaultListingLimit))
	limit := cmp.Or(o.ToolLimit, DefaultToolLimit)
	work := make(chan schema.Item)
	var (
		mu      sync.Mutex
		workers sync.WaitGroup
	)
	for range min(runtime.GOMAXPROCS(0), len(differ)) {
		workers.Go(func() {
			for item := range work {
				left := min(limit, time.Until(deadline))
				v := within(left, late(left), func() Verdict { return s.compare(item, o) })
				mu.Lock()
				verdicts[item.Name] = v
				mu.Unlock()
			}
		})
	}
	for _, item := range differ {
		work <- item
	}
	close(work)
	workers.Wait()
	return verdicts
}

// late is the verdict about what took too long.
func late(limit time.Duration) Verdict {
	return Verdict{State: Changed, Rule: RuleChanged, Message: fmt.Sprintf("the definition differs, and it could not be decided within %v whether that is safe", max(limit, 0).Round(time.Millisecond))}
}

// within returns what f returns, or otherwise if that takes too long. F is
// bounded by itself, if more loosely, so that what is left behind ends.
func within[T any](limit time.Duration, otherwise T, f func() T) T {
	if limit <= 0 {
		return otherwise
	}
	done := make(chan T, 1)
	go func() { done <- f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case got := <-done:
		return got
	case <-timer.C:
		return otherwise
	}
}

// compare judges one tool.
func (s *Surface) compare(item schema.Item, o Options) Verdict {
	p := s.tools[item.Name]
	contract, err := schema.ContractHash(schema.KindTool, item.Raw)
	switch {
	case err != nil:
		return Verdict{State: Security, Rule: "definition-invalid", Message: "the definition can not be read"}
	case p.Definition == nil && contract == p.contract:
		return Verdict{State: Verified}
	case p.Definition == nil:
		return Verdict{State: Changed, Rule: RuleChanged, Message: "the contract is not the pinned one"}
	case len(item.Raw) > maxDefinition:
		return Verdict{State: Changed, Rule: RuleChanged, Message: fmt.Sprintf("the definition differs, and is larger than the %d bytes that are looked into", maxDefinition)}
	}
	opts := o.Drift
	report := drift.Compare(s.snapshot(p.item()), s.snapshot(item), &opts)
	return verdictOf(report, item.Name, contract == p.contract)
}

func (p *pinned) item() schema.Item {
	return schema.Item{Kind: schema.KindTool, Name: p.Name, Raw: p.Definition}
}

func (s *Surface) snapshot(tools ...schema.Item) *schema.Snapshot {
	return &schema.Snapshot{Server: s.server, Tools: tools}
}

// verdictOf sums up what was found out about one tool.
func verdictOf(report *drift.Report, tool string, sameContract bool) Verdict {
	worst := Verdict{State: Compatible}
	if sameContract {
		worst.State = Verified
	}
	for _, c := range changesOf(report, tool) {
		state := stateOf(c)
		if state == "" || worst.State == Security || worst.State == Changed && (state != Security && (worst.Witness != nil || c.Witness == nil)) {
			continue
		}
		worst = Verdict{State: state, Rule: c.Rule, Path: c.Path, Message: c.Message, Witness: c.Witness}
	}
	return worst
}

// changesOf returns the changes of one tool.
func changesOf(report *drift.Report, tool string) []drift.Change {
	var changes []drift.Change
	for _, server := range report.Servers {
		for _, c := range server.Changes {
			if c.Kind == drift.KindTool && c.Name == tool {
				changes = append(changes, c)
			}
		}
	}
	return changes
}

// stateOf returns the state that a change alone leads to; "" if it leads to none.
func stateOf(c drift.Change) State {
	switch {
	case c.Class == drift.ClassSecurity && c.Severity == drift.Breaking:
		return Security
	case c.Severity.AtLeast(drift.Unknown):
		return Changed
	}
	return ""
}

// shape judges tools that are gone and tools that are new, together: one may be
// the other under a new name, and a new name may be made to be mistaken for
// another one.
func (s *Surface) shape(gone []string, added []schema.Item, o Options) map[string]Verdict {
	verdicts := make(map[string]Verdict, len(gone)+len(added))
	for _, name := range gone {
		verdicts[name] = Verdict{State: Missing, Rule: RuleRemoved, Message: "the tool is gone"}
	}
	var small []schema.Item
	for _, item := range added {
		verdicts[item.Name] = Verdict{State: New, Rule: RuleAdded, Message: "a new tool"}
		if len(item.Raw) <= maxDefinition && len(small) < maxNew {
			small = append(small, item)
		}
	}
	if len(gone)+len(small) == 0 {
		return verdicts
	}
	report := within(cmp.Or(o.ToolLimit, DefaultToolLimit), nil, func() *drift.Report {
		before, after := s.outline(gone, small)
		opts := o.Drift
		return drift.Compare(before, after, &opts)
	})
	if report == nil {
		return verdicts
	}
	for name, v := range verdicts {
		for _, c := range changesOf(report, name) {
			switch {
			case v.State == New && stateOf(c) == Security:
				verdicts[name] = Verdict{State: Security, Rule: c.Rule, Path: c.Path, Message: c.Message}
			case v.State == Missing && c.Rule == "tool-renamed":
				verdicts[name] = Verdict{State: Missing, Rule: c.Rule, Path: c.Path, Message: c.Message}
			}
		}
	}
	return verdicts
}

// outline makes snapshots in which only the tools that are gone or new differ;
// of all others the name alone counts.
func (s *Surface) outline(gone []string, added []schema.Item) (before, after *schema.Snapshot) {
	before, after = s.snapshot(), s.snapshot()
	left := map[string]bool{}
	for _, name := range gone {
		left[name] = true
	}
	for name, p := range s.tools {
		if left[name] {
			if p.Definition == nil {
				p = &pinned{Pinned: Pinned{Name: name, Definition: nameOnly(name)}}
			}
			before.Tools = append(before.Tools, p.item())
			continue
		}
		stub := schema.Item{Kind: schema.KindTool, Name: name, Raw: nameOnly(name)}
		before.Tools, after.Tools = append(before.Tools, stub), append(after.Tools, stub)
	}
	after.Tools = append(after.Tools, added...)
	before.Sort()
	after.Sort()
	return before, after
}

func nameOnly(name string) json.RawMessage {
	raw, err := json.Marshal(map[string]string{"name": name})
	if err != nil {
		return json.RawMessage("{}") // a string always has a JSON form
	}
	return raw
}
