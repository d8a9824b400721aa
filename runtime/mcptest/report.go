package mcptest

// This file speaks to the test.

import (
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// TB is what this package needs of a test: [*testing.T], [*testing.B] and
// [*testing.F] have it, and so have the tests of other frameworks.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Cleanup(func())
}

// reporter fails a test for as long as it runs: a test that has ended panics
// when somebody speaks to it.
type reporter struct {
	mu sync.Mutex
	t  TB // nil: it has ended
}

func newReporter(t TB) *reporter {
	r := &reporter{t: t}
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.t = nil
	})
	return r
}

func (r *reporter) errorf(format string, args ...any) {
	r.speak(func(t TB) { t.Helper(); t.Errorf(format, args...) })
}

func (r *reporter) logf(format string, args ...any) {
	r.speak(func(t TB) { t.Helper(); t.Logf(format, args...) })
}

func (r *reporter) speak(to func(TB)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.t != nil {
		r.t.Helper()
		to(r.t)
	}
}

// itemName names a server and one of its items for a message.
func itemName(server, name string) string {
	if server == "" {
		return printable(name, maxShown)
	}
	return printable(server+"/"+name, maxShown)
}

// How much of a value a message shows, in bytes.
const maxShown = 500

// printable makes a text fit for a terminal: on one line, and cut.
func printable(s string, limit int) string {
	if shown := safetext.Clip(s, limit); len(shown) < len(s) {
		return safetext.Line(shown) + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return safetext.Line(s)
}

// shown is what a message shows of arguments.
func shown(raw []byte) string {
	if len(raw) == 0 {
		return "no arguments"
	}
	return printable(string(raw), maxShown)
}
