// The texts of a server.

package endpoint

import "fmt"

// Text is one text of a server that may hold variables.
type Text struct {
	Field Field
	What  string  // names it in errors
	Value *string // in the server
	name  *string // of a header, which is not sent if it is ""
}

// Texts returns all of them, empty ones too.
func (s *Server) Texts() []Text {
	all := []Text{{FieldCommand, "command", &s.Command, nil}, {FieldURL, "url", &s.URL, nil}}
	for i := range s.Args {
		all = append(all, Text{FieldArg, fmt.Sprintf("args[%d]", i), &s.Args[i], nil})
	}
	for i := range s.Headers {
		h := &s.Headers[i]
		all = append(all, Text{FieldHeader, fmt.Sprintf("header %q", h.Name), &h.Value, &h.Name})
	}
	a := &s.Auth
	all = append(all,
		Text{FieldAuth, "auth: client id", &a.ClientID, nil}, Text{FieldAuth, "auth: client secret", &a.ClientSecret, nil},
		Text{FieldAuth, "auth: redirect url", &a.RedirectURL, nil}, Text{FieldAuth, "auth: metadata url", &a.MetadataURL, nil},
		Text{FieldAuth, "auth: authorization url", &a.AuthorizationURL, nil}, Text{FieldAuth, "auth: token url", &a.TokenURL, nil},
		Text{FieldAuth, "auth: issuer", &a.Issuer, nil}, Text{FieldEnvFile, "envFile", &s.EnvFile, nil})
	for i := range s.Env {
		all = append(all, Text{FieldEnv, fmt.Sprintf("env %q", s.Env[i].Name), &s.Env[i].Value, nil})
	}
	return all
}
