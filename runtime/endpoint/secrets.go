package endpoint

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
)

// A value that is only suspected by its name must be longer, or
// TOKENIZERS_PARALLELISM=true would mask every "true".
const shortestSuspect = 8

// secrets returns the values to mask, the longest first, so that a secret is masked before its parts.
// Sure are the values that no server may repeat.
func (x *expander) secrets() (all, sure []string) {
	named := slices.DeleteFunc(x.suspects, func(v string) bool { return len(v) < shortestSuspect })
	values := slices.DeleteFunc(append(slices.Clone(x.values), named...), func(v string) bool {
		return len(v) < credentials.Shortest || v == "true" || v == "false"
	})
	for _, v := range values {
		all = append(all, credentials.Spellings(v)...)
	}
	harmless := func(v string) bool { return !credentials.IsCredential(v) || credentials.IsUUID(v) }
	for _, v := range append(slices.Clone(x.sure), slices.DeleteFunc(named, harmless)...) {
		sure = append(sure, credentials.Spellings(v)...)
	}
	return credentials.LongestFirst(all), credentials.LongestFirst(sure)
}

// isSure reports whether the value of a reference is certainly secret.
func isSure(r Reference, value string) bool {
	if r.Kind == ReferenceSecret {
		return true
	}
	named := credentials.NamesSecret(r.Name) || r.Kind == ReferenceFile
	return credentials.IsCredential(value) && (named || credentials.LooksRandom(value) && !credentials.IsUUID(value))
}

// suspectNamed adds the values of variables or headers that look secret, by name or by content.
func (x *expander) suspectNamed(vars []Var) {
	for _, v := range vars {
		x.suspects = append(x.suspects, credentials.Credentials(v.Value)...)
		if credentials.NamesSecret(v.Name) {
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
		if credentials.NamesSecret(v.Name) && credentials.IsCredential(v.Value) && !strings.ContainsAny(v.Value, `/\ `) {
			x.suspects = append(x.suspects, v.Value)
		}
	}
}

// A Learner records values to mask, such as a mask.Set. Its methods are safe for concurrent use.
type Learner interface {
	// AddResolved adds the values to mask of a server. It is called on each start.
	AddResolved(r Resolved)
	// AddToken adds a token. A later token from the same source replaces it.
	AddToken(source, token string)
}
