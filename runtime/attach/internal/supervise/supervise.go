// Package supervise decides when a server that was lost may be brought back. It
// starts nothing and reads no clock: whoever does asks it, and tells it what
// became of that.
//
// An outage begins with the loss of a session and ends with a new one. During an
// outage there are attempts that come by themselves, after growing waits, and
// then attempts that a call may ask for, after growing gaps. None of them is given
// back by success alone, or a server that dies at each call would be started at
// each call: only health over a while does that. So there are no loops.
package supervise

import "time"

// Policy says how many attempts there are. The zero value allows none.
type Policy struct {
	// Waits are the waits before the attempts that come by themselves.
	Waits []time.Duration
	// Gaps are those of the attempts that calls may ask for after those: how
	// long after the attempt before it each may begin.
	Gaps []time.Duration
	// Health is how long a server has to be ready to get all attempts back.
	// Zero is never.
	Health time.Duration
	// Rest is how long after the last attempt a call may ask for one more
	// although none is left. Zero is never.
	Rest time.Duration
}

// Budget is what is left of the attempts of one server. It is not safe for
// concurrent use.
type Budget struct {
	policy   Policy
	waits    int // used of Waits
	calls    int // used of Gaps
	tries    int // in all
	reported bool
	ready    time.Time // since when; zero during an outage
	last     time.Time // attempt
}

// New returns a budget of which nothing is used.
func New(p Policy) *Budget { return &Budget{policy: p} }

// Ready notes that the server is ready from now on.
func (b *Budget) Ready(now time.Time) {
	b.ready, b.reported = now, false
}

// Lost notes that the server is not ready any more. If it was for long enough,
// all attempts are back.
func (b *Budget) Lost(now time.Time) {
	if b.policy.Health > 0 && !b.ready.IsZero() && now.Sub(b.ready) >= b.policy.Health {
		b.waits, b.calls = 0, 0
	}
	b.ready = time.Time{}
}

// Next takes the next attempt that comes by itself. It returns how long to wait
// before it; ok is false if there is none left.
func (b *Budget) Next() (wait time.Duration, ok bool) {
	if b.waits >= len(b.policy.Waits) {
		return 0, false
	}
	wait = b.policy.Waits[b.waits]
	b.waits++
	return wait, true
}

// OnCall takes an attempt that a call asks for. Otherwise wait is how long no call
// may ask for one; negative is for good.
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

// Spent reports whether neither time nor a call, as things stand, brings the
// server back.
func (b *Budget) Spent() bool {
	return b.waits >= len(b.policy.Waits) && b.calls >= len(b.policy.Gaps)
}

// Tried notes an attempt that begins now.
func (b *Budget) Tried(now time.Time) {
	b.tries++
	b.last = now
}

// Tries returns how many attempts there were in all.
func (b *Budget) Tries() int { return b.tries }

// Left returns how many attempts are left, those that come by themselves included.
func (b *Budget) Left() int {
	return len(b.policy.Waits) - b.waits + len(b.policy.Gaps) - b.calls
}

// ReportOnce reports whether an outage is to be reported: true once in each.
func (b *Budget) ReportOnce() bool {
	reported := b.reported
	b.reported = true
	return !reported
}
