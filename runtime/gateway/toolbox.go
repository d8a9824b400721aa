// The tools as they are listed: their definitions as they are pinned.

package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// toolList is the content of a listing. It is immutable.
type toolList struct {
	all     []listedTool
	byName  map[string]runtime.Tool
	headers map[string]bool // tools whose arguments are also sent as headers
}

// listedTool is a tool with its definitions: callers of older revisions get another
// one if they cannot read the current one.
type listedTool struct {
	tool           runtime.Tool
	name           string
	modern, legacy json.RawMessage
}

// toolbox holds the tools that callers see now.
type toolbox struct {
	*common
	model string // [Options.For]
	list  atomic.Pointer[toolList]
}

// read lists the tools that may be called now.
func (b *toolbox) read() (*toolList, error) {
	tools, err := b.view.Everything()
	if err != nil {
		return nil, err
	}
	list := &toolList{byName: make(map[string]runtime.Tool, len(tools)), headers: map[string]bool{}}
	for _, t := range tools {
		t = b.fit(t)
		spec := t.Spec()
		listed := listedTool{tool: t, name: spec.Name}
		if listed.modern, err = b.definition(spec, true); err != nil {
			b.log.Warn("gateway: a tool is left out: its definition cannot be written", "server", spec.Server, "tool", spec.Tool, "error", err)
			continue
		}
		listed.legacy = listed.modern
		if spec.Execution != nil || spec.OutputSchema != nil && !isObject(spec.OutputSchema) {
			listed.legacy, _ = b.definition(spec, false)
		}
		list.all = append(list.all, listed)
		list.byName[spec.Name] = t
		if bytes.Contains(listed.modern, []byte(headerMark)) {
			list.headers[spec.Name] = true
		}
	}
	return list, nil
}

// fit returns a tool as the callers' models take it.
func (b *toolbox) fit(t runtime.Tool) runtime.Tool {
	if b.model == "" {
		return t
	}
	return plain.Fit(b.model, t)
}

// definition returns a tool's definition for callers: the bytes of the server's
// definition, with the gateway's name and without what callers cannot use. It drops
// members whose value is not of the protocol's type, since clients would refuse the
// whole listing.
func (b *toolbox) definition(spec runtime.Spec, isModern bool) (json.RawMessage, error) {
	def := spec.Definition
	if def == nil {
		var err error
		if def, err = jsontext.Marshal(spec); err != nil {
			return nil, err
		}
	}
	schema := rooted(spec.InputSchema)
	out, described := []byte{'{'}, false
	text := json.RawMessage(nil) // nil: the description as it is
	if b.model != "" && spec.Description != "" {
		text = jsontext.AppendString(nil, spec.Description)
	}
	m := jsontext.NewItems(def)
	for m.Next() {
		key, value := string(m.Key()), m.Value
		switch key {
		case "name":
			value = jsontext.AppendString(nil, spec.Name)
		case "inputSchema":
			value, described = schema, true
		case "description":
			if text != nil {
				continue
			}
		case "_meta":
			value = b.uris.appMeta(spec.Server, value)
		case "execution":
			if isModern || !b.runsAsTask(spec) {
				continue
			}
			value = []byte(`{"taskSupport":"optional"}`) // also if it always runs as one: see flight.carry
		case "outputSchema":
			if !isModern && !isObject(value) {
				continue // before 2026-07-28 results were objects
			}
		}
		if begins := memberBegins(key); begins != 0 && value[0] != begins {
			continue
		}
		out = appendMember(out, key, value)
	}
	if text != nil {
		out = appendMember(out, "description", text)
	}
	if !described {
		out = appendMember(out, "inputSchema", schema)
	}
	return append(out, '}'), m.Err
}

// memberBegins returns the byte with which a valid value of a tool's member begins; 0
// if there are several.
func memberBegins(key string) byte {
	switch key {
	case "title", "description":
		return '"'
	case "outputSchema", "annotations", "_meta":
		return '{'
	case "icons":
		return '['
	}
	return 0
}

// same reports whether two lists look the same to callers.
func (l *toolList) same(other *toolList) bool {
	return slices.EqualFunc(l.all, other.all, func(a, b listedTool) bool {
		return bytes.Equal(a.modern, b.modern) && bytes.Equal(a.legacy, b.legacy)
	})
}

// rooted returns the schema of arguments with the type object at its root. Clients
// refuse a whole listing if this type is missing, so it is added; arguments are
// objects in any case.
func rooted(raw json.RawMessage) json.RawMessage {
	if isObject(raw) {
		return raw
	}
	v, err := view.Object(raw)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`) // no arguments match, and the server reports that in a call
	}
	return v.Schema
}

// isObject reports whether the root of a schema is of type object.
func isObject(raw json.RawMessage) bool {
	return string(jsontext.Member(raw, "type")) == `"object"`
}

// shownTo returns the listed tools, except tools that a caller's own session with their
// server refuses.
func (b *toolbox) shownTo(c requester) []listedTool {
	return slices.DeleteFunc(slices.Clone(b.list.Load().all), func(t listedTool) bool {
		spec := t.tool.Spec()
		call := c.request(spec.Server, protocol.MethodCallTool, cmp.Or(spec.Tool, spec.Name))
		return !b.view.Shows(call) || b.host.Withholds(call)
	})
}

// lists reports whether a tool is in the listing of a caller.
func (b *toolbox) lists(c requester, spec runtime.Spec) bool {
	return b.list.Load().byName[spec.Name] != nil && c.sees(b.view, spec.Server, protocol.MethodCallTool, spec.Tool)
}

// headerMark is the keyword of arguments that are also sent as headers.
const headerMark = `"x-mcp-header"`

// checkHeaders has the SDK compare the headers of calls over HTTP with their
// arguments. Only for that, the SDK gets the tools that have such headers.
func (b *toolbox) checkHeaders(before, now *toolList) {
	if before != nil {
		var gone []string
		for name := range before.headers {
			if now.byName[name] == nil {
				gone = append(gone, name)
			}
		}
		if gone != nil {
			b.server.RemoveTools(gone...)
		}
	}
	for _, t := range now.all {
		if now.headers[t.name] {
			b.checkHeadersOf(t)
		}
	}
}

// checkHeadersOf adds one tool. If its headers cannot be sent, they are not compared:
// the SDK panics, and clients leave out such a tool.
func (b *toolbox) checkHeadersOf(t listedTool) {
	defer func() {
		if why := recover(); why != nil {
			b.server.RemoveTools(t.name)
			b.log.Warn("gateway: for this tool, the headers of calls are not compared with the arguments", "tool", t.name, "reason", why)
		}
	}()
	b.server.AddTool(&mcp.Tool{Name: t.name, InputSchema: json.RawMessage(jsontext.Member(t.modern, "inputSchema"))}, nil)
}

// runsAsTask reports whether a caller of 2025-11-25 may ask for a task of a tool.
func (b *toolbox) runsAsTask(spec runtime.Spec) bool {
	o, _ := b.host.Offered(spec.Server)
	return o.RunsAsTask(spec.Tool)
}
