// The well-behaved server that every mode starts from.

package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
)

// message is any JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	raw    []byte
}

// handler answers one message, or does not.
type handler func(c *client, m message)

// surface is what the server offers; the shape of the files that replay reads.
type surface struct {
	ProtocolVersion   string            `json:"protocolVersion"`
	ServerInfo        json.RawMessage   `json:"serverInfo"`
	Capabilities      json.RawMessage   `json:"capabilities"`
	Instructions      string            `json:"instructions"`
	Tools             []json.RawMessage `json:"tools"`
	Prompts           []json.RawMessage `json:"prompts"`
	Resources         []json.RawMessage `json:"resources"`
	ResourceTemplates []json.RawMessage `json:"resourceTemplates"`
}

// server is one server in one mode.
type server struct {
	cfg      config
	surface  surface
	on       map[string]handler // by method; replaces the well-behaved one
	start    func()             // before the first message
	greet    func(c *client)    // stdio: before the first message is read
	atEOF    func()             // stdio: when the input has ended
	attended func(c *client)    // HTTP: once there is a stream for what answers nothing
	sent     func(m message)    // after the answer to m was written
	rewrite  func(c *client, m message, answer []byte) []byte
	web      webFault
	bad      error  // what the mode misses in the command line
	endpoint string // of the older HTTP transport; "" is its own
	trace    *tracer
	starts   int // this one included; needs -state
	calls    atomic.Int64
	seq      atomic.Int64
	waiting  sync.Map // id of a request of ours → chan message

	sessions  sessions // of streamable HTTP
	listeners sync.Map // *client → true: streams over HTTP for what answers nothing
}

func newServer(cfg config) (*server, error) {
	mode := modes()[cfg.mode]
	if mode == nil {
		return nil, fmt.Errorf("no mode %q", cfg.mode)
	}
	s := &server{cfg: cfg, on: map[string]handler{}, surface: echoSurface(), trace: &tracer{path: cfg.trace}, sessions: sessions{live: map[string]bool{}}}
	s.trace.event("start", map[string]any{"mode": cfg.mode})
	if cfg.state != "" {
		s.starts = countStart(cfg.state)
	}
	mode(s)
	return s, s.bad
}

// echoSurface is one tool that returns what it gets.
func echoSurface() surface {
	return surface{
		ProtocolVersion: "2025-11-25",
		ServerInfo:      json.RawMessage(`{"name":"testserver","version":"1.0.0"}`),
		Tools: []json.RawMessage{json.RawMessage(`{"name":"echo","description":"Returns its arguments.",` +
			`"inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},` +
			`"outputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`)},
	}
}

// handle carries out one message.
func (s *server) handle(c *client, m message) {
	s.trace.message(m.raw)
	if m.Method == "" {
		if ch, ok := s.waiting.LoadAndDelete(string(m.ID)); ok {
			ch.(chan message) <- m
		}
		return
	}
	if h := s.on[m.Method]; h != nil {
		h(c, m)
	} else {
		s.standard(c, m)
	}
	if s.sent != nil {
		s.sent(m)
	}
}

// standard is the well-behaved answer.
func (s *server) standard(c *client, m message) {
	switch m.Method {
	case "initialize":
		c.reply(m, s.initializeResult(m))
	case "ping":
		c.reply(m, struct{}{})
	case "tools/list":
		s.list(c, m, "tools", s.surface.Tools)
	case "prompts/list":
		s.list(c, m, "prompts", s.surface.Prompts)
	case "resources/list":
		s.list(c, m, "resources", s.surface.Resources)
	case "resources/templates/list":
		s.list(c, m, "resourceTemplates", s.surface.ResourceTemplates)
	case "tools/call":
		s.calls.Add(1)
		c.reply(m, echoResult(arguments(m)))
	case "prompts/get":
		c.reply(m, map[string]any{"messages": []any{map[string]any{"role": "user", "content": textBlock(string(arguments(m)))}}})
	case "resources/read":
		var p struct{ URI string }
		_ = json.Unmarshal(m.Params, &p) // an absent uri is echoed as ""
		c.reply(m, map[string]any{"contents": []any{map[string]any{"uri": p.URI, "text": "content of " + p.URI}}})
	case "completion/complete":
		c.reply(m, map[string]any{"completion": map[string]any{"values": []string{"one", "two"}}})
	default:
		if m.ID != nil {
			c.fail(m, -32601, "method not found: "+m.Method, nil)
		}
	}
}

func (s *server) initializeResult(m message) map[string]any {
	var p struct{ ProtocolVersion string }
	_ = json.Unmarshal(m.Params, &p) // absent: our own version is offered
	version := cmp.Or(s.surface.ProtocolVersion, p.ProtocolVersion, "2025-11-25")
	if p.ProtocolVersion != "" && p.ProtocolVersion < version {
		version = p.ProtocolVersion
	}
	result := map[string]any{
		"protocolVersion": version,
		"serverInfo":      s.surface.ServerInfo,
		"capabilities":    s.capabilities(),
	}
	if s.surface.Instructions != "" {
		result["instructions"] = s.surface.Instructions
	}
	return result
}

func (s *server) capabilities() any {
	if s.surface.Capabilities != nil {
		return s.surface.Capabilities
	}
	caps := map[string]any{"tools": map[string]any{}}
	if s.surface.Prompts != nil {
		caps["prompts"] = map[string]any{}
	}
	if s.surface.Resources != nil || s.surface.ResourceTemplates != nil {
		caps["resources"] = map[string]any{}
	}
	return caps
}

// list answers with one page. Cursors are positions.
func (s *server) list(c *client, m message, member string, items []json.RawMessage) {
	from, err := 0, error(nil)
	if at := cursor(m); at != "" {
		from, err = strconv.Atoi(at)
	}
	if err != nil || from < 0 || from > len(items) {
		c.fail(m, -32602, "bad cursor", nil)
		return
	}
	page, next := items[from:], ""
	if n := s.cfg.page; n > 0 && len(page) > n {
		page, next = page[:n], strconv.Itoa(from+n)
	}
	c.reply(m, pageOf(member, page, next))
}

func pageOf(member string, items []json.RawMessage, next string) map[string]any {
	if items == nil {
		items = []json.RawMessage{}
	}
	page := map[string]any{member: items}
	if next != "" {
		page["nextCursor"] = next
	}
	return page
}

func cursor(m message) string {
	var p struct{ Cursor string }
	_ = json.Unmarshal(m.Params, &p) // no params, no cursor
	return p.Cursor
}

// arguments returns the bytes of the arguments as they came.
func arguments(m message) json.RawMessage {
	var p struct{ Arguments json.RawMessage }
	_ = json.Unmarshal(m.Params, &p) // no params, no arguments
	if p.Arguments == nil {
		return json.RawMessage("{}")
	}
	return p.Arguments
}

// toolName returns the name of the tool that m calls.
func toolName(m message) string {
	var p struct{ Name string }
	_ = json.Unmarshal(m.Params, &p) // no params, no name
	return p.Name
}

func textBlock(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

// echoResult is args as text and as structured content.
func echoResult(args json.RawMessage) map[string]any {
	return map[string]any{"content": []any{textBlock(string(args))}, "structuredContent": args}
}
