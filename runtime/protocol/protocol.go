// Package protocol names the requests of the Model Context Protocol, the blocks of
// results, and the sessions of callers, for code that distinguishes them, such as
// middleware:
//
//	if req.Method == protocol.MethodCallTool {
package protocol

import "encoding/json"

// The methods that a runtime.Request can carry.
const (
	MethodCallTool     = "tools/call"
	MethodGetPrompt    = "prompts/get"
	MethodReadResource = "resources/read"
	MethodComplete     = "completion/complete"
	// MethodSubscribe follows a resource for as long as the request lasts: until its
	// context ends, or an error ends it. Options.OnUpdated is called.
	MethodSubscribe = "resources/subscribe"

	// Methods of tasks. Name is the tool whose task it is; Args have its taskId, and
	// in an update the inputResponses. The result of MethodGetTask has the task as
	// structured content; the result of MethodAwaitTask is the tool's, once there is
	// one.
	MethodGetTask    = "tasks/get"
	MethodAwaitTask  = "tasks/result"
	MethodUpdateTask = "tasks/update"
	MethodCancelTask = "tasks/cancel"
)

// The types that a runtime.Content can have.
const (
	ContentText     = "text"
	ContentImage    = "image"
	ContentAudio    = "audio"
	ContentResource = "resource"      // embedded resource
	ContentLink     = "resource_link" // reference to a resource
	ContentJSON     = "json"          // a JSON value: not in the protocol, but sent by Covenant and similar servers
)

// Session is a session of a caller.
type Session struct {
	ID       string // unique in the program; "" is no session
	Protocol string // the revision of the protocol that the caller speaks; "" is unknown
	Answers  bool   // the caller answers some requests of servers: for input, for a model's answer, or for folders
	// Client is a JSON object of the client capabilities that the caller declared. Requests
	// to servers since 2026-07-28 declare elicitation, sampling and roots only as far as it
	// does. Nil limits nothing.
	Client json.RawMessage
}
