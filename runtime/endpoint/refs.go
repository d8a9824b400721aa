// What a server's texts ask for, without looking anything up.

package endpoint

import (
	"slices"
	"strings"
)

// References returns what the texts of s refer to, sorted.
// Nothing is looked up.
func (s Server) References() []Reference {
	if s.Expand == nil {
		return nil
	}
	var all []Reference
	note := func(field Field, text string) {
		if text == "" {
			return
		}
		// An error is one of the start, where it is reported.
		_, _ = s.Expand(field, text, func(r Reference) (string, bool) {
			if r.Kind != ReferenceKnown {
				all = append(all, r)
			}
			return "", true
		})
	}
	note(FieldCommand, s.Command)
	for _, arg := range s.Args {
		note(FieldArg, arg)
	}
	for _, v := range s.Env {
		note(FieldEnv, v.Value)
	}
	note(FieldEnvFile, s.EnvFile)
	note(FieldURL, s.URL)
	for _, h := range s.Headers {
		note(FieldHeader, h.Value)
	}
	for _, text := range []string{s.Auth.ClientID, s.Auth.ClientSecret, s.Auth.RedirectURL, s.Auth.MetadataURL, s.Auth.AuthorizationURL, s.Auth.TokenURL, s.Auth.Issuer} {
		note(FieldAuth, text)
	}
	slices.SortFunc(all, func(a, b Reference) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(all)
}

// Handles returns the names of the secrets that the texts of s ask for, sorted.
func (s Server) Handles() []string {
	var handles []string
	for _, r := range s.References() {
		if r.Kind == ReferenceSecret {
			handles = append(handles, r.Name)
		}
	}
	return handles
}
