package mcptest

// This file speaks to the test.

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.t != nil {
		r.t.Helper()
		r.t.Errorf(format, args...)
	}
}

func (r *reporter) logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.t != nil {
		r.t.Helper()
		r.t.Logf(format, args...)
	}
}

// place names a server and one of its items for a message.
func itemName(server, name string) string {
	if server == "" {
		return printable(name, maxShown)
	}
	return printable(server+"/"+name, maxShown)
}

// How much of a value a message shows, in bytes.
const maxShown = 500

// printable makes a text fit for a terminal: cut, and without what moves a
// cursor or hides.
func printable(s string, limit int) string {
	cut := s
	if len(cut) > limit {
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		cut = s[:limit] + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		if r == '\n' {
			return ' '
		}
		return unicode.ReplacementChar
	}, cut)
}

// shown is what a message shows of arguments.
func shown(raw []byte) string {
	if len(raw) == 0 {
		return "no arguments"
	}
	return printable(string(raw), maxShown)
}
