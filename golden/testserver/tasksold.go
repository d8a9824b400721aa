// Tasks as 2025-11-25 has them: a client asks for one, and fetches its result by a request
// that waits.

package testserver

import (
	"encoding/json"
	"time"
)

// oldTasks runs the tool research as a task, and refuses other calls of it. The tool maybe
// can be either.
func oldTasks(s *server) {
	s.surface.Capabilities = json.RawMessage(`{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`)
	s.surface.Tools = append(s.surface.Tools, taskTools()...)
	j := newJobs(s)
	s.on["tools/call"] = func(c *client, m message) {
		var p struct{ Task json.RawMessage }
		_ = json.Unmarshal(m.Params, &p) // none means no task
		name := toolName(m)
		switch {
		case (name == "research" || name == "failing_job") && p.Task == nil:
			c.fail(m, -32601, "evil: must be called as a task", nil)
		case !isJob(name) && name != "maybe" && p.Task != nil:
			s.violation("a task of " + name)
			c.fail(m, -32602, "no task", nil)
		case p.Task != nil:
			id, t := j.begin(m)
			c.reply(m, map[string]any{"task": t.old(id)})
			if t.Order.Early {
				c.later(func() { j.askEarly(c, id) })
			}
		case isJob(name):
			t := job{Order: orderOf(m)} // it can do without
			c.reply(m, t.result())
		case name == "greet":
			greet(c, m)
		default:
			s.standard(c, m)
		}
	}
	s.on["tasks/list"] = func(c *client, m message) { c.reply(m, map[string]any{"tasks": j.list()}) }
	s.on["tasks/get"] = j.about(func(c *client, m message, id string) {
		t := j.look(id, true)
		c.reply(m, t.old(id))
	})
	s.on["tasks/result"] = j.about(func(c *client, m message, id string) {
		c.later(func() {
			t := j.look(id, false)
			for !t.ended() {
				if len(t.Asked) > 0 && !t.Order.Early {
					form := recipientForm(id)
					j.hear(id, t.Asked[0], c.request("elicitation/create", form["params"]).Result)
				}
				c.sleep(time.Duration(max(t.Order.Pause, 5)) * time.Millisecond)
				select {
				case <-c.gone:
					return
				default:
					t = j.look(id, false)
				}
			}
			if t.Status == "failed" {
				c.fail(m, -32603, t.Message, nil)
				return
			}
			res := t.result()
			res["_meta"] = map[string]any{"io.modelcontextprotocol/related-task": map[string]any{"taskId": id}}
			c.reply(m, res)
		})
	})
	s.on["tasks/cancel"] = j.about(func(c *client, m message, id string) {
		t := j.cancel(id)
		c.reply(m, t.old(id))
	})
}

// list returns the tasks of all clients.
func (j *jobs) list() []any {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := []any{}
	for id, t := range j.all {
		all = append(all, t.old(id))
	}
	return all
}

// askEarly asks while nobody waits for the result.
func (j *jobs) askEarly(c *client, id string) {
	c.sleep(20 * time.Millisecond) // the call has been answered
	j.look(id, false)
	form := recipientForm(id)
	j.hear(id, "whom", c.request("elicitation/create", form["params"]).Result)
}

// oldTasksSuite is oldTasks with the tools that the protocol's conformance suite calls.
func oldTasksSuite(s *server) {
	oldTasks(s)
	s.suiteTools()
}

// old is the task in the words of 2025-11-25.
func (t *job) old(id string) map[string]any {
	m := t.describe(id)
	for _, name := range []string{"ttl", "pollInterval"} {
		if value, has := m[name+"Ms"]; has {
			m[name] = value
			delete(m, name+"Ms")
		}
	}
	return m
}
