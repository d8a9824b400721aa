package endpoint

import (
	"errors"
	"fmt"
	"strings"
)

// Validate checks what can be judged without variables: that there is a name,
// and either a command or a URL, with a transport that fits, and that no name
// or text holds what the system or HTTP cannot carry. [Server.Resolve] calls
// it. The error joins all that is wrong, each with file, line and server.
func (s Server) Validate() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, s.errorf(format, args...)) }

	if s.Name == "" {
		fail("it has no name")
	}
	s.validateTransport(fail)
	s.validateTexts(fail)
	s.validateAuth(fail)
	return errors.Join(errs...)
}

func (s Server) validateTransport(fail func(string, ...any)) {
	switch s.Transport {
	case Auto, Stdio, HTTP, SSE:
	default:
		fail("unknown transport %q, want %s, %s or %s", string(s.Transport), Stdio, HTTP, SSE)
		return
	}
	switch {
	case s.Command != "" && s.URL != "":
		fail("it has both a command and a url, and may have only one of them")
	case s.Command == "" && s.URL == "":
		fail("it has neither a command nor a url")
	case s.Transport == Stdio && s.Command == "":
		fail("the transport %s needs a command, not a url", Stdio)
	case (s.Transport == HTTP || s.Transport == SSE) && s.URL == "":
		fail("the transport %s needs a url, not a command", s.Transport)
	}
}

func (s Server) validateTexts(fail func(string, ...any)) {
	nul := func(what, text string) {
		if strings.ContainsRune(text, 0) {
			fail("%s: a NUL byte", what)
		}
	}
	nul("name", s.Name)
	nul("working directory", s.Dir)
	for _, t := range s.Texts() {
		if t.Field != FieldHeader { // see below
			nul(t.What, *t.Value)
		}
	}
	for _, v := range s.Env {
		if v.Name == "" || strings.ContainsAny(v.Name, "=\x00") {
			fail("env %q: not a name that a variable can have", v.Name)
		}
	}
	for _, name := range s.Inherit.Names {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			fail("inherit_env %q: not a name that a variable can have", name)
		}
	}
	for _, h := range s.Headers {
		if !IsToken(h.Name) {
			fail("header %q: not a name that a header can have", h.Name)
		}
		if strings.ContainsAny(h.Value, "\r\n\x00") {
			fail("header %q: its value has a line break or a NUL byte", h.Name)
		}
	}
}

func (s Server) validateAuth(fail func(string, ...any)) {
	switch s.Auth.Kind {
	case AuthAuto, AuthNone, AuthOAuth, AuthClientCredentials, AuthGoogle:
	default:
		fail("unknown authorisation %q", string(s.Auth.Kind))
	}
	if s.Command != "" && !s.Auth.IsZero() {
		fail("auth goes with a url, and it has none")
	}
	if s.Auth.Kind == AuthGoogle && len(s.Auth.Scopes) == 0 {
		fail("auth: Google's credentials need at least one scope")
	}
	if s.EnvFile != "" && s.LoadEnv == nil {
		fail("envFile: LoadEnv, which reads it, is nil")
	}
}

// errorf puts the server's place before an error.
func (s Server) errorf(format string, args ...any) error {
	return fmt.Errorf("%sserver %q: %w", s.Source.Prefix(), s.Name, fmt.Errorf(format, args...))
}

// tokenChars are the characters of a token.
const tokenChars = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// IsToken reports whether name is a token of RFC 9110, section 5.6.2, as the names of
// headers are.
func IsToken(name string) bool { return name != "" && strings.Trim(name, tokenChars) == "" }
