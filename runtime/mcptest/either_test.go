package mcptest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

// echoHost is an echoes that is closed, and may not have come up.
type echoHost struct {
	echoes
	err    error
	closed bool
}

func (h *echoHost) Err() error { return h.err }

func (h *echoHost) Close() error {
	h.closed = true
	return nil
}

// failableT is a test that knows whether it failed.
type failableT struct {
	fakeT
	skipped bool
}

func (t *failableT) Failed() bool  { return len(t.errors) > 0 }
func (t *failableT) Skipped() bool { return t.skipped }

func TestRecordOrReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "run.jsonl")
	// run makes one call in a test, and returns its failures.
	run := func(t *testing.T, record string, host *echoHost, text string, in func(*failableT)) (string, error) {
		t.Setenv("MCPGEN_RECORD", record)
		ft := new(failableT)
		inv := mcptest.RecordOrReplay(ft, file, func(context.Context) (runtime.Invoker, error) {
			if host == nil {
				return nil, errors.New("no such host")
			}
			return host, nil
		})
		_, err := callTool(t, inv, "s", "echo", `{"text":"`+text+`"}`)
		if in != nil {
			in(ft)
		}
		ft.end()
		return strings.Join(ft.errors, "\n"), err
	}
	read := func(t *testing.T) string {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return string(data)
	}
	steps := []struct {
		name, record string
		host         *echoHost
		text         string
		in           func(*failableT)
		fails        string
		holds        string // the text that is recorded afterwards
	}{
		{name: "nothing recorded yet", fails: "record it first: mcptest.RecordOrReplay records if MCPGEN_RECORD=1"},
		{name: "no server", record: "1", fails: "not recorded: no such host"},
		{name: "a server that is down", record: "1", host: &echoHost{err: errors.New("s: it is down")}, fails: "not recorded: s: it is down"},
		{name: "a test that fails", record: "1", host: &echoHost{}, text: "first", in: func(t *failableT) { t.Errorf("wrong") }, fails: "wrong"},
		{name: "a test that is skipped", record: "1", host: &echoHost{}, text: "first", in: func(t *failableT) { t.skipped = true }},
		{name: "recorded", record: "1", host: &echoHost{}, text: "second", holds: "second"},
		{name: "replayed", text: "second", holds: "second"},
		{name: "replayed explicitly", record: "0", text: "second", holds: "second"},
		{name: "another call", text: "third", fails: "the call differs from the recorded one", holds: "second"},
		{name: "a test that fails leaves what is there", record: "1", host: &echoHost{}, text: "third", in: func(t *failableT) { t.Errorf("wrong") }, fails: "wrong", holds: "second"},
		{name: "recorded again", record: "true", host: &echoHost{}, text: "third", holds: "third"},
		{name: "neither", record: "maybe", fails: `MCPGEN_RECORD=maybe: want 1 to record or 0 to replay`, holds: "third"},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			fails, err := run(t, step.record, step.host, step.text, step.in)
			if !strings.Contains(fails, step.fails) || (fails == "") != (step.fails == "") {
				t.Errorf("fails with %q, want %q", fails, step.fails)
			}
			if (err != nil) != (step.fails != "" && step.in == nil) {
				t.Errorf("the call: %v", err)
			}
			if step.host != nil && !step.host.closed {
				t.Error("the host is open at the end of the test, want it closed")
			}
			if text := read(t); (text == "") != (step.holds == "") || !strings.Contains(text, step.holds) {
				t.Errorf("recorded is %q, want %q", text, step.holds)
			}
			if left, err := filepath.Glob(file + "*"); err != nil || len(left) > 1 {
				t.Errorf("left are %q, %v", left, err)
			}
		})
	}
}
