package mcptest

// This file fails a test in which a result is only read in part.

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// maxPlaces bounds the places that are shown of one result.
const maxPlaces = 10

// Whole returns middleware that fails the test for each typed result of which a part
// is read by no field of its Go type, and names the places: members that the type does
// not declare, values of no variant of a union, numbers that are rounded. The call
// itself succeeds. It stands before what answers, most often a recording:
//
//	inv := runtime.Chain(mcptest.Replay(t, "testdata/triage.jsonl", nil), mcptest.Whole(t))
//
// A member in Extra is reported as well: the server says more than its schema does,
// and most programs never look there.
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
