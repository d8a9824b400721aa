// Package plain puts results into the forms that models take: text and images. It is
// for adapters and for programs that run the loop of a model themselves.
package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Blocks returns the content of a result as text and images alone, which all models take.
//
// Text and images pass as they are. A resource becomes "[Resource: uri] (type)"
// and its text below that, a link "[Resource link: uri] name (type)", sound and
// bytes the same with their size, and what is of no known type "[type]" and its
// JSON. What a block says about itself in annotations stands below its text, or
// in a text block behind an image. The structured content is not among them; see
// [Text].
func Blocks(r *runtime.Result) []runtime.Content {
	var blocks []runtime.Content
	for _, c := range r.Content {
		if c.Type == protocol.ContentImage && c.Data != nil {
			blocks = append(blocks, c)
			if notes := annotations(c.Raw); notes != "" {
				blocks = append(blocks, runtime.Content{Type: protocol.ContentText, Role: c.Role, Text: notes})
			}
			continue
		}
		text := blockText(c)
		if notes := annotations(c.Raw); notes != "" {
			text += "\n" + notes
		}
		blocks = append(blocks, runtime.Content{Type: protocol.ContentText, Role: c.Role, Text: text})
	}
	return blocks
}

// Text returns a result as one text: of structured content a string as it
// is, nothing for null, and all else as indented JSON with the server's digits;
// without structured content the text of [Blocks], joined with newlines.
// Whether the tool failed is in IsError, and not in the text.
func Text(r *runtime.Result) string {
	if r.Structured == nil {
		var texts []string
		for _, c := range Blocks(r) {
			if c.Type == protocol.ContentText {
				texts = append(texts, c.Text)
			}
		}
		return strings.Join(texts, "\n")
	}
	value := bytes.TrimSpace(r.Structured)
	if string(value) == "null" {
		return ""
	}
	if text, ok := jsontext.Unquote(value); ok {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, value, "", "  "); err != nil {
		return string(value)
	}
	return b.String()
}

// Failure returns what a model is told of a call that has no result: the text of its
// error without next steps. Those are for whoever runs the program: an agent with a shell
// could take them itself. What a person has to decide is said to be that.
func Failure(err error) string {
	text, _ := hint.Apart(err.Error(), err, nil)
	switch {
	case errors.Is(err, runtime.ErrDrift):
		text += ": a person has to review the change"
	case errors.Is(err, runtime.ErrDenied):
		text += ": only the person who runs this program can allow it"
	}
	return text
}

// blockText is any block but an image as text.
func blockText(c runtime.Content) string {
	switch c.Type {
	case protocol.ContentText:
		return c.Text
	case protocol.ContentResource:
		head := "[Resource: " + c.URI + "]" + mediaType(c.MIMEType)
		switch {
		case c.Text != "":
			return head + "\n" + c.Text
		case c.Data != nil:
			return head + fmt.Sprintf("\n(%d bytes)", len(c.Data))
		}
		return head
	case protocol.ContentLink:
		head := "[Resource link: " + c.URI + "]"
		if c.Name != "" {
			head += " " + c.Name
		}
		return head + mediaType(c.MIMEType)
	case protocol.ContentAudio:
		if c.Data != nil {
			return "[Audio]" + mediaType(c.MIMEType) + fmt.Sprintf("\n(%d bytes)", len(c.Data))
		}
	}
	return "[" + c.Type + "] " + string(jsontext.Compact(c.Raw))
}

func mediaType(mime string) string {
	if mime == "" {
		return ""
	}
	return " (" + mime + ")"
}

// annotations returns what a block says about itself, as one line; "" if it says
// nothing.
func annotations(raw json.RawMessage) string {
	object, err := jsontext.Whole(raw)
	if err != nil || len(object) == 0 || object[0] != '{' {
		return ""
	}
	switch said := string(jsontext.Compact(jsontext.Member(object, "annotations"))); said {
	case "", "null", "{}":
		return ""
	default:
		return "[annotations] " + said
	}
}
