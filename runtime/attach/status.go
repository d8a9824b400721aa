// The status of the servers of a host.

package attach

import (
	"encoding/json"
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// State is the state of a server's session.
type State string

// The states of a session.
const (
	// Unstarted: the server is lazy and has not been needed yet. Its first call or
	// listing starts it, and waits.
	Unstarted State = "unstarted"
	// Connecting: the server is being started, or waits for its turn. Calls wait. If
	// Err is set, it is late, and may still be installed: see [Connect].
	Connecting State = "connecting"
	// Ready: calls are sent.
	Ready State = "ready"
	// Lost: the server was ready and crashed, or its connection ended. Calls restart
	// a process, as [Host.Invoke] describes; connections are reconnected without a
	// call, and calls wait for that.
	Lost State = "lost"
	// Failed: the server did not start, or could not be reconnected. [Host.Invoke]
	// describes when a call tries again.
	Failed State = "failed"
	// Closed: [Host.Detach] or [Host.Close] ended the server.
	Closed State = "closed"
)

// Status is the status of one server.
type Status struct {
	Server       string
	State        State
	Err          error              // why it is lost, failed or late, of type *ServerError; else nil
	LastErr      error              // the last such error, kept after a reconnect; nil: there was none
	Since        time.Time          // of the state
	Transport    endpoint.Transport // in use; the configured one before the first session
	Protocol     string             // negotiated revision; "" before the first session
	Identity     json.RawMessage    // serverInfo as the server sent it; nil before the first session
	Name         string             // of the identity, fit to be shown
	Version      string
	Tools        int              // in the last listing, even if the server is lost
	Listed       time.Time        // when the last listing was taken; zero: never
	Restarts     int              // attempts to reconnect since it was attached, including failed ones
	RestartsLeft int              // attempts left, with and without a call; a healthy server gets used ones back
	PID          int              // of a running stdio server; else 0
	SkippedLines int              // lines between messages that are not messages
	Dropped      Dropped          // what the server sent beyond its limits
	PeakMemory   int64            // peak of the bytes reserved for its large messages; 0: it sent none
	Problems     []schema.Problem // items of the last listing that were left out or are odd
	// Declares holds the capabilities declared to the server:
	// [endpoint.Server.Client], or else the offers of [Options.Input].
	Declares endpoint.Offers
	// Unanswered lists the capabilities of Declares that this program has no handler
	// for: such requests are declined.
	Unanswered []string
	// Drift counts the tools of the last listing, and the missing ones, by their
	// state; see [Host.Drift]. Nil: there is no listing.
	Drift map[ToolState]int
	// Reworded lists the verified tools whose texts differ from the pinned ones,
	// sorted.
	Reworded []string
}
