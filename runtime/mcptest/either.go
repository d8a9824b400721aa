package mcptest

// This file chooses between recording and replaying.

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
)

// recordVariable is the variable of the environment that turns recording on.
const recordVariable = "MCPGEN_RECORD"

// RecordOrReplay returns an invoker that answers from a recording, as [Replay] does, or
// makes one: with MCPGEN_RECORD=1 in the environment it calls connect, sends all calls
// there, and writes them to the file when the test ends, as [Record] does.
//
//	MCPGEN_RECORD=1 go test -run TestTriage .
//
// Connect is not called otherwise. Its context ends with the test. What it returns is
// closed then, if it has a method Close() error; if it has Err() error, as a host has,
// servers that did not come up fail the test. A test that fails writes nothing.
//
// A value of the variable that is not a boolean (as [strconv.ParseBool] takes it) fails
// the test, and so does an error of connect; every call then gets an error.
func RecordOrReplay(t TB, path string, connect func(context.Context) (runtime.Invoker, error)) runtime.Invoker {
	t.Helper()
	value := os.Getenv(recordVariable)
	record, err := strconv.ParseBool(value)
	switch {
	case value == "":
		return Replay(t, path, nil)
	case err != nil:
		return failing(t, fmt.Errorf("%s=%s: want 1 to record or 0 to replay", recordVariable, printable(value, maxShown)))
	case !record:
		return Replay(t, path, nil)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	host, err := connect(ctx)
	if err != nil {
		return failing(t, fmt.Errorf("%s: not recorded: %w", path, err))
	}
	if closer, ok := host.(interface{ Close() error }); ok {
		t.Cleanup(func() {
			t.Helper()
			if err := closer.Close(); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	if h, ok := host.(interface{ Err() error }); ok {
		if err := h.Err(); err != nil {
			return failing(t, fmt.Errorf("%s: not recorded: %w", path, err))
		}
	}
	return runtime.Chain(host, Record(t, path, nil))
}

// failing fails the test and every call with an error.
func failing(t TB, err error) runtime.Invoker {
	t.Helper()
	t.Errorf("%v", err)
	return runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		return nil, callError(req, stage.Send, false, err)
	})
}
