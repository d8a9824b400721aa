// What a server's texts ask for, without looking anything up.

package endpoint

import (
	"slices"
	"strings"
)

// References returns the names that the texts of s ask for, sorted: variables of
// the environment, and secrets, inputs and files with their prefix. Nothing is
// looked up.
func (s Server) References() []string {
	if s.Expand == nil {
		return nil
	}
	var names []string
	note := func(field Field, text string) {
		if text == "" {
			return
		}
		// An error is one of the start, where it is reported.
		_, _ = s.Expand(field, text, func(name string) (string, bool) {
			if !strings.HasPrefix(name, KnownPrefix) {
				names = append(names, name)
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
	slices.Sort(names)
	return slices.Compact(names)
}

// Handles returns the names of the secrets that the texts of s ask for, sorted.
func (s Server) Handles() []string {
	var handles []string
	for _, name := range s.References() {
		if handle, ok := strings.CutPrefix(name, SecretPrefix); ok {
			handles = append(handles, handle)
		}
	}
	return handles
}
