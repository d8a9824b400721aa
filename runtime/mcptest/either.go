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

// recordVariable is the environment variable that turns recording on.
const recordVariable = "MCPGEN_RECORD"

// RecordOrReplay returns an invoker that answers from a recording, as [Replay] does, or records one, as
// [Record] does. With MCPGEN_RECORD=1 in the environment it calls connect, sends all calls there, and
// writes them to the file when the test ends.
//
//	MCPGEN_RECORD=1 go test -run TestTriage .
//
// Connect is only called when recording. Its context ends with the test. Its invoker is then closed, if
// it has a method Close() error. If the invoker has a method Err() error, as a host does, servers that
// did not start fail the test. A test that fails writes no file.
//
// If the variable is not a boolean for [strconv.ParseBool], or if connect fails, the test fails and every
// call returns an error.
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

// failing fails the test, and returns an invoker whose calls fail with err.
func failing(t TB, err error) runtime.Invoker {
	t.Helper()
	t.Errorf("%v", err)
	return runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		return nil, callError(req, stage.Send, false, err)
	})
}
