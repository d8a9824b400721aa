package live

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Without a terminal nobody is asked to sign in: a server that wants it fails with
// the next step, and one that was not configured for it is not even asked where.
func TestNobodySignsInWithoutATerminal(t *testing.T) {
	if attended() {
		t.Skip("the test runs on a terminal")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	var asked []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="http://`+r.Host+`/.well-known/oauth-protected-resource"`)
		http.Error(w, "sign in first", http.StatusUnauthorized)
	}))
	defer web.Close()
	for kind, want := range map[endpoint.AuthKind]string{
		endpoint.AuthOAuth: "sign in once, on a terminal: mcpgen status",
		endpoint.AuthAuto:  "or to sign in, set the key auth of the server",
	} {
		asked = nil
		failed := attachError(t, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: web.URL + "/mcp", Transport: endpoint.HTTP, Auth: endpoint.Auth{Kind: kind}}})
		if !errors.Is(failed, runtime.ErrAuth) || !strings.Contains(failed.Error(), want) || !strings.Contains(failed.Error(), "401") {
			t.Errorf("%q: %v, want %q", kind, failed, want)
		}
		for _, path := range asked {
			if path != "/mcp" {
				t.Errorf("%q: %s was asked for", kind, path)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*")); len(left) > 0 {
		t.Errorf("files were made: %v", left)
	}
}

func attachError(t *testing.T, server endpoint.Server) error {
	t.Helper()
	h, err := Open(t.Context(), Options{Project: &config.Project{Servers: []endpoint.Server{server}}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	return h.Err()
}

func TestHasBrowser(t *testing.T) {
	env := map[string]string{"DISPLAY": ":0"}
	get := func(name string) string { return env[name] }
	if !hasBrowser("linux", get) {
		t.Error("hasBrowser is false with a display, want true")
	}
	env["SSH_CONNECTION"] = "1.2.3.4 5 6.7.8.9 22"
	if hasBrowser("linux", get) {
		t.Error("hasBrowser is true over SSH, want false")
	}
}
