// The content of a line.

package audit

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// The kinds of records.
const (
	KindAttach  = "attach"          // a server was attached, or failed to start: Error
	KindDetach  = "detach"          // an attached server was removed, or is lost: Error
	KindRestart = "restart"         // a server is started or connected again
	KindCheck   = "CapabilityCheck" // a permission or a secret was requested: Decision
	KindCall    = "call"            // a call ended, or was denied: Decision
	KindDrift   = "drift"           // a tool differs from the locked one, or equals it again
	KindChange  = "change"          // the listing of a server has changed
	KindNotice  = "notice"          // anything else that a person should know
)

// The decisions: [Record.Decision].
const (
	Allowed = "allow"
	Denied  = "deny"
)

// LocalCaller is the caller of calls and checks whose record names none, as in rules:
// the program itself.
const LocalCaller = "local"

// Record is one line. Which members are set depends on its kind. Its texts may come
// from a server and must be made fit to be shown.
type Record struct {
	Time     time.Time `json:"time"`
	Kind     string    `json:"kind"`
	Agent    string    `json:"agent_id,omitempty"` // tool:<name> if it is about a tool
	Server   string    `json:"server,omitempty"`   // "" for native tools
	Tool     string    `json:"tool,omitempty"`     // tool, prompt or URI in the server's spelling
	Method   string    `json:"method,omitempty"`   // unless it is tools/call
	Key      string    `json:"key,omitempty"`      // the tool's content key
	Caller   string    `json:"caller,omitempty"`   // of calls and checks: on whose behalf, see runtime.Options
	Profile  string    `json:"profile,omitempty"`  // of calls: the profile of the gateway that the caller used
	Decision string    `json:"decision,omitempty"` // allow or deny; "" for a call without a known server or tool
	Stage    string    `json:"stage,omitempty"`    // the stage at which a call or a server failed
	Detail   string    `json:"detail,omitempty"`
	Error    string    `json:"error,omitempty"`
	Launch   string    `json:"launch,omitempty"` // how the server is started, as configured
	Run      string    `json:"run,omitempty"`    // of calls: the run in the ledger, which has the tools of that time
	Seq      int64     `json:"seq,omitempty"`    // the last entry of that run when the call began

	Milliseconds float64         `json:"ms,omitempty"`
	ArgsBytes    int             `json:"args_bytes,omitempty"`
	ResultBytes  int             `json:"result_bytes,omitempty"`
	IsError      bool            `json:"is_error,omitempty"` // the tool itself reported an error
	Tools        int             `json:"tools,omitempty"`    // number of listed tools
	Arguments    json.RawMessage `json:"arguments,omitempty"`
	PID          int             `json:"pid,omitempty"` // of the program that wrote the line
}

// The limits of texts in a record, in bytes.
const (
	maxName      = 512
	maxText      = 2 << 10
	maxArguments = 64 << 10
)

// record masks and writes a record.
func (l *Log) record(r Record) {
	mask := l.opts.Mask.Text
	r.Time = r.Time.UTC()
	r.Server, r.Tool, r.Method = safetext.Cut(mask(r.Server), maxName), safetext.Cut(mask(r.Tool), maxName), safetext.Cut(r.Method, maxName)
	r.Caller, r.Profile = safetext.Cut(mask(r.Caller), maxName), safetext.Cut(r.Profile, maxName)
	r.Detail, r.Error, r.Launch = safetext.Cut(mask(r.Detail), maxText), safetext.Cut(mask(r.Error), maxText), safetext.Cut(mask(r.Launch), maxText)
	if r.Method == protocol.MethodCallTool {
		r.Method = ""
	}
	if r.Tool != "" {
		r.Agent = "tool:" + r.Tool
		if l.opts.Key != nil && r.Method == "" {
			r.Key = l.opts.Key(r.Server, r.Tool)
		}
	}
	if r.Arguments != nil {
		r.Arguments = l.shown(r.Arguments)
	}
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(&r); err != nil {
		r.Arguments = nil // only arguments can be invalid JSON
		line.Reset()
		_ = json.NewEncoder(&line).Encode(&r)
	}
	l.write(safetext.JSON(line.Bytes()))
}

// shown returns arguments fit to be logged: bounded and masked. If the result is not
// JSON, it is logged as a string.
func (l *Log) shown(args json.RawMessage) json.RawMessage {
	text := l.opts.Mask.Text(string(args))
	if len(text) <= maxArguments && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(safetext.Cut(text, maxArguments)) // a string can always be encoded
	return quoted
}
