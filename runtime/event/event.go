// Package event defines the events of servers, tools and calls, for audit logs,
// ledgers and status lines.
package event

import "time"

// A Kind is the kind of an event.
type Kind string

// The kinds, in the order of a server's life.
const (
	Unstarted    Kind = "unstarted"    // the server is lazy, and starts when it is first needed; Tools are the pinned ones
	Attaching    Kind = "attaching"    // a server is being started or connected
	Attached     Kind = "attached"     // the server is ready; Tools are the listed ones
	Failed       Kind = "failed"       // the server did not start, or is lost: Err
	Restarting   Kind = "restarting"   // an attempt after a crash begins
	Reconnecting Kind = "reconnecting" // an attempt after a lost connection begins
	Unavailable  Kind = "unavailable"  // an attempt to reconnect failed, or no attempt is left: Err
	Detached     Kind = "detached"     // the server was removed; Tools are removed with it
	ListChanged  Kind = "list-changed" // the server reports a change. Detail is "prompts" or "resources", or "" for tools
	ToolAdded    Kind = "tool-added"   // a listing has a tool that the previous one did not have
	ToolRemoved  Kind = "tool-removed" // a listing lacks a tool of the previous one
	ToolChanged  Kind = "tool-changed" // a tool's definition has changed
	Drift        Kind = "drift"        // a tool's judgement against its pin changed: Detail
	Check        Kind = "check"        // a permission was requested: Allowed, Detail
	Call         Kind = "call"         // a call ended: Duration, Err
	Elicitation  Kind = "elicitation"  // a server requested input: Detail is the answer
	Reloaded     Kind = "reloaded"     // the servers, and what is configured about them, were read again
	Notice       Kind = "notice"       // something that a person should know: Detail
)

// An Event reports something that happened to a server, a tool or a call. Audit logs,
// ledgers and status lines read a stream of events. Texts of servers may be hostile:
// quote them when you print them.
type Event struct {
	Time     time.Time
	Kind     Kind
	Server   string        // configured name; "" is native tools
	Tool     string        // in the server's spelling; "" if it is about the whole server
	Caller   string        // of checks: on whose behalf, see runtime.Options
	Method   string        // of checks and calls: a method of package protocol; "" is a tool call, or none
	Tools    []string      // wire names, in the server's order; only for some kinds
	State    string        // the state of the server or tool after the event
	Before   string        // the state of the server before the event; only for Detached
	Detail   string        // one line
	Allowed  bool          // of checks
	Duration time.Duration // of calls
	Err      error
}
