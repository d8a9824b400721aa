// Package plain converts results into forms that models accept: text and images. It
// is for adapters, and for programs that run the loop of a model themselves.
package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Blocks returns the content of a result as text and images, which all models accept.
//
// Text and images are unchanged. A resource becomes "[Resource: uri] (type)" followed
// by its text, a link "[Resource link: uri] name (type)". Sound and bytes become the
// same with their size, and an unknown type becomes "[type]" and its JSON. The
// annotations of a block follow its text, or follow an image in a text block. The
// structured content is not included; see [Text].
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

// Text returns a result as one text. Structured content is used if there is any: a
// string as it is, nothing for null, and other values as indented JSON with the
// server's digits. Otherwise the texts of [Blocks] are joined with newlines. IsError,
// and not the text, reports whether the tool failed.
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

// Failure returns the text for a model about a call without a result: the text of the
// error without its next steps. Next steps are for the person who runs the program:
// an agent with a shell could carry them out itself. If a person has to decide, the
// text adds that, but not if waiting is enough; if a person has to visit pages first, it adds their addresses.
func Failure(err error) string {
	text, _ := hint.Apart(err.Error(), err, nil)
	switch {
	case errors.Is(err, runtime.ErrDrift):
		text += ": a person has to review the change"
	case errors.Is(err, runtime.ErrDenied) && !errors.Is(err, stage.ErrWait):
		text += ": only the person who runs this program can allow it"
	}
	if refusal, ok := errors.AsType[*runtime.RPCError](err); ok && refusal.Code == pagesRequired {
		n := 0
		jsontext.Each(jsontext.Member(refusal.Data, "elicitations"), func(item []byte) {
			if url := jsontext.Text(jsontext.Member(item, "url")); url != "" && n < maxPages {
				text += "\n" + safetext.Words(url, maxURL)
				n++
			}
		})
	}
	return text
}

// A server that refuses a call until a person has visited pages (URLElicitationRequired
// of the protocol), and the limits of their addresses in a text.
const (
	pagesRequired = -32042
	maxPages      = 10
	maxURL        = 2000 // bytes
)

// blockText returns any block except an image as text.
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

// annotations returns the annotations of a block, as one line; "" if there are none.
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
