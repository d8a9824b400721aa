// Servers whose listing alternates, such as two versions behind one load balancer. A
// refused tool is listed again at growing intervals. While the listing alternates
// between surfaces, a tool is served as far as all of them allow it.

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

// longestGap is the longest time between two listings that refused calls request.
const longestGap = time.Minute

// intervals limits the listings that calls request; all callers of a session share
// it.
type intervals struct {
	mu   sync.Mutex
	last time.Time
	gap  time.Duration // from last to the next listing that a refusal may request
}

// due reports whether a call may request a listing now, and records that listing.
// After an answer that suggests a stale listing, the interval is relistGap. After a
// refusal, the interval doubles each time, up to longestGap.
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

// restart resets the interval of refusals to the first one.
func (i *intervals) restart() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.gap = 0
}

const (
	// flapsAfter is how often a server has to return to an earlier surface before it
	// counts as alternating: a single return is an update that was reverted.
	flapsAfter = 2
	// calmListings is how many equal listings in a row make the host forget other
	// surfaces: two versions that take turns at random are that calm only once in
	// hours.
	calmListings = 8
	// mostSurfaces is how many surfaces of one server are remembered. A server with
	// more does not alternate: its listing is new each time.
	mostSurfaces = 4
)

// surfaces holds the different listings of a server, the latest first.
type surfaces struct {
	known   []*toolIndex
	returns int // how often the server returned to a known listing
	equal   int // how many listings in a row equal the latest
}

// verdictsOf returns the judgements to keep for unchanged definitions of a listing:
// those of an equal surface, else of the latest one. It returns nil before the first
// listing. Surfaces that were judged by other manifests, before a reload, are forgotten.
func (s *surfaces) verdictsOf(x *toolIndex) map[string]Judged {
	if len(s.known) > 0 && s.known[0].pinned != x.pinned {
		*s = surfaces{}
	}
	if len(s.known) == 0 {
		return nil
	}
	return s.known[max(0, slices.IndexFunc(s.known, x.offersSame))].verdicts
}

// follow records a listing. If the server alternates between x and other surfaces,
// follow sets x.others, which [toolIndex.verdict] uses.
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

// replace replaces a listing with the same listing that has other verdicts.
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
func (j *judgement) flaps() bool { return len(j.others) > 0 }

// common returns the judgement about a tool that two surfaces judge differently. The
// order of the two does not matter.
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

// alternating returns the judgement that refuses a tool of an alternating server.
func alternating(j Judged) Judged {
	if j.State != Flapping {
		j.State, j.Rule = Flapping, ruleFlapping
		j.Message = "the server alternates between definitions of this tool: " + cmp.Or(j.Message, "one of them has changed")
	}
	return j
}

// flappingEvents returns the event of a server that begins, or ceases, to alternate.
func flappingEvents(before, after *toolIndex) []event.Event {
	e := event.Event{Kind: event.Notice, State: string(Ready)}
	switch did := before != nil && before.flaps(); {
	case after.flaps() && !did:
		e.Detail = fmt.Sprintf("the listing alternates between %d versions, perhaps because several servers share one address: calls must fit all versions", len(after.others)+1)
	case !after.flaps() && did:
		e.Detail = "the listing no longer alternates"
	default:
		return nil
	}
	return []event.Event{e}
}
