package endpoint

// This file turns a server as written into one that can be started or dialled.

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/regular"
)

// Resolved is a [Server] with its variables expanded. It holds secrets: it is
// made when a session starts, and never stored or printed.
type Resolved struct {
	Command string   // program; absolute if it was relative to Dir
	Args    []string // arguments
	Dir     string   // working directory; "" is this process's own
	Env     []string // KEY=VALUE, the complete environment of the child
	URL     string   // http or https; "" with a command
	Headers []Var    // in the order of the configuration
	Auth    Auth     // with its texts expanded
	// Secrets are values to mask wherever texts of this server are shown, the
	// longest first: see [Server.Resolve].
	Secrets []string
	// Sensitive are those of Secrets that are surely secret: values of handles and
	// client secrets, values that look like a credential where a name says that
	// they are one or a file holds nothing else, and long random texts. What a server says with one of them in it is not passed on.
	Sensitive []string
	// Unset says which texts go without a variable that is not set, as their
	// system's rule has it: "env \"A\": the environment variable X is not set".
	Unset []string
}

// Resolve checks the server and expands its variables. Lookup finds a variable
// of the environment; nil is [os.LookupEnv]. Secrets and inputs are asked of
// [Server.Secret], files are read.
//
// The child's environment is what [Inherit] lets through, then the variables of
// EnvFile and then Env, each in their order; of two variables with one name the later wins, on Windows without regard to
// case. Inherited values that begin with "()" are left out: some shells take
// them for functions and run them.
//
// Secrets are the values that came out of variables, save in the command, which
// every error has to name, and of those that every child inherits anyway (HOME
// and its kin). So are the values of environment variables, headers, flags and
// URL parameters whose name says that they are secret, also those of this process
// that the child inherits, and what looks like a credential in any of these texts
// ([Credentials]), each in all of its [Spellings]. Very short texts are not among them: masking
// those would garble everything and hide nothing.
//
// The error joins all that is wrong, each with file, line and server. It never
// quotes a value that came out of a variable, and never a URL.
func (s Server) Resolve(lookup func(string) (string, bool)) (Resolved, error) {
	if lookup == nil {
		lookup = os.LookupEnv
	}
	if err := s.Validate(); err != nil {
		return Resolved{}, err
	}
	x := expander{server: s, lookup: lookup}
	r := Resolved{
		Command: x.expand(FieldCommand, "command", s.Command),
		Dir:     s.Dir,
		URL:     x.expand(FieldURL, "url", s.URL),
	}
	for i, arg := range s.Args {
		r.Args = append(r.Args, x.expand(FieldArg, fmt.Sprintf("args[%d]", i), arg))
	}
	r.Headers = x.vars(FieldHeader, "header", s.Headers)
	r.Auth = x.auth(s.Auth)
	env := slices.Concat(x.envFile(), x.vars(FieldEnv, "env", s.Env))
	x.checkExpanded(&r)
	if s.Command != "" {
		r.Env = environment(runtime.GOOS, s.Inherit, os.Environ(), lookup, env)
		if err := r.anchor(s.Command); err != nil {
			x.fail("%v", err)
		}
	}
	if err := errors.Join(x.errs...); err != nil {
		return Resolved{}, err
	}
	r.Secrets, r.Sensitive = x.secrets(r, env)
	r.Unset = x.unset
	return r, nil
}

// anchor makes a program that was named by a relative path absolute: whether a
// working directory counts for it depends on the system otherwise.
func (r *Resolved) anchor(written string) error {
	if r.Dir == "" || filepath.IsAbs(r.Command) || filepath.Base(r.Command) == r.Command {
		return nil
	}
	path, err := filepath.Abs(filepath.Join(r.Dir, r.Command))
	if err != nil {
		return fmt.Errorf("command %q: %w", written, err)
	}
	r.Command = path
	return nil
}

// expander expands the texts of one server and notes what it meets.
type expander struct {
	server Server
	lookup func(string) (string, bool)
	values []string // that came out of variables
	sure   []string // of them, those that are surely secret
	errs   []error
	unset  []string // texts that go without a variable

	omit    bool  // the last header is not sent
	refused error // why the last secret or file was not found
}

func (x *expander) fail(format string, args ...any) {
	x.errs = append(x.errs, x.server.errorf(format, args...))
}

// expand returns text with its variables replaced. What names the text in errors.
func (x *expander) expand(field Field, what, text string) string {
	if x.server.Expand == nil || text == "" {
		return text
	}
	x.refused = nil
	asked := false
	expanded, err := x.server.Expand(field, text, func(r Reference) (string, bool) {
		asked = true
		if r.Kind == ReferenceUnset {
			x.unset = append(x.unset, what+": the environment variable "+r.Name+" is not set")
		}
		value, ok := x.find(r)
		if ok && field != FieldCommand && !(r.Kind == ReferenceEnv && isInherited(runtime.GOOS, r.Name)) {
			x.values = append(x.values, value)
			if isSure(r, value) {
				x.sure = append(x.sure, value)
			}
		}
		return value, ok
	})
	if x.refused != nil {
		err = x.refused
	}
	if x.omit = field == FieldHeader && errors.Is(err, ErrOmit); x.omit {
		return ""
	}
	if err != nil {
		x.fail("%s: %w", what, err)
		return ""
	}
	// A value that was found without asking does not pass through lookup.
	if expanded != text && !asked && field != FieldCommand {
		x.values = append(x.values, expanded)
	}
	if strings.ContainsRune(expanded, 0) {
		x.fail("%s: a NUL byte after its variables were replaced", what)
	}
	return expanded
}

// find looks up what a text refers to.
func (x *expander) find(r Reference) (string, bool) {
	switch {
	case r.Kind == ReferenceEnv:
		return x.lookup(r.Name)
	case r.Kind == ReferenceFile:
		return x.file(r.Name)
	case r.Kind != ReferenceSecret && r.Kind != ReferenceInput || x.server.Secret == nil:
		return "", false
	}
	value, err := x.server.Secret(x.server.Name, r)
	if err != nil && r.Kind == ReferenceSecret {
		x.refused = err // an input may have a default
	}
	return value, err == nil
}

// maxTextFile bounds a file that stands for one value, in bytes.
const maxTextFile = 64 << 10

// file reads a file that stands for one value.
func (x *expander) file(path string) (string, bool) {
	data, err := regular.ReadFile(path, maxTextFile)
	if err != nil {
		x.refused = fmt.Errorf("the file %q cannot be read: %w", path, cause(err))
		return "", false
	}
	return strings.TrimRight(string(data), "\r\n"), true
}

// cause is what the system said, without the path.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// envFile reads the variables of EnvFile. All of them are treated as secrets.
func (x *expander) envFile() []Var {
	if x.server.EnvFile == "" {
		return nil
	}
	path := x.expand(FieldEnvFile, "envFile", x.server.EnvFile)
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(x.server.Dir, path)
	}
	vars, err := x.server.LoadEnv(path)
	if err != nil {
		x.fail("envFile: %w", err)
	}
	for _, v := range vars {
		x.values = append(x.values, v.Value)
	}
	return vars
}

func (x *expander) auth(a Auth) Auth {
	for _, text := range [...]struct {
		what string
		text *string
	}{
		{"auth: client id", &a.ClientID}, {"auth: client secret", &a.ClientSecret}, {"auth: redirect url", &a.RedirectURL},
		{"auth: metadata url", &a.MetadataURL}, {"auth: authorization url", &a.AuthorizationURL}, {"auth: token url", &a.TokenURL},
		{"auth: issuer", &a.Issuer},
	} {
		*text.text = x.expand(FieldAuth, text.what, *text.text)
	}
	if len(a.ClientSecret) >= shortestSecret {
		x.values, x.sure = append(x.values, a.ClientSecret), append(x.sure, a.ClientSecret)
	}
	return a
}

func (x *expander) vars(field Field, what string, vars []Var) []Var {
	var expanded []Var
	for _, v := range vars {
		x.omit = false
		v.Value = x.expand(field, fmt.Sprintf("%s %q", what, v.Name), v.Value)
		if !x.omit {
			expanded = append(expanded, v)
		}
	}
	return expanded
}

// checkExpanded checks what can be judged only after variables were replaced.
func (x *expander) checkExpanded(r *Resolved) {
	if len(x.errs) > 0 {
		return // a text that could not be expanded is empty, and reported
	}
	if x.server.Command != "" && r.Command == "" {
		x.fail("command %q is empty after its variables were replaced", x.server.Command)
	}
	for _, h := range r.Headers {
		if strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			x.fail("header %q: its value has a character that headers cannot hold, such as a line break: check the variable it comes from", h.Name)
		}
	}
	if x.server.URL != "" {
		if err := checkURL(x.server.URL, r.URL); err != nil {
			x.fail("%w", err)
		}
	}
}

// checkURL judges an expanded URL. It does not quote it, nor any error of the
// parser, since both may hold a password.
func checkURL(written, expanded string) error {
	u, err := url.Parse(expanded)
	switch {
	case err != nil:
		return errors.New("url: not a valid URL")
	case u.User != nil:
		return errors.New("url: it holds a user name or password, which every log would show: use headers instead")
	case u.Scheme == "http" || u.Scheme == "https":
		if u.Hostname() == "" {
			return errors.New("url: it names no host")
		}
		return nil
	case u.Scheme != "" && strings.HasPrefix(strings.ToLower(written), u.Scheme+":"):
		return fmt.Errorf("url: the scheme %q is not supported: use http or https", u.Scheme)
	}
	return errors.New("url: it has to begin with http:// or https://")
}
