package ledger

// This file keeps a ledger up to date with a host.

import (
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// A Recorder keeps a ledger up to date with what a host offers. It is safe for
// concurrent use.
//
//	var recorder *ledger.Recorder
//	host, err := attach.Connect(ctx, servers, nil)
//	recorder = ledger.NewRecorder(ledger.Empty(), host.Tools)
//	go func() {
//		for event := range host.Events(ctx) {
//			recorder.Event(event)
//		}
//	}()
type Recorder struct {
	tools func() ([]runtime.Tool, error)

	file *File // nil: the ledger is in memory alone

	mu      sync.Mutex
	ledger  Ledger
	written int // entries of the ledger that stand in the file
	err     error
}

// NewRecorder returns a recorder that goes on from a ledger. Tools is what is on
// offer at the moment, such as the method Tools of a host; it may be called at
// any time, also by several goroutines. Nothing is recorded yet: [Recorder.Record]
// notes what is there already.
func NewRecorder(from Ledger, tools func() ([]runtime.Tool, error)) *Recorder {
	return &Recorder{tools: tools, ledger: from}
}

// Event records what has changed if the event is one that tools come or go with.
// It fits where a host wants a function for its events.
func (r *Recorder) Event(e event.Event) {
	if Concerns(e) {
		_ = r.Record(e.Time) // Err keeps it
	}
}

// Concerns reports whether tools may have come, gone or changed with an event.
func Concerns(e event.Event) bool {
	switch e.Kind {
	case event.Unstarted, event.Attached, event.Failed, event.Unavailable, event.Detached,
		event.ToolAdded, event.ToolRemoved, event.ToolChanged, event.Drift:
		return true
	}
	return false
}

// Record brings the ledger up to what is on offer: what is new or differs is
// enrolled, what is gone is retired. If that fails the ledger stays what it was. If
// it cannot be written to the file of [File.Recorder], the next change writes what is
// missing there, too.
func (r *Recorder) Record(at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	tools, err := r.tools()
	return r.align(tools, err, at)
}

// Retire retires all that is live: the host is gone.
func (r *Recorder) Retire(at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.align(nil, nil, at)
}

func (r *Recorder) align(tools []runtime.Tool, err error, at time.Time) error {
	if err == nil {
		r.ledger, err = r.ledger.align(tools, at)
	}
	if err == nil {
		err = r.flush()
	}
	r.err = err
	return err
}

// flush writes what the file does not hold yet.
func (r *Recorder) flush() error {
	if r.file == nil || r.written == len(r.ledger.log) {
		return nil
	}
	if err := r.file.Append(r.ledger.log[r.written:]...); err != nil {
		return err
	}
	r.written = len(r.ledger.log)
	return nil
}

// align makes tools the only live ones.
func (l Ledger) align(tools []runtime.Tool, at time.Time) (Ledger, error) {
	var (
		servers []string
		cards   []Capability
	)
	for _, t := range tools {
		card := CapabilityOf(t.Spec())
		cards, servers = append(cards, card), append(servers, card.Server)
	}
	for _, e := range l.snapshot.Live {
		servers = append(servers, e.Server)
	}
	slices.Sort(servers)
	return l.Align(slices.Compact(servers), cards, at)
}

// Ledger returns the ledger as it is now.
func (r *Recorder) Ledger() Ledger {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger
}

// Err returns why the last change could not be recorded; nil if it was.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
