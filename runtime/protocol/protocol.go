// Package protocol names what the Model Context Protocol calls requests and the blocks
// of results, for code that tells them apart, such as middleware:
//
//	if req.Method == protocol.MethodCallTool {
package protocol

// The methods that a runtime.Request can carry.
const (
	MethodCallTool     = "tools/call"
	MethodGetPrompt    = "prompts/get"
	MethodReadResource = "resources/read"
	MethodComplete     = "completion/complete"
	// MethodSubscribe follows a resource for as long as the request lasts: until its
	// context ends, or its error says why it cannot go on. Options.OnUpdated is called.
	MethodSubscribe = "resources/subscribe"

	// Those of tasks. Name is that of the tool whose task it is; Args have its taskId, and
	// of an update the inputResponses. The result of MethodGetTask has the task as its
	// structured content, that of MethodAwaitTask is the tool's, once there is one.
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
	ContentJSON     = "json"          // a JSON value: not of the protocol, but of Covenant and servers like it
)
