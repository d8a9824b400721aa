package runtime

// This file parses the results of the protocol from their raw bytes.

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// ParseResult parses the result object that answers req. It is for invokers that talk
// to a server, or replay one; req only needs its method.
//
// It is tolerant block by block: a block of an unknown type, or without the form of
// its type, keeps its Type and Raw, and the other blocks are parsed as usual. Invalid
// base64 leaves Data nil. Unknown members stay in Raw. An isError that is not a
// boolean counts as an error, null as unset. The error is for data that is not one
// JSON object, or is nested deeper than 1000 levels, and for an unknown method.
//
// The result shares the memory of raw.
func (req Request) ParseResult(raw json.RawMessage) (*Result, error) {
	method := req.Method
	if (method == protocol.MethodCallTool || method == protocol.MethodAwaitTask) && jsontext.First(raw) == '{' {
		r := &Result{}
		if err := r.readTool(raw); err != nil {
			return nil, fmt.Errorf("the result of %s: %w", method, err)
		}
		return r, nil
	}
	object, err := jsontext.Whole(raw)
	if err != nil {
		return nil, fmt.Errorf("the result of %s: %w", method, err)
	}
	if object[0] != '{' {
		return nil, fmt.Errorf("the result of %s: want an object, got %s", method, jsontext.KindOf(object))
	}
	r := &Result{Raw: object}
	if bytes.Contains(object, []byte(`"resultType"`)) {
		r.Type = jsontext.Text(jsontext.Member(object, "resultType"))
	}
	switch method {
	case protocol.MethodGetPrompt:
		jsontext.Each(jsontext.Member(object, "messages"), r.addMessage)
	case protocol.MethodReadResource:
		jsontext.Each(jsontext.Member(object, "contents"), func(raw []byte) {
			c := Content{Type: protocol.ContentResource, Raw: raw}
			c.readResource(raw)
			r.Content = append(r.Content, c)
		})
	case protocol.MethodGetTask:
		r.Structured = object
	case protocol.MethodUpdateTask, protocol.MethodCancelTask: // acknowledged
	case protocol.MethodComplete:
		r.Structured = jsontext.Member(object, "completion")
		jsontext.Each(jsontext.Member(r.Structured, "values"), func(raw []byte) {
			r.Content = append(r.Content, Content{Type: protocol.ContentText, Text: jsontext.Text(raw), Raw: raw})
		})
	default:
		return nil, fmt.Errorf("package runtime cannot parse results of the method %q", method)
	}
	return r, nil
}

// readTool reads a tool's result from an object that is not validated yet: results are long.
func (r *Result) readTool(object []byte) error {
	m := jsontext.NewItems(object)
	for m.Next() {
		switch string(m.Key()) {
		case "resultType":
			r.Type = jsontext.Text(m.Value)
		case "content":
			r.Content = nil
			jsontext.Each(m.Value, func(raw []byte) { r.Content = append(r.Content, parseContent(raw)) })
		case "structuredContent":
			r.Structured = m.Value
		case "isError":
			r.IsError = string(m.Value) != "false" && !jsontext.IsNull(m.Value)
		}
	}
	if err := cmp.Or(m.Err, m.Close()); err != nil {
		return err
	}
	r.Raw = slices.Clip(bytes.TrimSpace(object))
	switch {
	case r.Type == "task":
		r.Structured = r.Raw
	case r.Structured == nil && r.Content == nil && bytes.Contains(r.Raw, []byte(`"taskId"`)):
		// The form of 2025-11-25, which would otherwise look like an empty success.
		if task := jsontext.Member(r.Raw, "task"); jsontext.Text(jsontext.Member(task, "taskId")) != "" {
			r.Type, r.Structured = "task", task
		}
	case r.Structured == nil:
		r.Structured = r.onlyJSON()
	}
	return nil
}

// onlyJSON returns the value of the json block, if there is exactly one.
func (r *Result) onlyJSON() (value []byte) {
	for _, c := range r.Content {
		if c.Type != protocol.ContentJSON {
			continue
		}
		if value != nil {
			return nil
		}
		value = jsontext.Member(c.Raw, "value")
	}
	return value
}

// addMessage adds the blocks of one prompt message.
func (r *Result) addMessage(raw []byte) {
	role, content := jsontext.Text(jsontext.Member(raw, "role")), jsontext.Member(raw, "content")
	if content == nil {
		content = raw // not a message: keep all of it
	}
	jsontext.Each(content, func(raw []byte) {
		c := parseContent(raw)
		c.Role = role
		r.Content = append(r.Content, c)
	})
}

// parseContent parses one block.
func parseContent(raw []byte) Content {
	c := Content{Type: jsontext.Text(jsontext.Member(raw, "type")), Raw: raw}
	switch c.Type {
	case protocol.ContentText:
		c.Text = jsontext.Text(jsontext.Member(raw, "text"))
	case protocol.ContentImage, protocol.ContentAudio:
		c.Data = base64Bytes(jsontext.Member(raw, "data"))
		c.MIMEType = jsontext.Text(jsontext.Member(raw, "mimeType"))
	case protocol.ContentResource:
		c.readResource(jsontext.Member(raw, "resource"))
	case protocol.ContentJSON:
		c.Text = string(jsontext.Member(raw, "value"))
	case protocol.ContentLink:
		c.URI = jsontext.Text(jsontext.Member(raw, "uri"))
		c.Name = jsontext.Text(jsontext.Member(raw, "name"))
		c.MIMEType = jsontext.Text(jsontext.Member(raw, "mimeType"))
	}
	return c
}

// readResource parses the contents of a resource into c.
func (c *Content) readResource(raw []byte) {
	c.URI = jsontext.Text(jsontext.Member(raw, "uri"))
	c.MIMEType = jsontext.Text(jsontext.Member(raw, "mimeType"))
	c.Text = jsontext.Text(jsontext.Member(raw, "text"))
	c.Data = base64Bytes(jsontext.Member(raw, "blob"))
}

// base64Bytes decodes a JSON string of base64. It returns nil if raw is not such a
// string.
func base64Bytes(raw []byte) []byte {
	s, ok := jsontext.Unquote(raw)
	data, err := base64.StdEncoding.DecodeString(s)
	if !ok || err != nil {
		return nil
	}
	return data
}
