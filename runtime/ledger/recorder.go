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
//	recorder = ledger.NewRecorder(ledger.Ledger{}, host.Tools)
//	go func() {
//		for event := range host.Events(ctx) {
//			recorder.Event(event)
//		}
//	}()
type Recorder struct {
	tools func() ([]runtime.Tool, error)

	file *File // nil: the ledger is only in memory

	mu      sync.Mutex
	ledger  Ledger
	written int // number of entries that are in the file
	err     error
}

// NewRecorder returns a recorder that continues a ledger. Tools returns the tools
// offered at the moment, such as the method Tools of a host; it may be called at any
// time, also by several goroutines. Nothing is recorded yet: [Recorder.Record]
// records the current tools.
func NewRecorder(from Ledger, tools func() ([]runtime.Tool, error)) *Recorder {
	return &Recorder{tools: tools, ledger: from}
}

// Event records what has changed, if tools may come or go with the event. It fits
// options for a function that gets events.
func (r *Recorder) Event(e event.Event) {
	if Concerns(e) {
		_ = r.Record(e.Time) // Err returns the error
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

// Record updates the ledger to the tools on offer: new or changed tools are enrolled,
// missing ones are retired. If that fails, the ledger stays unchanged. If the ledger
// cannot be written to the file of [File.Recorder], the next change writes the
// missing entries, too.
func (r *Recorder) Record(at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	tools, err := r.tools()
	return r.align(tools, err, at)
}

// Retire retires all live capabilities, because the host has ended.
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

// flush writes the entries that the file does not have yet.
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
		card := capabilityFrom(t.Spec())
		cards, servers = append(cards, card), append(servers, card.Server)
	}
	for _, e := range l.snapshot.Live {
		servers = append(servers, e.Server)
	}
	slices.Sort(servers)
	return l.Align(slices.Compact(servers), cards, at)
}

// Ledger returns the current ledger.
func (r *Recorder) Ledger() Ledger {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger
}

// Err returns why the last change could not be recorded; nil if it was recorded.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
