// Package store keeps snapshots of servers, and records of who uses them, in the OCI registry that an
// organisation has. It knows addresses, manifests, digests and credentials, and nothing about what it keeps.
//
// Everything that a registry sends is hostile: sizes are bounded, and bytes count only if they have the digest
// that was asked for. Plain HTTP is used for registries on this machine only, by their address, as docker does:
// a configuration that a pull request can change cannot turn encryption off.
package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/loopback"
)

// Scheme begins the address of a repository.
const Scheme = "oci://"

// Artifact is a manifest with its layers.
type Artifact struct {
	Type        string            // media type of the whole
	Layers      map[string][]byte // by media type
	Annotations map[string]string
	Subject     string // digest of the manifest that it refers to; "" if there is none
	Digest      string // of its manifest
}

// Bounds.
const (
	maxManifest = 1 << 20
	maxLayers   = 8
	maxPages    = 1000 // of a list of tags
	maxAttempts = 5    // of a push
)

// ErrNotFound reports that a registry does not have what was asked for.
var ErrNotFound = errdef.ErrNotFound

// Repository is a repository of a registry. It is safe for concurrent use.
type Repository struct {
	remote *remote.Repository
}

// Open parses the address of a repository, such as oci://registry.example/team/mcp/github, and returns its
// reference, too: a tag, a digest, or "". It connects to nothing. Credentials come
// from the configuration of docker and its helpers.
func Open(address string) (*Repository, string, error) {
	rest, ok := strings.CutPrefix(address, Scheme)
	if !ok {
		return nil, "", hint.With(fmt.Errorf("%q is not the address of a repository", address),
			"write it as oci://REGISTRY/PATH")
	}
	ref, err := registry.ParseReference(rest)
	if err != nil {
		return nil, "", hint.With(fmt.Errorf("%q: %w", address, err), "write it as oci://REGISTRY/PATH, in lower case")
	}
	r, reference := &remote.Repository{Reference: ref, PlainHTTP: loopback.Is(ref.Host())}, ref.Reference
	r.Reference.Reference = ""
	r.TagListMaxPages = maxPages
	r.SkipReferrersGC = true // registries without deletion would refuse every second referrer
	helpers, err := credentials.NewStoreFromDocker(credentials.StoreOptions{})
	if err != nil {
		return nil, "", hint.With(fmt.Errorf("the Docker configuration cannot be read: %w", err),
			"correct the file, or name another folder in DOCKER_CONFIG")
	}
	r.Client = &auth.Client{Client: retry.DefaultClient,
		Cache: auth.NewCache(), Credential: credentials.Credential(helpers)}
	return &Repository{r}, reference, nil
}

// At returns the address of a reference in the repository.
func (r *Repository) At(reference string) string {
	separator := ":"
	switch {
	case reference == "":
		separator = ""
	case strings.Contains(reference, ":"):
		separator = "@"
	}
	return Scheme + r.remote.Reference.Registry + "/" + r.remote.Reference.Repository + separator + reference
}

// Push uploads an artifact, tags it and returns its digest. Equal artifacts have equal digests: nothing in a
// manifest depends on time or machine. What the registry has is not written again: Debian's 2.8.2 loses what it
// writes while it crashes, also if it had it.
//
// A registry may lose sight of a blob while another client uploads the same one, as Debian's 2.8.2 does in six
// of a hundred concurrent pushes: such a push is tried again. The last time, the index of referrers is mended first.
func (r *Repository) Push(ctx context.Context, a Artifact, tags ...string) (string, error) {
	for attempt := 1; ; attempt++ {
		digest, err := r.push(ctx, a, tags...)
		if err == nil || attempt == maxAttempts || !isMissingBlob(err) {
			return digest, err
		}
		if attempt == maxAttempts-1 && a.Subject != "" {
			if err := r.mendIndex(ctx, a.Subject); err != nil {
				return "", r.explain(a.Subject, err)
			}
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-time.After(time.Duration(attempt) * 100 * time.Millisecond):
		}
	}
}

// isMissingBlob reports whether a registry refused a manifest because of a blob that was uploaded before.
func isMissingBlob(err error) bool {
	e, ok := errors.AsType[*errcode.ErrorResponse](err)
	return ok && slices.ContainsFunc(e.Errors, func(e errcode.Error) bool {
		return e.Code == errcode.ErrorCodeManifestBlobUnknown || e.Code == errcode.ErrorCodeBlobUnknown
	})
}

func (r *Repository) push(ctx context.Context, a Artifact, tags ...string) (string, error) {
	notes := map[string]string{ocispec.AnnotationCreated: "1970-01-01T00:00:00Z"}
	maps.Copy(notes, a.Annotations)
	opts := oras.PackManifestOptions{ManifestAnnotations: notes}
	for _, mediaType := range slices.Sorted(maps.Keys(a.Layers)) {
		desc := content.NewDescriptorFromBytes(mediaType, a.Layers[mediaType])
		err := (once{r.remote}).Push(ctx, desc, bytes.NewReader(a.Layers[mediaType]))
		if err != nil && !errors.Is(err, errdef.ErrAlreadyExists) {
			return "", r.explain("", err)
		}
		opts.Layers = append(opts.Layers, desc)
	}
	to := content.Pusher(once{r.remote})
	if a.Subject != "" {
		to = r.remote // an earlier push may have ended before it came to the index of referrers
		subject, err := r.remote.Resolve(ctx, a.Subject)
		if err != nil {
			return "", r.explain(a.Subject, err)
		}
		opts.Subject = &subject
	}
	desc, err := oras.PackManifest(ctx, to, oras.PackManifestVersion1_1, a.Type, opts)
	for _, tag := range tags {
		if err != nil {
			break
		}
		if old, unknown := r.remote.Resolve(ctx, tag); unknown != nil || old.Digest != desc.Digest {
			err = r.remote.Tag(ctx, desc, tag)
		}
	}
	if err != nil {
		return "", r.explain("", err)
	}
	return desc.Digest.String(), nil
}

// once pushes what the registry does not have.
type once struct{ *remote.Repository }

func (o once) Push(ctx context.Context, desc ocispec.Descriptor, r io.Reader) error {
	if there, err := o.Exists(ctx, desc); err == nil && there {
		return errdef.ErrAlreadyExists
	}
	return o.Repository.Push(ctx, desc, r) // also if the registry cannot tell: it may have half of it
}

// mendIndex removes lost manifests from a subject's index of referrers: the registry refuses an index that names
// them. mcpgen itself reads tags, and no index.
func (r *Repository) mendIndex(ctx context.Context, subject string) error {
	tag := strings.ReplaceAll(subject, ":", "-")
	old, body, err := r.remote.FetchReference(ctx, tag)
	if errors.Is(err, errdef.ErrNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	defer body.Close()
	if old.Size > maxManifest {
		return fmt.Errorf("the index of its referrers has %d bytes: mcpgen reads at most %d", old.Size, maxManifest)
	}
	data, err := content.ReadAll(body, old)
	if err != nil {
		return err
	}
	var index ocispec.Index
	if err := json.Unmarshal(data, &index); err != nil {
		return fmt.Errorf("the index of its referrers: %w", err)
	}
	index.Manifests = slices.DeleteFunc(index.Manifests, func(d ocispec.Descriptor) bool {
		_, err := r.remote.Resolve(ctx, d.Digest.String())
		return errors.Is(err, errdef.ErrNotFound)
	})
	if data, err = json.Marshal(index); err != nil {
		return err
	}
	return r.remote.PushReference(ctx, content.NewDescriptorFromBytes(ocispec.MediaTypeImageIndex, data),
		bytes.NewReader(data), tag)
}

// Pull downloads an artifact of a type by tag or digest. Layers, together, have at most limit bytes.
func (r *Repository) Pull(ctx context.Context, reference, artifactType string, limit int64) (*Artifact, error) {
	a, err := r.pull(ctx, reference, artifactType, limit)
	if err != nil {
		return nil, r.explain(reference, err)
	}
	return a, nil
}

func (r *Repository) pull(ctx context.Context, reference, artifactType string, limit int64) (*Artifact, error) {
	desc, body, err := r.remote.FetchReference(ctx, reference)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if desc.Size > maxManifest || desc.Digest.Algorithm() != digest.SHA256 {
		return nil, fmt.Errorf("mcpgen reads manifests of at most %d bytes that have a SHA-256 digest, and %s has %d bytes",
			maxManifest, desc.Digest, desc.Size)
	}
	data, err := content.ReadAll(body, desc)
	if err != nil {
		return nil, err
	}
	var m ocispec.Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("its manifest: %w", err)
	}
	if m.ArtifactType != artifactType || m.MediaType != ocispec.MediaTypeImageManifest || len(m.Layers) > maxLayers {
		return nil, fmt.Errorf("the artifact has the type %q, want %q", m.ArtifactType, artifactType)
	}
	out := &Artifact{Type: artifactType, Digest: desc.Digest.String()}
	out.Layers, out.Annotations = map[string][]byte{}, m.Annotations
	if m.Subject != nil {
		out.Subject = m.Subject.Digest.String()
	}
	for _, layer := range m.Layers {
		if limit -= layer.Size; layer.Size < 0 || limit < 0 {
			return nil, fmt.Errorf("the layer %s is too large: %d bytes", layer.MediaType, layer.Size)
		}
		if out.Layers[layer.MediaType], err = content.FetchAll(ctx, r.remote.Blobs(), layer); err != nil {
			return nil, fmt.Errorf("the layer %s: %w", layer.MediaType, err)
		}
	}
	return out, nil
}

// Tags returns the tags that begin with a prefix, in the order of the registry. A repository that does not exist
// has none.
func (r *Repository) Tags(ctx context.Context, prefix string) ([]string, error) {
	var out []string
	err := r.remote.Tags(ctx, "", func(tags []string) error {
		for _, tag := range tags {
			if strings.HasPrefix(tag, prefix) {
				out = append(out, tag)
			}
		}
		return nil
	})
	if e, ok := errors.AsType[*errcode.ErrorResponse](err); ok && e.StatusCode == http.StatusNotFound {
		return nil, nil // until the first push
	}
	return out, r.explain("", err)
}

// explain adds the address and the next step to the error of a registry.
func (r *Repository) explain(reference string, err error) error {
	if err == nil {
		return nil
	}
	steps := []string{"see whether the registry is up, and run the command again"}
	e, ok := errors.AsType[*errcode.ErrorResponse](err)
	if ok && (e.StatusCode == http.StatusUnauthorized || e.StatusCode == http.StatusForbidden) ||
		errors.Is(err, auth.ErrBasicCredentialNotFound) {
		steps = []string{"docker login " + hint.Word(r.remote.Reference.Registry)}
	} else if ok && e.StatusCode == http.StatusInternalServerError {
		// Debian's 2.8.2 does not write a blob again that a crash left empty.
		steps = append(steps, "if it crashed, store this again: mcpgen push, or mcpgen sign",
			"if that also fails, first have the empty files removed from the registry's storage")
	} else if errors.Is(err, errdef.ErrNotFound) {
		err = errdef.ErrNotFound // the text repeats the address
		steps = []string{"correct the address",
			"run in the project that configures the server: mcpgen push SERVER --to " + Scheme + "REGISTRY/PATH"}
	}
	return hint.With(fmt.Errorf("%s: %w", r.At(reference), err), steps...)
}

// Name returns the name of a repository for a server: the server's own if a registry allows it.
func Name(server string) string {
	ref := registry.Reference{Registry: "r", Repository: server}
	if ref.ValidateRepository() == nil && !strings.Contains(server, "/") && len(server) <= 100 {
		return server
	}
	plain := strings.Trim(legal(strings.ToLower(server), "abcdefghijklmnopqrstuvwxyz0123456789"), "-")
	return strings.TrimPrefix(plain[:min(len(plain), 100)]+"-"+Short(server), "-")
}

// Tag returns a text as a tag. It replaces characters that a tag cannot have. The result is "" if the text
// has no others.
func Tag(text string) string {
	tag := legal(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")
	tag = strings.TrimLeft(tag, "-.")
	return tag[:min(len(tag), 128)]
}

// legal replaces each run of other characters by one hyphen.
func legal(text, characters string) string {
	var b strings.Builder
	for _, c := range text {
		if strings.ContainsRune(characters, c) {
			b.WriteRune(c)
		} else if !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	return b.String()
}

// Short returns a hash of a text, as twelve hexadecimal digits.
func Short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
