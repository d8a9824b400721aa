package sample

// This file creates strings.

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxLength bounds strings generated to reach a length.
const maxLength = 4096

// strings returns strings: matches of formats or patterns, otherwise simple texts, then texts of the minimum
// and maximum length.
func (g *generator) strings(s *shape) []string {
	least, most := s.counts(func(p *jsonschema.Schema) (json.Number, json.Number) { return p.MinLength, p.MaxLength })
	texts, free := g.textsFor(s)
	if free && least <= maxLength {
		texts = append(texts, fill(least), fill(min(least+1, most)))
		if most <= maxLength {
			texts = append(texts, fill(most), fill(max(most-1, least)))
		}
		for _, length := range g.hints.lengths {
			texts = append(texts, fill(length))
		}
	}
	texts = append(texts, g.hints.texts...)
	var values []string
	for _, text := range texts {
		if n := utf8.RuneCountInString(text); n < least || n > most || !g.patterns.matchAll(s, text) {
			continue
		}
		if value := quote(text); !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// textsFor returns texts regardless of length. Free reports that any text is allowed.
func (g *generator) textsFor(s *shape) (texts []string, free bool) {
	free = true
	for _, p := range s.parts {
		switch {
		case p.Pattern != "":
			free = false
			texts = append(texts, g.patterns.matching(p.Pattern)...)
		case formatted(p) != nil:
			free = false
			texts = append(texts, formatted(p)...)
		}
	}
	if free {
		texts = append(texts, "text", "", "é\"\\\n\u2028<&>😀", "0", "null")
	}
	return texts, free
}

// fill returns a text of n characters, or "" if n exceeds maxLength.
func fill(n int) string {
	if n > maxLength {
		return ""
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}

// formatted returns texts of a format, or nil if the format is unknown.
func formatted(p *jsonschema.Schema) []string {
	if p.ContentEncoding == "base64" {
		return []string{"aGVsbG8=", ""}
	}
	switch p.Format {
	case "date-time":
		return []string{"2024-01-02T03:04:05Z", "2024-02-29T23:59:59.120+02:00", "0001-01-01T00:00:00Z"}
	case "date":
		return []string{"2024-01-02", "2024-02-29", "0001-01-01"}
	case "time":
		return []string{"03:04:05Z", "23:59:59.120+02:00"}
	case "duration":
		return []string{"P1DT2H", "PT0S"}
	case "uri", "url", "iri":
		return []string{"https://example.com/a?b=c#d", "https://example.com/%7Efoo/?q=a+b", "urn:isbn:0451450523"}
	case "uri-reference", "iri-reference":
		return []string{"/a/b?c=d", "https://example.com/", ""}
	case "uri-template":
		return []string{"https://example.com/{id}"}
	case "uuid":
		return []string{"123e4567-e89b-42d3-a456-426614174000", "123E4567-E89B-42D3-A456-426614174000"}
	case "email", "idn-email":
		return []string{"user@example.com", "first.last+tag@example.co"}
	case "hostname", "idn-hostname":
		return []string{"example.com", "localhost"}
	case "ipv4":
		return []string{"192.0.2.1", "127.0.0.1"}
	case "ipv6":
		return []string{"2001:db8::1", "::1"}
	case "byte":
		return []string{"aGVsbG8=", ""}
	case "json-pointer":
		return []string{"/a/b", ""}
	case "regex":
		return []string{"^[a-z]+$", ""}
	}
	return nil
}
