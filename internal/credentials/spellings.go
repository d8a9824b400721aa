// Package credentials recognises credentials in names and texts, and replaces them. All code that hides
// secrets uses it: the display of configuration, questions about trust, recordings, logs and errors.
package credentials

// This file computes the spellings in which a secret may appear in a text.

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Masked replaces a secret in a text.
const Masked = "***"

// Shortest is the shortest value that is masked, in bytes.
const Shortest = 4

// Spellings returns the ways in which a secret may be written in a text: verbatim, inside a JSON, Go or
// HTML text, inside JSON in a JSON text, inside a URL, as hex, as base64 (also as a part of longer encoded
// data), with its white space collapsed, and line by line. The longest comes first. A value shorter than
// four bytes has none: masking it would garble the text and hide nothing.
func Spellings(secret string) []string {
	if len(secret) < Shortest {
		return nil
	}
	all := append([]string{secret}, spellings(secret)...)
	for _, line := range strings.FieldsFunc(secret, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line != secret && len(line) >= shortestPart {
			all = append(all, line)
			all = append(all, spellings(line)...)
		}
	}
	return LongestFirst(all)
}

// shortestPart is the minimum length of a part of a secret that is masked.
const shortestPart = 12

// LongestFirst sorts texts so that a whole comes before its parts, and removes duplicates and very short
// texts.
func LongestFirst(texts []string) []string {
	texts = slices.DeleteFunc(texts, func(s string) bool { return len(s) < Shortest })
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(texts)
}

// spellings returns the forms of a value inside other kinds of text.
func spellings(v string) []string {
	hexed := hex.EncodeToString([]byte(v))
	all := []string{
		strings.Join(strings.Fields(v), " "), safetext.Strip(v),
		inside(strconv.Quote(v)), inside(strconv.QuoteToASCII(v)),
		html.EscapeString(v),
		hexed, strings.ToUpper(hexed), percent(hexed), percent(strings.ToUpper(hexed)),
	}
	component := strings.ReplaceAll(url.QueryEscape(v), "+", "%20")
	for _, escaped := range []string{
		url.QueryEscape(v), url.PathEscape(v), component, keeping("/", component), keeping("!*'()", component), keeping("!*'();/?:@&=+$,#", component),
	} {
		all = append(all, escaped, lowerPercent(escaped))
	}
	for _, inJSON := range jsonSpellings(v) {
		all = append(all, inJSON)
		all = append(all, jsonSpellings(inJSON)...) // loggers write JSON in a text of a JSON message
	}
	return append(all, base64Spellings(v)...)
}

// inside removes the quotes.
func inside(quoted string) string { return quoted[1 : len(quoted)-1] }

// hexByte matches a byte in hex, escapedByte an escaped byte of a URL.
var hexByte, escapedByte = regexp.MustCompile(`..`), regexp.MustCompile(`%..`)

// percent writes every byte as %xx.
func percent(hexed string) string { return hexByte.ReplaceAllString(hexed, "%$0") }

// keeping restores the characters that an encoder does not escape: the slash in Python, the others in the
// two functions of JavaScript.
func keeping(kept, escaped string) string {
	for _, c := range []byte(kept) {
		escaped = strings.ReplaceAll(escaped, fmt.Sprintf("%%%02X", c), string(c))
	}
	return escaped
}

// lowerPercent converts the digits of %XX to lower case.
func lowerPercent(escaped string) string {
	return escapedByte.ReplaceAllStringFunc(escaped, strings.ToLower)
}

// jsonSpellings returns the value inside a JSON text: with <, > and & escaped and not, with slashes escaped,
// and with all characters except ASCII escaped.
func jsonSpellings(v string) []string {
	escaped, _ := json.Marshal(v) // a string can always be encoded
	angled := inside(string(escaped))
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(angled)
	var ascii strings.Builder
	for _, r := range plain {
		switch {
		case r < 0x80:
			ascii.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&ascii, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&ascii, `\u%04x`, r)
		}
	}
	return []string{angled, plain, strings.ReplaceAll(plain, "/", `\/`), ascii.String()}
}

// base64Spellings returns the value in base64, alone and as a part of something longer. A part begins at
// one of three offsets in a group; characters that also depend on neighbouring bytes are omitted.
func base64Spellings(v string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		all = append(all, enc.EncodeToString([]byte(v)), strings.TrimRight(enc.EncodeToString([]byte(v)), "="))
		for before := range 3 {
			text := enc.EncodeToString(append(make([]byte, before), v...))
			begin := (before*8 + 5) / 6      // characters with bits of preceding bytes
			end := (before + len(v)) * 8 / 6 // the end of characters without bits of following bytes
			if end-begin >= shortestPart {
				all = append(all, text[begin:end])
			}
		}
	}
	return all
}
