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
)

// Resolved is a [Server] with its variables expanded. It holds secrets: it is
// made when a session starts, and never stored or printed.
type Resolved struct {
	Name    string   // of the server
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
// [Server.Secret], files are read by [Server.LoadText] and [Server.LoadEnv].
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
	to := s
	to.Args, to.Env, to.Headers = slices.Clone(s.Args), slices.Clone(s.Env), slices.Clone(s.Headers)
	for _, t := range to.Texts() {
		x.expand(t)
	}
	r := Resolved{Name: s.Name, Command: to.Command, Args: to.Args, Dir: s.Dir, URL: to.URL, Auth: to.Auth}
	r.Headers = slices.DeleteFunc(to.Headers, func(h Var) bool { return h.Name == "" })
	if secret := r.Auth.ClientSecret; len(secret) >= shortestSecret {
		x.values, x.sure = append(x.values, secret), append(x.sure, secret)
	}
	env := slices.Concat(x.envFile(to.EnvFile), to.Env)
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

	refused error // why the last secret or file was not found
}

func (x *expander) fail(format string, args ...any) {
	x.errs = append(x.errs, x.server.errorf(format, args...))
}

// expand replaces the variables of a text.
func (x *expander) expand(t Text) {
	written := *t.Value
	if x.server.Expand == nil || written == "" {
		return
	}
	x.refused = nil
	asked := false
	expanded, err := x.server.Expand(t.Field, written, func(r Reference) (string, bool) {
		asked = true
		if r.Kind == ReferenceUnset {
			x.unset = append(x.unset, t.What+": the environment variable "+r.Name+" is not set")
		}
		value, ok := x.find(r)
		if ok && t.Field != FieldCommand && !(r.Kind == ReferenceEnv && isInherited(runtime.GOOS, r.Name)) {
			x.values = append(x.values, value)
			if isSure(r, value) {
				x.sure = append(x.sure, value)
			}
		}
		return value, ok
	})
	*t.Value = ""
	switch {
	case x.refused != nil:
		x.fail("%s: %w", t.What, x.refused)
		return
	case t.Field == FieldHeader && errors.Is(err, ErrOmit):
		*t.name = ""
		return
	case err != nil:
		x.fail("%s: %w", t.What, err)
		return
	}
	*t.Value = expanded
	// A value that was found without asking does not pass through lookup.
	if expanded != written && !asked && t.Field != FieldCommand {
		x.values = append(x.values, expanded)
	}
	if strings.ContainsRune(expanded, 0) {
		x.fail("%s: a NUL byte after its variables were replaced", t.What)
	}
}

// find looks up what a text refers to.
func (x *expander) find(r Reference) (string, bool) {
	switch {
	case r.Kind == ReferenceEnv:
		return x.lookup(r.Name)
	case r.Kind == ReferenceFile && x.server.LoadText != nil:
		value, err := x.server.LoadText(r.Name)
		if err != nil {
			x.refused = fmt.Errorf("the file %q cannot be read: %w", r.Name, err)
		}
		return value, err == nil
	case r.Kind != ReferenceSecret && r.Kind != ReferenceInput || x.server.Secret == nil:
		return "", false
	}
	value, err := x.server.Secret(x.server.Name, r)
	if err != nil && r.Kind == ReferenceSecret {
		x.refused = err // an input may have a default
	}
	return value, err == nil
}

// envFile reads the variables of a file. All of them are treated as secrets.
func (x *expander) envFile(path string) []Var {
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
			x.fail("header %q: its value, with its variables replaced, has a character that headers cannot hold, such as a line break", h.Name)
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
		return errors.New("url: it holds a user name or password, which every log would show and which belong into headers")
	case u.Scheme == "http" || u.Scheme == "https":
		if u.Hostname() == "" {
			return errors.New("url: it names no host")
		}
		return nil
	case u.Scheme != "" && strings.HasPrefix(strings.ToLower(written), u.Scheme+":"):
		return fmt.Errorf("url: the scheme %q is not supported, want http or https", u.Scheme)
	}
	return errors.New("url: it has to begin with http:// or https://")
}
