package mcptest

// This file answers calls from a recording.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
)

// ReplayOptions are the settings of [Replay]. Nil is the zero value.
type ReplayOptions struct {
	// AnyOrder allows a call to match any equal recorded call that was not made yet, for programs that make
	// concurrent calls. Otherwise the calls of each server must come in the recorded order.
	AnyOrder bool
}

// Replay returns an invoker that answers calls from a file recorded by [Record]. It needs no server.
//
// The first call that differs from the recorded one fails the test, with the line of the file and the
// place in the arguments. This call and all later ones return an error. So do calls beyond the recorded
// ones. Recorded calls that were not made fail the test when it ends.
//
// Arguments are compared as JSON values. A placeholder in the recording matches any text, the same text
// throughout one replay. In results the placeholder is replaced by that text, or stays if no argument
// matched it. Timeouts and progress are not replayed.
//
// A file that is not a recording fails the test at once, and every call returns an error. Line endings
// may be those of Windows.
func Replay(t TB, path string, opts *ReplayOptions) runtime.Invoker {
	t.Helper()
	lines, err := readRecording(path)
	if err != nil {
		t.Errorf("%v", err)
	}
	return newReplayer(t, path, lines, err, opts)
}

func readRecording(path string) ([]*line, error) {
	data, err := regular.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: record it first: mcptest.RecordOrReplay records if %s=1, mcptest.Record always records", err, recordVariable)
	}
	if err != nil {
		return nil, err
	}
	return readLines(path, data)
}

type replayer struct {
	path     string
	anyOrder bool
	report   *reporter

	mu    sync.Mutex
	left  []*line // not yet made, in file order
	bound binding
	err   error // the error of all further calls
}

func newReplayer(t TB, path string, lines []*line, err error, opts *ReplayOptions) *replayer {
	r := &replayer{path: path, report: newReporter(t), left: lines, bound: binding{}, err: err}
	r.anyOrder = opts != nil && opts.AnyOrder
	t.Cleanup(r.end) // runs before the reporter's cleanup
	return r
}

// end fails the test if recorded calls were not made.
func (r *replayer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || len(r.left) == 0 {
		return
	}
	first := r.left[0]
	r.report.errorf("%s:%d: %d recorded calls were not made, the first is %v: if the new call is intended, record again",
		r.path, first.number, len(r.left), first)
	r.err = errors.New("the test has ended")
}

// Invoke implements [runtime.Invoker].
func (r *replayer) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, callError(req, stage.Send, false, contextError(err))
	}
	l, bound, err := r.next(req)
	if err != nil {
		return nil, callError(req, stage.Receive, true, err)
	}
	if l.Error != nil {
		failed := *l.Error
		failed.Message = bound.restore(failed.Message)
		return nil, failed.error(req)
	}
	res, err := runtime.Request{Method: l.Method}.ParseResult(bound.json(l.Result))
	if err != nil {
		return nil, callError(req, stage.Receive, true, err)
	}
	return res, nil
}

// next removes the recorded call that matches the request, and returns it with its bindings.
func (r *replayer) next(req runtime.Request) (*line, binding, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return nil, nil, r.err
	}
	made := &line{Server: req.Server, Method: req.Method, Name: req.Name, Args: req.Args}
	var first *line // the first call of the server
	var different string
	for i, l := range r.left {
		if l.Server != req.Server {
			continue
		}
		bound, diff := r.compare(l, made)
		if diff == "" {
			r.bound = bound
			r.left = append(r.left[:i:i], r.left[i+1:]...)
			return l, maps.Clone(bound), nil
		}
		if first == nil || r.anyOrder && first.Name != req.Name && l.Name == req.Name {
			first, different = l, diff
		}
		if !r.anyOrder {
			break
		}
	}
	r.err = r.diverged(made, first, different)
	r.report.errorf("%v", r.err)
	return nil, nil, r.err
}

// compare returns how a call differs from the recorded one; "" if it does not.
func (r *replayer) compare(l, made *line) (binding, string) {
	m := &matcher{bound: maps.Clone(r.bound)}
	if l.Method != made.Method || !m.text(l.Name, made.Name) {
		return nil, "it is another call"
	}
	if d := m.args(l.Args, made.Args); d != nil {
		return nil, d.String()
	}
	return m.bound, ""
}

// diverged returns the error for a call that was not recorded.
func (r *replayer) diverged(made, recorded *line, different string) error {
	switch {
	case recorded == nil:
		return fmt.Errorf("%s: %s was not recorded: the recording has no further call of server %q: if the new call is intended, record again",
			r.path, made, made.Server)
	case r.anyOrder:
		return fmt.Errorf("%s: %s %v was not recorded, or was made already; the most similar recorded call is line %d: %s\n\trecorded  %v\n\tif the new call is intended, record again",
			r.path, made.Method, made, recorded.number, different, recorded)
	}
	return fmt.Errorf("%s:%d: the call differs from the recorded one: %s\n\trecorded  %s %v\n\tmade now  %s %v\n\tif the new call is intended, record again",
		r.path, recorded.number, different, recorded.Method, recorded, made.Method, made)
}
