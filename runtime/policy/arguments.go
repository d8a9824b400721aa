// Arguments for rules: each value has one spelling, so that no other spelling evades
// a rule.

package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// arguments holds the arguments of one request. Their canonical text is made at the
// first use, since most rules do not need it.
type arguments struct {
	raw  json.RawMessage
	text string
	err  error
	made bool
	tree any // parsed from text, when a pattern needs it
}

// canonical returns the arguments with sorted members and without spaces; "" if there
// are none. It returns false for arguments that two parsers could read differently: a
// duplicate member, broken UTF-8, invalid JSON.
func (a *arguments) canonical() (string, bool) {
	if !a.made {
		a.made = true
		if len(bytes.TrimSpace(a.raw)) > 0 {
			a.text, a.err = canonicalJSON(a.raw)
		}
	}
	return a.text, a.err == nil
}

// value returns the arguments as a tree; an empty object if there are none. It
// returns false as canonical does.
func (a *arguments) value() (any, bool) {
	text, ok := a.canonical()
	if ok && a.tree == nil {
		a.tree, a.err = jsontext.Decode([]byte(cmp.Or(text, "{}")))
	}
	return a.tree, a.err == nil
}

// canonicalJSON returns a value in its canonical spelling. Numbers are compared by
// value: 1, 1.0 and 1e0 are equal.
func canonicalJSON(raw []byte) (string, error) {
	sorted, err := schema.Canonical(raw)
	if err != nil {
		return "", err
	}
	// Parsers differ in how they read half of a surrogate pair.
	if bytes.Contains(bytes.ReplaceAll(sorted, []byte(`\\`), nil), []byte(`\ud`)) {
		return "", errors.New("half of a surrogate pair is not allowed")
	}
	return string(jsontext.NormalNumbers(sorted)), nil
}

// Scope narrows a grant to calls with certain arguments. It has Covenant's format:
//
//	{"version": 1, "tool": "echo", "arguments": {"allow": {"text": "hi"}}}
type Scope struct {
	Version   int       `json:"version"`        // 1
	Tool      string    `json:"tool,omitempty"` // the tool's name; "" leaves it to the rule
	Arguments Arguments `json:"arguments"`
}

// Arguments are the conditions of a [Scope] on the arguments of a call.
type Arguments struct {
	// Allow is the whole object of arguments: a call with an additional member, a
	// missing member or another value is not allowed.
	Allow json.RawMessage `json:"allow"`
}

// scope is a parsed Scope.
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
		return nil, hint.New("the scope has no object under arguments.allow", "write a JSON object under arguments.allow")
	}
	text, err := canonicalJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("the scope: arguments.allow: %w", err)
	}
	return &scope{tool: s.Tool, arguments: text}, nil
}

// takes reports whether a call is in the scope. Missing arguments count as an empty
// object. A nil scope includes every call.
func (s *scope) takes(t target) bool {
	if s == nil {
		return true
	}
	if s.tool != "" && s.tool != t.name {
		return false
	}
	if t.listed {
		return true
	}
	text, ok := t.args.canonical()
	if text == "" {
		text = "{}"
	}
	return ok && text == s.arguments
}
