package endpoint

import (
	"slices"
	"strings"
	"unicode"
)

// Shorter values are not masked. A value that is only suspected by its name must be longer, or
// TOKENIZERS_PARALLELISM=true would mask every "true".
const (
	shortestSecret  = 4
	shortestSuspect = 8
)

// secrets returns the values to mask, the longest first, so that a secret is masked before its parts.
// Sure are the values that no server may repeat.
func (x *expander) secrets() (all, sure []string) {
	named := slices.DeleteFunc(x.suspects, func(v string) bool { return len(v) < shortestSuspect })
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

// isSure reports whether the value of a reference is certainly secret.
func isSure(r Reference, value string) bool {
	if r.Kind == ReferenceSecret {
		return true
	}
	named := NamesSecret(r.Name) || r.Kind == ReferenceFile
	return isCredential(value) && (named || LooksRandom(value) && !uuid.MatchString(value))
}

// isCredential distinguishes a credential from a word: SORT_KEY may be created_at.
func isCredential(v string) bool {
	return len(v) >= shortestPart && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter)
}

// suspectNamed adds the values of variables or headers that look secret, by name or by content.
func (x *expander) suspectNamed(vars []Var) {
	for _, v := range vars {
		x.suspects = append(x.suspects, Credentials(v.Value)...)
		if NamesSecret(v.Name) {
			x.suspects = append(x.suspects, v.Value)
			// Messages may show "Bearer x" as x alone.
			if _, credential, ok := strings.Cut(v.Value, " "); ok {
				x.suspects = append(x.suspects, credential)
			}
		}
	}
}

// suspectInherited adds inherited values that look secret by name and by content. The name alone is not
// enough, since the configuration does not mention the variable.
func (x *expander) suspectInherited(env []Var) {
	for _, v := range env {
		if NamesSecret(v.Name) && isCredential(v.Value) && !strings.ContainsAny(v.Value, `/\ `) {
			x.suspects = append(x.suspects, v.Value)
		}
	}
}
