// Servers whose calls end badly, or late, or in disorder.

package testserver

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"os"
	"time"
)

func callModes() map[string]func(*server) {
	return map[string]func(*server){
		"crash-on-call":   crashOn("tools/call", 7, "evil: panic in a tool"),
		"crash-loop":      crashOn("tools/call", 9, "evil: crashed again"),
		"crash-when-told": crashWhenTold,
		"exit-on-call":    answerCalls(func(*client, message) { os.Exit(0) }),
		"crash-mid-line":  crashMidLine,
		"crash-after":     crashAfter,
		"close-stdout":    closeStdout,
		"close-stdin":     closeStdin,
		"no-read":         noRead,
		"hang-on-call":    answerCalls(func(c *client, _ message) { c.hang() }),
		"late-response":   lateResponse,
		"dup-response":    dupResponse,
		"both":            both,
		"reorder":         reorder,
	}
}

// crashWhenTold dies of a call whose arguments say so.
func crashWhenTold(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		if bytes.Contains(arguments(m), []byte("die")) {
			die(1, "evil: those bytes")
		}
		s.standard(c, m)
	}
}

// crashMidLine dies in the middle of an answer.
func crashMidLine(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		line := callAnswer(m, string(m.ID))
		c.raw(line[:len(line)/2])
		die(1, "evil: out of memory")
	}
}

// crashAfter answers -n calls (default 3) and crashes at the next one.
func crashAfter(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		if s.calls.Load() >= int64(cmp.Or(s.cfg.n, 3)) {
			die(1, "evil: had enough")
		}
		s.standard(c, m)
	}
}

// closeStdout ends its output at a call, and lives on.
func closeStdout(s *server) {
	s.on["tools/call"] = func(*client, message) {
		_ = os.Stdout.Close() // that is the fault
		time.Sleep(lifetime)
	}
}

// closeStdin ends its input after the first listing, and lives on.
func closeStdin(s *server) {
	s.sent = func(m message) {
		if m.Method == "tools/list" {
			_ = os.Stdin.Close() // that is the fault
			time.Sleep(lifetime)
		}
	}
}

// noRead stops reading after the first listing.
func noRead(s *server) {
	s.sent = func(m message) {
		if m.Method == "tools/list" {
			time.Sleep(lifetime)
		}
	}
}

// lateResponse answers after -delay (default 300 ms), cancelled or not.
func lateResponse(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		c.later(func() {
			c.sleep(cmp.Or(s.cfg.delay, 300*time.Millisecond))
			s.standard(c, m)
		})
	}
}

// dupResponse answers twice; the first answer counts.
func dupResponse(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		s.standard(c, m)
		if !c.sync {
			c.reply(m, map[string]any{"content": []any{textBlock("evil second answer")}})
		}
	}
}

// both answers with a result and an error in one.
func both(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		c.write(encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": echoResult(arguments(m)),
			"error": map[string]any{"code": -32603, "message": "and an error"}}))
	}
}

// reorder answers each call after a random part of -delay (default 5 ms).
func reorder(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		c.later(func() {
			c.sleep(rand.N(cmp.Or(s.cfg.delay, 5*time.Millisecond)))
			s.standard(c, m)
		})
	}
}
