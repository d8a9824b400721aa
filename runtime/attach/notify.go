// Telling the program what happens: a function that is called for one event at a time, and
// subscribers that never hold anybody up.

package attach

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime/event"
)

// subscribe has put called for each event from now on, in order. Put must not block, and
// must not use the host. Ended is called at the end of [Host.Close], which waits for it, and
// not after stop. The error is for a host that is closed.
func (h *Host) subscribe(put func(event.Event), ended func()) (stop func(), err error) {
	t, sub := h.notifier, &subscriber{put, ended}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errDetached
	}
	t.subs = append(t.subs, sub)
	t.followers.Store(int64(len(t.subs)))
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.subs = slices.DeleteFunc(t.subs, func(s *subscriber) bool { return s == sub })
		t.followers.Store(int64(len(t.subs)))
	}, nil
}

// subscriber is who gets events and does not hold anybody up.
type subscriber struct {
	put   func(event.Event)
	ended func()
}

// notifier reports events to the program. Adding is quick and may happen under locks,
// which keeps the order. The program's function is called by the first notify that finds
// something; it may add and notify itself, and the call for that comes after the running
// one.
type notifier struct {
	onEvent func(event.Event)

	mu      sync.Mutex
	queue   []event.Event
	running bool
	subs    []*subscriber
	closed  bool

	followers atomic.Int64 // len(subs)
}

// add notes an event that is to be reported.
func (t *notifier) add(e event.Event) { t.put(e, t.onEvent != nil) }

// put hands an event to the subscribers, and notes one that is to be reported.
func (t *notifier) put(e event.Event, report bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, sub := range t.subs {
		sub.put(e)
	}
	if report {
		t.queue = append(t.queue, e)
	}
}

// notify calls the function for all that was noted.
func (t *notifier) notify() {
	t.mu.Lock()
	if t.running {
		t.mu.Unlock()
		return
	}
	t.running = true
	for len(t.queue) > 0 {
		next := t.queue[0]
		t.queue = t.queue[1:]
		t.mu.Unlock()
		t.onEvent(next)
		t.mu.Lock()
	}
	t.running = false
	t.mu.Unlock()
}

// stream sends to the readers of streams alone, who block nobody.
func (t *notifier) stream(e event.Event) {
	e.Time = time.Now()
	t.put(e, false)
}

// followed reports whether there are such readers.
func (t *notifier) followed() bool { return t.followers.Load() > 0 }

// event reports one event. The time is filled in.
func (t *notifier) event(e event.Event) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	t.add(e)
	t.notify()
}

// close ends the subscriptions.
func (t *notifier) close() {
	t.mu.Lock()
	subs := t.subs
	t.closed, t.subs = true, nil
	t.followers.Store(0)
	t.mu.Unlock()
	for _, sub := range subs {
		sub.ended()
	}
}
