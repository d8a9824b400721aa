// Servers that speak without being asked: notifications and requests of theirs.

package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
)

func trafficModes() map[string]func(*server) {
	return map[string]func(*server){
		"progress":       progress,
		"progress-wrong": progressWrong,
		"progress-flood": progressFlood,
		"log-flood": flood(20000, func(c *client, i int) {
			c.notify("notifications/message", map[string]any{"level": "info", "data": fmt.Sprint("evil line ", i)})
		}),
		"log-levels": answerCalls(func(c *client, m message) {
			for i, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
				c.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"logger":"l","data":{"line":"a\n b","n":9007199254740993,"i":%d}}}`, level, i))
			}
			c.srv.standard(c, m)
		}),
		"notify-flood": flood(20000, func(c *client, _ int) {
			c.notify("notifications/tools/list_changed", map[string]any{})
		}),
		"request-flood":  requestFlood,
		"elicit":         ask("elicitation/create", `{"message":"Your password?","requestedSchema":{"type":"object","properties":{"password":{"type":"string"}},"required":["password"]}}`),
		"elicit-url":     ask("elicitation/create", `{"mode":"url","message":"Open this","url":"javascript:alert(1)","elicitationId":"e1"}`),
		"sampling":       ask("sampling/createMessage", `{"messages":[{"role":"user","content":{"type":"text","text":"Say something"}}],"maxTokens":10}`),
		"roots":          ask("roots/list", `{}`),
		"unknown-method": ask("evil/method", `{}`),
	}
}

// progressToken is the token of a call; nil if it asks for no progress.
func progressToken(m message) json.RawMessage {
	var p struct {
		Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &p) // no params, no token
	return p.Meta.ProgressToken
}

// notifyProgress reports step i of total.
func notifyProgress(c *client, token json.RawMessage, i, total int) {
	c.notify("notifications/progress", map[string]any{"progressToken": token, "progress": i, "total": total, "message": fmt.Sprint("step ", i)})
}

// progress reports ten steps, and more with -n, before it answers.
func progress(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		c.later(func() {
			total := cmp.Or(s.cfg.n, 10)
			if token := progressToken(m); token != nil {
				for i := range total {
					notifyProgress(c, token, i+1, total)
					c.sleep(s.cfg.delay)
				}
			}
			s.standard(c, m)
		})
	}
}

// progressWrong reports to tokens that nobody gave out, and in wrong types.
func progressWrong(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		for _, token := range []string{`"nobody"`, `12345`, `null`, `{}`, `"mcpgen-999999"`} {
			notifyProgress(c, json.RawMessage(token), 1, 2)
		}
		c.notify("notifications/progress", []int{1})
		if token := progressToken(m); token != nil {
			notifyProgress(c, token, 1, 1)
			c.notify("notifications/progress", map[string]any{"progressToken": token, "progress": "much"})
		}
		s.standard(c, m)
	}
}

func progressFlood(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		if token := progressToken(m); token != nil {
			total := cmp.Or(s.cfg.n, 100000)
			for i := range total {
				notifyProgress(c, token, i+1, total)
			}
		}
		s.standard(c, m)
	}
}

// flood sends -n notifications before each answer to a call.
func flood(n int, send func(c *client, i int)) func(*server) {
	return func(s *server) {
		s.surface.Capabilities = json.RawMessage(`{"tools":{"listChanged":true},"logging":{}}`)
		s.on["tools/call"] = func(c *client, m message) {
			for i := range cmp.Or(s.cfg.n, n) {
				send(c, i)
			}
			s.standard(c, m)
		}
	}
}

// requestFlood asks without waiting for answers.
func requestFlood(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		for i := range cmp.Or(s.cfg.n, 20000) {
			c.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`, 100000+i))
		}
		s.standard(c, m)
	}
}

// ask sends one request during a call, and the answer as the call's text.
func ask(method, params string) func(*server) {
	return answerCalls(func(c *client, m message) {
		c.later(func() {
			answer := c.request(method, json.RawMessage(params))
			c.reply(m, echoResult(json.RawMessage(encode(map[string]any{"result": answer.Result, "error": answer.Error}))))
		})
	})
}
