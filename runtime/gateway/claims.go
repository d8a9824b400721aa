// What verified tokens say about their callers.

package gateway

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// maxClaims bounds the claims of a token, in bytes. A token with more is refused: a rule
// that denies must not miss a claim.
const maxClaims = 64 << 10

// claimsOf returns the claims of a token that are texts or lists of texts, as in
// runtime.Options. Scopes are lists of words. Members of objects have their path as a name,
// such as realm_access.roles, unless the token has a claim of that name.
func claimsOf(token map[string]json.RawMessage) ([]string, error) {
	var claims []string
	size := 0
	var add func(name string, value any, within bool)
	add = func(name string, value any, within bool) {
		if members, ok := value.(map[string]any); ok && size <= maxClaims {
			for member, value := range members {
				add(name+"."+member, value, true)
			}
			return
		}
		if _, exact := token[name]; exact && within {
			return
		}
		for _, text := range texts(value, name == "scope" || name == "scp") {
			size += len(name) + 1 + len(text)
			if !strings.Contains(name, "=") && size <= maxClaims { // NAME=VALUE would have two meanings
				claims = append(claims, name+"="+text)
			}
		}
	}
	for name, raw := range token {
		var value any
		if json.Unmarshal(raw, &value) == nil {
			add(name, value, false)
		}
	}
	if size > maxClaims {
		return nil, fmt.Errorf("%w: its claims are longer than %d bytes", auth.ErrInvalidToken, maxClaims)
	}
	return claims, nil
}

// texts returns the texts in a claim; with words set, their words.
func texts(value any, words bool) []string {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var all []string
	for _, item := range list {
		switch text, ok := item.(string); {
		case ok && words:
			all = append(all, strings.Fields(text)...)
		case ok:
			all = append(all, text)
		}
	}
	return all
}
