// What a host reports about its servers.

package attach

import (
	"encoding/json"
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// State is where a server's session stands.
type State string

// The states of a session.
const (
	// Unstarted: it is lazy, and nobody has needed it yet. Its first call or
	// listing starts it, and waits.
	Unstarted State = "unstarted"
	// Connecting: it is being started, or waits for its turn. Calls wait. With an
	// Err it is late, and may still be installed: see [Connect].
	Connecting State = "connecting"
	// Ready: calls are carried.
	Ready State = "ready"
	// Lost: it was ready and crashed, or its connection ended. Calls start a
	// process again, as [Host.Invoke] says; connections come back by themselves,
	// and calls wait for that.
	Lost State = "lost"
	// Failed: it did not come up, or did not come back. See [Host.Invoke] for
	// when a call tries again.
	Failed State = "failed"
	// Closed: by [Host.Detach] or [Host.Close].
	Closed State = "closed"
)

// Status is what is known of one server.
type Status struct {
	Server       string
	State        State
	Err          error              // why it is lost, failed or late, of type *ServerError; nil otherwise
	LastErr      error              // the last such error, also after the server came back; nil: there was none
	Since        time.Time          // of the state
	Transport    endpoint.Transport // in use; what is configured until then
	Protocol     string             // revision that was negotiated; "" until then
	Identity     json.RawMessage    // what the server says that it is, as it said it; nil until then
	Name         string             // of the identity, fit to be shown
	Version      string
	Tools        int              // in the last listing, also of a server that is lost
	Listed       time.Time        // when that was taken; zero: never
	Restarts     int              // attempts to bring it back since it was attached, the failed ones too
	RestartsLeft int              // attempts that are left, by time and by calls; health may give used ones back
	PID          int              // of stdio servers that run; 0 otherwise
	SkippedLines int              // what arrived between messages and is not a message
	Dropped      Dropped          // what the server sent beyond its limits
	PeakMemory   int64            // the most bytes that were reserved for its large messages at the same time; 0: it sent none
	Problems     []schema.Problem // items of the last listing that were left out or are odd
	// Declares is what the server is told that this program answers: [endpoint.Server.Client],
	// or what [Options.Input] does.
	Declares endpoint.Offers
	// Unanswered are those capabilities of Declares that this program has no handler for:
	// such requests are declined.
	Unanswered []string
	// Drift counts the tools of the last listing, and those that are missing in
	// it, by what is known of them; see [Host.Drift]. Nil: there is no listing.
	Drift map[ToolState]int
	// Reworded are the verified tools whose texts are not the pinned ones, sorted.
	Reworded []string
}
