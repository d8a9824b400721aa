// Counts of messages beyond a server's limits. The first of each kind is reported.

package attach

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"golang.org/x/time/rate"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// Dropped counts what was dropped since a server was attached, because it exceeded
// the server's [endpoint.Limits].
type Dropped struct {
	Oversized int `json:"oversized,omitempty"` // messages above Message: the call that such a message answers fails
	Unasked   int `json:"unasked,omitempty"`   // notifications, requests and progress above Queue
	Log       int `json:"log,omitempty"`       // lines above Log
}

// drops counts for one server, across its sessions. Its methods are safe for
// concurrent use; a nil *drops counts nothing and limits nothing.
type drops struct {
	settings
	server string
	lines  *rate.Limiter // of lines that may be logged

	mu   sync.Mutex
	n    Dropped
	over int // lines dropped since the last logged one
}

// add counts what a connection dropped. The first of each kind is reported.
func (d *drops) add(n wire.Drops, why error) {
	if d == nil {
		return
	}
	d.mu.Lock()
	first := d.n.Oversized == 0 && n.Oversized > 0 || d.n.Unasked == 0 && n.Unasked > 0
	d.n.Oversized += n.Oversized
	d.n.Unasked += n.Unasked
	d.mu.Unlock()
	if first {
		d.reportFirst(why)
	}
}

func (d *drops) reportFirst(why error) {
	d.log.Warn("MCP server exceeds a limit; mcpgen drops everything beyond the limit and counts it in the server's status",
		slog.String("server", d.server), slog.String("error", why.Error()))
	d.settings.notifier.event(event.Event{Kind: event.Notice, Server: d.server, Err: why, Detail: why.Error()})
}

// errLines is the reason why lines are not logged.
var errLines = errors.New("the server logs more lines in a minute than limits.log allows")

// mayLog reports whether the server may log one more line, and how many lines were
// left out before it.
func (d *drops) mayLog() (ok bool, before int) {
	if d == nil {
		return true, 0
	}
	d.mu.Lock()
	first := false
	if ok = d.lines.AllowN(d.clock.now(), 1); ok {
		before, d.over = d.over, 0
	} else {
		first = d.n.Log == 0
		d.n.Log++
		d.over++
	}
	d.mu.Unlock()
	if first {
		d.reportFirst(fmt.Errorf("%w (%d)", errLines, d.lines.Burst()))
	}
	return ok, before
}

// count returns what was dropped so far.
func (d *drops) count() Dropped {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.n
}
