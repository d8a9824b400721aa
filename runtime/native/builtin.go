package native

// This file has the built-in tools.

import (
	"context"
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
	return Must(New(EchoName, "Returns the provided text argument verbatim.", func(_ context.Context, args echoArgs) (string, error) {
		return args.Text, nil
	}))
}

type clockResult struct {
	EpochMS uint64 `json:"epoch_ms" jsonschema:"description=Milliseconds since 1970-01-01 UTC."`
}

// Clock returns the tool "clock", which takes no arguments and returns the time as
// {"epoch_ms": …}. A nil now is [time.Now]; a time before 1970 is 0. The tool reveals
// nothing and changes nothing, so a gate may allow it without a grant, as a sign of
// life: see [ClockName].
func Clock(now func() time.Time) *Tool {
	if now == nil {
		now = time.Now
	}
	return Must(New(ClockName, "Returns the time in milliseconds since 1970.", func(context.Context, struct{}) (clockResult, error) {
		return clockResult{EpochMS: uint64(max(now().UnixMilli(), 0))}, nil
	}))
}
