package native

// This file has the built-in tools.

import (
	"context"
	"encoding/json"
	"time"
)

// The names of the built-in tools.
const (
	EchoName  = "echo"
	ClockName = "clock"
)

type echoArgs struct {
	Text string `json:"text"`
}

// Echo returns the tool "echo", which returns its argument "text" unchanged.
func Echo() *Tool {
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`)
	return Must(withSchemas(EchoName, "Returns the provided text argument verbatim.", schema, nil, func(_ context.Context, args echoArgs) (string, error) {
		return args.Text, nil
	}))
}

type clockResult struct {
	EpochMS uint64 `json:"epoch_ms"`
}

// Clock returns the tool "clock", which takes no arguments and returns the time as
// {"epoch_ms": …}. A nil now is [time.Now]; a time before 1970 is 0. The tool reveals
// nothing and changes nothing, so a gate may allow it without a grant, as a sign of
// life: see [ClockName].
func Clock(now func() time.Time) *Tool {
	if now == nil {
		now = time.Now
	}
	input := json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	output := json.RawMessage(`{"type":"object","properties":{"epoch_ms":{"type":"integer","description":"Milliseconds since 1970-01-01 UTC."}},` +
		`"required":["epoch_ms"],"additionalProperties":false}`)
	return Must(withSchemas(ClockName, "Returns the time in milliseconds since 1970.", input, output, func(context.Context, struct{}) (clockResult, error) {
		return clockResult{EpochMS: uint64(max(now().UnixMilli(), 0))}, nil
	}))
}
