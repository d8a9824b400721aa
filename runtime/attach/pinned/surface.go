// The effect of a live listing of tools on code that was generated against an earlier
// one, tool by tool. A tool whose hash is the pinned one needs no proof; the prover
// judges the others.

package pinned

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// The rules of verdicts that this package gives without a prover.
const (
	ruleChanged = "contract-changed" // not classified
	rulePending = "contract-pending" // not classified yet
)

// reworded is the message of a tool with the pinned contract and another definition.
const reworded = "only texts differ from the locked definition, and models read the locked texts"

// The bounds of a prover's input. A definition beyond them counts as changed, a new
// tool as new: only reviewed definitions are allowed.
const (
	maxDefinition = 1 << 20 // bytes of a definition
	maxNew        = 256     // new tools of a listing; together they have at most maxDefinition bytes
)

// pinnedItem is one item that code was generated against. Its Raw is nil if the
// definition is unknown: then hashes alone decide.
type pinnedItem struct {
	schema.Item
	pin      string // contract hash of a tool; "" if no code calls it
	full     string // hashes, by this version; "" if the definition is unknown or unreadable
	contract string
}

// surface holds what one server offered when code was generated.
type surface struct {
	server       string
	tools        map[string]*pinnedItem
	items        map[string]schema.Item // of the tools
	instructions string
	protocol     string
	capabilities json.RawMessage
	client       endpoint.Offers
	others       map[contractOfKind]*pinnedItem // prompts, resources and templates
	asking       asking
}

// newSurface hashes the tools. Of several with one name, the first counts.
func newSurface(server string, tools []pinnedItem) *surface {
	s := &surface{server: server, tools: make(map[string]*pinnedItem, len(tools)), items: make(map[string]schema.Item, len(tools))}
	for _, t := range tools {
		if s.tools[t.Name] == nil {
			t.contract = t.pin
			s.tools[t.Name], s.items[t.Name] = t.hashed(), t.Item
		}
	}
	return s
}

// hashed returns the item with the hashes of its definition.
func (p pinnedItem) hashed() *pinnedItem {
	if p.Raw != nil {
		p.full, _ = schema.FullHash(p.Raw) // "" equals nothing
		if hash, err := schema.ContractHash(p.Kind, p.Raw); err == nil {
			p.contract = hash
		}
	}
	return &p
}

// asking is how differences are judged.
type asking struct {
	prover Prover              // nil: hashes alone decide
	others map[string][]string // see [Comparison]
	steps  int                 // see [Comparison]; tools that take more are pending
}

// The bounds of what is judged before a listing is shown. They are counts, so that
// the same tools are judged on every machine.
const (
	quickSteps   = 20_000    // of one tool
	quickListing = 1_000_000 // steps of a listing
	quickTools   = 250       // of a listing
	quickBytes   = 4 << 20   // of their definitions
)

// quick returns how many of the differing tools are judged before the listing is
// shown, and the steps for each.
func quick(differ []schema.Item) (tools, steps int) {
	bytes := 0
	for tools < min(len(differ), quickTools) && bytes <= quickBytes {
		bytes += len(differ[tools].Raw)
		tools++
	}
	return tools, min(quickSteps, quickListing/max(tools, 1))
}

// compare judges each tool of a listing, and each missing tool. Before are the
// verdicts of an earlier listing, which are kept for definitions that did not change;
// nil means none.
func (s *surface) compare(ctx context.Context, live []schema.Item, before map[string]attach.Judged, a asking) map[string]attach.Judged {
	verdicts := make(map[string]attach.Judged, len(live))
	var differ, added []schema.Item
	for _, item := range live {
		p, old := s.tools[item.Name], before[item.Name]
		switch {
		case p == nil:
			added = append(added, item)
		case old.Raw != nil && old.State != attach.Pending && string(old.Raw) == string(item.Raw):
			verdicts[item.Name] = old
		case p.same(item.Raw):
			verdicts[item.Name] = attach.Judged{Verdict: verdictOf(item.Name, attach.Verified, "", "")}
		default:
			differ = append(differ, item)
		}
	}
	tools := len(differ)
	if a.prover != nil {
		tools, a.steps = quick(differ)
	}
	for _, v := range s.changed(ctx, differ[:tools], a) {
		verdicts[v.Name] = attach.Judged{Verdict: v}
	}
	for _, item := range differ[tools:] {
		verdicts[item.Name] = attach.Judged{Verdict: pendingVerdict(item.Name)}
	}
	var gone []string
	for name, p := range s.tools {
		if _, ok := verdicts[name]; !ok && p.pin != "" {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	for name, v := range s.moved(ctx, gone, added, a) {
		verdicts[name] = attach.Judged{Verdict: v}
	}
	for _, item := range live {
		v := verdicts[item.Name]
		v.Raw = item.Raw
		verdicts[item.Name] = v
	}
	for name, p := range s.tools {
		if v, ok := verdicts[name]; ok {
			v.Pin = p.pin
			verdicts[name] = v
		}
	}
	return verdicts
}

// same reports whether a definition is the pinned one.
func (p *pinnedItem) same(raw json.RawMessage) bool {
	if p.full == "" {
		return false
	}
	hash, err := schema.FullHash(raw)
	return err == nil && hash == p.full
}

func verdictOf(tool string, state attach.ToolState, rule, message string) attach.Verdict {
	return attach.Verdict{Kind: schema.KindTool, Name: tool, State: state, Rule: rule, Message: message}
}

func pendingVerdict(tool string) attach.Verdict {
	return verdictOf(tool, attach.Pending, rulePending, "the definition differs and is being judged")
}

// changed judges tools whose definition is not the pinned one, several at the same
// time.
func (s *surface) changed(ctx context.Context, differ []schema.Item, a asking) []attach.Verdict {
	verdicts := make([]attach.Verdict, len(differ))
	_ = parallel.Each(context.WithoutCancel(ctx), len(differ), func(i int) error { // each gets a verdict, also when ctx has ended
		verdicts[i] = s.changedItem(ctx, s.tools[differ[i].Name], differ[i], a)
		return nil
	})
	return verdicts
}

// changedItem judges one item whose definition is not the pinned one.
func (s *surface) changedItem(ctx context.Context, p *pinnedItem, item schema.Item, a asking) attach.Verdict {
	verdict := func(state attach.ToolState, rule, message string) attach.Verdict {
		return attach.Verdict{Kind: item.Kind, Name: item.Name, State: state, Rule: rule, Message: message}
	}
	contract, err := schema.ContractHash(item.Kind, item.Raw)
	same := err == nil && contract == p.contract
	byHash := verdict(attach.Changed, ruleChanged, "the contract differs from the locked one")
	if same {
		byHash = verdict(attach.Verified, "", "")
		if p.full != "" {
			byHash.Reworded, byHash.Message = true, reworded
		}
	}
	switch {
	case err != nil:
		return verdict(attach.Security, ruleid.DefinitionInvalid, "the definition cannot be read")
	case a.prover == nil || p.Raw == nil:
		return byHash
	case len(item.Raw) > maxDefinition:
		return verdict(attach.Changed, ruleChanged, fmt.Sprintf("the definition differs, and is larger than the %d bytes that can be judged", maxDefinition))
	}
	c := Comparison{Pinned: s.snapshot(p.Item), Live: s.snapshot(item), Others: a.others, Steps: a.steps}
	found, err := a.prover.Judge(ctx, c)
	switch {
	case err != nil && a.steps > 0:
		return pendingVerdict(item.Name)
	case err != nil:
		return verdict(attach.Changed, ruleChanged, "the definition differs, and mcpgen could not decide whether calls still fit")
	}
	for _, v := range found {
		if v.Kind != item.Kind || v.Name != item.Name {
			continue
		}
		if v.State == attach.Compatible && same {
			return byHash
		}
		return v
	}
	return byHash
}

func (s *surface) snapshot(items ...schema.Item) *schema.Snapshot {
	snap := &schema.Snapshot{Server: s.server}
	for _, item := range items {
		list := snap.List(item.Kind)
		*list = append(*list, item)
	}
	return snap
}

// moved judges missing tools and new tools together: a new tool may be a missing one
// under another name, or its name may imitate another one.
func (s *surface) moved(ctx context.Context, gone []string, added []schema.Item, a asking) map[string]attach.Verdict {
	verdicts := make(map[string]attach.Verdict, len(gone)+len(added))
	for _, name := range gone {
		verdicts[name] = verdictOf(name, attach.Missing, ruleid.ToolRemoved, "the tool is gone")
	}
	var small []schema.Item
	room := maxDefinition
	for _, item := range added {
		verdicts[item.Name] = verdictOf(item.Name, attach.New, ruleid.ToolAdded, "a new tool")
		if room -= len(item.Raw); room >= 0 && len(small) < maxNew {
			small = append(small, item)
		}
	}
	if a.prover == nil || len(gone)+len(small) == 0 {
		return verdicts
	}
	before, after := s.outline(gone, small)
	found, err := a.prover.Judge(ctx, Comparison{Pinned: before, Live: after, Others: a.others})
	if err != nil {
		return verdicts
	}
	for _, v := range found {
		old, asked := verdicts[v.Name]
		if asked && v.Kind == schema.KindTool && (old.State == attach.New && v.State == attach.Security || old.State == attach.Missing && v.State == attach.Missing && v.Rule != "") {
			verdicts[v.Name] = v
		}
	}
	return verdicts
}

// outline returns snapshots in which only the missing and the new tools differ; all
// others have only their names.
func (s *surface) outline(gone []string, added []schema.Item) (before, after *schema.Snapshot) {
	before, after = s.snapshot(), s.snapshot()
	for name, p := range s.tools {
		raw, _ := json.Marshal(map[string]string{"name": name}) // a text can be written
		stub := schema.Item{Kind: schema.KindTool, Name: name, Raw: raw}
		switch _, left := slices.BinarySearch(gone, name); {
		case left && p.Raw != nil:
			before.Tools = append(before.Tools, p.Item)
		case left:
			before.Tools = append(before.Tools, stub)
		default:
			before.Tools, after.Tools = append(before.Tools, stub), append(after.Tools, stub)
		}
	}
	after.Tools = append(after.Tools, added...)
	before.Sort()
	after.Sort()
	return before, after
}
