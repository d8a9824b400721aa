package endpoint

// This file turns a server as written into one that can be started or dialled.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Resolved is a [Server] with its variables expanded. It holds secrets: it is
// made when a session starts, and never stored or printed.
type Resolved struct {
	Name   string // of the server
	Launch Launch
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
// The environment of a process is what [Inherit] lets through, then the variables of
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
	r := Resolved{Name: s.Name, Launch: s.Launch.resolve(&x)}
	if err := errors.Join(x.errs...); err != nil {
		return Resolved{}, err
	}
	r.Unset = x.unset
	r.Secrets, r.Sensitive = x.secrets()
	return r, nil
}

// expander expands the texts of one server and notes what it meets.
type expander struct {
	server Server
	lookup func(string) (string, bool)
	values []string // that came out of variables
	sure   []string // of them, those that are surely secret
	errs   []error
	unset  []string // texts that go without a variable

	suspects []string // values that look secret, wherever they came from

	refused error // why the last secret or file was not found
}

func (x *expander) fail(format string, args ...any) {
	x.errs = append(x.errs, x.server.errorf(format, args...))
}

func (x *expander) expandAll(texts []Text) {
	for _, t := range texts {
		x.expand(t)
	}
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

// envFile reads the variables of a file, relative to dir. All of them are treated as secrets.
func (x *expander) envFile(dir, path string) []Var {
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
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
