// Package ociregistry is a registry of OCI artifacts in memory, for tests. Like the registry of Debian it has no
// API of referrers. Tests can change what it has, and have requests fail.
package ociregistry

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Registry is a registry. Its zero value is empty.
type Registry struct {
	// Fault answers a request in place of the registry if it returns true. Nil answers none.
	Fault func(w http.ResponseWriter, r *http.Request) bool

	mu    sync.Mutex
	blobs map[string]blob              // by repository@digest
	tags  map[string]map[string]string // digest by repository and tag
}

type blob struct {
	mediaType string
	data      []byte
}

// Tamper replaces the bytes of every blob and manifest that has the text old in it, under its old digest.
func (g *Registry) Tamper(old, now string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for key, b := range g.blobs {
		b.data = []byte(strings.ReplaceAll(string(b.data), old, now))
		g.blobs[key] = b
	}
}

// Lose removes every blob and manifest that has a text in it. As after a crash, tags and indexes still name them.
func (g *Registry) Lose(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.blobs, func(_ string, b blob) bool { return strings.Contains(string(b.data), text) })
}

// Has reports whether some blob or manifest has a text in it.
func (g *Registry) Has(text string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, b := range g.blobs {
		if strings.Contains(string(b.data), text) {
			return true
		}
	}
	return false
}

// Point has a tag refer to the manifest of another tag.
func (g *Registry) Point(repository, tag, as string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tags[repository][tag] = g.tags[repository][as]
}

// ServeHTTP implements [http.Handler].
func (g *Registry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.Fault != nil && g.Fault(w, r) {
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/v2/")
	for _, kind := range []string{"/blobs/uploads/", "/blobs/", "/manifests/", "/tags/list"} {
		repository, name, ok := strings.Cut(path, kind)
		if !ok {
			continue
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		switch kind {
		case "/blobs/uploads/":
			g.upload(w, r, repository, body)
		case "/tags/list":
			if g.tags[repository] == nil {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"name": repository, "tags": slices.Sorted(maps.Keys(g.tags[repository]))})
		default:
			g.content(w, r, repository, name, body)
		}
		return
	}
	w.WriteHeader(http.StatusOK)
}

// upload begins and ends the upload of a blob.
func (g *Registry) upload(w http.ResponseWriter, r *http.Request, repository string, body []byte) {
	digest := r.URL.Query().Get("digest")
	switch {
	case r.Method == http.MethodPost:
		w.Header().Set("Location", "/v2/"+repository+"/blobs/uploads/1")
		w.WriteHeader(http.StatusAccepted)
	case digest != DigestOf(body):
		w.WriteHeader(http.StatusBadRequest)
	default:
		g.keep(repository, digest, blob{"application/octet-stream", body})
		w.WriteHeader(http.StatusCreated)
	}
}

// content reads blobs and manifests, and writes manifests.
func (g *Registry) content(w http.ResponseWriter, r *http.Request, repository, name string, body []byte) {
	if r.Method == http.MethodPut {
		digest := DigestOf(body)
		var index struct{ Manifests []struct{ Digest string } }
		if json.Unmarshal(body, &index) == nil {
			for _, m := range index.Manifests {
				if _, ok := g.blobs[repository+"@"+m.Digest]; !ok {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, `{"errors": [{"code": "MANIFEST_BLOB_UNKNOWN", "message": "manifest blob unknown"}]}`)
					return
				}
			}
		}
		g.keep(repository, digest, blob{r.Header.Get("Content-Type"), body})
		if name != digest {
			g.tags[repository][name] = digest
		}
		w.Header().Set("Docker-Content-Digest", digest)
		w.WriteHeader(http.StatusCreated)
		return
	}
	digest := cmp.Or(g.tags[repository][name], name)
	b, ok := g.blobs[repository+"@"+digest]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", b.mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(b.data)))
	w.Header().Set("Docker-Content-Digest", digest)
	if r.Method == http.MethodGet {
		_, _ = w.Write(b.data)
	}
}

func (g *Registry) keep(repository, digest string, b blob) {
	if g.blobs == nil {
		g.blobs, g.tags = map[string]blob{}, map[string]map[string]string{}
	}
	if g.tags[repository] == nil {
		g.tags[repository] = map[string]string{}
	}
	g.blobs[repository+"@"+digest] = b
}

// DigestOf returns the digest of bytes.
func DigestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
