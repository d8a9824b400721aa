package runtime

// This file reads the results of the protocol from their raw bytes.

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// ParseResult reads the result object of one of the Method constants. It is for
// invokers that speak to a server, or replay one.
//
// It is tolerant block by block: a block of an unknown type, or one that does
// not have the form of its type, keeps its Type and Raw, and the others are read
// as ever. Base64 that is wrong leaves Data nil. Unknown members stay in Raw.
// An isError that is no boolean counts as an error, null as none. The error is
// for what is not one JSON object, or nested deeper than 1000 levels, and for an
// unknown method.
//
// The result shares the memory of raw.
func ParseResult(method string, raw json.RawMessage) (*Result, error) {
	object, err := whole(raw)
	if err != nil {
		return nil, fmt.Errorf("the result of %s: %w", method, err)
	}
	if object[0] != '{' {
		return nil, fmt.Errorf("the result of %s: want an object, got %s", method, kindOf(object))
	}
	r := &Result{Raw: object}
	switch method {
	case MethodCallTool:
		r.readTool()
	case MethodGetPrompt:
		eachItem(member(object, "messages"), r.addMessage)
	case MethodReadResource:
		eachItem(member(object, "contents"), func(raw []byte) {
			c := Content{Type: ContentResource, Raw: raw}
			c.readResource(raw)
			r.Content = append(r.Content, c)
		})
	case MethodComplete:
		r.Structured = member(object, "completion")
		eachItem(member(r.Structured, "values"), func(raw []byte) {
			r.Content = append(r.Content, Content{Type: ContentText, Text: text(raw), Raw: raw})
		})
	default:
		return nil, fmt.Errorf("results of the method %q are not known", method)
	}
	return r, nil
}

func (r *Result) readTool() {
	m := newItems(r.Raw)
	for m.next() {
		switch string(m.key()) {
		case "content":
			r.Content = nil
			eachItem(m.value, func(raw []byte) { r.Content = append(r.Content, parseContent(raw)) })
		case "structuredContent":
			r.Structured = m.value
		case "isError":
			r.IsError = string(m.value) != "false" && !isNull(m.value)
		}
	}
	if r.Structured == nil {
		r.Structured = r.onlyJSON()
	}
}

// onlyJSON is the value of the json block, if there is exactly one.
func (r *Result) onlyJSON() (value []byte) {
	for _, c := range r.Content {
		if c.Type != ContentJSON {
			continue
		}
		if value != nil {
			return nil
		}
		value = member(c.Raw, "value")
	}
	return value
}

// addMessage adds the blocks of one prompt message.
func (r *Result) addMessage(raw []byte) {
	role, content := text(member(raw, "role")), member(raw, "content")
	if content == nil {
		content = raw // not a message at all: keep what came
	}
	eachItem(content, func(raw []byte) {
		c := parseContent(raw)
		c.Role = role
		r.Content = append(r.Content, c)
	})
}

// parseContent reads one block.
func parseContent(raw []byte) Content {
	c := Content{Type: text(member(raw, "type")), Raw: raw}
	switch c.Type {
	case ContentText:
		c.Text = text(member(raw, "text"))
	case ContentImage, ContentAudio:
		c.Data = base64Bytes(member(raw, "data"))
		c.MIMEType = text(member(raw, "mimeType"))
	case ContentResource:
		c.readResource(member(raw, "resource"))
	case ContentJSON:
		c.Text = string(member(raw, "value"))
	case ContentLink:
		c.URI = text(member(raw, "uri"))
		c.Name = text(member(raw, "name"))
		c.MIMEType = text(member(raw, "mimeType"))
	}
	return c
}

// readResource reads the contents of a resource into c.
func (c *Content) readResource(raw []byte) {
	c.URI = text(member(raw, "uri"))
	c.MIMEType = text(member(raw, "mimeType"))
	c.Text = text(member(raw, "text"))
	c.Data = base64Bytes(member(raw, "blob"))
}

// member returns the value of one member of raw, a valid value. It is nil if
// raw is no object or has no such member. Of two with one name, the last counts.
func member(raw []byte, name string) []byte {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var value []byte
	m := newItems(raw)
	for m.next() {
		if string(m.key()) == name {
			value = m.value
		}
	}
	return value
}

// eachItem calls f with each element of raw if it is an array, and once with
// raw itself if it is anything else than null: a server that forgot the brackets
// still meant something.
func eachItem(raw []byte, f func(item []byte)) {
	switch {
	case len(raw) == 0 || isNull(raw):
		return
	case raw[0] != '[':
		f(raw)
		return
	}
	e := newItems(raw)
	for e.next() {
		f(e.value)
	}
}

// text returns the string that raw spells, or "".
func text(raw []byte) string {
	s, _ := unquote(raw)
	return s
}

// base64Bytes decodes the string that raw spells. It is nil if there is none,
// or if it is not base64.
func base64Bytes(raw []byte) []byte {
	s, ok := unquote(raw)
	if !ok {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	return data
}
