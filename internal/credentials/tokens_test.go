package credentials_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/credentials"
)

// Every form is found: alone, between quotes, and in a sentence; a prefix alone is none.
func TestTokenForms(t *testing.T) {
	for _, form := range credentials.TokenForms() {
		for _, prefix := range form.Prefixes {
			token := prefix + body(form)
			for _, text := range []string{token, `{"a":"` + token + `"}`, "it is " + token + ", he said", "x=" + token} {
				if got := credentials.Tokens(text); !slices.Contains(got, token) {
					t.Errorf("%s: %s is not found in %s, but %q", form.Service, token, text, got)
				}
				if got := credentials.MaskTokens(text); strings.Contains(got, token) {
					t.Errorf("%s: %s", form.Service, got)
				}
			}
			if got := credentials.TokensAt("a " + prefix + " b"); got != nil {
				t.Errorf("%s: the prefix %s alone is taken for a token", form.Service, prefix)
			}
		}
	}
}

// body is what follows the prefix of a form, of its class of characters.
func body(f credentials.TokenForm) string {
	from := "a1b2"
	if !strings.Contains(f.Body, "a-") {
		from = "A1B2"
	}
	return strings.Repeat(from, f.Length/len(from)+1)
}

// Forms without a prefix of their own, and texts that are no secrets.
func TestTokensOfOtherForms(t *testing.T) {
	pem := "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIB\n-----END RSA PRIVATE" + " KEY-----"
	for _, token := range []string{
		pem, "-----BEGIN PRIVATE" + " KEY-----\nMIIB", "eyJ" + "hbGciOiJub25l.eyJ" + "zdWIiOiIxIn0.c2ln", "123456789:" + "AA" + strings.Repeat("x1", 17),
		"abc8Q~" + strings.Repeat("x1", 17), "SK" + strings.Repeat("0a", 16),
	} {
		if got := credentials.Tokens("v: " + token); !slices.Contains(got, token) {
			t.Errorf("%s: got %q", token, got)
		}
	}
	for _, text := range []string{
		"task-force-of-many-words", "risk-assessment-of-projects", "eyJwYWdlIjoyfQ", "secret_manager_name", "npm_config_registry", "-----BEGIN PUBLIC KEY-----\nMIIB",
		"skip-this-one-please-now", "pul-over", "key-value-store-of-the-project", "SG.short", "api_org_name", "hf_hub_offline",
	} {
		if got := credentials.TokensAt(text); got != nil {
			t.Errorf("%s is taken for a token: %q", text, credentials.Tokens(text))
		}
	}
}

// FuzzTokens wants parts of the text, and none left after masking.
func FuzzTokens(f *testing.F) {
	for _, form := range credentials.TokenForms() {
		f.Add("x " + form.Prefixes[0] + body(form) + " y")
	}
	f.Add("https://u:p@h.example/?token=a1b2c3d4e5f6a7b8c9d0&x=%zz")
	f.Fuzz(func(t *testing.T, text string) {
		for _, found := range [][]string{credentials.Tokens(text), credentials.ArgCredentials([]string{text, text})} {
			for _, part := range found {
				if utf8.ValidString(text) && !utf8.ValidString(part) && !strings.Contains(text, "%") {
					t.Errorf("%q is cut out of %q", part, text)
				}
			}
		}
		last := 0
		for _, at := range credentials.TokensAt(text) {
			if at[0] < last || at[1] <= at[0] || at[1] > len(text) {
				t.Fatalf("%v of %q", at, text)
			}
			last = at[1]
		}
		if again := credentials.TokensAt(credentials.MaskTokens(text)); again != nil && !strings.Contains(text, "-----") {
			t.Errorf("%q is not masked: %q", text, credentials.MaskTokens(text))
		}
	})
}
