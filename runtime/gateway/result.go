// Results of servers in a form that the caller's revision supports: every part is
// kept, and unsupported parts become text.

package gateway

import (
	"encoding/json"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// The revisions that added types of content.
const (
	withAudio = "2025-03-26"
	withLinks = "2025-06-18"
)

// rewriter rewrites results of one server for one caller.
type rewriter struct {
	server   string
	protocol string // of the caller
	wrap     func(server, uri string) string
}

// result rewrites the content and the URIs of a result, and removes the members that
// only the gateway sets.
func (w rewriter) result(method string, r *runtime.Result) json.RawMessage {
	out := []byte{'{'}
	add := func(name string, value []byte) { out = appendMember(out, name, value) }
	// The protocol requires a text for callers that cannot read structured content.
	onlyStructured := method == protocol.MethodCallTool && len(r.Content) == 0
	m := jsontext.NewItems(r.Raw)
	for m.Next() {
		switch name := string(m.Key()); {
		case name == "content" && onlyStructured:
		case name == "resultType" || name == "ttlMs" || name == "cacheScope":
		case name == "_meta":
			if meta := w.meta(m.Value); len(meta) > len("{}") {
				add(name, meta)
			}
		case name == "content" && method == protocol.MethodCallTool:
			add(name, w.blocks(r.Content))
		case name == "structuredContent" && w.protocol < modern && m.Value[0] != '{':
			// Before 2026-07-28 it was an object. The text has the same content.
		case name == "isError" && method == protocol.MethodCallTool:
			add(name, strconv.AppendBool(nil, r.IsError))
		case name == "messages" && method == protocol.MethodGetPrompt:
			add(name, each(m.Value, w.message))
		case name == "contents" && method == protocol.MethodReadResource:
			add(name, each(m.Value, w.wrapURI))
		default:
			add(name, m.Value)
		}
	}
	switch {
	case onlyStructured && r.Structured != nil:
		add("content", append(append([]byte{'['}, textBlock(plain.Text(r))...), ']'))
	case onlyStructured:
		add("content", []byte("[]"))
	}
	return append(out, '}')
}

// meta returns a result's _meta without what describes the server itself, and without
// the server's ID of a task: to its caller, the gateway is the server.
func (rewriter) meta(raw []byte) []byte {
	if raw[0] != '{' {
		return []byte("{}")
	}
	out := []byte{'{'}
	m := jsontext.NewItems(raw)
	for m.Next() {
		if name := string(m.Key()); name != "io.modelcontextprotocol/serverInfo" && name != relatedTask {
			out = appendMember(out, name, m.Value)
		}
	}
	return append(out, '}')
}

// appendMember appends a member to an object that is not complete yet.
func appendMember(out []byte, name string, value []byte) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(append(jsontext.AppendString(out, name), ':'), value...)
}

// withMember returns an object with one member set to a value.
func withMember(object []byte, name string, value []byte) []byte {
	return jsontext.AppendMember(nil, object, `"`+name+`"`, func(b []byte) []byte { return append(b, value...) })
}

// each rewrites the elements of an array; any other value becomes an empty array.
func each(raw []byte, f func([]byte) []byte) []byte {
	out := []byte{'['}
	jsontext.Each(raw, func(item []byte) {
		out = appendItem(out, f(item))
	})
	return append(out, ']')
}

// blocks rewrites blocks of content.
func (w rewriter) blocks(all []runtime.Content) []byte {
	out := []byte{'['}
	for _, c := range all {
		out = appendItem(out, w.block(c))
	}
	return append(out, ']')
}

// appendItem appends an item to an array that is not complete yet.
func appendItem(out, item []byte) []byte {
	if out[len(out)-1] != '[' {
		out = append(out, ',')
	}
	return append(out, item...)
}

// message rewrites one message of a prompt.
func (w rewriter) message(raw []byte) []byte {
	content := jsontext.Member(raw, "content")
	if content == nil {
		return raw
	}
	parsed, err := runtime.Request{Method: protocol.MethodGetPrompt}.ParseResult(append(append([]byte(`{"messages":[`), raw...), "]}"...))
	switch {
	case err == nil && content[0] == '[': // the protocol has one block, some servers send several
		return withMember(raw, "content", w.blocks(parsed.Content))
	case err == nil && len(parsed.Content) == 1:
		return withMember(raw, "content", w.block(parsed.Content[0]))
	}
	return withMember(raw, "content", textBlock(string(content)))
}

// block rewrites one block of content. A block without the form of its type becomes
// text, since the caller would reject the whole answer.
func (w rewriter) block(c runtime.Content) []byte {
	switch raw := c.Raw; c.Type {
	case protocol.ContentText:
		if text := jsontext.Member(raw, "text"); len(text) > 0 && text[0] == '"' {
			return raw
		}
	case protocol.ContentImage:
		if c.Data != nil {
			return raw
		}
	case protocol.ContentAudio:
		if c.Data != nil && w.protocol >= withAudio {
			return raw
		}
	case protocol.ContentLink:
		if w.protocol >= withLinks && c.URI != "" {
			return w.wrapURI(raw)
		}
	case protocol.ContentResource:
		if resource := jsontext.Member(raw, "resource"); c.URI != "" {
			return withMember(raw, "resource", w.wrapURI(resource))
		}
	}
	return textBlock(plain.Text(&runtime.Result{Content: []runtime.Content{c}}))
}

// wrapURI rewrites the URI of a resource or a link.
func (w rewriter) wrapURI(raw []byte) []byte {
	return wrapMember(raw, "uri", func(uri string) string { return w.wrap(w.server, uri) })
}

// wrapMember returns an object with the URI in one member wrapped, if that is a text.
func wrapMember(object []byte, name string, wrap func(uri string) string) []byte {
	uri, ok := jsontext.Unquote(jsontext.Member(object, name))
	if !ok {
		return object
	}
	return withMember(object, name, jsontext.AppendString(nil, wrap(uri)))
}

// textBlock returns a text as a content block.
func textBlock(text string) []byte {
	return append(jsontext.AppendString([]byte(`{"type":"text","text":`), text), '}')
}
