package mcptest

// This file fails tests that read a result only in part.

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// maxPlaces bounds the places that are shown for one result.
const maxPlaces = 10

// Whole returns middleware that fails the test for each typed result with a part that no field of its Go
// type reads, and lists the places: undeclared members, values that match no variant of a union, rounded
// numbers. The call itself succeeds. Whole wraps the invoker that answers, usually a recording:
//
//	inv := runtime.Chain(mcptest.Replay(t, "testdata/triage.jsonl", nil), mcptest.Whole(t))
//
// Members in Extra are reported as well: the server sent more than its schema declares, and most programs
// never read Extra.
func Whole(t TB) runtime.Middleware {
	r := newReporter(t)
	return codec.OnUnread(func(req runtime.Request, parts []runtime.Unread) {
		var lines strings.Builder
		for _, p := range parts[:min(len(parts), maxPlaces)] {
			lines.WriteString("\n\tat " + printable(p.Pointer, maxShown) + ": " + p.Reason)
		}
		if len(parts) > maxPlaces {
			lines.WriteString("\n\tand more like these")
		}
		r.errorf("%s: its result is not read whole:%s", itemName(req.Server, req.Name), lines.String())
	})
}
