package live_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// A server that breaks its own schemas is decoded as far as it fits where the
// configuration says so, with one notice for each tool.
func TestDecode(t *testing.T) {
	enterProject(t, map[string]string{"surface.json": `{"tools":[{"name":"f","inputSchema":{"type":"object"}}]}`, "mcpgen.yaml": `version: 1
servers:
  broken: {command: PROGRAM, args: [replay, surface.json], inherit_env: all, decode: lenient}
  strict: {command: PROGRAM, args: [replay, surface.json], inherit_env: all}
`})
	var log bytes.Buffer
	var notices []event.Event
	answer := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
			return &runtime.Result{Structured: []byte(`{"number":"12","title":"x"}`)}, nil
		})
	}
	host := openReady(t, live.Options{Attach: attach.Options{
		Logger: slog.New(slog.NewTextHandler(&log, nil)), Middleware: []runtime.Middleware{answer},
		OnEvent: func(e event.Event) {
			if e.Kind == event.Notice {
				notices = append(notices, e)
			}
		},
	}})
	type pull struct {
		Number int    `json:"number"`
		Title  string `json:"title"`
	}
	for range 2 {
		var got pull
		var raw runtime.Result
		err := codec.CallTool(t.Context(), host, codec.ItemRef{Server: "broken", Name: "f"}, nil, &got, []runtime.CallOption{runtime.WithRaw(&raw)})
		if err != nil || got != (pull{Title: "x"}) || !strings.Contains(string(raw.Structured), `"12"`) {
			t.Errorf("got %+v, %s, %v", got, raw.Structured, err)
		}
	}
	const want = `the result does not fit its schema, so only the fitting parts are decoded: at "/number": want an integer, got a string`
	if len(notices) != 1 || notices[0].Detail != want || notices[0].Tool != "f" || strings.Count(log.String(), "does not fit its schema, so") != 1 {
		t.Errorf("got %+v, %s", notices, log.String())
	}
	var got pull
	err := codec.CallTool(t.Context(), host, codec.ItemRef{Server: "strict", Name: "f"}, nil, &got, nil)
	if !errors.Is(err, runtime.ErrDecode) || len(notices) != 1 {
		t.Errorf("got %+v, %v, %+v", got, err, notices)
	}
}
