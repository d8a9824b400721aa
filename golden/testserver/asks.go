// Servers that ask what a call tells them to ask.

package testserver

import (
	"encoding/json"
	"net"
	"slices"
	"time"
)

// question is what the argument of a call holds.
type question struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Pause  int             `json:"pause"` // before it, in milliseconds
}

func questionOf(m message) question {
	var p struct{ Arguments question }
	_ = json.Unmarshal(m.Params, &p) // a call without asks nothing that can be answered
	return p.Arguments
}

// asks sends the request in a call's arguments, and answers with what comes back.
func asks(s *server) {
	answerCalls(func(c *client, m message) {
		c.later(func() {
			q := questionOf(m)
			time.Sleep(time.Duration(q.Pause) * time.Millisecond)
			answer := c.request(q.Method, q.Params)
			c.reply(m, echoResult(json.RawMessage(encode(map[string]any{"result": answer.Result, "error": answer.Error}))))
		})
	})(s)
}

// asksAlone is asks in a process that does not start while another one has the address that
// its argument names.
func asksAlone(s *server) {
	asks(s)
	if s.cfg.file != "" {
		_, s.bad = net.Listen("tcp", s.cfg.file)
	}
}

// asksModern asks for it as input that it needs, as since 2026-07-28.
func asksModern(s *server) {
	modern(s)
	s.on["tools/call"] = s.checked(func(c *client, m message) {
		var p struct {
			Responses map[string]json.RawMessage `json:"inputResponses"`
		}
		_ = json.Unmarshal(m.Params, &p) // the first round has none
		if answer := p.Responses["q"]; answer != nil {
			c.reply(m, echoResult(json.RawMessage(encode(map[string]any{"result": answer}))))
			return
		}
		q := questionOf(m)
		c.reply(m, map[string]any{"resultType": "input_required", "inputRequests": map[string]any{"q": q}})
	})
}

// pageFirst refuses the first call until a person has been to a page, which is the
// moment that it has said so.
func pageFirst(s *server) {
	answerCalls(func(c *client, m message) {
		if s.calls.Add(1) > 1 {
			s.standard(c, m)
			return
		}
		c.fail(m, -32042, "sign in at the page", map[string]any{"elicitations": []any{
			map[string]any{"mode": "url", "message": "Sign in", "url": "https://example.com/sign-in", "elicitationId": "p1"},
		}})
		c.later(func() {
			c.sleep(50 * time.Millisecond)
			c.notify("notifications/elicitation/complete", map[string]any{"elicitationId": "other"})
			c.notify("notifications/elicitation/complete", map[string]any{"elicitationId": "p1"})
		})
	})(s)
}

// forClients asks as asks does, and has a tool more for each capability that a client
// declares: form, page, model and folders.
func forClients(s *server) {
	asks(s)
	all := s.surface.Tools
	s.on["initialize"] = func(c *client, m message) {
		s.surface.Tools = toolsFor(all, m, "capabilities")
		s.standard(c, m)
	}
}

// forClientsModern does it for what each listing declares.
func forClientsModern(s *server) {
	asksModern(s)
	all := s.surface.Tools
	s.on["tools/list"] = s.checked(func(c *client, m message) {
		var p struct {
			Meta json.RawMessage `json:"_meta"`
		}
		_ = json.Unmarshal(m.Params, &p) // checked has seen it
		s.list(c, m, "tools", toolsFor(all, message{Params: p.Meta}, metaPrefix+"clientCapabilities"))
	})
}

// toolsFor are the tools for a client whose capabilities are a member of the parameters.
func toolsFor(all []json.RawMessage, m message, member string) []json.RawMessage {
	var p map[string]json.RawMessage
	var caps struct {
		Elicitation *struct{ URL *struct{} }
		Sampling    *struct{}
		Roots       *struct{}
	}
	_ = json.Unmarshal(m.Params, &p)     // no parameters declare nothing
	_ = json.Unmarshal(p[member], &caps) // nor do capabilities of another form
	for _, t := range []struct {
		name string
		has  bool
	}{
		{"form", caps.Elicitation != nil}, {"page", caps.Elicitation != nil && caps.Elicitation.URL != nil},
		{"model", caps.Sampling != nil}, {"folders", caps.Roots != nil},
	} {
		if t.has {
			all = append(slices.Clip(all), json.RawMessage(`{"name":"`+t.name+`","description":"For clients.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`))
		}
	}
	return all
}
