// Tools that run as tasks: the server answers with a handle, and the result is
// fetched later. This client does not follow tasks, and says so before it calls.

package attach

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// errTaskOnly is a tool that cannot be called otherwise than as a task.
var errTaskOnly error = &failure{
	text: `the tool runs as a task only (execution.taskSupport is "required"), and this client does not follow tasks: call a tool that answers, or configure the server to answer without tasks`,
	errs: []error{runtime.ErrUnavailable},
}

// errTask is an answer that is the handle of a task.
var errTask = errors.New("the server answered with a task that runs on, which this client does not follow: call a tool that answers, or configure the server not to use tasks")

// taskOnly reports whether a tool says that it runs as a task only.
func taskOnly(raw json.RawMessage) bool {
	if !bytes.Contains(raw, []byte(`"taskSupport"`)) {
		return false
	}
	var tool struct {
		Execution struct {
			TaskSupport string `json:"taskSupport"`
		} `json:"execution"`
	}
	return json.Unmarshal(raw, &tool) == nil && tool.Execution.TaskSupport == "required"
}

// runsTasks reports whether the server runs tool calls as tasks. Of one that
// does not, the specification says to take no notice of what its tools say.
func (s *session) runsTasks() bool {
	var caps struct {
		Tasks struct {
			Requests struct {
				Tools struct {
					Call json.RawMessage `json:"call"`
				} `json:"tools"`
			} `json:"requests"`
		} `json:"tasks"`
	}
	return json.Unmarshal(s.handshake.capabilities, &caps) == nil && present(caps.Tasks.Requests.Tools.Call) != nil
}

// isTask reports whether a result of 2025-11-25 is the handle of a task: it
// would read as an empty success.
func isTask(raw json.RawMessage) bool {
	if !bytes.Contains(raw, []byte(`"taskId"`)) {
		return false
	}
	var result struct {
		Task struct {
			ID string `json:"taskId"`
		} `json:"task"`
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	return json.Unmarshal(raw, &result) == nil && result.Task.ID != "" && result.Content == nil && result.Structured == nil
}

// isTaskOnly reports whether a tool runs as a task only.
func (x *toolIndex) isTaskOnly(tool string) bool {
	t := x.items[tool]
	return t != nil && t.asTask
}

// taskID returns the id in the arguments of a request about a task; "" if there is none.
func taskID(args json.RawMessage) string {
	id, _ := jsontext.Unquote(jsontext.Member(args, "taskId"))
	return id
}

// taskMembers returns what a request about a task may tell the server.
func taskMembers(args json.RawMessage) []member {
	members := []member{{"taskId", quoted(taskID(args))}}
	if responses := jsontext.Member(args, "inputResponses"); responses != nil {
		members = append(members, member{"inputResponses", responses})
	}
	return members
}
