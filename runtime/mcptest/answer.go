package mcptest

// This file builds results in the form in which they arrive from a server.

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Text returns a result of one text block, for tools without a declared result type.
func Text(text string) *runtime.Result {
	return &runtime.Result{Content: []runtime.Content{{Type: protocol.ContentText, Text: text}}}
}

// ToolError returns the error with which a handler reports a tool error: the caller gets a
// [*runtime.ToolError] with this text.
func ToolError(text string) error {
	res := Text(text)
	res.IsError = true
	return &runtime.ToolError{Result: res}
}

// answer checks a result and returns it as if a server had sent it.
func (f *Fake) answer(req runtime.Request, res *runtime.Result) (*runtime.Result, error) {
	raw := res.Raw
	var err error
	if raw == nil {
		raw, err = encodeResult(req, res)
	}
	if err == nil {
		res, err = req.ParseResult(raw)
	}
	if err != nil {
		f.report.errorf("%s: the result is not valid: %v", itemName(req.Server, req.Name), err)
		return nil, callError(req, stage.Receive, true, err)
	}
	if err := f.checkResult(req, res); err != nil {
		return nil, err
	}
	return res, nil
}

// encodeResult encodes a result as the protocol requires.
func encodeResult(req runtime.Request, res *runtime.Result) (json.RawMessage, error) {
	blocks := make([]json.RawMessage, len(res.Content))
	for i, c := range res.Content {
		block, err := encodeBlock(req, c)
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		blocks[i] = block
	}
	members := map[string]any{}
	switch req.Method {
	case protocol.MethodGetPrompt:
		members["messages"] = blocks
	case protocol.MethodReadResource:
		members["contents"] = blocks
	case protocol.MethodComplete:
		members["completion"] = map[string]any{"values": blocks}
		if res.Structured != nil {
			members["completion"] = res.Structured
		}
	default:
		members["content"] = blocks
		if res.Structured != nil {
			members["structuredContent"] = res.Structured
		}
		if res.IsError {
			members["isError"] = true
		}
	}
	return codec.EncodeValue(members)
}

// encodeBlock encodes one block. It uses Raw if that is set.
func encodeBlock(req runtime.Request, c runtime.Content) (json.RawMessage, error) {
	raw := c.Raw
	if raw == nil {
		var err error
		if raw, err = codec.EncodeValue(membersOf(req, c)); err != nil {
			return nil, err
		}
	}
	if req.Method != protocol.MethodGetPrompt {
		return raw, nil
	}
	return codec.EncodeValue(map[string]any{"role": cmp.Or(c.Role, "user"), "content": raw})
}

// membersOf returns the members of a block.
func membersOf(req runtime.Request, c runtime.Content) any {
	switch {
	case req.Method == protocol.MethodComplete:
		return c.Text
	case req.Method == protocol.MethodReadResource:
		return resource(cmp.Or(c.URI, req.Name), c)
	}
	switch c.Type {
	case protocol.ContentImage, protocol.ContentAudio:
		return map[string]any{"type": c.Type, "data": c.Data, "mimeType": c.MIMEType}
	case protocol.ContentResource:
		return map[string]any{"type": c.Type, "resource": resource(c.URI, c)}
	case protocol.ContentLink:
		m := map[string]any{"type": c.Type, "uri": c.URI, "name": c.Name}
		if c.MIMEType != "" {
			m["mimeType"] = c.MIMEType
		}
		return m
	}
	return map[string]any{"type": cmp.Or(c.Type, protocol.ContentText), "text": c.Text}
}

func resource(uri string, c runtime.Content) map[string]any {
	m := map[string]any{"uri": uri}
	if c.MIMEType != "" {
		m["mimeType"] = c.MIMEType
	}
	if c.Data != nil {
		m["blob"] = c.Data
	} else {
		m["text"] = c.Text
	}
	return m
}
