package workspace

// This file signs the lock, and snapshots in a registry, and refuses what trusted keys have not signed.

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Signatures says whether signatures are required, and of whom.
type Signatures struct {
	Require bool   // also if the configuration does not require them
	Signers string // file of the trusted keys: see provenance.Load
}

// Signers returns the trusted keys if signatures are required, else nil.
func (w *Workspace) Signers() (*provenance.Signers, error) {
	if !w.Options.Signed.Require && !w.Project.RequireSignature {
		return nil, nil
	}
	return provenance.Load(w.Options.Signed.Signers, w.Root)
}

// verifyLock requires that trusted keys signed the lock and the snapshots as they were read, if signatures are
// required.
func (w *Workspace) verifyLock() error {
	signers, err := w.Signers()
	if err != nil || signers == nil {
		return err
	}
	if err := w.RequireLock(); err != nil {
		return err
	}
	data, files, err := w.Signable()
	if err != nil {
		return err
	}
	signed, err := signers.Lock(filepath.Join(w.Root, locks.Name), data, files)
	return tellSigned(w.Options.Console, locks.Name, signed, err)
}

// tellSigned prints who signed something. A missing signature is a finding.
func tellSigned(con *console.Console, what string, signed []provenance.Statement, err error) error {
	if _, ok := errors.AsType[*provenance.Error](err); ok {
		return exit.Fail(exit.Finding, err)
	}
	for _, s := range signed {
		con.Note("%s: %s accepted it on %s, with %s", what, s.By, s.At.UTC().Format(time.DateOnly), safetext.Count(len(s.Findings), "finding"))
	}
	return err
}

// StoredSubject returns what a statement about a snapshot in a registry is about. Mirrors have other addresses,
// so its name is always the same.
func StoredSubject(digest string) map[string]string {
	return map[string]string{"snapshot": strings.TrimPrefix(digest, "sha256:")}
}

// SignatureTag begins the tags of the signatures of a digest: a registry may lose referrers, but no tags.
func SignatureTag(digest string) string { return "sig-" + strings.TrimPrefix(digest, "sha256:") + "-" }

// VerifyStored requires that trusted keys signed the snapshot of a server with this digest. Nil signers require nothing.
func VerifyStored(ctx context.Context, con *console.Console, r *store.Repository, server, digest string, signers *provenance.Signers) error {
	if signers == nil {
		return nil
	}
	tags, err := r.Tags(ctx, SignatureTag(digest))
	if err != nil {
		return err
	}
	// Everybody who may push can add signatures. Signatures of trusted keys are read first. One of these that
	// cannot be read counts as absent, as if the registry did not list it: the others have to be enough.
	var trusted []string
	for _, s := range signers.Signers {
		trusted = append(trusted, SignatureTag(digest)+provenance.ID(s.Key))
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
			con.Warn("%v", hint.New(r.At(tag)+": the registry lists this signature, but does not have it", "sign again: mcpgen sign "+hint.Word(server)))
		case trusted:
			broken = append(broken, err)
		}
	}
	signed, err := signers.Verify(bundles, provenance.Want{Place: r.At(digest), Subjects: StoredSubject(digest)}, time.Now())
	if err != nil && broken != nil {
		return errors.Join(broken...)
	}
	return tellSigned(con, r.At(digest), signed, err)
}
