// The events of a host as a stream, and functions that are called when tools may have
// changed.

package attach

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// maxEvents is how many events are buffered for a reader of [Host.Events].
const maxEvents = 1024

// Events returns the events of a host from now on, in order, as a stream to range
// over: all events that [Options.OnEvent] gets, and the end of each call. The stream
// ends when ctx ends, and after [Host.Close] with the last event. A loop that ends
// early can be resumed by ranging once more; only one loop at a time may read the
// stream.
//
// A slow reader delays nothing: up to 1,024 events are buffered for it. After that
// the oldest are dropped, and the reader gets one [event.Notice] with their number
// instead. A program that must see every event, such as an audit log, sets
// [Options.OnEvent].
func (h *Host) Events(ctx context.Context) iter.Seq[event.Event] {
	sub := &subscription{news: make(chan struct{}, 1)}
	unsubscribe, err := h.notifier.subscribe(sub.put, sub.end)
	if err != nil {
		sub.end() // the host is closed
		unsubscribe = func() {}
	}
	stop := context.AfterFunc(ctx, func() { unsubscribe(); sub.end() })
	return func(yield func(event.Event) bool) {
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

// Watch calls changed whenever the offers of the host's servers may have changed
// since Watch was called, from one goroutine, and a last time at the end of
// [Host.Close], which waits for it. Stop ends the watch, and returns when changed
// will not be called any more; changed must call neither stop nor Close. The error
// reports that the host is closed.
func (h *Host) Watch(changed func()) (stop func(), err error) {
	news, done := make(chan struct{}, 1), make(chan struct{})
	end := sync.OnceFunc(func() { close(news) })
	unsubscribe, err := h.notifier.subscribe(func(e event.Event) {
		if changesTools(e.Kind) {
			wire.Wake(news)
		}
	}, func() { end(); <-done })
	if err != nil {
		return nil, err
	}
	var stopped atomic.Bool
	call := func() {
		if !stopped.Load() {
			changed()
		}
	}
	go func() {
		defer close(done)
		for range news {
			call()
		}
		call() // the host is closed
	}()
	return sync.OnceFunc(func() {
		stopped.Store(true)
		unsubscribe()
		end()
		<-done
	}), nil
}

// changesTools reports whether an event may add or remove tools.
func changesTools(kind event.Kind) bool {
	switch kind {
	case event.Unstarted, event.Attaching, event.Attached, event.Failed, event.Unavailable, event.Detached,
		event.ToolAdded, event.ToolRemoved, event.ToolChanged, event.Drift, event.Reloaded:
		return true
	}
	return false
}

// subscription is one stream of events.
type subscription struct {
	news chan struct{} // wakes the reader; holds one

	mu      sync.Mutex
	events  []event.Event
	dropped int
	since   time.Time // the time of the first dropped event
	ended   bool
}

func (s *subscription) put(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.events) == maxEvents {
		if s.dropped == 0 {
			s.since = s.events[0].Time
		}
		s.events = s.events[1:]
		s.dropped++
	}
	s.events = append(s.events, e)
	wire.Wake(s.news)
}

func (s *subscription) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	wire.Wake(s.news)
}

// next waits for the next event; false at the end of the stream.
func (s *subscription) next(ctx context.Context) (event.Event, bool) {
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
	return event.Event{}, false
}

func (s *subscription) take() (e event.Event, ok, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped > 0 {
		e = event.Event{Time: s.since, Kind: event.Notice, Detail: fmt.Sprintf("%d events were dropped here, because the program reads events too slowly", s.dropped)}
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
