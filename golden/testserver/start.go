// Servers that do not come up, or not in time.

package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

func startModes() map[string]func(*server) {
	return map[string]func(*server){
		"crash-on-start":  crashOnStart,
		"crash-on-init":   crashOn("initialize", 3, "evil: cannot open the database"),
		"crash-on-list":   crashOn("tools/list", 7, "evil: panic while listing"),
		"flaky-start":     flakyStart,
		"never-init":      neverInit,
		"slow-init":       slow("initialize", 3*time.Second),
		"slow-list":       slow("tools/list", 30*time.Second),
		"slow-drip":       slowDrip,
		"never-answers":   silentExcept("initialize", "server/discover"),
		"discover-silent": discoverSilent,
		"discover-stuck":  discoverStuck,
		"slow-start":      slowStart,
		"slow-start-both": slowStartBoth,
		"discover-exit":   crashOn("server/discover", 1, "evil: unexpected message before initialize"),
		"bad-version":     badVersion,
		"init-error":      failOn("initialize", "cannot initialize: \x1b[31mevil\x1b[0m"),
		"list-error":      failOn("tools/list", "cannot list: \x1b[31mevil\x1b[0m"),
	}
}

// die ends the process as a crash does: last words, then the status.
func die(code int, words string) {
	if words != "" {
		fmt.Fprintln(os.Stderr, words)
	}
	os.Exit(code)
}

func crashOnStart(s *server) {
	s.start = func() { die(3, "EVIL_API_KEY is not set") }
}

func crashOn(method string, code int, words string) func(*server) {
	return func(s *server) {
		s.on[method] = func(*client, message) { die(code, words) }
	}
}

// flakyStart crashes at the first -n starts (default 1) that -state counts.
func flakyStart(s *server) {
	if s.starts <= cmp.Or(s.cfg.n, 1) {
		crashOnStart(s)
	}
}

// neverInit reads everything and says nothing.
func neverInit(s *server) {
	s.rewrite = func(c *client, _ message, _ []byte) []byte {
		c.hang()
		return nil
	}
}

// slow answers one method late.
func slow(method string, delay time.Duration) func(*server) {
	return func(s *server) {
		s.on[method] = func(c *client, m message) {
			c.later(func() {
				c.sleep(cmp.Or(s.cfg.delay, delay))
				s.standard(c, m)
			})
		}
	}
}

// slowDrip sends the listing one byte at a time.
func slowDrip(s *server) {
	s.on["tools/list"] = func(c *client, m message) {
		line := encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": pageOf("tools", s.surface.Tools, "")})
		c.later(func() {
			for _, b := range append(line, '\n') {
				c.raw([]byte{b})
				c.sleep(cmp.Or(s.cfg.delay, 200*time.Millisecond))
			}
		})
	}
}

// silentExcept answers only some methods.
func silentExcept(methods ...string) func(*server) {
	return func(s *server) {
		s.rewrite = func(c *client, m message, answer []byte) []byte {
			for _, method := range methods {
				if m.Method == method {
					return answer
				}
			}
			c.hang()
			return nil
		}
	}
}

// discoverSilent ignores methods it does not know, as some older servers do.
func discoverSilent(s *server) {
	s.on["server/discover"] = func(c *client, _ message) { c.hang() }
}

// discoverStuck never answers anything again once it was probed.
func discoverStuck(s *server) {
	var stuck atomic.Bool
	s.rewrite = func(c *client, m message, answer []byte) []byte {
		if m.Method == "server/discover" {
			stuck.Store(true)
		}
		if stuck.Load() {
			c.hang()
			return nil
		}
		return answer
	}
}

// slowStart takes a while before it reads, as npx does while it installs.
func slowStart(s *server) {
	s.start = func() { time.Sleep(cmp.Or(s.cfg.delay, 3*time.Second)) }
}

// slowStartBoth starts as slowly. It speaks the revision without a handshake, and after a handshake the older ones.
func slowStartBoth(s *server) {
	older := s.surface.ProtocolVersion
	modern(s)
	s.on["initialize"] = func(c *client, m message) {
		clear(s.on)
		s.surface.ProtocolVersion, s.rewrite = older, nil
		s.standard(c, m)
	}
	slowStart(s)
}

func badVersion(s *server) {
	s.on["initialize"] = func(c *client, m message) {
		result := s.initializeResult(m)
		result["protocolVersion"] = "1999-01-01"
		c.reply(m, result)
	}
}

func failOn(method, text string) func(*server) {
	return func(s *server) {
		s.on[method] = func(c *client, m message) {
			c.fail(m, -32603, text, map[string]any{"detail": json.RawMessage("9007199254740993")})
		}
	}
}
