package drift

// This file quotes foreign text for messages, so that no message can act on a terminal or fake a line end.

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// maxQuoted bounds foreign text in messages, in runes.
const maxQuoted = 80

// quote quotes foreign text and escapes unprintable characters.
func quote(text string) string { return strconv.Quote(cut(text)) }

// cut shortens a text at a rune boundary.
func cut(text string) string {
	if utf8.RuneCountInString(text) <= maxQuoted {
		return text
	}
	runes := []rune(text[:min(len(text), 4*maxQuoted)])
	return string(runes[:min(len(runes), maxQuoted-1)]) + "…"
}

// clean makes a sentence that quotes foreign text printable.
func clean(text string) string { return safetext.Line(text) }

// quoteJSON returns a JSON value for a message.
func quoteJSON(raw json.RawMessage) string {
	text := string(jsontext.Compact(raw))
	switch {
	case text == "":
		return quote(string(raw))
	case clean(text) != text:
		return quote(text)
	}
	return cut(text)
}

// valid returns raw if it is JSON, otherwise raw as a JSON string, so that a report can always be encoded.
func valid(raw json.RawMessage) json.RawMessage {
	if raw == nil || json.Valid(raw) {
		return raw
	}
	return text(string(raw))
}

// text returns a text as JSON.
func text(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // strings can always be marshalled
	return raw
}
