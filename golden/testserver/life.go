// Servers whose tools or fortunes change while they live.

package testserver

import (
	"encoding/json"
	"slices"
	"sync"
)

// mutable has, beside echo, the tool "mutate" that changes what is offered: its
// arguments are "remove", names; "add", definitions; "replace", a whole list;
// "notify", how often to say so; and "code", with which all calls are then
// answered except those of mutate.
func mutable(s *server) {
	s.surface.Tools = append(s.surface.Tools, json.RawMessage(`{"name":"mutate","inputSchema":{"type":"object"}}`))
	s.surface.Capabilities = json.RawMessage(`{"tools":{"listChanged":true}}`)
	var mu sync.Mutex
	code := 0
	s.on["tools/list"] = func(c *client, m message) {
		mu.Lock()
		tools := slices.Clone(s.surface.Tools)
		mu.Unlock()
		s.list(c, m, "tools", tools)
	}
	s.on["tools/call"] = func(c *client, m message) {
		mu.Lock()
		defer mu.Unlock()
		if toolName(m) != "mutate" {
			if code != 0 {
				c.fail(m, code, "the server knows better", nil)
				return
			}
			s.standard(c, m)
			return
		}
		var args struct {
			Remove  []string
			Add     []json.RawMessage
			Replace []json.RawMessage
			Notify  int
			Code    *int
		}
		if err := json.Unmarshal(arguments(m), &args); err != nil {
			c.fail(m, -32602, err.Error(), nil)
			return
		}
		s.surface.Tools = slices.DeleteFunc(slices.Clone(s.surface.Tools), func(raw json.RawMessage) bool {
			return slices.Contains(args.Remove, nameOf(raw))
		})
		if args.Replace != nil {
			s.surface.Tools = args.Replace
		}
		s.surface.Tools = append(s.surface.Tools, args.Add...)
		if args.Code != nil {
			code = *args.Code
		}
		for range args.Notify {
			s.tell(c, "notifications/tools/list_changed", map[string]any{})
		}
		s.standard(c, m)
	}
}

func nameOf(raw json.RawMessage) string {
	var tool struct{ Name string }
	_ = json.Unmarshal(raw, &tool) // one without a name is not removed by it
	return tool.Name
}

// mutableModern speaks 2026-07-28: it tells of changes only those who listen.
func mutableModern(s *server) {
	modern(s)
	mutable(s)
	for _, method := range []string{"tools/list", "tools/call"} {
		s.on[method] = s.checked(s.on[method])
	}
	var mu sync.Mutex
	listening := false
	listen, call := s.on["subscriptions/listen"], s.on["tools/call"]
	s.on["subscriptions/listen"] = func(c *client, m message) {
		mu.Lock()
		listening = true
		mu.Unlock()
		listen(c, m)
	}
	s.on["tools/call"] = func(c *client, m message) {
		mu.Lock()
		deaf := !listening
		mu.Unlock()
		if deaf && toolName(m) == "mutate" {
			c.fail(m, -32603, "nobody listens", nil)
			return
		}
		call(c, m)
	}
}

// noReturn crashes at the first call, and from then on at each start that -state
// counts.
func noReturn(s *server) {
	if s.starts > 1 {
		crashOnStart(s)
		return
	}
	crashOn("tools/call", 7, "evil: panic in a tool")(s)
}

// taskAnyway answers calls with tasks that nobody asked for.
func taskAnyway(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		c.reply(m, map[string]any{"task": map[string]any{"taskId": "t1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "ttl": 60000}})
	}
}
