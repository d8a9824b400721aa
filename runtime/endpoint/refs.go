// The texts of a server, and what they ask for.

package endpoint

import (
	"fmt"
	"slices"
	"strings"
)

// text is one text of a server that may hold variables.
type text struct {
	field Field
	what  string // names it in errors
	value *string
	name  *string // of a header, which is not sent if it is ""
}

// texts returns all of them.
func (s *Server) texts() []text {
	all := []text{{FieldCommand, "command", &s.Command, nil}, {FieldURL, "url", &s.URL, nil}}
	for i := range s.Args {
		all = append(all, text{FieldArg, fmt.Sprintf("args[%d]", i), &s.Args[i], nil})
	}
	for i := range s.Headers {
		h := &s.Headers[i]
		all = append(all, text{FieldHeader, fmt.Sprintf("header %q", h.Name), &h.Value, &h.Name})
	}
	a := &s.Auth
	all = append(all,
		text{FieldAuth, "auth: client id", &a.ClientID, nil}, text{FieldAuth, "auth: client secret", &a.ClientSecret, nil},
		text{FieldAuth, "auth: redirect url", &a.RedirectURL, nil}, text{FieldAuth, "auth: metadata url", &a.MetadataURL, nil},
		text{FieldAuth, "auth: authorization url", &a.AuthorizationURL, nil}, text{FieldAuth, "auth: token url", &a.TokenURL, nil},
		text{FieldAuth, "auth: issuer", &a.Issuer, nil}, text{FieldEnvFile, "envFile", &s.EnvFile, nil})
	for i := range s.Env {
		all = append(all, text{FieldEnv, fmt.Sprintf("env %q", s.Env[i].Name), &s.Env[i].Value, nil})
	}
	return all
}

// References returns what the texts of s refer to, sorted.
// Nothing is looked up.
func (s Server) References() []Reference {
	if s.Expand == nil {
		return nil
	}
	var all []Reference
	for _, t := range s.texts() {
		if *t.value == "" {
			continue
		}
		// An error is one of the start, where it is reported.
		_, _ = s.Expand(t.field, *t.value, func(r Reference) (string, bool) {
			if r.Kind != ReferenceKnown {
				all = append(all, r)
			}
			return "", true
		})
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
