// How a server that was lost comes back.

package endpoint

// Restart says how often a host may bring back a server that crashed or did not
// come up.
type Restart string

// The kinds of restart.
const (
	// RestartHealthy is five restarts, each asked for by a call: the first at
	// once, the others 1, 5, 20 and 60 seconds after the one before. A server
	// that was ready for a minute has all five again.
	RestartHealthy Restart = ""
	// RestartOnce is one restart, by the next call, as long as the server is attached.
	// Each start is one process: it is asked for the protocol's older revision first,
	// which every server understands, and not probed for newer ones.
	RestartOnce Restart = "once"
	// RestartNever leaves a lost server lost.
	RestartNever Restart = "never"
)
