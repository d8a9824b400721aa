package endpoint_test

import (
	"os"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What looks like a credential in a text, and what only looks a little like one.
func TestCredentials(t *testing.T) {
	for text, want := range map[string][]string{
		"info":                                   nil,
		"/home/me/projects/0123456789abcdef":     nil,
		"ghp_0123456789abcdefghij":               {"ghp_0123456789abcdefghij"},
		"prefix sk-ant-0123456789abc, then more": {"sk-ant-0123456789abc"},
		"postgres://u:p4ss%21word@db.example/x":  {"p4ss%21word", "p4ss!word"},
		"Server=a;User=b;Password=hunter2-x;C=d": {"hunter2-x"},
		"https://h.example/s/a1b2c3d4e5f6a1b2c3d4e5f6/mcp?page=2&api_key=abcdefgh": {"a1b2c3d4e5f6a1b2c3d4e5f6", "abcdefgh"},
		"https://token0123456@h.example":                                           {"token0123456"},
		"https://me@h.example/a?b=c":                                               nil,
		"see http://h.example?x=0a1b2c3d4e5f6a7b8c9":                               nil, // 19 bytes
		"see http://h.example?x=0a1b2c3d4e5f6a7b8c9d":                              {"0a1b2c3d4e5f6a7b8c9d"},
	} {
		if got := credentials.Credentials(text); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// What came out of variables, and is surely secret whatever it is the value of.
func TestResolveSureSecrets(t *testing.T) {
	values := map[string]string{"GH_TOKEN": "planted-token-0123", "RANDOM": "0a1b2c3d4e5f6a7b8c9d", "DIR": "/home/me/project-2", "REGION": "eu-west-1-zone-a"}
	s := endpoint.Server{
		Name: "s", Launch: &endpoint.Process{Command: "x", Env: []endpoint.Var{{Name: "A", Value: "<GH_TOKEN>"}, {Name: "B", Value: "<RANDOM>"}, {Name: "C", Value: "<DIR>"}, {Name: "D", Value: "<REGION>"},
			{Name: "E", Value: "<secret:short>"}, {Name: "F", Value: "<file:/token>"}}}, Expand: expandNamed, Secret: func(string, endpoint.Reference) (string, error) { return "handle", nil },
		LoadText: func(string) (string, error) { return "from-the-file-0123", nil },
	}
	r, err := s.Resolve(lookupIn(values))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"planted-token-0123", "0a1b2c3d4e5f6a7b8c9d", "handle", "from-the-file-0123"} {
		if !slices.Contains(r.Sensitive, want) {
			t.Errorf("%s is not surely secret: %q", want, r.Sensitive)
		}
	}
	for _, not := range []string{"/home/me/project-2", "eu-west-1-zone-a"} {
		if slices.Contains(r.Sensitive, not) || !slices.Contains(r.Secrets, not) {
			t.Errorf("%s is to be masked, and no reason to drop a tool", not)
		}
	}
	web := endpoint.Server{Name: "w", Launch: &endpoint.Address{URL: "https://h.example/mcp", Auth: endpoint.Auth{Kind: endpoint.AuthOAuth, ClientID: "c", ClientSecret: "client-secret"}}}
	if r, err = web.Resolve(nil); err != nil || !slices.Contains(r.Sensitive, "client-secret") {
		t.Errorf("%q, %v", r.Sensitive, err)
	}
}

// Files hold their credentials as they are, under any name: what is masked of
// such a server, and what is surely secret.
func TestResolveLiteralSecrets(t *testing.T) {
	t.Setenv("SOME_TOKEN", "inherited-0123")
	t.Setenv("SOME_KEY_FILE", "/home/me/key-0123456")
	s := endpoint.Server{
		Name: "s", Launch: &endpoint.Process{Command: "x", Inherit: endpoint.Inherit{All: true}, Args: []string{"run", "--api-key", "planted-arg-1", "--token=planted-arg-2", "--header", "Authorization: Bearer planted-arg-3", "--verbose", "planted-no-4"}, Env: []endpoint.Var{{Name: "DATABASE_URL", Value: "postgres://u:planted-db-5@db.example/x"}, {Name: "FOO", Value: "ghp_planted0123456789"},
			{Name: "PROJECT", Value: "https://h.example/0b8f6a52-9d1c-4a57-8b53-1c2d3e4f5a6b"}, {Name: "LEVEL", Value: "information"}}},
	}
	r, err := s.Resolve(os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"planted-arg-1", "planted-arg-2", "planted-arg-3", "planted-db-5", "ghp_planted0123456789", "inherited-0123"} {
		if !slices.Contains(r.Secrets, want) || !slices.Contains(r.Sensitive, want) {
			t.Errorf("%s is not secret: %q", want, r.Sensitive)
		}
	}
	for _, not := range []string{"planted-no-4", "information", "run", "/home/me/key-0123456", "--verbose"} {
		if slices.Contains(r.Secrets, not) {
			t.Errorf("%s is secret", not)
		}
	}
	const id = "0b8f6a52-9d1c-4a57-8b53-1c2d3e4f5a6b" // shown to nobody, and no reason to drop a tool that names it
	if !slices.Contains(r.Secrets, id) || slices.Contains(r.Sensitive, id) {
		t.Errorf("secrets %q, sensitive %q, want the id of the project among the secrets alone", r.Secrets, r.Sensitive)
	}
	web := endpoint.Server{Name: "w", Launch: &endpoint.Address{URL: "https://h.example/mcp?page=1&apikey=planted-query-1", Headers: []endpoint.Var{{Name: "X-Any", Value: "Bearer planted-header-2"}}}}
	if r, err = web.Resolve(os.LookupEnv); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"planted-query-1", "planted-header-2"} {
		if !slices.Contains(r.Sensitive, want) {
			t.Errorf("%s is not secret: %q", want, r.Sensitive)
		}
	}
}
