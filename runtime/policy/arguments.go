// Arguments as rules see them: one spelling for each value, so that no other
// spelling of it slips by.

package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of arguments that a rule looks into.
const maxDepth = 200

// arguments are those of one request. Their canonical text is made when a rule
// first asks for it: most rules never do.
type arguments struct {
	raw  json.RawMessage
	text string
	err  error
	made bool
}

// canonical returns the arguments with sorted members and without spaces; "" if
// there are none. It reports false for arguments that two readers could take for
// two things: a duplicate member, broken UTF-8, invalid JSON.
func (a *arguments) canonical() (string, bool) {
	if !a.made {
		a.made = true
		if len(bytes.TrimSpace(a.raw)) > 0 {
			a.text, a.err = canonicalJSON(a.raw)
		}
	}
	return a.text, a.err == nil
}

// canonicalJSON writes a value in its one spelling. Numbers are compared by
// value: 1, 1.0 and 1e0 are one.
func canonicalJSON(raw []byte) (string, error) {
	if !utf8.Valid(raw) {
		return "", errors.New("not UTF-8")
	}
	if halfRune(raw) {
		return "", errors.New("half of a surrogate pair")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b strings.Builder
	if err := canonicalValue(&b, d, 0); err != nil {
		return "", err
	}
	if _, err := d.Token(); err != io.EOF {
		return "", errors.New("more than one JSON value")
	}
	return b.String(), nil
}

// halfRune reports whether a text has half of a pair such as \ud83d\ude00: what
// becomes of it differs from reader to reader.
func halfRune(raw []byte) bool {
	half := func(at int) (high, low bool) {
		if at+6 > len(raw) || raw[at] != '\\' || raw[at+1] != 'u' || raw[at+2]|0x20 != 'd' {
			return false, false
		}
		c := raw[at+3] | 0x20
		return c == '8' || c == '9' || c == 'a' || c == 'b', 'c' <= c && c <= 'f'
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		high, low := half(i)
		if high {
			_, low = half(i + 6)
			i += 6
			low = !low
		}
		if low {
			return true
		}
		i++ // what is escaped
	}
	return false
}

func canonicalValue(b *strings.Builder, d *json.Decoder, depth int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	switch v := t.(type) {
	case json.Delim:
		if v == '{' {
			return canonicalObject(b, d, depth)
		}
		return canonicalArray(b, d, depth)
	case json.Number:
		b.WriteString(canonicalNumber(v))
	default:
		writeJSON(b, v)
	}
	return nil
}

func canonicalObject(b *strings.Builder, d *json.Decoder, depth int) error {
	members := map[string]string{}
	var order []string
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		if _, twice := members[name]; twice {
			return fmt.Errorf("the member %q is duplicated", name)
		}
		var value strings.Builder
		if err := canonicalValue(&value, d, depth+1); err != nil {
			return err
		}
		members[name] = value.String()
		order = append(order, name)
	}
	slices.Sort(order)
	b.WriteByte('{')
	for i, name := range order {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSON(b, name)
		b.WriteByte(':')
		b.WriteString(members[name])
	}
	b.WriteByte('}')
	_, err := d.Token()
	return err
}

func canonicalArray(b *strings.Builder, d *json.Decoder, depth int) error {
	b.WriteByte('[')
	for i := 0; d.More(); i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := canonicalValue(b, d, depth+1); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	_, err := d.Token()
	return err
}

// canonicalNumber writes a number in one spelling for each value. A number that
// is too large to be worked out keeps its digits.
func canonicalNumber(n json.Number) string {
	text := n.String()
	if !strings.ContainsAny(text, ".eE-") {
		return text // JSON has no leading zeros
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); len(text) > 400 || ok && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return strings.ToLower(text)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(1100), "0")
}

// writeJSON writes a text, a boolean or null.
func writeJSON(b *strings.Builder, v any) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // these can always be encoded
	b.Write(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
}

// Scope narrows a grant to calls with certain arguments. It is read as Covenant
// writes it:
//
//	{"version": 1, "tool": "echo", "arguments": {"allow": {"text": "hi"}}}
type Scope struct {
	Version   int       `json:"version"`        // 1
	Tool      string    `json:"tool,omitempty"` // the tool's name; "" is whatever the rule says
	Arguments Arguments `json:"arguments"`
}

// Arguments are what a [Scope] demands of the arguments of a call.
type Arguments struct {
	// Allow is the whole object of arguments: a call with a member more, a
	// member less or another value is not allowed.
	Allow json.RawMessage `json:"allow"`
}

// scope is a Scope that was read.
type scope struct{ tool, arguments string }

func (s *Scope) read() (*scope, error) {
	if s == nil {
		return nil, nil
	}
	if s.Version != 1 {
		return nil, fmt.Errorf("the scope has version %d, but only version 1 is known", s.Version)
	}
	raw := bytes.TrimSpace(s.Arguments.Allow)
	if !bytes.HasPrefix(raw, []byte("{")) {
		return nil, errors.New("the scope allows no object of arguments: write it under arguments.allow")
	}
	text, err := canonicalJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("the scope: arguments.allow: %w", err)
	}
	return &scope{tool: s.Tool, arguments: text}, nil
}

// takes reports whether a call is in the scope. No arguments are an empty
// object. A nil scope takes every call.
func (s *scope) takes(t target) bool {
	if s == nil {
		return true
	}
	if s.tool != "" && s.tool != t.name {
		return false
	}
	text, ok := t.args.canonical()
	if text == "" {
		text = "{}"
	}
	return ok && text == s.arguments
}
