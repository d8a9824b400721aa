package runtime

import (
	"encoding/json"
	"errors"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Result is a server's answer to one request.
type Result struct {
	// Content holds the blocks in the server's order: for a prompt the blocks of its
	// messages, for a resource one block for each of its contents, for a completion
	// one text block for each value.
	Content []Content
	// Structured is structuredContent as sent, or else the value of the only
	// [protocol.ContentJSON] block; nil if there is neither. For a completion it is
	// the completion object.
	Structured json.RawMessage
	IsError    bool // the tool itself reported an error
	// Type is the resultType of the server; "" and "complete" are complete results.
	// Other types only occur if [Options.Relay] or [Options.Task] requested them:
	// "input_required" with the inputRequests and the requestState in Raw, and "task"
	// with the handle, which has the taskId, as Structured.
	Type string
	Raw  json.RawMessage // the whole result object as sent
	// Lenient says that a typed result that breaks its schema is returned as far as
	// it matches: codec.Lenient sets it.
	Lenient bool
	// OnUnread, when not nil, is called after decoding if parts of the result are in
	// no field of the typed result: codec.OnUnread sets it.
	OnUnread func([]Unread)
}

// Unread is a part of a result that is in no field of the result's Go type: a member
// that the type does not declare, a value that matches no variant of a union, a
// number that a float64 rounds.
type Unread struct {
	Pointer string // JSON pointer into the structured content; its names are the server's
	Reason  string // the reason, and what was done instead
	Misfit  bool   // the value does not match the type, and the field has the zero value: see Result.Lenient
}

// Content is one block of a result. Which members are set depends on Type; a
// block of an unknown type has Type and Raw only.
type Content struct {
	Type     string
	Role     string // of prompt messages: "user" or "assistant"
	Text     string // text; text of an embedded resource; the value of a json block as sent
	Data     []byte // decoded bytes of image, audio or a binary resource; nil if the server's base64 is invalid
	MIMEType string
	URI      string          // resource, resource_link
	Name     string          // resource_link
	Raw      json.RawMessage // the block as sent; in prompts without the enclosing message
}

// Text joins the text of all blocks with newlines. Like the other methods it accepts
// a nil r, which has no text, no images and nothing to decode.
func (r *Result) Text() string { return r.text(func(Content) bool { return true }) }

// Images returns the image blocks whose data could be decoded.
func (r *Result) Images() []Content {
	if r == nil {
		return nil
	}
	var images []Content
	for _, c := range r.Content {
		if c.Type == protocol.ContentImage && c.Data != nil {
			images = append(images, c)
		}
	}
	return images
}

// Decode decodes the structured content into the value that v points to. Without
// structured content it decodes the text blocks, joined with newlines, if they are
// JSON. It follows [json.Unmarshal], except that 1.0 and 1e3 are accepted as
// integers. The error is a [*DecodeError].
func (r *Result) Decode(v any) error {
	data, err := r.JSON()
	if err == nil {
		if own, ok := v.(json.Unmarshaler); ok {
			err = own.UnmarshalJSON(data) // json.Unmarshal would first scan the data twice
		} else {
			err = jsontext.Unmarshal(data, v)
		}
	}
	if err != nil {
		bad := &DecodeError{Result: r, Err: err}
		if at, ok := errors.AsType[interface {
			error
			Pointer() string
		}](err); ok {
			bad.Pointer = at.Pointer()
		}
		return bad
	}
	return nil
}

// JSON returns the structured content, or else the text blocks, joined with newlines,
// if they are JSON. It is an error if there is neither.
func (r *Result) JSON() ([]byte, error) {
	if r == nil {
		return nil, errors.New("there is no result")
	}
	if r.Structured != nil {
		return r.Structured, nil
	}
	text := []byte(r.text(func(c Content) bool { return c.Type == protocol.ContentText }))
	if len(text) == 0 {
		return nil, errors.New("the result has neither structured content nor text")
	}
	if _, err := jsontext.Whole(text); err != nil {
		return nil, errors.New("the result has no structured content, and its text is not JSON")
	}
	return text, nil
}

func (r *Result) text(of func(Content) bool) string {
	if r == nil {
		return ""
	}
	var b []byte
	for _, c := range r.Content {
		if c.Text == "" || !of(c) {
			continue
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = append(b, c.Text...)
	}
	return string(b)
}
