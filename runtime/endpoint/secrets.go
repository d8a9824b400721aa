package endpoint

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// shortestSecret is the length below which a text is not masked.
const shortestSecret = 4

// secrets returns what to mask, the longest first: where one secret contains
// another, the whole goes before its part.
func (x *expander) secrets(r Resolved, env []Var) []string {
	values := slices.Clone(x.values)
	for _, v := range slices.Concat(env, r.Headers) {
		if namesSecret(v.Name) {
			values = append(values, v.Value)
			// "Bearer x" may be shown as x alone.
			if _, credential, ok := strings.Cut(v.Value, " "); ok {
				values = append(values, credential)
			}
		}
	}
	if u, err := url.Parse(r.URL); err == nil {
		for name, all := range u.Query() {
			if namesSecret(name) {
				values = append(values, all...)
			}
		}
	}
	for _, v := range values {
		// A URL carries a value escaped.
		values = append(values, url.QueryEscape(v), url.PathEscape(v))
	}
	values = slices.DeleteFunc(values, func(v string) bool { return len(v) < shortestSecret })
	slices.SortFunc(values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(values)
}

// namesSecret reports whether values of that name are likely to be secret.
func namesSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "COOKIE"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
