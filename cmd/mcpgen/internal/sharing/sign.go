package sharing

// This file signs the lock, and snapshots in a registry.

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/keyring"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/natefinch/atomic"
)

// SignOptions choose what to sign, and the key.
type SignOptions struct {
	Options        // with servers: their snapshots in the registry, in place of the lock
	Key     string // file, or keyring:NAME
	By      string // name of the signer
}

// keyringKey begins the name of a key in the keyring.
const keyringKey = "keyring:"

// signingKey reads a private key.
func signingKey(ctx context.Context, name string) (ed25519.PrivateKey, error) {
	secret, ok := strings.CutPrefix(name, keyringKey)
	if !ok {
		return provenance.ReadKey(name)
	}
	text, err := keyring.Source()(ctx, secret)
	if errors.Is(err, policy.ErrNoSecret) {
		err = hint.With(err, "store it: mcpgen secrets set --keyring "+hint.Word(secret)+" < FILE")
	}
	var key ed25519.PrivateKey
	if err == nil {
		key, err = provenance.ParseKey([]byte(text))
	}
	if err != nil {
		return nil, fmt.Errorf("--key %s: %w", name, err)
	}
	return key, nil
}

// Sign signs the lock, which has to agree with the snapshots, or snapshots in the registry. It returns where
// the signatures are, and the signer as others write it to trust the key.
func Sign(ctx context.Context, st *locks.State, o SignOptions) ([]Stored, provenance.Signer, error) {
	key, err := signingKey(ctx, o.Key)
	if err = errors.Join(st.RequireLock(), err); err != nil {
		return nil, provenance.Signer{}, err
	}
	by := provenance.Signer{Name: o.By, Key: provenance.PublicKey(key)}
	if len(o.Servers) > 0 {
		all, err := signStored(ctx, st, o, key)
		return all, by, err
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(st.Lock.Servers)) {
		_, err := st.Accepted(name)
		errs = append(errs, err)
	}
	data, files, err := st.Signable()
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, by, err
	}
	files[locks.Name] = provenance.Hash(data)
	signed, err := statement(st.Lock, o.By, files, slices.Collect(maps.Keys(st.Lock.Servers))...).Sign(key)
	if err != nil {
		return nil, by, err
	}
	path := provenance.File(filepath.Join(st.Root, locks.Name), by.Key)
	if err := atomic.WriteFile(path, bytes.NewReader(signed)); err != nil {
		return nil, by, err
	}
	return []Stored{{Address: filepath.Base(path), Digest: "sha256:" + files[locks.Name]}}, by, nil
}

func statement(lock *lockfile.Lock, by string, subjects map[string]string, servers ...string) provenance.Statement {
	return provenance.Statement{By: by, At: time.Now(),
		Findings: provenance.Findings(lock, servers...), Subjects: subjects}
}

// signStored signs the snapshots of servers by their digests in the lock.
func signStored(ctx context.Context, st *locks.State, o SignOptions, key ed25519.PrivateKey) ([]Stored, error) {
	servers, err := st.Targets(o.Servers)
	if err = errors.Join(err, requireStored(st, servers)); err != nil {
		return nil, err
	}
	all, err := transfer(st, servers, o.To, func(_ int, r *store.Repository, s endpoint.Server) (
		string, string, error,
	) {
		if _, err := st.Accepted(s.Name); err != nil {
			return "", "", exit.Fail(exit.Usage, err)
		}
		digest := st.Lock.Servers[s.Name].Store
		signed, err := statement(st.Lock, o.By, capturing.StoredSubject(digest), s.Name).Sign(key)
		if err != nil {
			return "", "", err
		}
		tag := capturing.SignatureTag(digest) + provenance.ID(provenance.PublicKey(key))
		_, err = r.Push(ctx, store.Artifact{
			Type: provenance.MediaType, Layers: map[string][]byte{provenance.MediaType: signed}, Subject: digest,
			Annotations: map[string]string{
				"dev.sigstore.bundle.content": "dsse-envelope", "dev.sigstore.bundle.predicateType": provenance.PredicateType,
			},
		}, tag)
		if err != nil {
			return "", "", err
		}
		return tag, digest, nil
	})
	return all, exit.Unless(ctx, err)
}
