package runtime

import "encoding/json"

// Result is a server's answer to one request.
type Result struct {
	Content    []Content       // blocks in the server's order; of prompts, their messages' blocks
	Structured json.RawMessage // structuredContent as sent; nil if absent
	IsError    bool            // the tool itself failed
	Raw        json.RawMessage // the whole result object as sent
}

// The types of [Content].
const (
	ContentText     = "text"
	ContentImage    = "image"
	ContentAudio    = "audio"
	ContentResource = "resource"      // embedded resource
	ContentLink     = "resource_link" // reference to a resource
)

// Content is one block of a result. Which members are set depends on Type; a
// block of an unknown type has Type and Raw only.
type Content struct {
	Type     string
	Role     string // of prompt messages: "user" or "assistant"
	Text     string // text; text of an embedded resource
	Data     []byte // decoded bytes of image, audio or a binary resource
	MIMEType string
	URI      string          // resource, resource_link
	Name     string          // resource_link
	Raw      json.RawMessage // the block as sent
}

// clip cuts s at n bytes, never inside a rune, and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// Text joins the text of all blocks with newlines.
func (r *Result) Text() string {
	var b []byte
	for _, c := range r.Content {
		if c.Text == "" {
			continue
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = append(b, c.Text...)
	}
	return string(b)
}
