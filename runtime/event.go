package runtime

import "time"

// An EventKind is what an [Event] tells of.
type EventKind string

// The kinds of events, in the order in which the life of a server brings them.
const (
	EventUnstarted    EventKind = "unstarted"    // it is lazy, and starts when it is first needed; Tools are the pinned ones
	EventAttaching    EventKind = "attaching"    // a server is being started or connected
	EventAttached     EventKind = "attached"     // it is ready; Tools are what it lists
	EventFailed       EventKind = "failed"       // it did not come up, or is lost: Err
	EventRestarting   EventKind = "restarting"   // an attempt after a crash begins
	EventReconnecting EventKind = "reconnecting" // an attempt after a lost connection begins
	EventUnavailable  EventKind = "unavailable"  // an attempt to bring it back failed, or none is left: Err
	EventDetached     EventKind = "detached"     // it was taken out; Tools are what left with it
	EventListChanged  EventKind = "list-changed" // the server says so; nothing is proven yet. Detail is "prompts" or "resources", or "" of tools
	EventToolAdded    EventKind = "tool-added"   // a listing has a tool that the one before had not
	EventToolRemoved  EventKind = "tool-removed" // a listing lacks a tool that the one before had
	EventToolChanged  EventKind = "tool-changed" // a tool's definition is another one
	EventDrift        EventKind = "drift"        // a tool's judgement against its pin changed: Detail
	EventCheck        EventKind = "check"        // a permission was asked for: Allowed, Detail
	EventCall         EventKind = "call"         // a call ended: Duration, Err
	EventElicitation  EventKind = "elicitation"  // a server asked for input: Detail says what was answered
	EventNotice       EventKind = "notice"       // something that a person should know: Detail
)

// An Event is something that happened to a server, a tool or a call. What
// follows the life of servers (audit, ledgers, status lines) reads a stream of
// them. Texts that came from a server are hostile: whoever prints them quotes
// them.
type Event struct {
	Time     time.Time
	Kind     EventKind
	Server   string        // configured name; "" is native tools
	Tool     string        // as the server spells it; "" if it is about the whole server
	Method   string        // of checks and calls: one of the Method constants; "" is a tool's, or none
	Tools    []string      // wire names, sorted; only where the kind says so
	State    string        // the state of the server or tool after it
	Before   string        // the state of the server before it; only of EventDetached
	Detail   string        // one line
	Allowed  bool          // of checks
	Duration time.Duration // of calls
	Err      error
}
