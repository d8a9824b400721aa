package endpoint

import (
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
	named := x.suspects(r, env)
	values := slices.DeleteFunc(append(slices.Clone(x.values), named...), func(v string) bool {
		return len(v) < shortestSecret || v == "true" || v == "false"
	})
	for _, v := range values {
		all = append(all, Spellings(v)...)
	}
	for _, v := range append(slices.Clone(x.sure), slices.DeleteFunc(named, func(v string) bool { return !isCredential(v) || uuid.MatchString(v) })...) {
		sure = append(sure, Spellings(v)...)
	}
	return longestFirst(all), longestFirst(sure)
}

// isSure reports whether what came out of a variable is surely secret.
func isSure(r Reference, value string) bool {
	if r.Kind == ReferenceSecret {
		return true
	}
	named := NamesSecret(r.Name) || r.Kind == ReferenceFile
	return isCredential(value) && (named || LooksRandom(value) && !uuid.MatchString(value))
}

// isCredential tells a credential from a word: SORT_KEY may be created_at.
func isCredential(v string) bool {
	return len(v) >= shortestPart && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter)
}

// suspects returns the values that look secret, wherever they came from: by the
// name of what they are the value of, or by themselves.
func (x *expander) suspects(r Resolved, env []Var) []string {
	values := append(ArgCredentials(r.Args), Credentials(r.URL)...)
	for _, v := range slices.Concat(env, r.Headers) {
		values = append(values, Credentials(v.Value)...)
		if NamesSecret(v.Name) {
			values = append(values, v.Value)
			// "Bearer x" may be shown as x alone.
			if _, credential, ok := strings.Cut(v.Value, " "); ok {
				values = append(values, credential)
			}
		}
	}
	for _, h := range r.Headers {
		values = append(values, withoutScheme(h.Value)[1:]...)
	}
	values = append(values, x.inherited(r)...)
	return slices.DeleteFunc(values, func(v string) bool { return len(v) < shortestSuspect })
}

// inherited returns the credentials of this process that the child gets unasked.
// Nobody named them, so they have to look like ones, too.
func (x *expander) inherited(r Resolved) []string {
	if !x.server.Inherit.All {
		return nil
	}
	var values []string
	for _, pair := range r.Env {
		name, value, _ := strings.Cut(pair, "=")
		if NamesSecret(name) && isCredential(value) && !strings.ContainsAny(value, `/\ `) {
			values = append(values, value)
		}
	}
	return values
}
