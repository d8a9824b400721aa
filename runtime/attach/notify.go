// Reporting events to the program: by a function that is called for one event at a
// time, and to subscribers that never block.

package attach

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime/event"
)

// subscribe has put called for each event from now on, in order. Put must not block,
// and must not use the host. Ended is called at the end of [Host.Close], which waits
// for it, and is not called after stop. The error reports that the host is closed.
func (t *notifier) subscribe(put func(event.Event), ended func()) (stop func(), err error) {
	sub := &subscriber{put, ended}
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

// subscriber gets events without blocking.
type subscriber struct {
	put   func(event.Event)
	ended func()
}

// notifier reports events to the program. Adding is quick and may happen under locks,
// which keeps the order. The first notify that finds events calls the program's
// function. That function may itself add and notify; it is called for such events
// after it returns.
type notifier struct {
	onEvent func(event.Event)

	mu      sync.Mutex
	queue   []event.Event
	running bool
	subs    []*subscriber
	closed  bool

	followers atomic.Int64 // len(subs)
}

// add queues an event for the program.
func (t *notifier) add(e event.Event) { t.put(e, t.onEvent != nil) }

// put gives an event to the subscribers, and queues it if report is set.
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

// notify calls the program's function for all queued events.
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

// stream gives an event to the subscribers alone.
func (t *notifier) stream(e event.Event) {
	e.Time = time.Now()
	t.put(e, false)
}

// followed reports whether there are subscribers.
func (t *notifier) followed() bool { return t.followers.Load() > 0 }

// event reports one event. It fills in the time.
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
