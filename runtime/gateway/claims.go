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
// runtime.Options. Scopes are lists of words.
func claimsOf(token map[string]json.RawMessage) ([]string, error) {
	var claims []string
	size := 0
	for name, raw := range token {
		for _, value := range texts(raw, name == "scope" || name == "scp") {
			if size += len(name) + 1 + len(value); size > maxClaims {
				return nil, fmt.Errorf("%w: its claims are longer than %d bytes", auth.ErrInvalidToken, maxClaims)
			}
			if !strings.Contains(name, "=") { // NAME=VALUE would have two meanings
				claims = append(claims, name+"="+value)
			}
		}
	}
	return claims, nil
}

// texts returns the texts in a claim; with words set, their words.
func texts(raw json.RawMessage, words bool) []string {
	var one any
	if json.Unmarshal(raw, &one) != nil {
		return nil
	}
	list, ok := one.([]any)
	if !ok {
		list = []any{one}
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
