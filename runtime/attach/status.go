// What a host tells about its servers.

package attach

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// State is where a server's session stands.
type State string

// The states of a session.
const (
	Connecting State = "connecting" // being started, or waiting for its turn
	Ready      State = "ready"      // calls are carried
	Failed     State = "failed"     // it did not come up, or it was lost: see Status.Err
	Closed     State = "closed"     // by Host.Close
)

// Status is what is known of one server.
type Status struct {
	Server       string
	State        State
	Err          error              // why it failed, of type *ServerError; nil otherwise
	Since        time.Time          // of the state
	Transport    endpoint.Transport // in use; what is configured until then
	Protocol     string             // revision that was negotiated; "" until then
	Name         string             // what the server calls itself
	Version      string
	Tools        int              // in the listing that was taken at attach
	PID          int              // of stdio servers; 0 otherwise
	SkippedLines int              // what arrived between messages and is no message
	Problems     []schema.Problem // items that were left out or are odd, found at attach
}
