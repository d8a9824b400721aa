// Proofs that take long. A listing is shown as soon as what is quickly decided is
// decided; the rest is pending, and judged while the host works on.

package attach

import (
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// provedAtOnce is how many pending tools are judged before the verdicts are shown.
const provedAtOnce = 8

// pending returns tools whose proof is under way, in the order of their names, at
// most so many.
func (x *toolIndex) pending(most int) []schema.Item {
	var items []schema.Item
	for _, name := range slices.Sorted(maps.Keys(x.items)) {
		if len(items) < most && x.verdicts[name].State == Pending {
			items = append(items, x.items[name].item)
		}
	}
	return items
}

// prove has what is pending judged, unless that is under way; mu is held.
func (h *Host) prove(s *serverState) {
	if !s.proving && s.listed != nil && len(s.listed.pending(1)) > 0 {
		s.proving = s.spawnLocked(func() { h.provePending(s) })
	}
}

// provePending judges what is pending in the listing that counts, whichever that
// is by then, until nothing is.
func (h *Host) provePending(s *serverState) {
	for {
		s.mu.Lock()
		x := s.listed
		items := x.pending(provedAtOnce)
		if len(items) == 0 || s.life.Err() != nil {
			s.proving = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		found := x.pinned.Decide(s.life, items)
		if s.life.Err() == nil {
			h.proved(s, items, found)
		}
	}
}

// proved shows verdicts on definitions that are still listed.
func (h *Host) proved(s *serverState, items []schema.Item, found []Verdict) {
	s.mu.Lock()
	before := s.listed
	verdicts := maps.Clone(before.verdicts)
	for i, v := range found {
		old := verdicts[v.Name]
		if old.State == Pending && string(old.Raw) == string(items[i].Raw) {
			old.Verdict = v
			verdicts[v.Name] = old
		}
	}
	after := before.judged(s.server.Name, verdicts)
	s.surfaces.replace(before, after)
	s.listed = after
	if s.session != nil {
		s.session.tools.CompareAndSwap(before, after)
	}
	s.noteDrift(before, after)
	s.mu.Unlock()
	s.notifier.notify()
}

// judged returns the same listing with other verdicts.
func (x *toolIndex) judged(server string, verdicts map[string]Judged) *toolIndex {
	again := &toolIndex{items: x.items, listing: x.listing, found: x.found, taken: x.taken,
		judgement: judgement{mode: x.mode, log: x.log, pinned: x.pinned, needs: x.needs, verdicts: verdicts, others: x.others}}
	again.judgeProblems(server)
	return again
}

// judgeProblems fills the problems: those of the listing, and the tools that
// generated code calls and that may not be called.
func (x *toolIndex) judgeProblems(server string) {
	x.problems = slices.Clone(x.found)
	for _, name := range x.known() {
		if v := x.verdict(name); v.Pin != "" && v.State != Unoffered && !DriftCompatible.allows(v.State) {
			x.problems = append(x.problems, schema.Problem{Kind: schema.KindTool, Name: name, Reason: driftError(server, name, v.Verdict).Error()})
		}
	}
}

// sameListing reports whether two indexes are of the same listing, by whatever
// verdicts.
func sameListing(a, b *toolIndex) bool {
	return a == b || a != nil && b != nil && a.listing != nil && a.listing == b.listing
}
