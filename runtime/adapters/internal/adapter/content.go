package adapter

// This file makes the content of an answer from a result, of which nothing is dropped: what
// a provider does not take as it is becomes a text that names it.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Media are the media types that a provider takes as they are in the answer of a tool. All
// take text, none takes sound, links and other bytes there.
type Media []string

// What the providers take, by the types of their SDKs and what their documentation says of
// images and files in answers of tools, read in November 2026. No provider was called.
var (
	// anthropic-sdk-go v1.84.0, ToolResultBlockParamContentUnion: an image of four types, and
	// a document, whose bytes are a PDF.
	Anthropic = Media{"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"}
	// openai-go v3.96.0, ResponseFunctionCallOutputItemUnionParam: input_image and input_file.
	OpenAI = Media{"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"}
	// genai v1.77.0, FunctionResponseBlob. GIF is not among the images of Gemini.
	Gemini = Media{"image/png", "image/jpeg", "image/webp", "application/pdf"}
	// Frameworks do not say which provider the model is of: what all of the above take as
	// an image.
	AnyModel = Media{"image/png", "image/jpeg", "image/webp"}
	// Chat completions, and langchaingo over them: a message of a tool is one text.
	TextOnly = Media(nil)
)

// content returns a result as blocks, and as one text. Structured content is the first
// block, and texts that say the same are left out.
//
// The types of what is not text are found in its bytes, whatever the server says: a
// provider refuses the whole conversation for an image that is another one, or of a type
// that it does not know.
func (m Media) content(res *runtime.Result) (blocks []runtime.Content, text string) {
	var texts []string
	say := func(text, role string) {
		if strings.TrimSpace(text) != "" {
			blocks = append(blocks, runtime.Content{Type: protocol.ContentText, Role: role, Text: text})
			texts = append(texts, text)
		}
	}
	if res.Structured != nil {
		say(plain.Text(&runtime.Result{Structured: res.Structured}), "")
	}
	for _, c := range res.Content {
		if c.Type == protocol.ContentText && res.Structured != nil && repeats(c.Text, res.Structured) {
			continue
		}
		native := m.native(c.Data)
		for _, b := range plain.Blocks(&runtime.Result{Content: []runtime.Content{c}}) {
			switch name := fmt.Sprintf("[image: %s, %d bytes]", b.MIMEType, len(b.Data)); {
			case b.Type != protocol.ContentImage:
				say(b.Text, b.Role)
			case native == "":
				say(name, b.Role)
			default:
				texts = append(texts, name)
			}
		}
		if native != "" {
			c.Type, c.MIMEType = protocol.ContentResource, native
			if strings.HasPrefix(native, "image/") {
				c.Type = protocol.ContentImage
			}
			blocks = append(blocks, c)
		}
	}
	if len(blocks) == 0 {
		say("(no content)", "")
	}
	return blocks, strings.Join(texts, "\n")
}

// native returns what bytes are, if the provider takes that; else "".
func (m Media) native(data []byte) string {
	if t := http.DetectContentType(data); slices.Contains(m, t) {
		return t
	}
	return ""
}

// repeats reports whether a text is the structured content once more, as the protocol has
// servers send it for older clients: the whole, or what is the one member of it, or an
// element of that, as libraries wrap what is not an object.
func repeats(text string, structured json.RawMessage) bool {
	same := func(value []byte) bool {
		said, ok := jsontext.Unquote(value)
		return ok && said == text || jsontext.Equal([]byte(text), value)
	}
	values := [][]byte{structured}
	var wrapped map[string]json.RawMessage
	if json.Unmarshal(structured, &wrapped) == nil && len(wrapped) == 1 {
		for _, value := range wrapped {
			var elements []json.RawMessage
			_ = json.Unmarshal(value, &elements) // what is not a list has none
			values = append(values, value)
			for _, e := range elements {
				values = append(values, e)
			}
		}
	}
	return slices.ContainsFunc(values, same)
}
