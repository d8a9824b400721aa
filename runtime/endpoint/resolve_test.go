package endpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// expandDollar expands ${NAME}, and fails for a variable that is not set.
func expandDollar(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
	var missing error
	expanded := regexp.MustCompile(`\$\{(\w+)\}`).ReplaceAllStringFunc(text, func(v string) string {
		name := v[2 : len(v)-1]
		value, ok := lookup(endpoint.Reference{Name: name})
		if !ok {
			missing = fmt.Errorf("%s is not set: set it, or remove the variable", name)
		}
		return value
	})
	return expanded, missing
}

// lookupIn is a lookup in a map.
func lookupIn(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

func TestResolveCommand(t *testing.T) {
	s := endpoint.Server{
		Name: "gh", Launch: &endpoint.Process{Command: "${BIN}/server", Args: []string{"--root", "${HOME}/notes", "$(touch EVIL)"}, Dir: "/work", Env: []endpoint.Var{{Name: "API", Value: "${TOKEN}"}, {Name: "PATH", Value: "/own"}, {Name: "API", Value: "x-${TOKEN}"}, {Name: "EMPTY"}}, Inherit: endpoint.Inherit{Names: []string{"PROXY", "UNSET"}}},
		Expand: expandDollar,
	}
	r, err := s.Resolve(lookupIn(map[string]string{
		"BIN": "/opt/bin", "HOME": "/home/me", "PATH": "/usr/bin", "TOKEN": "s3cret-token", "PROXY": "http://p", "OTHER": "no",
		"SHELL": "() { :; }; echo bad",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if process(r).Command != "/opt/bin/server" || !slices.Equal(process(r).Args, []string{"--root", "/home/me/notes", "$(touch EVIL)"}) || process(r).Dir != "/work" {
		t.Errorf("got %+v", r)
	}
	if want := []string{"HOME=/home/me", "PATH=/own", "PROXY=http://p", "API=x-s3cret-token", "EMPTY="}; !slices.Equal(process(r).Environ(), want) {
		t.Errorf("env %q, want %q", process(r).Environ(), want)
	}
	if !slices.Equal(r.Secrets, credentials.Spellings("s3cret-token")) { // neither the program nor HOME
		t.Errorf("secrets %q", r.Secrets)
	}
}

func TestResolveURL(t *testing.T) {
	s := endpoint.Server{
		Name: "web", Launch: &endpoint.Address{URL: "https://${HOST}/mcp?api_key=literal-key&page=12345678", Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer ${TOKEN}"}, {Name: "X-Api-Key", Value: `quo"ted secret`}, {Name: "X-Trace", Value: "on-purpose"}}}, Expand: expandDollar,
	}
	r, err := s.Resolve(lookupIn(map[string]string{"HOST": "example.com:8443", "TOKEN": "t0ken+/="}))
	if err != nil {
		t.Fatal(err)
	}
	if address(r).URL != "https://example.com:8443/mcp?api_key=literal-key&page=12345678" || address(r).Headers[0].Value != "Bearer t0ken+/=" {
		t.Errorf("got %+v", r)
	}
	for _, want := range []string{"t0ken+/=", "Bearer t0ken+/=", "t0ken%2B%2F%3D", "literal-key", `quo"ted secret`, `quo\"ted secret`, "quo%22ted+secret"} {
		if !slices.Contains(r.Secrets, want) {
			t.Errorf("secrets %q lack %q", r.Secrets, want)
		}
	}
	for _, secret := range r.Secrets {
		if strings.Contains(secret, "12345678") || strings.Contains(secret, "on-purpose") {
			t.Errorf("%q is not a secret", secret)
		}
	}
	if !slices.IsSortedFunc(r.Secrets, func(a, b string) int { return len(b) - len(a) }) {
		t.Errorf("secrets %q: the longest has to come first", r.Secrets)
	}
}

func TestResolveWithoutVariables(t *testing.T) {
	s := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "${LITERAL}", Args: []string{"$HOME"}}}
	r, err := s.Resolve(lookupIn(nil))
	if err != nil || process(r).Command != "${LITERAL}" || process(r).Args[0] != "$HOME" || len(r.Secrets) != 0 || len(process(r).Environ()) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// A value that an expander found elsewhere, such as in a file, is a secret too.
func TestResolveValuesFromElsewhere(t *testing.T) {
	s := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "cmd", Env: []endpoint.Var{{Name: "X", Value: "{file}"}, {Name: "DEBUG", Value: "{true}"}}}}
	s.Expand = func(field endpoint.Field, text string, _ endpoint.Lookup) (string, error) {
		switch {
		case field == endpoint.FieldEnv && text == "{file}":
			return "from a file", nil
		case text == "{true}":
			return "true", nil
		}
		return text, nil
	}
	r, err := s.Resolve(lookupIn(nil))
	if err != nil || !slices.Contains(r.Secrets, "from a file") || slices.Contains(r.Secrets, "true") {
		t.Errorf("got %q, %v", r.Secrets, err)
	}
}

func TestResolveRelativeCommand(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ command, dir, want string }{
		{"server", "/srv", "server"}, // searched in PATH
		{filepath.Join("bin", "server"), "/srv", filepath.Join("/srv", "bin", "server")},
		{"./server", "sub", filepath.Join(here, "sub", "server")},
		{"./server", "", "./server"},
		{"/abs/server", "/srv", "/abs/server"},
	} {
		r, err := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: tt.command, Dir: tt.dir}}.Resolve(lookupIn(nil))
		if err != nil || process(r).Command != tt.want {
			t.Errorf("%s in %s: got %s, %v, want %s", tt.command, tt.dir, process(r).Command, err, tt.want)
		}
	}
}

func TestResolveInheritAll(t *testing.T) {
	t.Setenv("ENDPOINT_TEST_ONE", "1")
	t.Setenv("ENDPOINT_TEST_TWO", "2")
	s := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "cmd", Inherit: endpoint.Inherit{All: true}, Env: []endpoint.Var{{Name: "ENDPOINT_TEST_TWO", Value: "own"}}}}
	r, err := s.Resolve(nil)
	if err != nil || !slices.Contains(process(r).Environ(), "ENDPOINT_TEST_ONE=1") || !slices.Contains(process(r).Environ(), "ENDPOINT_TEST_TWO=own") || slices.Contains(process(r).Environ(), "ENDPOINT_TEST_TWO=2") {
		t.Errorf("got %q, %v", process(r).Environ(), err)
	}
	s.Launch.(*endpoint.Process).Inherit = endpoint.Inherit{}
	if r, err = s.Resolve(nil); err != nil || slices.Contains(process(r).Environ(), "ENDPOINT_TEST_ONE=1") {
		t.Errorf("got %q, %v", process(r).Environ(), err)
	}
}

// process and address are the launch of a server; empty if it has another one.
func process(r endpoint.Resolved) *endpoint.Process {
	if p, ok := r.Launch.(*endpoint.Process); ok {
		return p
	}
	return &endpoint.Process{}
}

func address(r endpoint.Resolved) *endpoint.Address {
	if a, ok := r.Launch.(*endpoint.Address); ok {
		return a
	}
	return &endpoint.Address{}
}

func TestResolveErrors(t *testing.T) {
	const password = "hunter2-the-password"
	at := endpoint.Source{Path: "mcpgen.yaml", Line: 12}
	vars := lookupIn(map[string]string{"SECRET": password, "EMPTY": "", "NUL": "a\x00b", "LINES": "a\r\nEvil: " + password,
		"USERINFO": "https://me:" + password + "@example.com", "BAD": "https://exa mple/" + password, "PORT": "http://h:" + password, "SCHEME": password + "://x"})
	for _, tt := range []struct {
		name string
		s    endpoint.Server
		want []string
	}{
		{"neither", endpoint.Server{Name: "a"}, []string{`it has neither a command nor a url`}},
		{"no command", endpoint.Server{Name: "a", Launch: &endpoint.Process{}}, []string{"its command is empty"}},
		{"no url", endpoint.Server{Name: "a", Launch: &endpoint.Address{}}, []string{"its url is empty"}},
		{"transport", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http://h", Transport: "carrier-pigeon"}}, []string{`unknown transport "carrier-pigeon" of a url, want http or sse`}},
		{"no name", endpoint.Server{Launch: &endpoint.Process{Command: "c"}}, []string{`server "": it has no name`}},
		{"place", endpoint.Server{Name: "a", Source: at}, []string{`mcpgen.yaml:12: server "a": `}},
		{"file", endpoint.Server{Name: "a", Source: endpoint.Source{Path: "x.json"}}, []string{`x.json: server "a": `}},
		{"NUL", endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c\x00", Args: []string{"", "\x00"}, Dir: "\x00", Env: []endpoint.Var{{Name: "X", Value: "\x00"}}}},
			[]string{"command: a NUL byte", "args[1]: a NUL byte", "working directory: a NUL byte", `env "X": a NUL byte`}},
		{"names", endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", Env: []endpoint.Var{{Name: "A=B"}, {}}, Inherit: endpoint.Inherit{Names: []string{"=x"}}}},
			[]string{`env "A=B": not a name`, `env "": not a name`, `inherit_env "=x"`}},
		{"headers", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http://h", Headers: []endpoint.Var{{Name: "A B", Value: "x"}, {}, {Name: "C", Value: "x\ny"}}}},
			[]string{`header "A B": not a name`, `header "": not a name`, `header "C": its value has a line break`}},
		{"userinfo", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "https://me:" + password + "@example.com/"}}, []string{"must not hold a user name or password"}},
		{"userinfo from a variable", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "${USERINFO}"}}, []string{"must not hold a user name or password"}},
		{"file url", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "file:///etc/passwd"}}, []string{`the scheme "file" is not supported, want http or https`}},
		{"gopher", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "GOPHER://h"}}, []string{`the scheme "gopher" is not supported`}},
		{"javascript", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "javascript:alert(1)"}}, []string{`the scheme "javascript" is not supported`}},
		{"scheme from a variable", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "${SCHEME}"}}, []string{"url: it has to begin with http:// or https://"}},
		{"no scheme", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "example.com/mcp"}}, []string{"url: it has to begin with http:// or https://"}},
		{"no host", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http:///mcp"}}, []string{"url: it names no host"}},
		{"port alone", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http://:80"}}, []string{"url: it names no host"}},
		{"not a url", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "${BAD}"}}, []string{"url: not a valid URL"}},
		{"bad port", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "${PORT}"}}, []string{"url: not a valid URL"}},
		{"unset, all of them", endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "${ONE}", Args: []string{"${TWO}"}, Env: []endpoint.Var{{Name: "X", Value: "${THREE}"}}}},
			[]string{"command: ONE is not set: set it", "args[0]: TWO is not set", `env "X": THREE is not set`}},
		{"empty after expansion", endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "${EMPTY}"}}, []string{`command "${EMPTY}" is empty`}},
		{"NUL after expansion", endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "c", Args: []string{"${NUL}"}}}, []string{"args[0]: a NUL byte after its variables were replaced"}},
		{"lines after expansion", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http://h", Headers: []endpoint.Var{{Name: "X", Value: "${LINES}"}}}},
			[]string{`header "X": its value, with its variables replaced, has a character that headers cannot hold`}},
		{"a bell after expansion", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http://h", Headers: []endpoint.Var{{Name: "X", Value: "a\ab"}}}},
			[]string{`has a character that headers cannot hold`}},
		{"a path that cannot be read", endpoint.Server{Name: "a", Launch: &endpoint.Address{URL: "http://u:hunter22@host/%"}}, []string{"url: not a valid URL"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Expand = expandDollar
			r, err := tt.s.Resolve(vars)
			if err == nil {
				t.Fatalf("no error: %+v", r)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v\nwant %s", err, want)
				}
			}
			if strings.Contains(err.Error(), password) {
				t.Errorf("the error shows the password: %v", err)
			}
			if r.Launch != nil {
				t.Errorf("an error and a result: %+v", r)
			}
		})
	}
}

func TestEffectiveTransport(t *testing.T) {
	for _, tt := range []struct {
		s    endpoint.Server
		want endpoint.Transport
	}{
		{endpoint.Server{Launch: &endpoint.Process{Command: "c"}}, endpoint.Stdio},
		{endpoint.Server{Launch: &endpoint.Address{URL: "http://h"}}, endpoint.HTTP},
		{endpoint.Server{Launch: &endpoint.Address{URL: "http://h", Transport: endpoint.SSE}}, endpoint.SSE},
		{endpoint.Server{}, endpoint.Auto},
	} {
		if got := tt.s.EffectiveTransport(); got != tt.want {
			t.Errorf("%+v: got %q", tt.s, got)
		}
	}
}

func TestDefaults(t *testing.T) {
	if got := (endpoint.Timeouts{Call: -1}).WithDefaults(); got.Start != endpoint.DefaultStart || got.Call != -1 {
		t.Errorf("got %+v", got)
	}
	if got := (endpoint.Limits{Tools: 7}).WithDefaults(); got.Message != endpoint.DefaultMessage || got.Tools != 7 || got.Pages != endpoint.DefaultPages {
		t.Errorf("got %+v", got)
	}
}
