// Package secrets finds the values of secrets: in variables of the environment,
// in a file that its user alone can read, and from a command. The operating
// system's keyring is in package keyring.
//
// Each source is a [policy.SecretSource]; [policy.FirstOf] joins them. No source
// decides who gets a secret: that is for policy.Policy.Secrets. No error quotes a
// value.
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
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// maxValue bounds a secret, in bytes.
const maxValue = 64 << 10

// Variable is the environment variable of a secret: MCPGEN_SECRET_ and the name
// in capital letters, with _ for all but letters and digits. The secret
// github-token is in MCPGEN_SECRET_GITHUB_TOKEN.
func Variable(name string) string { return endpoint.Variable(endpoint.SecretVariable, name) }

// Environment finds secrets in [Variable]. Lookup finds a variable; nil is
// [os.LookupEnv]. An empty one means none.
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

// File is a file of secrets: a JSON object of names and values, with mode 0600.
// One that others may read is refused. Its methods are safe for concurrent use,
// by several processes as well.
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

// Source finds secrets in the file. Without a file there are none.
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

// parse never repeats what the decoder says: it may hold a piece of a value.
func (f *File) parse(data []byte) (map[string]string, error) {
	all := map[string]string{}
	if data == nil {
		return all, nil
	}
	if err := json.Unmarshal(data, &all); err != nil || all == nil {
		return nil, hint.With(fmt.Errorf("%s: not a JSON object of names and texts", f.file.Path), "fix or remove it, then run mcpgen secrets set")
	}
	return all, nil
}

// Set writes a secret into the file, which is made if it is not there.
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

// Remove removes a secret. One that is not there is [policy.ErrNoSecret].
func (f *File) Remove(ctx context.Context, name string) error {
	return statefile.UpdateJSON(ctx, f.file, f.parse, func(all *map[string]string) error {
		if _, ok := (*all)[name]; !ok {
			return fmt.Errorf("%s: %q: %w", f.file.Path, name, policy.ErrNoSecret)
		}
		delete(*all, name)
		return nil
	})
}

// CheckName returns what is wrong with the name of a secret: a handle has to be
// able to hold it.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("a secret needs a name")
	case len(name) > 200:
		return errors.New("the name of a secret has at most 200 bytes")
	case strings.TrimSpace(name) != name, strings.ContainsAny(name, "{}"), strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("the name %q: the name of a secret cannot have braces or control characters, or begin or end with a space", name)
	}
	return nil
}

// CheckValue returns what is wrong with a value: an environment has to be able to
// hold it, and it has to be long enough to be masked.
func CheckValue(value string) error {
	switch {
	case value == "":
		return errors.New("the value is empty")
	case len(value) < 4:
		return errors.New("the value is shorter than four bytes, and masking it would garble everything")
	case len(value) > maxValue:
		return fmt.Errorf("the value is larger than %d bytes", maxValue)
	case strings.ContainsRune(value, 0):
		return errors.New("the value has a NUL byte, which no environment can hold")
	}
	return nil
}
