package workspace

// This file signs the lock, and snapshots in a registry, and refuses what trusted keys have not signed.

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/natefinch/atomic"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/keyring"
)

// Signatures says whether signatures are required, and of whom.
type Signatures struct {
	Require bool   // also if the configuration does not require them
	Signers string // file of the trusted keys: see provenance.Load
}

// signers returns the trusted keys if signatures are required, else nil.
func (w *Workspace) signers() (*provenance.Signers, error) {
	if !w.Options.Signed.Require && !w.Project.RequireSignature {
		return nil, nil
	}
	return provenance.Load(w.Options.Signed.Signers, w.Root)
}

// verifyLock requires that trusted keys signed the lock and the snapshots as they were read, if signatures are
// required.
func (w *Workspace) verifyLock() error {
	signers, err := w.signers()
	if err != nil || signers == nil {
		return err
	}
	if err := w.RequireLock(); err != nil {
		return err
	}
	data, files, err := w.signable()
	if err != nil {
		return err
	}
	signed, err := signers.Lock(filepath.Join(w.Root, LockName), data, files)
	return w.tellSigned(LockName, signed, err)
}

// tellSigned prints who signed something. A missing signature is a finding.
func (w *Workspace) tellSigned(what string, signed []provenance.Statement, err error) error {
	if _, ok := errors.AsType[*provenance.Error](err); ok {
		return exit.Fail(exit.Finding, err)
	}
	for _, s := range signed {
		w.Options.Console.Note("%s: %s accepted it on %s, with %s", what, s.By, s.At.UTC().Format(time.DateOnly), safetext.Count(len(s.Findings), "finding"))
	}
	return err
}

// signable returns the lock, and the hashes of the snapshots of its servers by their paths.
func (w *Workspace) signable() ([]byte, map[string]string, error) {
	data, err := w.tree.ReadFile(LockName)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", LockName, err)
	}
	files := map[string]string{}
	for name := range w.Lock.Servers {
		path := w.snapshotPath(name)
		text, err := w.tree.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			_, err = w.Snapshot(name) // its error has the next step
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		files[path] = provenance.Hash(text)
	}
	return data, files, nil
}

// SignOptions choose what to sign, and the key.
type SignOptions struct {
	StoreOptions        // with servers: their snapshots in the registry, in place of the lock
	Key          string // file, or keyring:NAME
	By           string // name of the signer
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
func (w *Workspace) Sign(ctx context.Context, o SignOptions) ([]Stored, provenance.Signer, error) {
	key, err := signingKey(ctx, o.Key)
	if err = errors.Join(w.RequireLock(), err); err != nil {
		return nil, provenance.Signer{}, err
	}
	by := provenance.Signer{Name: o.By, Key: provenance.PublicKey(key)}
	if len(o.Servers) > 0 {
		all, err := w.signStored(ctx, o, key)
		return all, by, err
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(w.Lock.Servers)) {
		_, err := w.Accepted(name)
		errs = append(errs, err)
	}
	data, files, err := w.signable()
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, by, err
	}
	files[LockName] = provenance.Hash(data)
	signed, err := w.statement(o.By, files, slices.Collect(maps.Keys(w.Lock.Servers))...).Sign(key)
	if err != nil {
		return nil, by, err
	}
	path := provenance.File(filepath.Join(w.Root, LockName), by.Key)
	if err := atomic.WriteFile(path, bytes.NewReader(signed)); err != nil {
		return nil, by, err
	}
	return []Stored{{Address: filepath.Base(path), Digest: "sha256:" + files[LockName]}}, by, nil
}

func (w *Workspace) statement(by string, subjects map[string]string, servers ...string) provenance.Statement {
	return provenance.Statement{By: by, At: time.Now(), Findings: provenance.Findings(w.Lock, servers...), Subjects: subjects}
}

// signStored signs the snapshots of servers by their digests in the lock.
func (w *Workspace) signStored(ctx context.Context, o SignOptions, key ed25519.PrivateKey) ([]Stored, error) {
	servers, err := w.Targets(o.Servers)
	if err = errors.Join(err, w.requireStored(servers)); err != nil {
		return nil, err
	}
	all := make([]Stored, len(servers))
	errs := transfer(servers, func(i int, s endpoint.Server) error {
		r, _, err := w.repositoryOf(s.Name, o.To)
		if err != nil {
			return exit.Fail(exit.Usage, err)
		}
		if _, err := w.Accepted(s.Name); err != nil {
			return exit.Fail(exit.Usage, err)
		}
		digest := w.Lock.Servers[s.Name].Store
		signed, err := w.statement(o.By, storedSubject(digest), s.Name).Sign(key)
		if err != nil {
			return err
		}
		tag := signatureTag(digest) + provenance.ID(provenance.PublicKey(key))
		_, err = r.Push(ctx, store.Artifact{
			Type: provenance.MediaType, Layers: map[string][]byte{provenance.MediaType: signed}, Subject: digest,
			Annotations: map[string]string{"dev.sigstore.bundle.content": "dsse-envelope", "dev.sigstore.bundle.predicateType": provenance.PredicateType},
		}, tag)
		if err == nil {
			all[i] = Stored{s.Name, r.At(tag), digest}
		}
		return err
	})
	return slices.DeleteFunc(all, func(s Stored) bool { return s.Digest == "" }), exit.Unless(ctx, errors.Join(errs...))
}

// storedSubject returns what a statement about a snapshot in a registry is about. Mirrors have other addresses,
// so its name is always the same.
func storedSubject(digest string) map[string]string {
	return map[string]string{"snapshot": strings.TrimPrefix(digest, "sha256:")}
}

// signatureTag begins the tags of the signatures of a digest: a registry may lose referrers, but no tags.
func signatureTag(digest string) string { return "sig-" + strings.TrimPrefix(digest, "sha256:") + "-" }

// verifyStored requires that trusted keys signed the snapshot of a server with this digest. Nil signers require nothing.
func (w *Workspace) verifyStored(ctx context.Context, r *store.Repository, server, digest string, signers *provenance.Signers) error {
	if signers == nil {
		return nil
	}
	tags, err := r.Tags(ctx, signatureTag(digest))
	if err != nil {
		return err
	}
	// Everybody who may push can add signatures. Signatures of trusted keys are read first. One of these that
	// cannot be read counts as absent, as if the registry did not list it: the others have to be enough.
	var trusted []string
	for _, s := range signers.Signers {
		trusted = append(trusted, signatureTag(digest)+provenance.ID(s.Key))
	}
	others := slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return slices.Contains(trusted, tag) })
	tags = slices.DeleteFunc(tags, func(tag string) bool { return slices.Contains(others, tag) })
	tags = append(tags, others...)
	var bundles []provenance.Bundle
	var broken []error
	for _, tag := range tags[:min(len(tags), provenance.MaxBundles)] {
		a, err := r.Pull(ctx, tag, provenance.MediaType, provenance.MaxBundle)
		switch trusted := !slices.Contains(others, tag); {
		case err == nil:
			bundles = append(bundles, provenance.Bundle{Place: tag, Data: a.Layers[provenance.MediaType]})
		case ctx.Err() != nil:
			return err
		case trusted && errors.Is(err, store.ErrNotFound):
			w.Options.Console.Warn("%v", hint.New(r.At(tag)+": the registry lists this signature, but does not have it", "sign again: mcpgen sign "+hint.Word(server)))
		case trusted:
			broken = append(broken, err)
		}
	}
	signed, err := signers.Verify(bundles, provenance.Want{Place: r.At(digest), Subjects: storedSubject(digest)}, time.Now())
	if err != nil && broken != nil {
		return errors.Join(broken...)
	}
	return w.tellSigned(r.At(digest), signed, err)
}
