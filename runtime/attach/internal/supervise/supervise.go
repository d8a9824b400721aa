// Package supervise decides when a lost server may be reconnected. It starts nothing
// and reads no clock: its caller does both, and reports the results.
//
// An outage begins with the loss of a session and ends with a new one. During an
// outage there are first attempts without a call, after growing waits, and then
// attempts that calls request, after growing gaps. Success alone restores no attempt,
// since a server that dies at each call would then be started at each call; only a
// healthy period does. This prevents endless loops.
package supervise

import "time"

// Policy sets the attempts. The zero value allows none.
type Policy struct {
	// Waits are the waits before the attempts that need no call.
	Waits []time.Duration
	// Gaps are the gaps of the following attempts, which calls request: the time from
	// the previous attempt to the earliest beginning of each.
	Gaps []time.Duration
	// Health is how long a server has to be ready until all attempts are restored.
	// Zero is never.
	Health time.Duration
	// Rest is how long after the last attempt a call may request a further one beyond
	// Gaps. Zero is never.
	Rest time.Duration
}

// Budget counts the attempts that one server has left. It is not safe for concurrent
// use.
type Budget struct {
	policy   Policy
	waits    int // used of Waits
	calls    int // used of Gaps
	tries    int // in total
	reported bool
	ready    time.Time // since when; zero during an outage
	last     time.Time // attempt
}

// New returns an unused budget.
func New(p Policy) *Budget { return &Budget{policy: p} }

// Ready records that the server is ready from now on.
func (b *Budget) Ready(now time.Time) {
	b.ready, b.reported = now, false
}

// Lost records that the server is not ready any more. If it was ready for long
// enough, all attempts are restored.
func (b *Budget) Lost(now time.Time) {
	if b.policy.Health > 0 && !b.ready.IsZero() && now.Sub(b.ready) >= b.policy.Health {
		b.waits, b.calls = 0, 0
	}
	b.ready = time.Time{}
}

// Next uses the next attempt that needs no call. It returns how long to wait before
// the attempt; ok is false after the last one.
func (b *Budget) Next() (wait time.Duration, ok bool) {
	if b.waits >= len(b.policy.Waits) {
		return 0, false
	}
	wait = b.policy.Waits[b.waits]
	b.waits++
	return wait, true
}

// OnCall uses an attempt that a call requests. If ok is false, wait is how long until
// a call may request one; a negative wait means never.
func (b *Budget) OnCall(now time.Time) (ok bool, wait time.Duration) {
	gap := b.policy.Rest
	if b.calls < len(b.policy.Gaps) {
		gap = b.policy.Gaps[b.calls]
	} else if gap <= 0 {
		return false, -1
	}
	if wait := gap - now.Sub(b.last); wait > 0 {
		return false, wait
	}
	b.calls = min(b.calls+1, len(b.policy.Gaps))
	return true, 0
}

// Spent reports whether no attempt is left, except one after Rest.
func (b *Budget) Spent() bool {
	return b.waits >= len(b.policy.Waits) && b.calls >= len(b.policy.Gaps)
}

// Tried records an attempt that begins now.
func (b *Budget) Tried(now time.Time) {
	b.tries++
	b.last = now
}

// Tries returns the total number of attempts.
func (b *Budget) Tries() int { return b.tries }

// Left returns how many attempts are left, with and without a call.
func (b *Budget) Left() int {
	return len(b.policy.Waits) - b.waits + len(b.policy.Gaps) - b.calls
}

// ReportOnce reports whether to report an outage: true once in each outage.
func (b *Budget) ReportOnce() bool {
	reported := b.reported
	b.reported = true
	return !reported
}
