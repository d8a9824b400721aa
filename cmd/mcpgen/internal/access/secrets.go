// Package access says who may call what, and with which secrets: the commands policy and secrets.
package access

// This file implements the command secrets. It never returns the value of a secret.

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/keyring"
	"github.com/mcpgen/mcpgen/runtime/policy/secrets"
)

// SecretStatus is the status of one secret.
type SecretStatus struct {
	Name    string   `json:"name"`
	Sources []string `json:"sources"` // environment, file, keyring, in the order of lookup
	Servers []string `json:"servers"` // servers that need it
	Allowed []string `json:"allowed"` // servers for which a policy allows it
}

// Secrets lists the secrets that the project's servers need or the user's file holds, sorted by name.
// The project's secret command is not run.
func Secrets(project *config.Project) ([]SecretStatus, error) {
	file, err := secrets.OpenFile("")
	if err != nil {
		return nil, err
	}
	stored, err := file.Names()
	if err != nil {
		return nil, err
	}
	gate, err := live.Policy(project, nil)
	if err != nil {
		return nil, err
	}
	wanted := map[string][]string{}
	names := slices.Clone(stored)
	for _, s := range project.Servers {
		for _, name := range config.Handles(s) {
			wanted[name] = append(wanted[name], s.Name)
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := []SecretStatus{}
	for _, name := range slices.Compact(names) {
		st := SecretStatus{Name: name, Sources: sources(name, stored),
			Servers: append([]string{}, wanted[name]...), Allowed: []string{}}
		for _, server := range st.Servers {
			if _, ok := gate.AllowsSecret(server, name); ok {
				st.Allowed = append(st.Allowed, server)
			}
		}
		out = append(out, st)
	}
	return out, nil
}

// sources lists the sources that have a secret.
func sources(name string, stored []string) []string {
	found := []string{}
	if os.Getenv(secrets.Variable(name)) != "" {
		found = append(found, "environment")
	}
	if slices.Contains(stored, name) {
		found = append(found, "file")
	}
	if keyring.Has(name) {
		found = append(found, "keyring")
	}
	return found
}

// SetSecret stores a secret in the user's file, or in the keyring, and returns where.
func SetSecret(ctx context.Context, name, value string, inKeyring bool) (where string, err error) {
	if err := errors.Join(secrets.CheckName(name), secrets.CheckValue(value)); err != nil {
		return "", err
	}
	if inKeyring {
		return "the keyring", keyring.Set(name, value)
	}
	file, err := secrets.OpenFile("")
	if err != nil {
		return "", err
	}
	return file.Path(), file.Set(ctx, name, value)
}

// RemoveSecret removes a secret from the user's file and from the keyring. It is an error if neither has
// it.
func RemoveSecret(ctx context.Context, name string) error {
	file, err := secrets.OpenFile("")
	if err != nil {
		return err
	}
	fromFile := file.Remove(ctx, name)
	if fromFile != nil && !errors.Is(fromFile, policy.ErrNoSecret) {
		return fromFile
	}
	if keyring.Has(name) {
		return keyring.Remove(name)
	}
	return hint.With(fromFile, "list the names: mcpgen secrets list")
}
