// Package event is about what happens to servers, tools and calls: what audit logs,
// ledgers and status lines follow.
package event

import "time"

// A Kind is what happened.
type Kind string

// The kinds, in the order in which the life of a server brings them.
const (
	Unstarted    Kind = "unstarted"    // it is lazy, and starts when it is first needed; Tools are the pinned ones
	Attaching    Kind = "attaching"    // a server is being started or connected
	Attached     Kind = "attached"     // it is ready; Tools are what it lists
	Failed       Kind = "failed"       // it did not come up, or is lost: Err
	Restarting   Kind = "restarting"   // an attempt after a crash begins
	Reconnecting Kind = "reconnecting" // an attempt after a lost connection begins
	Unavailable  Kind = "unavailable"  // an attempt to bring it back failed, or none is left: Err
	Detached     Kind = "detached"     // it was taken out; Tools are what left with it
	ListChanged  Kind = "list-changed" // the server says so; nothing is proven yet. Detail is "prompts" or "resources", or "" of tools
	ToolAdded    Kind = "tool-added"   // a listing has a tool that the one before had not
	ToolRemoved  Kind = "tool-removed" // a listing lacks a tool that the one before had
	ToolChanged  Kind = "tool-changed" // a tool's definition is another one
	Drift        Kind = "drift"        // a tool's judgement against its pin changed: Detail
	Check        Kind = "check"        // a permission was asked for: Allowed, Detail
	Call         Kind = "call"         // a call ended: Duration, Err
	Elicitation  Kind = "elicitation"  // a server asked for input: Detail says what was answered
	Reloaded     Kind = "reloaded"     // the servers, and what is configured about them, were read again
	Notice       Kind = "notice"       // something that a person should know: Detail
)

// An Event is something that happened to a server, a tool or a call. What
// follows the life of servers (audit, ledgers, status lines) reads a stream of
// them. Texts that came from a server are hostile: whoever prints them quotes
// them.
type Event struct {
	Time     time.Time
	Kind     Kind
	Server   string        // configured name; "" is native tools
	Tool     string        // as the server spells it; "" if it is about the whole server
	Caller   string        // of checks: on whose behalf, see runtime.Options
	Method   string        // of checks and calls: one that package protocol names; "" is a tool's, or none
	Tools    []string      // wire names, in the server's order; only where the kind says so
	State    string        // the state of the server or tool after it
	Before   string        // the state of the server before it; only of Detached
	Detail   string        // one line
	Allowed  bool          // of checks
	Duration time.Duration // of calls
	Err      error
}
