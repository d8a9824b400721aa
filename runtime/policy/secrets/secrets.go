// Package secrets looks up the values of secrets: in environment variables, in a file
// that only its user can read, and by a command. The operating system's keyring is in
// package keyring.
//
// Each source is a [policy.SecretSource]; [policy.FirstOf] joins them. Sources do not
// decide who gets a secret; policy.Policy.Secrets does. No error quotes a value.
package secrets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// maxValue bounds a secret, in bytes.
const maxValue = 64 << 10

// Variable returns the environment variable of a secret: MCPGEN_SECRET_ and the name
// in upper case, with _ for every character except letters and digits. The secret
// github-token is in MCPGEN_SECRET_GITHUB_TOKEN.
func Variable(name string) string { return endpoint.Variable(endpoint.SecretVariable, name) }

// Environment returns a source that looks up [Variable]. Lookup looks up a variable;
// nil is [os.LookupEnv]. An empty variable counts as unset.
func Environment(lookup func(string) (string, bool)) policy.SecretSource {
	if lookup == nil {
		lookup = os.LookupEnv
	}
	return func(_ context.Context, name string) (string, error) {
		if value, ok := lookup(Variable(name)); ok && value != "" {
			return value, nil
		}
		return "", policy.ErrNoSecret
	}
}

// File is a file of secrets: a JSON object of names and values, with mode 0600. A
// file that others may read is refused. Its methods are safe for concurrent use, also
// by several processes.
type File struct{ file statefile.File }

// OpenFile returns the file at a path; "" is secrets.json in the folder mcpgen
// of the user's configuration. Nothing is read or made yet.
func OpenFile(path string) (*File, error) {
	file, err := statefile.Open(path, "secrets.json")
	if err != nil {
		return nil, err
	}
	file.Private = true
	return &File{file}, nil
}

// Path returns the file's path.
func (f *File) Path() string { return f.file.Path }

// Source returns a source of the secrets in the file. Without a file there are none.
func (f *File) Source() policy.SecretSource {
	return func(_ context.Context, name string) (string, error) {
		all, err := f.read()
		if err != nil {
			return "", err
		}
		if value, ok := all[name]; ok {
			return value, nil
		}
		return "", policy.ErrNoSecret
	}
}

// Names returns the names of the secrets in the file, sorted.
func (f *File) Names() ([]string, error) {
	all, err := f.read()
	return slices.Sorted(maps.Keys(all)), err
}

func (f *File) read() (map[string]string, error) {
	data, err := f.file.Read()
	if err != nil {
		return nil, err
	}
	return f.parse(data)
}

// parse does not return the decoder's text, which may contain a part of a value.
func (f *File) parse(data []byte) (map[string]string, error) {
	all := map[string]string{}
	if data == nil {
		return all, nil
	}
	if err := json.Unmarshal(data, &all); err != nil || all == nil {
		return nil, hint.With(fmt.Errorf("%s: not a JSON object of names and texts", f.file.Path),
			"fix or remove the file, then run mcpgen secrets set")
	}
	return all, nil
}

// Set writes a secret into the file, and makes the file if it is missing.
func (f *File) Set(ctx context.Context, name, value string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := CheckValue(value); err != nil {
		return fmt.Errorf("the secret %q: %w", name, err)
	}
	return statefile.UpdateJSON(ctx, f.file, f.parse, func(all *map[string]string) error {
		(*all)[name] = value
		return nil
	})
}

// Remove removes a secret. A missing secret is [policy.ErrNoSecret].
func (f *File) Remove(ctx context.Context, name string) error {
	return statefile.UpdateJSON(ctx, f.file, f.parse, func(all *map[string]string) error {
		if _, ok := (*all)[name]; !ok {
			return fmt.Errorf("%s: %q: %w", f.file.Path, name, policy.ErrNoSecret)
		}
		delete(*all, name)
		return nil
	})
}

// CheckName returns the error of an invalid name: a handle must be able to contain
// it.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("a secret needs a name")
	case len(name) > 200:
		return errors.New("the name of a secret can have at most 200 bytes")
	case strings.TrimSpace(name) != name, strings.ContainsAny(name, "{}"),
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf(
			"the name %q: the name of a secret cannot have braces or control characters, or begin or end with a space",
			name)
	}
	return nil
}

// CheckValue returns the error of an invalid value: an environment variable must be
// able to contain it, and it must be long enough to be masked.
func CheckValue(value string) error {
	switch {
	case value == "":
		return errors.New("the value is empty")
	case len(value) < 4:
		return errors.New("the value is shorter than four bytes: masking it would garble other text")
	case len(value) > maxValue:
		return fmt.Errorf("the value is larger than %d bytes", maxValue)
	case strings.ContainsRune(value, 0):
		return errors.New("the value has a NUL byte, which no environment can hold")
	}
	return nil
}
