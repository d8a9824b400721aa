// Servers that send much without being asked.

package testserver

import (
	"cmp"
	"fmt"
	"strings"
)

// idleFlood sends -n log notifications (default 1000) of -size bytes (default 1
// MiB) as soon as there is a session, over HTTP on the stream for that, and then
// says that its tools are others now.
func idleFlood(s *server) {
	s.surface.Capabilities = []byte(`{"tools":{"listChanged":true},"logging":{}}`)
	flood := func(c *client) {
		s.flood(c)
		c.notify("notifications/tools/list_changed", map[string]any{})
	}
	s.on["notifications/initialized"] = func(c *client, _ message) {
		switch {
		case c.sync: // of streamable HTTP, where nothing of this would be sent
		case c.end == nil:
			flood(c)
		default:
			go flood(c) // what was posted is answered first
		}
	}
	s.attended = flood
}

// callFlood sends as many before it answers a call.
func callFlood(s *server) {
	answerCalls(func(c *client, m message) {
		s.flood(c)
		s.standard(c, m)
	})(s)
}

func (s *server) flood(c *client) {
	text := strings.Repeat("x", int(cmp.Or(s.cfg.size, 1<<20)))
	for range cmp.Or(s.cfg.n, 1000) {
		c.notify("notifications/message", map[string]any{"level": "info", "data": text})
	}
}

// elicitFlood asks a person -n times (default 1000) for something, without waiting
// for answers, before it answers a call.
func elicitFlood(s *server) {
	answerCalls(func(c *client, m message) {
		for i := range cmp.Or(s.cfg.n, 1000) {
			c.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"evil %d","requestedSchema":{"type":"object","properties":{}}}}`, 100000+i, i))
		}
		s.standard(c, m)
	})(s)
}
