// The tools of a host, recorded in the ledger.

package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/ledger"
)

// enrolment keeps the ledger of one host. Events only report that something may have
// changed: many arrive together, and each would list all tools. A goroutine records
// changes at once, and the next call does so at the latest, before it is sent: so the
// ledger has the tools of every call. A nil enrolment records nothing.
type enrolment struct {
	file     *ledger.File
	recorder *ledger.Recorder // nil until the host exists
	report   func(error)

	changes atomic.Int64  // counts events after which tools may have changed
	wake    chan struct{} // holds one: changes has increased
	done    chan struct{} // closed by close
	work    sync.WaitGroup

	mu      sync.Mutex
	failed  bool         // the last changes could not be recorded, and the error was reported
	written atomic.Int64 // the changes that are recorded
}

// openLedger opens the ledger of a project; nil without one.
func openLedger(project *config.Project, logger *slog.Logger) (*enrolment, error) {
	if project.Ledger == "" {
		return nil, nil
	}
	file, err := ledger.Open(project.Ledger, &ledger.FileOptions{OnRepair: func(err error) { logger.Warn(err.Error()) }})
	if err != nil {
		err = fmt.Errorf("%sthe ledger cannot be opened: %w", projectPrefix(project), err)
		return nil, hint.With(err, "correct the path or the permissions of the file", "change ledger.file")
	}
	return &enrolment{
		file: file, wake: make(chan struct{}, 1), done: make(chan struct{}),
		report: unwritten("ledger", project.Ledger, logger),
	}, nil
}

// position returns the run and its last sequence number; "" without a ledger.
func (e *enrolment) position() (run string, seq int64) {
	if e == nil {
		return "", 0
	}
	return e.file.Run(), e.recorder.Ledger().NextSeq() - 1
}

// start records the tools of a host, and later changes.
func (e *enrolment) start(view *agent.View) {
	if e == nil {
		return
	}
	e.recorder = e.file.Recorder(view.Tools)
	e.changes.Add(1)
	e.sync()
	e.work.Go(func() {
		for {
			select {
			case <-e.wake:
				e.sync()
			case <-e.done:
				return
			}
		}
	})
}

// event records that tools may have changed.
func (e *enrolment) event(event event.Event) {
	if e == nil || !ledger.Concerns(event) {
		return
	}
	e.changes.Add(1)
	select {
	case e.wake <- struct{}{}:
	default: // already signalled
	}
}

// sync returns when all changes so far are recorded, or could not be.
func (e *enrolment) sync() {
	if e.written.Load() >= e.changes.Load() {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.changes.Load()
	if e.written.Load() >= now {
		return
	}
	err := e.recorder.Record(time.Now())
	if err != nil && !e.failed {
		e.report(err)
	}
	e.failed = err != nil
	e.written.Store(now)
}

// middleware records changes before each call.
func (e *enrolment) middleware() runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		if e == nil {
			return next
		}
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			e.sync()
			return next.Invoke(ctx, req)
		})
	}
}

// close retires the remaining tools, and closes the file.
func (e *enrolment) close() error {
	if e == nil {
		return nil
	}
	close(e.done)
	e.work.Wait()
	if e.recorder != nil {
		if err := e.recorder.Retire(time.Now()); err != nil {
			e.report(err)
		}
	}
	return e.file.Close()
}
