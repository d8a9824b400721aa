package runtime

import (
	"encoding/json"
	"time"

	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Options are the per-call settings of a [Request]. The zero value uses the server's
// settings.
type Options struct {
	// Timeout bounds this call, including the wait for a server that is reconnecting,
	// and a second attempt. Zero is the server's configured timeout; negative means
	// none.
	Timeout time.Duration
	// OnProgress receives the progress notifications of this call, in order, before
	// the call returns. If nil, the call requests none.
	OnProgress func(Progress)
	// ProgressExtends restarts Timeout at each progress notification.
	ProgressExtends bool
	// Meta is merged into the request's _meta. The invoker overwrites keys that the
	// protocol reserves.
	Meta map[string]json.RawMessage
	// Arguments are arguments of a tool in addition to Args, by name: see
	// codec.WithArgument. [Request.Do] adds them to Args, so that every invoker sees
	// them there.
	Arguments map[string]json.RawMessage
	// Raw, when not nil, receives the whole result in addition to the typed one.
	Raw *Result
	// Pin is a contract hash that replaces the pin of the request: see [WithPin]. ""
	// means none.
	Pin string
	// Caller names the caller on whose behalf the call is made, in a program that
	// acts for several. Hosts may be configured to have separate sessions for each
	// caller. It is not a credential, and is not sent. "" is the program itself.
	Caller string
	// Claims are what the program has verified about the caller, each as NAME=VALUE, such
	// as groups=devs: see policy.CallerRules. They are not sent. Nil is none.
	Claims []string
	// Session is the session of the caller that the call is part of, in a program
	// whose callers have sessions, such as a gateway. Hosts may be configured to have
	// separate sessions with servers for each of them. It is not sent. The zero value
	// is no session.
	Session protocol.Session
	// Profile names the part of what the servers offer that the call may use, in a
	// program with several: see policy.Profile. It is not sent. "" is everything.
	Profile string
	// OnUpdated is called when a request "resources/subscribe" begins to follow its
	// resource, also again after a lost connection, and when the server reports a
	// change. One call may report several changes. It runs on the goroutine of the
	// request.
	OnUpdated func()
	// Task returns the handle of a task if the server runs the tool as one, instead
	// of waiting for its end. If a server of 2025-11-25 leaves the choice to the
	// client, the call requests a task. See [Result.Type] and codec.Task.
	Task bool
	// TaskTTL is how long a server of 2025-11-25 is asked to keep a requested task,
	// from its creation. Zero leaves it to the server.
	TaskTTL time.Duration
	// Relay, when not nil, says that the caller answers the server's requests during
	// the call, and this program does not. It is a JSON object of the client
	// capabilities that are declared to the server. The result may then be
	// incomplete: see [Result.Type]. Servers before 2026-07-28 got the program's
	// capabilities at attach, and send their requests to the program.
	Relay json.RawMessage
	// InputResponses and RequestState continue a call whose result was of the type
	// "input_required": the answers, as a JSON object by the ids of the requests, and
	// the state as the server sent it. Nil sends none.
	InputResponses json.RawMessage
	RequestState   json.RawMessage
}

// Progress is one progress notification of a running call.
type Progress struct {
	Progress float64
	Total    float64 // 0: unknown
	Message  string
}

// A CallOption changes the [Options] of one call.
type CallOption func(*Options)

// WithTimeout bounds one call, including its waits. Zero is the server's configured
// timeout; negative means none.
func WithTimeout(d time.Duration) CallOption { return func(o *Options) { o.Timeout = d } }

// OnProgress passes the progress notifications of one call to f, in order. F runs on
// the goroutine that reads for this call: it must not block.
func OnProgress(f func(Progress)) CallOption { return func(o *Options) { o.OnProgress = f } }

// ExtendOnProgress restarts the timeout at each progress notification.
func ExtendOnProgress() CallOption { return func(o *Options) { o.ProgressExtends = true } }

// WithMeta adds one member to the request's _meta.
func WithMeta(key string, value json.RawMessage) CallOption {
	return func(o *Options) {
		if o.Meta == nil {
			o.Meta = map[string]json.RawMessage{}
		}
		o.Meta[key] = value
	}
}

// WithPin requires a contract hash: a tool, prompt or resource whose contract has
// changed fails with [ErrDrift], unless it is proven compatible. It is for calls by
// name, such as of a host's tools; typed calls have their own pin.
func WithPin(hash string) CallOption { return func(o *Options) { o.Pin = hash } }

// WithRaw also returns the whole result of a typed call, even if the call returns a
// [*ToolError] or a [*DecodeError].
func WithRaw(dst *Result) CallOption { return func(o *Options) { o.Raw = dst } }
