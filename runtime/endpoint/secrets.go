package endpoint

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// What is shorter is not masked. A text that only its name suspects has to be
// longer, or TOKENIZERS_PARALLELISM=true would blot out every "true".
const (
	shortestSecret  = 4
	shortestSuspect = 8
)

// secrets returns what to mask, the longest first: where one secret contains
// another, the whole goes before its part. Sure is what no server may repeat.
func (x *expander) secrets(r Resolved, env []Var) (all, sure []string) {
	named := suspects(r, env)
	values := slices.DeleteFunc(append(slices.Clone(x.values), named...), func(v string) bool {
		return len(v) < shortestSecret || v == "true" || v == "false"
	})
	for _, v := range values {
		all = append(all, Spellings(v)...)
	}
	for _, v := range append(slices.Clone(x.sure), slices.DeleteFunc(named, func(v string) bool { return !isCredential(v) })...) {
		sure = append(sure, Spellings(v)...)
	}
	return longestFirst(all), longestFirst(sure)
}

// isCredential tells a credential from a word: SORT_KEY may be created_at.
func isCredential(v string) bool {
	return len(v) >= shortestPart && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter)
}

// suspects returns the values whose name says that they are secret, wherever
// they came from: many files hold their tokens as they are.
func suspects(r Resolved, env []Var) []string {
	var values []string
	for _, v := range slices.Concat(env, r.Headers) {
		if NamesSecret(v.Name) {
			values = append(values, v.Value)
			// "Bearer x" may be shown as x alone.
			if _, credential, ok := strings.Cut(v.Value, " "); ok {
				values = append(values, credential)
			}
		}
	}
	if u, err := url.Parse(r.URL); err == nil {
		for name, all := range u.Query() {
			if NamesSecret(name) {
				values = append(values, all...)
			}
		}
	}
	return slices.DeleteFunc(values, func(v string) bool { return len(v) < shortestSuspect })
}

// NamesSecret reports whether values of a variable, header or parameter of that
// name are likely to be secret.
func NamesSecret(name string) bool {
	name = strings.ReplaceAll(strings.ToUpper(name), "-", "_")
	if strings.HasSuffix(name, "KEY") || strings.HasSuffix(name, "AUTH") {
		return true
	}
	words := []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "API_KEY", "AUTHORIZATION", "CREDENTIAL", "COOKIE"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}
