// How a server that was lost comes back.

package endpoint

// Restart says how often a host may bring back a server that crashed or did not
// come up.
type Restart string

// The kinds of restart.
const (
	// RestartHealthy is one restart, by the next call; when the server was well
	// for a minute, it may be restarted again.
	RestartHealthy Restart = ""
	// RestartOnce is one restart as long as the server is attached.
	RestartOnce Restart = "once"
	// RestartNever leaves a lost server lost.
	RestartNever Restart = "never"
)
