// Judging a listing, and deciding which calls it allows.

package attach

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// The rules of verdicts that this package gives itself.
const (
	ruleChanged   = "contract-changed" // not classified
	ruleUnchecked = "unchecked"
	ruleUnlisted  = "tool-unlisted"
	ruleFlapping  = "surface-flapping"
	ruleUnoffered = "unoffered"
)

// judgement is the judgement of a listing. The zero value, which only tests use, is
// the judgement for a server without a manifest.
type judgement struct {
	mode     DriftMode
	log      *slog.Logger
	pinned   Pinned            // nil: no manifest
	needs    []string          // capabilities declared when code was generated, and not declared now
	verdicts map[string]Judged // of listed and missing tools; nil: not judged
	others   []*toolIndex      // the other surfaces that the server alternates between
	logged   sync.Map          // in mode warn: the drift that was logged
}

// knows reports whether the manifest has a tool.
func (j *judgement) knows(tool string) bool {
	_, known := j.pinned.Tools()[tool]
	return known
}

// lister lists and judges what servers offer.
type lister struct {
	settings settings
	pins     sync.Map // string → func() Pinned: what was pinned of each server
}

// pinned returns the manifest of a server, read at the first use; nil if there is
// none.
func (l *lister) pinned(server string) Pinned {
	if l.settings.Judge == nil {
		return nil
	}
	read, _ := l.pins.LoadOrStore(server, sync.OnceValue(func() Pinned { return l.settings.Judge.Pinned(server) }))
	return read.(func() Pinned)()
}

// judge judges a listing of a server, after attach, restart, reconnect and each new
// listing, before the session uses it for calls. No other goroutine has x yet, so it
// is filled without locks; listings of one server are judged one after the other.
// Tools that cannot be decided quickly are left pending: see prove.
func (l *lister) judge(s *serverState, x *toolIndex) {
	server := s.server.Name
	x.mode, x.log, x.pinned = l.settings.Drift, l.settings.log, l.pinned(server)
	if x.pinned == nil || x.mode == DriftOff {
		return
	}
	s.mu.Lock()
	before := s.surfaces.verdictsOf(x)
	s.mu.Unlock()
	live := make([]schema.Item, 0, len(x.items))
	for _, name := range slices.Sorted(maps.Keys(x.items)) { // the server's order does not decide what is pending
		live = append(live, x.items[name].item)
	}
	declares, _ := l.settings.offers(s.server)
	x.needs = x.pinned.Declared().Beyond(declares)
	x.verdicts = x.pinned.Compare(s.life, live, before)
	for name, v := range x.verdicts {
		if x.needs != nil && v.State == Missing && v.Rule == ruleid.ToolRemoved { // and not renamed
			v.Verdict = x.gone(schema.KindTool, name)
			x.verdicts[name] = v
		}
	}
	s.mu.Lock()
	s.surfaces.follow(x)
	s.mu.Unlock()
	x.judgeProblems(server)
}

// judged returns the same listing with other verdicts.
func (x *toolIndex) judged(server string, verdicts map[string]Judged) *toolIndex {
	again := &toolIndex{items: x.items, listing: x.listing, found: x.found, taken: x.taken,
		judgement: judgement{mode: x.mode, log: x.log, pinned: x.pinned, needs: x.needs, verdicts: verdicts, others: x.others}}
	again.judgeProblems(server)
	return again
}

// judgeProblems sets the problems: the problems of the listing, and tools that
// generated code calls but that may not be called.
func (x *toolIndex) judgeProblems(server string) {
	x.problems = slices.Clone(x.found)
	for _, name := range x.known() {
		if v := x.verdict(name); v.Pin != "" && v.State != Unoffered && !DriftCompatible.allows(v.State) {
			x.problems = append(x.problems, schema.Problem{Kind: schema.KindTool, Name: name, Reason: driftError(server, name, v.Verdict).Error()})
		}
	}
}

// known returns the names of listed and missing tools, sorted.
func (x *toolIndex) known() []string {
	names := x.items.names()
	names = slices.AppendSeq(names, maps.Keys(x.verdicts))
	for _, other := range x.others {
		names = slices.AppendSeq(names, maps.Keys(other.verdicts))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// verdict returns the judgement about a tool. It also covers tools that were never
// listed: a tool that a listing left out must not be called by name. If the server
// alternates, the judgement combines all surfaces.
func (j *judgement) verdict(tool string) Judged {
	v := j.ownVerdict(tool)
	for _, other := range j.others {
		v = common(v, other.ownVerdict(tool))
	}
	return v
}

// ownVerdict returns the judgement about a tool by this listing alone.
func (j *judgement) ownVerdict(tool string) Judged {
	if v, ok := j.verdicts[tool]; ok {
		return v
	}
	switch {
	case j.verdicts == nil:
		return Judged{Verdict: Verdict{State: Unchecked}}
	case j.knows(tool):
		return Judged{Verdict: j.gone(schema.KindTool, tool)}
	}
	return Judged{Verdict: Verdict{State: New, Rule: ruleUnlisted, Message: "the tool is neither in the generated code nor in the server's listing"}}
}

// gone returns the verdict on an item that code was generated for and that is not
// listed.
func (j *judgement) gone(kind schema.Kind, name string) Verdict {
	if j.needs == nil {
		return Verdict{Kind: kind, Name: name, State: Missing, Rule: string(kind) + "-removed", Message: "the " + string(kind) + " is gone"}
	}
	return Verdict{Kind: kind, Name: name, State: Unoffered, Rule: ruleUnoffered, Message: j.unoffered().Error()}
}

// unoffered returns the error of an item that the server does not list for this
// client.
func (j *judgement) unoffered() error {
	return &failure{text: "the server offers this item only to a client that declares " + strings.Join(j.needs, ", ") + ", and this client does not", errs: []error{runtime.ErrUnknownTool}}
}

// admit returns nil if a call may be sent. Drift is a *runtime.DriftError; other
// errors are for an unoffered tool, or for a definition that has no hash.
//
// A pin that is the hash of the live contract is allowed, unless the tool has a
// security finding, is pending or is flapping. A pin that is neither this hash nor
// the manifest's belongs to code that was generated against another definition.
func (x *toolIndex) admit(server, tool, pin string) error {
	if x.mode == DriftOff {
		return nil
	}
	v := x.verdict(tool)
	if pin == "" || pin == v.Pin || v.State == Unoffered && x.mode != DriftWarn {
		return x.decide(server, tool, v.Verdict)
	}
	hash, ok, err := x.items.contract(tool)
	switch {
	case !ok:
		return x.refuse(driftError(server, tool, Verdict{Rule: ruleid.ToolRemoved}))
	case err != nil:
		return fmt.Errorf("the definition of the tool cannot be judged: %w", err)
	case v.State == Security || v.State == Pending || v.State == Flapping:
		return x.refuse(driftError(server, tool, v.Verdict))
	case hash != pin:
		return x.refuse(driftError(server, tool, Verdict{Rule: ruleChanged}))
	}
	return nil
}

// decide returns nil if a request may be sent by the judgement about its item. In mode
// warn, drift beyond what the default mode allows is logged.
func (j *judgement) decide(server, name string, v Verdict) error {
	silent := j.mode
	if silent == DriftWarn {
		silent = DriftCompatible
	} else if v.State == Unoffered {
		return j.unoffered()
	}
	if silent.allows(v.State) {
		return nil
	}
	return j.refuse(driftError(server, name, v))
}

// refuse returns the error of a call to something that has drifted. In mode warn it
// logs the error instead, once in a listing, and returns nil.
func (j *judgement) refuse(err *runtime.DriftError) error {
	if j.mode != DriftWarn {
		return err
	}
	if _, logged := j.logged.LoadOrStore(err.Tool+" "+err.Rule, true); !logged && j.log != nil {
		j.log.Warn("allowing call to drifted tool", slog.String("server", err.Server),
			slog.String("name", safetext.Words(err.Tool, 200)), slog.String("rule", err.Rule), slog.String("path", safetext.Words(err.Path, 200)))
	}
	return nil
}

// driftEvents returns the events of the judgements that have changed since the previous
// listing, which is nil at first. At first, verified and unoffered tools are not
// reported.
func driftEvents(before, after *toolIndex) []event.Event {
	if after.verdicts == nil {
		return nil
	}
	events := flappingEvents(before, after)
	names := after.known()
	if before != nil {
		names = append(names, before.known()...) // includes new tools that are gone again
		slices.Sort(names)
	}
	for _, name := range slices.Compact(names) {
		var old Judged
		if before != nil && before.verdicts != nil {
			old = before.verdict(name)
		}
		now := after.verdict(name)
		if now.Rule == ruleUnlisted {
			now = Judged{Verdict: Verdict{State: Missing, Rule: ruleid.ToolRemoved, Message: "the new tool is gone"}}
		}
		same := old.State == now.State && old.Rule == now.Rule && old.Path == now.Path && old.Reworded == now.Reworded
		if same || before == nil && (now.State == Verified && !now.Reworded || now.State == Unoffered) {
			continue
		}
		events = append(events, event.Event{Kind: event.Drift, Tool: name, State: string(now.State), Detail: now.String()})
	}
	return events
}
