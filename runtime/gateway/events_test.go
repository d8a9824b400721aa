package gateway

import (
	"context"
	"fmt"
	"testing"
)

// The streams of one caller do not displace those of another, and nothing is kept of a session
// that has ended.
func TestEventsOfCallers(t *testing.T) {
	e := newSessionTable(nil, 1)
	ctx := map[string]context.Context{}
	for _, caller := range []string{"ann", "bob"} {
		ctx[caller] = context.WithValue(t.Context(), beginning{}, e.reserve(caller))
	}
	put := func(caller, session, stream string, data []byte) {
		t.Helper()
		for _, name := range []string{"", stream} {
			if err := e.Open(ctx[caller], session, name); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Append(context.Background(), session, stream, data); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(session, stream string) (got string) {
		for data, err := range e.After(context.Background(), session, stream, -1) {
			if err != nil {
				return err.Error()
			}
			got += string(data)
		}
		return got
	}
	put("ann", "a", "1", []byte("answer"))
	for i := range 30 {
		put("bob", "b", fmt.Sprint(i), make([]byte, 1<<20))
	}
	if got := kept("a", "1"); got != "answer" {
		t.Errorf("ann's: %q", got)
	}
	if got := kept("b", "0"); got == string(make([]byte, 1<<20)) {
		t.Error("all of bob's is kept")
	}
	if len(e.events) != 2 {
		t.Errorf("%d callers", len(e.events))
	}
	_ = e.SessionClosed(context.Background(), "b")
	_ = e.Append(context.Background(), "b", "late", []byte("x"))
	if err := e.Open(ctx["bob"], "b", "late"); err == nil {
		t.Error("a session that has ended has another stream")
	}
	if len(e.events) != 1 || len(e.by) != 1 || kept("b", "0") == "" || kept("a", "1") != "answer" {
		t.Errorf("after the end: %v, %v", e.events, e.by)
	}
}
