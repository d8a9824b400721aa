package mcptest

// This file reports to the test.

import (
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// TB is the part of a test that this package uses. [*testing.T], [*testing.B] and [*testing.F] implement
// it, and so do the tests of other frameworks.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Cleanup(func())
}

// reporter fails a test while it runs. A test that has ended would panic.
type reporter struct {
	mu sync.Mutex
	t  TB // nil: the test has ended
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

// itemName names a server's item for a message.
func itemName(server, name string) string {
	if server == "" {
		return printable(name, maxShown)
	}
	return printable(server+"/"+name, maxShown)
}

// maxShown bounds the part of a value in a message, in bytes.
const maxShown = 500

// printable makes a text safe for a terminal: on one line, and cut.
func printable(s string, limit int) string {
	if shown := safetext.Clip(s, limit); len(shown) < len(s) {
		return safetext.Line(shown) + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return safetext.Line(s)
}

// shown returns arguments for a message.
func shown(raw []byte) string {
	if len(raw) == 0 {
		return "no arguments"
	}
	return printable(string(raw), maxShown)
}
