// Telling the program what happens: functions that are called one at a time, and
// streams that never hold anybody up.

package attach

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
)

// eventBuffer is how many events wait for a reader of [Host.Events].
const eventBuffer = 1024

// Events returns what happens from now on, in order, as a stream to range over:
// all that [Options.OnEvent] gets, and the end of each call.
// It ends when ctx ends, and after [Host.Close] with the last event. A loop that
// is left early can be taken up again by ranging once more; the stream is for
// one loop at a time.
//
// A slow reader holds nobody up: up to 1,024 events wait for it. After that the
// oldest are dropped, and instead it gets one [runtime.EventNotice] that
// says how many. A program that must see every event, such as an audit log,
// sets [Options.OnEvent].
func (h *Host) Events(ctx context.Context) iter.Seq[runtime.Event] {
	sub := h.notifier.subscribe()
	stop := context.AfterFunc(ctx, func() { h.notifier.unsubscribe(sub) })
	return func(yield func(runtime.Event) bool) {
		for {
			e, ok := sub.next(ctx)
			if !ok {
				stop()
				return
			}
			if !yield(e) {
				return
			}
		}
	}
}

// notice is something to be reported: one of the two.
type notice struct {
	status *Status
	event  runtime.Event
}

// notifier reports changes of status and events to the program. Adding is quick and
// may happen under locks, which keeps the order. The program's functions are called
// by the first notify that finds something; they may add and notify themselves, and
// the call for that comes after the running one.
type notifier struct {
	onStatus func(Status)
	onEvent  func(runtime.Event)

	mu      sync.Mutex
	queue   []notice
	running bool
	subs    []*subscription
	closed  bool

	followers atomic.Int64 // len(subs)
}

// add notes what is to be reported.
func (t *notifier) add(n notice) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n.status == nil {
		for _, sub := range t.subs {
			sub.put(n.event)
		}
	}
	if n.status != nil && t.onStatus != nil || n.status == nil && t.onEvent != nil {
		t.queue = append(t.queue, n)
	}
}

// notify calls the functions for all that was noted.
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
		if next.status != nil {
			t.onStatus(*next.status)
		} else {
			t.onEvent(next.event)
		}
		t.mu.Lock()
	}
	t.running = false
	t.mu.Unlock()
}

// stream sends to the readers of streams alone, who block nobody.
func (t *notifier) stream(e runtime.Event) {
	e.Time = time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, sub := range t.subs {
		sub.put(e)
	}
}

// followed reports whether there are such readers.
func (t *notifier) followed() bool { return t.followers.Load() > 0 }

// event reports one event. The time is filled in.
func (t *notifier) event(e runtime.Event) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	t.add(notice{event: e})
	t.notify()
}

func (t *notifier) subscribe() *subscription {
	sub := &subscription{news: make(chan struct{}, 1)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		sub.end()
	} else {
		t.subs = append(t.subs, sub)
		t.followers.Store(int64(len(t.subs)))
	}
	return sub
}

func (t *notifier) unsubscribe(sub *subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = slices.DeleteFunc(t.subs, func(s *subscription) bool { return s == sub })
	t.followers.Store(int64(len(t.subs)))
	sub.end()
}

// close ends the streams: what waits in them is still read.
func (t *notifier) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, sub := range t.subs {
		sub.end()
	}
	t.subs = nil
	t.followers.Store(0)
}

// subscription is one stream of events.
type subscription struct {
	news chan struct{} // something changed; holds one

	mu      sync.Mutex
	events  []runtime.Event
	dropped int
	since   time.Time // of the first that was dropped
	ended   bool
}

func (s *subscription) put(e runtime.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.events) == eventBuffer {
		if s.dropped == 0 {
			s.since = s.events[0].Time
		}
		s.events = s.events[1:]
		s.dropped++
	}
	s.events = append(s.events, e)
	wake(s.news)
}

func (s *subscription) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	wake(s.news)
}

// wake tells who waits for a channel, which holds one, that there is something new.
func wake(news chan<- struct{}) {
	select {
	case news <- struct{}{}:
	default: // it is known
	}
}

// next waits for the next event; false at the end of the stream.
func (s *subscription) next(ctx context.Context) (runtime.Event, bool) {
	for ctx.Err() == nil {
		e, ok, ended := s.take()
		if ok || ended {
			return e, ok
		}
		select {
		case <-s.news:
		case <-ctx.Done():
		}
	}
	return runtime.Event{}, false
}

func (s *subscription) take() (e runtime.Event, ok, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped > 0 {
		e = runtime.Event{Time: s.since, Kind: runtime.EventNotice, Detail: fmt.Sprintf("%d events were dropped here: their reader is slow", s.dropped)}
		s.dropped = 0
		return e, true, false
	}
	if len(s.events) == 0 {
		return e, false, s.ended
	}
	e = s.events[0]
	s.events = s.events[1:]
	return e, true, false
}
