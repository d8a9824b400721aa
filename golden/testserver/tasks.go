// Servers whose tools run as tasks, written from the specification of the extension
// (SEP-2663) and, for the older ones, from the revision 2025-11-25. They hold clients to
// what those say: what a client does wrong is refused where that is asked for, and noted
// as an event "violation".

package testserver

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// tasksExtension is the name that both sides declare.
const tasksExtension = "io.modelcontextprotocol/tasks"

const researchTool = `{"name":"research","description":"Looks something up, which takes its time.",` +
	`"inputSchema":{"type":"object","properties":{"topic":{"type":"string"},"polls":{"type":"integer","description":"after how many looks at the task it has ended"},` +
	`"ask":{"type":"boolean","description":"whether it asks whom the report is for"},"end":{"type":"string","enum":["report","refusal","error","cancelled","now","never"]},` +
	`"ttl":{"type":"integer"},"pause":{"type":"integer"}},"required":["topic"]},` +
	`"outputSchema":{"type":"object","properties":{"report":{"type":"string"},"for":{"type":"string"}},"required":["report"]},"execution":{"taskSupport":"required"}}`

// taskTools are those of servers with tasks: one that is a task always, one that may be, and
// one that is not.
func taskTools() []json.RawMessage {
	return []json.RawMessage{
		json.RawMessage(researchTool),
		json.RawMessage(`{"name":"maybe","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`),
		json.RawMessage(`{"name":"quick","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}}`),
	}
}

// job is one task, and what it is about.
type job struct {
	Status  string   `json:"status"`
	Message string   `json:"message"`
	Order   jobOrder `json:"order"`
	Looks   int      `json:"looks"`
	For     string   `json:"for"`
	Began   bool     `json:"began"` // it has asked
	Asked   []string `json:"asked"` // what was asked for and not answered
	looked  time.Time
}

// jobOrder is the arguments of research.
type jobOrder struct {
	Topic string `json:"topic"`
	Polls int    `json:"polls"`
	Ask   bool   `json:"ask"`
	End   string `json:"end"`
	TTL   int    `json:"ttl"`
	Pause int    `json:"pause"`

	Questions int  `json:"questions"`
	Early     bool `json:"early"` // in 2025-11-25: it asks before its result is fetched
}

// orderOf reads the arguments of a tool that runs as a task. Those of the protocol's
// conformance suite for servers are such orders under other names.
func orderOf(m message) jobOrder {
	var p struct {
		Arguments struct {
			jobOrder
			Name    string  `json:"name"`
			Seconds float64 `json:"seconds"`
		}
	}
	_ = json.Unmarshal(m.Params, &p) // what is missing has its default
	o := p.Arguments.jobOrder
	o.Topic = cmp.Or(o.Topic, p.Arguments.Name)
	switch toolName(m) {
	case "slow_compute":
		o.Polls = int(5 * p.Arguments.Seconds) // which is how often the suite looks in a second
	case "failing_job":
		o.End = "refusal"
	case "protocol_error_job":
		o.End = "error"
	case "confirm_delete":
		o.Ask = true
	case "multi_input":
		o.Questions = 2
	}
	if o.Ask {
		o.Questions = 1
	}
	return o
}

// answerIn is the name that a call brings along, which it was asked for before.
func answerIn(m message) string {
	var p struct {
		Responses struct {
			Whom struct{ Content struct{ Name string } }
		} `json:"inputResponses"`
	}
	_ = json.Unmarshal(m.Params, &p) // the first round has none
	return p.Responses.Whom.Content.Name
}

// isJob reports whether a tool runs as a task.
func isJob(tool string) bool {
	switch tool {
	case "research", "slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input", "test_tool_with_task":
		return true
	}
	return false
}

// tasksSuite is tasks with the tools that the protocol's conformance suite calls.
func tasksSuite(s *server) {
	tasks(s)
	s.suiteTools()
}

func (s *server) suiteTools() {
	for _, name := range []string{"greet", "slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input", "test_tool_with_task"} {
		support := "optional"
		switch name {
		case "greet":
			support = "forbidden"
		case "failing_job":
			support = "required"
		}
		s.surface.Tools = append(s.surface.Tools, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"},"execution":{"taskSupport":"`+support+`"}}`))
	}
}

// jobs are the tasks of a server. With -state they outlive its process.
type jobs struct {
	mu  sync.Mutex
	all map[string]*job
	s   *server
}

func newJobs(s *server) *jobs {
	j := &jobs{all: map[string]*job{}, s: s}
	if data, err := os.ReadFile(filepath.Clean(j.path())); err == nil {
		_ = json.Unmarshal(data, &j.all) // it is our own
	}
	return j
}

func (j *jobs) path() string { return j.s.cfg.state + ".tasks" }

// save keeps the tasks; mu is held.
func (j *jobs) save() {
	if j.s.cfg.state != "" {
		_ = os.WriteFile(j.path(), encode(j.all), 0o600) // its loss shows in the test
	}
}

// begin makes a task of a call.
func (j *jobs) begin(m message) (string, job) {
	order := orderOf(m)
	j.mu.Lock()
	defer j.mu.Unlock()
	id := rand.Text()
	j.all[id] = &job{Status: "working", Order: order, Message: "looking up " + order.Topic, For: answerIn(m)}
	j.save()
	return id, *j.all[id]
}

// look returns a task as it is now, one step further. A client that polls must not come
// too soon.
func (j *jobs) look(id string, polled bool) job {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.all[id]
	if t.ended() {
		return *t
	}
	if gap := time.Since(t.looked); polled && !t.looked.IsZero() && gap < time.Duration(t.Order.Pause)*time.Millisecond {
		j.s.violation("polled after " + gap.String())
	}
	t.looked = time.Now()
	t.Looks++
	if t.Order.Questions > 0 && !t.Began {
		t.Began, t.Status, t.Asked = true, "input_required", []string{"whom", "what"}[:t.Order.Questions]
	}
	if len(t.Asked) == 0 && t.Looks > t.Order.Polls && t.Order.End != "never" {
		t.finish()
	}
	j.save()
	return *t
}

// about answers requests about a task that there is.
func (j *jobs) about(f func(c *client, m message, id string)) handler {
	return func(c *client, m message) {
		var p struct{ TaskID string }
		_ = json.Unmarshal(m.Params, &p) // no id names no task
		j.mu.Lock()
		known := j.all[p.TaskID] != nil
		j.mu.Unlock()
		if !known {
			c.fail(m, -32602, "Failed to retrieve task: Task not found", nil)
			return
		}
		f(c, m, p.TaskID)
	}
}

func (t *job) ended() bool {
	return t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled"
}

func (t *job) finish() {
	switch t.Order.End {
	case "error":
		t.Status, t.Message = "failed", "the library is closed"
	case "cancelled":
		t.Status, t.Message = "cancelled", "an operator ended it"
	default:
		t.Status, t.Message = "completed", "done"
	}
}

// result is what a call without a task would have answered.
func (t *job) result() map[string]any {
	if t.Order.End == "refusal" {
		return map[string]any{"isError": true, "content": []any{textBlock("nothing is known of " + t.Order.Topic)}}
	}
	report := map[string]any{"report": "all about " + t.Order.Topic}
	if t.For != "" {
		report["for"] = t.For
	}
	return map[string]any{"structuredContent": report, "content": []any{textBlock(string(encode(report)))}}
}

// describe is the task on the wire, without what it has beside its state.
func (t *job) describe(id string) map[string]any {
	m := map[string]any{"taskId": id, "status": t.Status, "statusMessage": t.Message,
		"createdAt": "2026-08-01T00:00:00Z", "lastUpdatedAt": "2026-08-01T00:00:00Z", "ttlMs": nil}
	if t.Order.TTL > 0 {
		m["ttlMs"] = t.Order.TTL
	}
	if t.Order.Pause > 0 {
		m["pollIntervalMs"] = t.Order.Pause
	}
	return m
}

// detail adds what a task has in its state.
func (t *job) detail(id string) map[string]any {
	m := t.describe(id)
	switch t.Status {
	case "completed":
		m["result"] = t.result()
	case "failed":
		m["error"] = map[string]any{"code": -32603, "message": t.Message}
	case "input_required":
		forms := map[string]any{}
		for _, key := range t.Asked {
			forms[key] = recipientForm("")
		}
		m["inputRequests"] = forms
	}
	return m
}

// recipientForm asks whom a report is for.
func recipientForm(task string) map[string]any {
	params := map[string]any{"message": "Whom is the report for?", "requestedSchema": map[string]any{
		"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"}}}
	if task != "" {
		params["_meta"] = map[string]any{"io.modelcontextprotocol/related-task": map[string]any{"taskId": task}}
	}
	return map[string]any{"method": "elicitation/create", "params": params}
}

// hear takes an answer to that, if it is asked for.
func (j *jobs) hear(id, key string, answer json.RawMessage) bool {
	var a struct {
		Action  string
		Content struct{ Name string }
	}
	_ = json.Unmarshal(answer, &a) // whoever says nothing has declined
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.all[id]
	if !slices.Contains(t.Asked, key) || t.ended() {
		return false
	}
	t.Asked = slices.DeleteFunc(slices.Clone(t.Asked), func(other string) bool { return other == key })
	t.For = cmp.Or(a.Content.Name, a.Action)
	if len(t.Asked) == 0 {
		t.Status = "working"
	}
	j.save()
	return true
}

// cancel ends a task that has not ended.
func (j *jobs) cancel(id string) job {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.all[id]
	if !t.ended() {
		t.Status, t.Message = "cancelled", "nobody wants it"
		j.save()
	}
	j.s.trace.event("cancel", nil)
	return *t
}

func (s *server) violation(what string) {
	s.trace.event("violation", map[string]any{"what": what})
}

// tasks runs the tool research as a task, since 2026-07-28.
func tasks(s *server) {
	modern(s)
	s.surface.Capabilities = json.RawMessage(`{"tools":{},"extensions":{"` + tasksExtension + `":{}}}`)
	s.surface.Tools = append(s.surface.Tools, taskTools()...)
	j := newJobs(s)
	s.on["tools/call"] = s.checked(func(c *client, m message) {
		name := toolName(m)
		switch {
		case name == "greet":
			greet(c, m)
			return
		case !isJob(name):
			s.standard(c, m)
			return
		case name == "test_tool_with_task" && answerIn(m) == "":
			c.reply(m, map[string]any{"resultType": "input_required", "requestState": "asked", "inputRequests": map[string]any{"whom": recipientForm("")}})
			return
		case name != "research" && name != "failing_job" && !declares(m):
			t := job{Order: orderOf(m)} // it can do without
			c.reply(m, t.result())
			return
		}
		if bytes.Contains(m.Params, []byte(`"task":`)) {
			s.violation("a task of 2025-11-25 is asked for")
		}
		s.declared(func(c *client, m message) {
			id, t := j.begin(m)
			if t.Order.End == "now" {
				c.reply(m, t.result())
				return
			}
			handle := t.describe(id)
			handle["resultType"] = "task"
			c.reply(m, handle)
		})(c, m)
	})
	about := func(f func(c *client, m message, id string)) handler { return s.checked(s.declared(j.about(f))) }
	s.on["tasks/get"] = about(func(c *client, m message, id string) {
		t := j.look(id, true)
		c.reply(m, t.detail(id))
	})
	s.on["tasks/update"] = about(func(c *client, m message, id string) {
		var p struct {
			Responses map[string]json.RawMessage `json:"inputResponses"`
		}
		_ = json.Unmarshal(m.Params, &p) // none mean no answers
		for key, answer := range p.Responses {
			if !j.hear(id, key, answer) {
				s.violation("an answer to " + key + ", which is not asked for")
			}
		}
		c.reply(m, map[string]any{})
	})
	s.on["tasks/cancel"] = about(func(c *client, m message, id string) {
		j.cancel(id)
		c.reply(m, map[string]any{})
	})
	s.web = s.routed
}

func greet(c *client, m message) {
	c.reply(m, map[string]any{"content": []any{textBlock("Hello, " + orderOf(m).Topic + "!")}})
}

// declares reports whether a client declares tasks in this very request.
func declares(m message) bool {
	var p struct {
		Meta struct {
			Client struct {
				Extensions map[string]json.RawMessage `json:"extensions"`
			} `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &p) // what is absent is not declared
	return p.Meta.Client.Extensions[tasksExtension] != nil
}

// declared answers only those who do.
func (s *server) declared(next handler) handler {
	return func(c *client, m message) {
		if !declares(m) {
			c.fail(m, -32021, "Missing required client capability", map[string]any{
				"requiredCapabilities": map[string]any{"extensions": map[string]any{tasksExtension: map[string]any{}}}})
			return
		}
		next(c, m)
	}
}

// routed wants the headers by which requests find the server that has the task.
func (s *server) routed(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ TaskID string }
	}
	_ = json.Unmarshal(body, &m) // what is not a message is the next one's to refuse
	method := r.Header.Get("Mcp-Method")
	switch m.Method {
	case "tasks/get", "tasks/update", "tasks/cancel":
		if r.Header.Get("Mcp-Name") != m.Params.TaskID {
			method = ""
		}
	case "tools/call":
	default:
		method = m.Method
	}
	if method == m.Method {
		next(w, r)
		return
	}
	s.violation("headers of " + m.Method)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32020, "message": "header mismatch"}}))
}
