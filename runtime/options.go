package runtime

import (
	"encoding/json"
	"time"
)

// Options are the per-call settings of a [Request]. The zero value is the
// server's own settings.
type Options struct {
	// Timeout bounds this call: waiting for a server that is coming back, and a
	// second attempt, are part of it. Zero is the server's configured timeout;
	// negative means none.
	Timeout time.Duration
	// OnProgress receives the progress notifications of this call, in order,
	// before the call returns. Nil asks the server for none.
	OnProgress func(Progress)
	// ProgressExtends starts Timeout again at each progress notification.
	ProgressExtends bool
	// Meta is merged into the request's _meta. Keys that the protocol reserves
	// are set by the invoker and win.
	Meta map[string]json.RawMessage
	// Arguments are arguments of a tool beside those of the request, by name: see
	// codec.WithArgument. [Request.Do] puts them among Args, where all that follows finds them.
	Arguments map[string]json.RawMessage
	// Raw, when not nil, receives the whole result beside the typed one.
	Raw *Result
	// Pin is the contract hash that the call insists on in place of the request's own:
	// see [WithPin]. "" means none.
	Pin string
	// Caller names on whose behalf the call is made, in a program that acts for several:
	// hosts have sessions for each of them where they are told to. It is not a credential,
	// and is not sent. "" is the program itself.
	Caller string
	// OnUpdated is called when a request "resources/subscribe" begins to follow its
	// resource, also after it was lost, and when the server says that it changed; calls
	// may stand for several changes. It runs on the goroutine of the request.
	OnUpdated func()
	// Task returns the handle of a task where the server runs the tool as one, instead of
	// waiting for its end. Where a server of 2025-11-25 leaves the choice to the client,
	// it asks for one. See [Result.Type] and codec.Task.
	Task bool
	// Relay, when not nil, says that the caller answers what the server asks for in the
	// course of the call, and nobody here is asked. It holds the capabilities that the
	// server is told the client has, as a JSON object. The result may then be one that is
	// not complete: see [Result.Type]. Servers before 2026-07-28 were told at attach what
	// is answered here, and ask there.
	Relay json.RawMessage
	// InputResponses and RequestState continue a call whose result was of the type
	// "input_required": what it asked for, as a JSON object by the same ids, and its state
	// as the server sent it. Nil sends none.
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

// WithTimeout bounds one call, with all that it waits for. Zero is the server's
// configured timeout; negative means none.
func WithTimeout(d time.Duration) CallOption { return func(o *Options) { o.Timeout = d } }

// OnProgress hands the progress notifications of one call to f, in order.
// F runs on the goroutine that reads for this call: it must not block.
func OnProgress(f func(Progress)) CallOption { return func(o *Options) { o.OnProgress = f } }

// ExtendOnProgress lets each progress notification start the timeout again.
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

// WithPin insists on a contract hash: a tool, prompt or resource that has another
// contract by now fails with [ErrDrift], unless it is proven to serve as well. It is for
// calls by name, such as those of the tools of a host; typed calls have their pin.
func WithPin(hash string) CallOption { return func(o *Options) { o.Pin = hash } }

// WithRaw hands out the whole result beside the typed one, also when the call
// returns a [*ToolError] or a [*DecodeError].
func WithRaw(dst *Result) CallOption { return func(o *Options) { o.Raw = dst } }
