// The time limit of a call, and the detection of processes that do not answer calls.

package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// errCallTimeout is the cause of a call's context when the call's time is up.
var errCallTimeout = errors.New("call timeout")

// callTime is the time limit of a call. One limit covers all of it: waiting until the
// server is reconnected, sending, and sending a second time.
type callTime struct {
	ctx   context.Context // ends with the time limit or with the caller's context
	limit time.Duration   // negative: no limit
	touch func()          // restarts the time limit, if progress does so
	stop  func()
	long  bool // the limit is longer than the server's own timeout
	whole bool // the next attempt has at least the server's own timeout
}

func newCallTime(ctx context.Context, server endpoint.Server, o runtime.Options) *callTime {
	own := cmp.Or(server.Timeout.Call, endpoint.DefaultCall)
	ct := &callTime{limit: cmp.Or(o.Timeout, own)}
	ct.long = ct.limit > own || ct.limit < 0
	ct.whole = ct.long || ct.limit == own
	ct.ctx, ct.touch, ct.stop = withTimeout(ctx, ct.limit, o.ProgressExtends)
	return ct
}

// isUp reports whether the time limit has passed. The caller's context may end
// earlier.
func (ct *callTime) isUp() bool { return errors.Is(context.Cause(ct.ctx), errCallTimeout) }

// err returns why the time of the call has ended.
func (ct *callTime) err() error {
	if !ct.isUp() {
		return contextError(ct.ctx)
	}
	return longer(&failure{text: fmt.Sprintf("no answer within %v", ct.limit), errs: []error{runtime.ErrTimeout}})
}

// longer adds the next steps to the error of a call that is late.
func longer(late error) error {
	return hint.With(late, "raise timeout.call of the server", "raise the timeout of this call")
}

// notReady returns the error of a call that waited for its server. Last is why the
// server was lost or did not start; nil if the server was ready or is new.
func (ct *callTime) notReady(last error) error {
	if !ct.isUp() {
		return ct.err()
	}
	text := fmt.Sprintf("the server was not ready within %v", ct.limit)
	if last == nil {
		return longer(&failure{text, []error{runtime.ErrTimeout, runtime.ErrUnavailable}})
	}
	return &failure{text + "; its last error: " + last.Error(), []error{runtime.ErrTimeout, runtime.ErrUnavailable, last}}
}

// withTimeout adds a time limit to a context; a negative d means none. If extends is
// set, touch restarts the limit.
func withTimeout(ctx context.Context, d time.Duration, extends bool) (bounded context.Context, touch func(), stop func()) {
	if d < 0 {
		return ctx, func() {}, func() {}
	}
	if !extends {
		bounded, cancel := context.WithTimeoutCause(ctx, d, errCallTimeout)
		return bounded, func() {}, cancel
	}
	bounded, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(errCallTimeout) })
	return bounded, func() { timer.Reset(d) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

// contextError returns why a context ended. A deadline of the caller is a timeout as
// well.
func contextError(ctx context.Context) error {
	err := ctx.Err()
	errs := []error{err}
	text := err.Error()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, err) {
		errs, text = append(errs, cause), cause.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		errs = append(errs, runtime.ErrTimeout)
	}
	if len(errs) == 1 {
		return err
	}
	return &failure{text: text, errs: errs}
}

// maxSilent is how many calls in a row a process may leave without an answer
// before it is ended; see [silence]. The next call starts it again.
const maxSilent = 3

// errSilent is why a process that does not answer calls is ended.
var errSilent = fmt.Errorf("mcpgen stopped the server: %d calls in a row timed out, and the server sent nothing in that time", maxSilent)

// silence counts the calls that show that a process hangs. Such a call had at least
// the server's own timeout, nothing arrived from the process in that time, and the
// call began after the previous such call had ended. Anything that arrives restarts
// the count. While a call with a longer timeout is in progress, the process is not
// ended.
type silence struct {
	conn *wire.Conn // of the process

	mu    sync.Mutex
	calls int
	began uint64 // calls so far
	after uint64 // the last call that began before the latest counted call ended
	heard int64  // what had arrived when it was counted
	long  int    // calls in progress with a longer timeout
}

// watch records that a call begins. The returned function records its end, and ends a
// process that hangs. A nil q is for servers that are not processes.
func (q *silence) watch(ct *callTime) (end func()) {
	if q == nil {
		return func() {}
	}
	heard := q.conn.Received()
	number := q.begin(ct)
	return func() {
		if q.end(ct, number, heard, q.conn.Received()) {
			q.conn.Abort(errSilent)
		}
	}
}

// begin returns the number of a new call.
func (q *silence) begin(ct *callTime) uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.began++
	if ct.long {
		q.long++
	}
	return q.began
}

// end records the end of a call, and reports whether the process hangs. Before and heard
// count what had arrived from the process at the begin and at the end of the call.
func (q *silence) end(ct *callTime, number uint64, before, heard int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ct.long {
		q.long--
	}
	if heard != q.heard {
		q.calls = 0
	}
	if !ct.isUp() || !ct.whole || heard != before || number <= q.after {
		return false
	}
	q.calls++
	q.after, q.heard = q.began, heard
	return q.calls >= maxSilent && q.long == 0
}
