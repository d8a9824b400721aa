// Arguments as rules see them: one spelling for each value, so that no other
// spelling of it slips by.

package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
)

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
	sorted, err := schema.Canonical(raw)
	if err != nil {
		return "", err
	}
	// What becomes of half a surrogate pair differs from reader to reader.
	if bytes.Contains(bytes.ReplaceAll(sorted, []byte(`\\`), nil), []byte(`\ud`)) {
		return "", errors.New("half of a surrogate pair")
	}
	return stringOrNumber.ReplaceAllStringFunc(string(sorted), canonicalNumber), nil
}

// stringOrNumber matches the strings of a canonical text, members' names included,
// and its numbers.
var stringOrNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[-0-9][-+.0-9eE]*`)

// canonicalNumber writes a number in one spelling for each value, and a string as it
// is. A number that is too large to be worked out keeps its digits.
func canonicalNumber(text string) string {
	if text[0] == '"' || !strings.ContainsAny(text, ".eE-") {
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
		return nil, hint.New("the scope allows no object of arguments", "write it under arguments.allow")
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
