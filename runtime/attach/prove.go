// Proofs that take long. A listing is shown as soon as the quick decisions are made;
// the other tools are pending, and are judged in the background.

package attach

import (
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// provedAtOnce is how many pending tools are judged before the verdicts are shown.
const provedAtOnce = 8

// pending returns the first pending tools by name, at most the number given.
func (x *toolIndex) pending(most int) []schema.Item {
	var items []schema.Item
	for _, name := range slices.Sorted(maps.Keys(x.items)) {
		if len(items) < most && x.verdicts[name].State == Pending {
			items = append(items, x.items[name].item)
		}
	}
	return items
}

// prove starts to judge the pending tools, unless that is in progress; mu is held.
func (l *lister) prove(s *serverState) {
	if !s.proving && s.listed != nil && len(s.listed.pending(1)) > 0 {
		s.proving = s.spawnLocked(func() { l.provePending(s) })
	}
}

// provePending judges the pending tools of the current listing, which may change
// meanwhile, until all are decided.
func (l *lister) provePending(s *serverState) {
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
			l.proved(s, items, found)
		}
	}
}

// proved adds verdicts on definitions that are still listed.
func (l *lister) proved(s *serverState, items []schema.Item, found []Verdict) {
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
	s.note(driftEvents(before, after)...)
	s.mu.Unlock()
	s.notifier.notify()
}

// sameListing reports whether two indexes are of the same listing. Verdicts may
// differ.
func sameListing(a, b *toolIndex) bool {
	return a == b || a != nil && b != nil && a.listing != nil && a.listing == b.listing
}
