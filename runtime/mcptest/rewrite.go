package mcptest

// This file changes the texts in a JSON value and leaves every other byte as it
// is.

import (
	"bytes"
	"encoding/json"
	"strings"
)

// rewriter says what becomes of the parts of a value.
type rewriter struct {
	// text changes a string. Name is that of the member it belongs to, and secret
	// says that it, or one around it, is the name of a secret.
	text   func(name, text string, secret bool) string
	name   func(name string) string         // a member's name; nil keeps it
	number func(name, digits string) string // nil keeps it
}

// How deep a value may be; the runtime lets no deeper one pass.
const maxDepth = 1000

// How many texts of JSON within texts of JSON are looked into.
const maxNested = 4

// rewrite returns raw, which has to be valid JSON, with its parts changed. A text
// that is a JSON object or array itself is changed part by part. It reports false
// if raw is nested too deep.
func rewrite(raw json.RawMessage, r rewriter) (json.RawMessage, bool) {
	w := &rewriting{rewriter: r, in: raw}
	return w.whole()
}

type rewriting struct {
	rewriter
	in     []byte
	pos    int
	out    []byte
	nested int
	failed bool
}

func (w *rewriting) whole() ([]byte, bool) {
	w.value("", false, 0)
	w.space()
	return w.out, !w.failed && w.pos == len(w.in)
}

// value copies the next value.
func (w *rewriting) value(name string, secret bool, depth int) {
	w.space()
	if w.failed = w.failed || w.pos >= len(w.in) || depth > maxDepth; w.failed {
		return
	}
	switch w.in[w.pos] {
	case '{':
		w.object(secret, depth)
	case '[':
		w.copy(1)
		for w.more(']') {
			w.value(name, secret, depth+1)
		}
	case '"':
		w.string(func(text string) string { return w.within(name, text, secret) })
	default:
		end := w.pos
		for end < len(w.in) && !strings.ContainsRune(",]} \t\r\n", rune(w.in[end])) {
			end++
		}
		token := string(w.in[w.pos:end])
		w.pos = end
		if w.number != nil && strings.ContainsRune("-0123456789", rune(token[0])) {
			token = w.number(name, token)
		}
		w.out = append(w.out, token...)
	}
}

// object copies an object. In {"name": "Authorization", "value": "…"} the one
// member names what the other one is.
func (w *rewriting) object(secret bool, depth int) {
	w.copy(1)
	named := false
	for w.more('}') {
		w.space()
		name := ""
		w.string(func(text string) string {
			name = text
			if w.name == nil {
				return text
			}
			return w.name(text)
		})
		w.space()
		w.copy(1) // the colon
		w.space()
		if (name == "name" || name == "key" || name == "header") && w.pos < len(w.in) && w.in[w.pos] == '"' {
			named = named || isSecretName(w.peek())
		}
		w.value(name, secret || isSecretName(name) || named && (name == "value" || name == "values"), depth+1)
	}
}

// within changes a text, as a value where it is one.
func (w *rewriting) within(name, text string, secret bool) string {
	trimmed := strings.TrimSpace(text)
	if !secret && w.nested < maxNested && len(trimmed) > 1 && (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid([]byte(text)) {
		inner := &rewriting{rewriter: w.rewriter, in: []byte(text), nested: w.nested + 1}
		if out, ok := inner.whole(); ok {
			return string(out)
		}
	}
	return w.text(name, text, secret)
}

// more copies what stands between elements, and the closing bracket.
func (w *rewriting) more(closing byte) bool {
	w.space()
	if w.failed = w.failed || w.pos >= len(w.in); w.failed {
		return false
	}
	switch w.in[w.pos] {
	case closing:
		w.copy(1)
		return false
	case ',':
		w.copy(1)
	}
	return true
}

// string copies a string literal, changed by f.
func (w *rewriting) string(f func(string) string) {
	if w.failed = w.failed || w.pos >= len(w.in) || w.in[w.pos] != '"'; w.failed {
		return
	}
	end := w.stringEnd()
	literal := w.in[w.pos:end]
	w.pos = end
	var text string
	if json.Unmarshal(literal, &text) != nil {
		w.out = append(w.out, literal...)
		return
	}
	changed := f(text)
	if changed == text {
		w.out = append(w.out, literal...)
		return
	}
	w.out = append(w.out, quoteJSON(changed)...)
}

// peek reads the string literal that comes next.
func (w *rewriting) peek() string {
	var text string
	_ = json.Unmarshal(w.in[w.pos:w.stringEnd()], &text)
	return text
}

func (w *rewriting) stringEnd() int {
	for i := w.pos + 1; i < len(w.in); i++ {
		switch w.in[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(w.in)
}

func (w *rewriting) space() {
	for w.pos < len(w.in) && strings.IndexByte(" \t\r\n", w.in[w.pos]) >= 0 {
		w.copy(1)
	}
}

func (w *rewriting) copy(n int) {
	n = min(n, len(w.in)-w.pos)
	w.out = append(w.out, w.in[w.pos:w.pos+n]...)
	w.pos += n
}

// quoteJSON writes a string literal.
func quoteJSON(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // no string is an error
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
