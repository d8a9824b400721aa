package store

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/ociregistry"
)

// start starts a registry with one repository, without credentials of the user.
func start(t *testing.T) (*ociregistry.Registry, *Repository) {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	registry := &ociregistry.Registry{}
	server := httptest.NewServer(registry)
	t.Cleanup(server.Close)
	r, _, err := Open(Scheme + strings.TrimPrefix(server.URL, "http://") + "/team/mcp/github")
	if err != nil {
		t.Fatal(err)
	}
	return registry, r
}

const (
	kind  = "application/vnd.example.v1"
	layer = "application/vnd.example.v1+json"
)

func example() Artifact {
	return Artifact{Type: kind, Layers: map[string][]byte{layer: []byte(`{"name": "list_prs"}`)}, Annotations: map[string]string{"a": "b"}}
}

func TestPushPull(t *testing.T) {
	_, r := start(t)
	_, other := start(t)
	digest, err := r.Push(t.Context(), example(), "1.0", "latest")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := other.Push(t.Context(), example(), "1.0"); err != nil || again != digest {
		t.Errorf("another registry: got %s, %v, want %s", again, err, digest)
	}
	for _, reference := range []string{"1.0", "latest", digest} {
		a, err := r.Pull(t.Context(), reference, kind, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if a.Digest != digest || string(a.Layers[layer]) != string(example().Layers[layer]) || a.Annotations["a"] != "b" {
			t.Errorf("%s: got %+v", reference, a)
		}
	}
	if tags, err := r.Tags(t.Context(), "1"); err != nil || len(tags) != 1 || tags[0] != "1.0" {
		t.Errorf("tags: got %q, %v", tags, err)
	}
}

// A registry that sends something else than what was asked for is refused, each time with a next step.
func TestPullRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil     func(g *ociregistry.Registry)
		reference string
		limit     int64
		want      string
	}{
		"a tampered layer":    {func(g *ociregistry.Registry) { g.Tamper("list_prs", "list_prz") }, "1.0", 1000, "mismatch"},
		"a shorter layer":     {func(g *ociregistry.Registry) { g.Tamper("list_prs", "") }, "1.0", 1000, "mismatch"},
		"a tampered manifest": {func(g *ociregistry.Registry) { g.Tamper(`"a":"b"`, `"a":"c"`) }, "1.0", 1000, "mismatch"},
		"a huge layer":        {func(*ociregistry.Registry) {}, "1.0", 10, "too large"},
		"another digest":      {func(*ociregistry.Registry) {}, "sha256:" + strings.Repeat("0", 64), 1000, "not found"},
		"a failing registry": {func(g *ociregistry.Registry) {
			g.Fault = func(w http.ResponseWriter, r *http.Request) bool {
				if strings.Contains(r.URL.Path, "/blobs/") {
					w.WriteHeader(http.StatusTeapot)
				}
				return strings.Contains(r.URL.Path, "/blobs/")
			}
		}, "1.0", 1000, "418"},
		"no credentials": {func(g *ociregistry.Registry) {
			g.Fault = func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(http.StatusUnauthorized)
				return true
			}
		}, "1.0", 1000, "docker login"},
	} {
		t.Run(name, func(t *testing.T) {
			g, r := start(t)
			if _, err := r.Push(t.Context(), example(), "1.0"); err != nil {
				t.Fatal(err)
			}
			tt.spoil(g)
			_, err := r.Pull(t.Context(), tt.reference, kind, tt.limit)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), Scheme) {
				t.Errorf("got error %v, want one with the address and %q", err, tt.want)
			}
		})
	}
}

func TestPullOtherType(t *testing.T) {
	_, r := start(t)
	if _, err := r.Push(t.Context(), example(), "1.0"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Pull(t.Context(), "1.0", "application/vnd.other", 1000); err == nil || !strings.Contains(err.Error(), "has the type") {
		t.Errorf("got error %v", err)
	}
}

func TestPullInterrupted(t *testing.T) {
	_, r := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Pull(ctx, "1.0", kind, 1000); err == nil {
		t.Error("no error")
	}
}

func TestOpen(t *testing.T) {
	for address, want := range map[string]string{
		"oci://registry.example/team/mcp/github:1.0":                                   "1.0",
		"oci://registry.example/mcp/github":                                            "",
		"oci://localhost:5000/x/y@sha256:" + strings.Repeat("a", 64):                   "sha256:" + strings.Repeat("a", 64),
		"oci://registry.example/team/mcp/github:1.0@sha256:" + strings.Repeat("a", 64): "sha256:" + strings.Repeat("a", 64),
	} {
		if _, reference, err := Open(address); err != nil || reference != want {
			t.Errorf("%s: got %q, %v, want %q", address, reference, err, want)
		}
	}
	for _, address := range []string{"", "registry.example/x", "https://registry.example/x", "oci://", "oci://registry.example", "oci://registry.example/../x", "oci://registry.example/UP", "oci://a b/x"} {
		if _, _, err := Open(address); err == nil {
			t.Errorf("%q: no error", address)
		}
	}
}

// Only registries on this machine are reached without encryption.
func TestPlain(t *testing.T) {
	for address, want := range map[string]bool{
		"localhost:5000": true, "127.0.0.1:5000": true, "127.9.9.9": true, "[::1]:5000": true,
		"localhost.example": false, "registry.example": false, "10.0.0.1:5000": false, "127.0.0.1.example:80": false,
	} {
		r, _, err := Open(Scheme + address + "/x")
		if strings.HasPrefix(address, "[") && err != nil {
			continue // the library knows no such address
		}
		if err != nil || r.remote.PlainHTTP != want {
			t.Errorf("%s: got %v, want plain %v", address, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	for server, want := range map[string]string{"github": "github", "my-server.v2": "my-server.v2"} {
		if got := Name(server); got != want {
			t.Errorf("%q: got %q, want %q", server, got, want)
		}
	}
	seen := map[string]string{}
	for _, server := range []string{"GitHub", "git hub", "../x", "a/b", "ü", "日本", "-", "a__b___c", strings.Repeat("x", 300)} {
		name := Name(server)
		if _, _, err := Open(Scheme + "registry.example/mcp/" + name); err != nil || strings.Contains(name, "/") {
			t.Errorf("%q: got %q, %v", server, name, err)
		}
		if other, taken := seen[name]; taken {
			t.Errorf("%q and %q are both %q", server, other, name)
		}
		seen[name] = server
	}
	for version, want := range map[string]string{"1.0+x": "1.0-x", "v1": "v1", "": "", "§": "", "-.1": "1", strings.Repeat("1", 200): strings.Repeat("1", 128)} {
		if got := Tag(version); got != want {
			t.Errorf("%q: got tag %q, want %q", version, got, want)
		}
	}
}
