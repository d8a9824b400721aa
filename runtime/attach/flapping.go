// Servers whose listing is not the same each time: two versions behind one balancer.
// What is refused is looked at again at growing intervals, and a surface that goes back
// and forth is served by what all of its forms allow.

package attach

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/event"
)

// longestGap is the longest time between two listings that refused calls ask for.
const longestGap = time.Minute

// intervals bound the listings that calls ask for: all callers of a session share them.
type intervals struct {
	mu   sync.Mutex
	last time.Time
	gap  time.Duration // from last to the next one that a refusal may ask for
}

// due reports whether a call may ask for a listing now, and counts that as done. An
// answer that suggests that the listing is stale may ask relistGap after the last one, a
// refusal after twice the time each time, up to longestGap.
func (i *intervals) due(now time.Time, refused bool) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	gap := relistGap
	if refused {
		gap = max(i.gap, relistGap)
	}
	if now.Sub(i.last) < gap {
		return false
	}
	if i.last = now; refused {
		i.gap = min(2*gap, longestGap)
	}
	return true
}

// restart makes the next interval the first one.
func (i *intervals) restart() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.gap = 0
}

const (
	// flapsAfter is how often a server has to go back to a surface that it listed
	// before: once is an update that was taken back.
	flapsAfter = 2
	// calmListings is how many equal listings in a row end the memory of others: two
	// versions that take turns at random are that calm once in hours.
	calmListings = 8
	// mostSurfaces is how many surfaces of one server are remembered. One with more of
	// them does not alternate, but never says the same.
	mostSurfaces = 4
)

// surfaces are the different listings that a server gave, the last one first.
type surfaces struct {
	known   []*toolIndex
	returns int // to one that was known
	equal   int // how many listings in a row were the last one
}

// verdictsOf returns the judgements that hold for a listing as far as definitions are the
// same: those of an equal surface, or of the last one. Nil: there are none.
func (s *surfaces) verdictsOf(x *toolIndex) map[string]Judged {
	if len(s.known) == 0 {
		return nil
	}
	return s.known[max(0, slices.IndexFunc(s.known, x.offersSame))].verdicts
}

// follow notes a listing. If the server alternates between this and others, the listing
// gets to know them: see [toolIndex.verdict].
func (s *surfaces) follow(x *toolIndex) {
	at := slices.IndexFunc(s.known, x.offersSame)
	if at != 0 {
		s.equal = 0
	}
	if at > 0 {
		s.returns++
	}
	if at >= 0 {
		s.known = slices.Delete(s.known, at, at+1)
	}
	if s.equal++; s.equal == calmListings || len(s.known) == mostSurfaces {
		s.known, s.returns = nil, 0
	}
	s.known = slices.Insert(s.known, 0, x)
	if x.others = nil; s.returns >= flapsAfter {
		x.others = slices.Clone(s.known[1:])
	}
}

// replace puts the same listing with other verdicts in the place of a listing.
func (s *surfaces) replace(before, after *toolIndex) {
	if len(s.known) > 0 && s.known[0] == before {
		s.known[0] = after
	}
}

// offersSame reports whether two listings have the same definitions.
func (x *toolIndex) offersSame(y *toolIndex) bool {
	return maps.EqualFunc(x.items, y.items, func(a, b *indexedItem) bool { return bytes.Equal(a.item.Raw, b.item.Raw) })
}

// flaps reports whether the server alternates between this listing and others.
func (x *toolIndex) flaps() bool { return len(x.others) > 0 }

// common is what is known of a tool that has one judgement by one surface and another by
// the next. It is the same whichever of them comes first.
func common(a, b Judged) Judged {
	rank := func(j Judged) int {
		return slices.Index([]ToolState{Security, Flapping, Changed, Missing, Unoffered, Pending, New, Unchecked, Compatible, Verified}, j.State)
	}
	worse := a
	if cmp.Or(cmp.Compare(rank(b), rank(a)), bytes.Compare(a.Raw, b.Raw)) < 0 {
		worse = b
	}
	worse.Reworded = worse.State == Verified && (a.Reworded || b.Reworded)
	if a.State == b.State && bytes.Equal(a.Raw, b.Raw) || worse.State == Security || worse.State == New || DriftCompatible.allows(worse.State) || worse.State == Pending {
		return worse
	}
	return alternating(worse)
}

// alternating is a judgement that refuses a tool, of a server that alternates.
func alternating(j Judged) Judged {
	if j.State != Flapping {
		j.State, j.Rule = Flapping, ruleFlapping
		j.Message = "the server alternates between definitions of it: " + cmp.Or(j.Message, "one of them has changed")
	}
	return j
}

// noteFlapping notes that a server begins, or ceases, to alternate; mu is held.
func (s *serverState) noteFlapping(before, after *toolIndex) {
	switch {
	case after.flaps() && (before == nil || !before.flaps()):
		s.note(event.Event{Kind: event.Notice, State: string(Ready),
			Detail: fmt.Sprintf("the listing alternates between %d surfaces, as of several versions behind one address: the tools that all of them allow are served", len(after.others)+1)})
	case !after.flaps() && before != nil && before.flaps():
		s.note(event.Event{Kind: event.Notice, State: string(Ready), Detail: "the listing does not alternate any more"})
	}
}
