package endpoint

// This file expands the texts of a server so that it can be started or reached.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Resolved is a [Server] with its variables expanded. It holds secrets: it is created when a session
// starts, and is never stored or printed.
type Resolved struct {
	Name   string // of the server
	Launch Launch
	// Secrets are values to mask in all texts about this server, the longest first: see [Server.Resolve].
	Secrets []string
	// Sensitive are the Secrets that are certainly secret: values of handles, client secrets, values that
	// look like a credential and come from a file or have a secret name, and long random texts. A server's
	// message that contains one of them is not passed on.
	Sensitive []string
	// Unset lists the texts with unset variables, where the rule of their system allows that: "env \"A\": the
	// environment variable X is not set, so the value is used without it".
	Unset []string
}

// Resolve checks the server and expands its variables. Lookup finds environment variables; nil is
// [os.LookupEnv]. [Server.Secret] provides secrets and inputs, [Server.LoadText] and [Server.LoadEnv]
// read files.
//
// The environment of a process consists of the variables that [Inherit] allows, then of EnvFile and
// then of Env. If a name is duplicated, the last variable wins; on Windows, case is
// ignored. Inherited values that begin with "()" are dropped: some shells interpret them as functions and
// run them.
//
// Secrets are the values of variables, except in the command, which every error has to name, and except
// variables that every child inherits (such as HOME). Secrets are also the values of environment
// variables, headers, flags and URL parameters with secret names, including inherited variables, and what
// looks like a credential in any of these texts ([Credentials]). Each secret is included in all of its
// [Spellings]. Very short texts are not masked: that would garble the output and hide nothing.
//
// The error joins all problems, each with file, line and server. It never quotes the value of a variable,
// or a URL.
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

// expander expands the texts of one server and records what it finds.
type expander struct {
	server Server
	lookup func(string) (string, bool)
	values []string // values of variables
	sure   []string // the values that are certainly secret
	errs   []error
	unset  []string // texts with unset variables

	suspects []string // values that look secret, from any source

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

// expand expands the variables of a text.
func (x *expander) expand(t Text) {
	written := *t.Value
	if x.server.Expand == nil || written == "" {
		return
	}
	x.refused = nil
	asked := false
	var unset []string
	expanded, err := x.server.Expand(t.Field, written, func(r Reference) (string, bool) {
		asked = true
		if r.Kind == ReferenceUnset {
			unset = append(unset, r.Name)
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
	for _, name := range unset {
		how := "without it"
		if strings.Contains(expanded, name) {
			how = "as it is written"
		}
		x.unset = append(x.unset, t.What+": the environment variable "+name+" is not set, so the value is used "+how)
	}
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
	// The value of a built-in variable does not pass through lookup.
	if expanded != written && !asked && t.Field != FieldCommand {
		x.values = append(x.values, expanded)
	}
	if strings.ContainsRune(expanded, 0) {
		x.fail("%s: a NUL byte after its variables were replaced", t.What)
	}
}

// find looks up a reference.
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

// envFile reads the variables of a file, relative to dir. All of their values are treated as secrets.
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
