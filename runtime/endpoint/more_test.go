package endpoint_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// expandNamed expands a text that is nothing but a name in angle brackets.
func expandNamed(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
	name, ok := strings.CutPrefix(text, "<")
	if !ok {
		return text, nil
	}
	value, ok := lookup(referenceTo(strings.TrimSuffix(name, ">")))
	if !ok {
		return "", errors.New(name + " is not set")
	}
	return value, nil
}

// reference is what a name in angle brackets refers to.
func referenceTo(text string) endpoint.Reference {
	if kind, name, ok := strings.Cut(text, ":"); ok {
		return endpoint.Reference{Kind: endpoint.ReferenceKind(kind), Name: name}
	}
	return endpoint.Reference{Name: text}
}

func TestResolveSecrets(t *testing.T) {
	const file = "/srv/token"
	s := endpoint.Server{
		Name: "a", Launch: &endpoint.Process{Command: "c", EnvFile: "<ENVFILE>", Dir: "/srv", Env: []endpoint.Var{{Name: "A", Value: "<secret:gh>"}, {Name: "B", Value: "<file:" + file + ">"}, {Name: "C", Value: "<input:id>"}}}, Expand: expandNamed,
		Secret: func(server string, r endpoint.Reference) (string, error) {
			return "value-of-" + server + "-" + r.String(), nil
		},
		LoadText: func(path string) (string, error) {
			if path != file {
				return "", os.ErrNotExist
			}
			return "from-the-file", nil
		},
		LoadEnv: func(path string) ([]endpoint.Var, error) {
			return []endpoint.Var{{Name: "PATH", Value: path}, {Name: "A", Value: "under"}}, nil
		},
	}
	vars := lookupIn(map[string]string{"ENVFILE": "sub/.env", "PATH": "/bin"})
	r, err := s.Resolve(vars)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"PATH=" + filepath.FromSlash("/srv/sub/.env"), "A=value-of-a-secret:gh", "B=from-the-file", "C=value-of-a-input:id"}
	if !slices.Equal(process(r).Environ(), want) {
		t.Errorf("env %q, want %q", process(r).Environ(), want)
	}
	for _, secret := range []string{"value-of-a-secret:gh", "from-the-file", "value-of-a-input:id", "under"} {
		if !slices.Contains(r.Secrets, secret) {
			t.Errorf("%q is not masked: %q", secret, r.Secrets)
		}
	}
}

func TestResolveSecretsRefused(t *testing.T) {
	for _, tt := range []struct {
		text   string
		secret func(string, endpoint.Reference) (string, error)
		want   string
	}{
		{"<secret:gh>", nil, `env "A": secret:gh> is not set`},
		{"<secret:gh>", func(string, endpoint.Reference) (string, error) {
			return "", errors.New("no policy allows gh: add one")
		}, `env "A": no policy allows gh: add one`},
		{"<file:/gone>", nil, `env "A": the file "/gone" cannot be read: no such file`},
	} {
		s := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", Env: []endpoint.Var{{Name: "A", Value: tt.text}}}, Expand: expandNamed, Secret: tt.secret,
			LoadText: func(string) (string, error) { return "", errors.New("no such file") }}
		if _, err := s.Resolve(lookupIn(nil)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.text, err, tt.want)
		}
	}
	s := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", EnvFile: ".env"}, LoadEnv: func(string) ([]endpoint.Var, error) { return nil, errors.New(".env:3: broken") }}
	if _, err := s.Resolve(lookupIn(nil)); err == nil || !strings.Contains(err.Error(), ".env:3: broken") {
		t.Errorf("got %v", err)
	}
}

func TestResolveAuth(t *testing.T) {
	s := endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "https://h.example", Auth: endpoint.Auth{Kind: endpoint.AuthOAuth, ClientID: "<ID>", ClientSecret: "literal-client-secret", Scopes: []string{"<x>"}}}, Expand: expandNamed}
	r, err := s.Resolve(lookupIn(map[string]string{"ID": "the-client"}))
	if err != nil || address(r).Auth.ClientID != "the-client" || address(r).Auth.Scopes[0] != "<x>" || !slices.Contains(r.Secrets, "literal-client-secret") {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, tt := range []struct {
		s    endpoint.Server
		want string
	}{
		{endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "https://h", Auth: endpoint.Auth{Kind: endpoint.AuthGoogle}}}, "need at least one scope"},
		{endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "https://h", Auth: endpoint.Auth{Kind: "magic"}}}, `unknown authorisation "magic"`},
		{endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", EnvFile: "x"}}, "must read the file, but is nil"},
	} {
		if err := tt.s.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

// A header that stands for a variable that is not set can be left out, and
// variables that look secret need not be inherited.
func TestResolveOmitted(t *testing.T) {
	s := endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "https://h.example", Headers: []endpoint.Var{{Name: "A", Value: "x"}, {Name: "B", Value: "y"}}},
		Expand: func(_ endpoint.Field, text string, _ endpoint.Lookup) (string, error) {
			if text == "x" {
				return "", endpoint.ErrOmit
			}
			return text, nil
		}}
	r, err := s.Resolve(lookupIn(nil))
	if err != nil || len(address(r).Headers) != 1 || address(r).Headers[0].Name != "B" {
		t.Errorf("got %v, %v", address(r).Headers, err)
	}
	t.Setenv("ENDPOINT_TEST_TOKEN", "1")
	t.Setenv("ENDPOINT_TEST_OTHER", "2")
	t.Setenv("ENDPOINT_TEST_KEY", "3")
	s = endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", Inherit: endpoint.Inherit{All: true, Names: []string{"ENDPOINT_TEST_KEY"}, Without: []string{"TOKEN", "key"}}}}
	r, err = s.Resolve(nil)
	if err != nil || slices.Contains(process(r).Environ(), "ENDPOINT_TEST_TOKEN=1") || !slices.Contains(process(r).Environ(), "ENDPOINT_TEST_OTHER=2") || !slices.Contains(process(r).Environ(), "ENDPOINT_TEST_KEY=3") {
		t.Errorf("got %q, %v", process(r).Environ(), err)
	}
}

// Inheriting everything is no way to a secret that a policy keeps from a server. One
// that its configuration names is passed.
func TestSecretsAreNotInherited(t *testing.T) {
	t.Setenv("MCPGEN_SECRET_ONE", "1")
	t.Setenv("MCPGEN_SECRET_TWO", "2")
	t.Setenv("MCPGEN_INPUT_ONE", "1")
	t.Setenv("ENDPOINT_TEST_OTHER", "3")
	s := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", Inherit: endpoint.Inherit{All: true, Names: []string{"MCPGEN_SECRET_TWO"}}}}
	r, err := s.Resolve(nil)
	if err != nil || slices.Contains(process(r).Environ(), "MCPGEN_SECRET_ONE=1") || slices.Contains(process(r).Environ(), "MCPGEN_INPUT_ONE=1") || !slices.Contains(process(r).Environ(), "MCPGEN_SECRET_TWO=2") || !slices.Contains(process(r).Environ(), "ENDPOINT_TEST_OTHER=3") {
		t.Errorf("got %q, %v", process(r).Environ(), err)
	}
}
