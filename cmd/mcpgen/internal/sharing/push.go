// Package sharing shares the servers of a project with others: the commands push, pull, sign, who and can-update.
package sharing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Options say which servers to push or pull, and where.
type Options struct {
	Servers []string // empty: all selected servers
	To      string   // address of the registry; "" is that of the configuration
}

// Stored is a snapshot in a registry.
type Stored struct {
	Server  string
	Address string // with a tag, after a push
	Digest  string
}

// Push uploads the locked snapshots of servers, and records their digests in the lock. Servers are
// independent: the result has the uploaded ones.
func Push(ctx context.Context, cl *capturing.Client, o Options) ([]Stored, error) {
	servers, err := cl.Targets(o.Servers)
	if err = errors.Join(cl.RequireLock(), err); err != nil {
		return nil, err
	}
	surfaces := map[string]string{}
	for _, s := range servers {
		surfaces[s.Name] = capturing.SurfaceHash(cl.Lock.Servers[s.Name])
	}
	all, err := transfer(cl.State, servers, o.To, func(_ int, r *store.Repository, s endpoint.Server) (
		string, string, error,
	) {
		a, tags, err := capturing.ArtifactOf(cl.Servers, s.Name, surfaces[s.Name])
		if err != nil {
			return "", "", exit.Fail(exit.Usage, err)
		}
		digest, err := r.Push(ctx, a, tags...)
		return tags[0], digest, err
	})
	return all, exit.Unless(ctx, errors.Join(err, lockDigests(ctx, cl, all, surfaces)))
}

// transfer calls one for locked servers with their repositories, some at a time. One returns the tag and the digest of
// what is in the registry then; the result has those with a digest.
func transfer(
	st *locks.State, servers []endpoint.Server, to string,
	one func(i int, r *store.Repository, s endpoint.Server) (tag, digest string, err error),
) ([]Stored, error) {
	all := make([]Stored, len(servers))
	errs := capturing.Transfer(servers, func(i int, s endpoint.Server) error {
		if st.Lock.Servers[s.Name] == nil {
			return workspace.NotLocked(servers[i : i+1])
		}
		r, _, err := capturing.RepositoryOf(st.Project, s.Name, to)
		if err != nil {
			return err
		}
		tag, digest, err := one(i, r, s)
		all[i] = Stored{s.Name, r.At(tag), digest}
		return err
	})
	return slices.DeleteFunc(all, func(s Stored) bool { return s.Digest == "" }), errors.Join(errs...)
}

// lockDigests records digests in the lock, unless the surface of a server has changed since.
func lockDigests(ctx context.Context, cl *capturing.Client, all []Stored, surfaces map[string]string) error {
	current := func(s Stored) bool {
		l := cl.Lock.Servers[s.Server]
		return l != nil && l.Store != s.Digest && capturing.SurfaceHash(l) == surfaces[s.Server]
	}
	var names []string
	for _, s := range all {
		if current(s) {
			names = append(names, s.Server)
		}
	}
	if names == nil {
		return nil
	}
	_, d, err := rewrite(ctx, cl, names, func(d *workspace.Draft) {
		d.UpdateResults(ctx, nil, true)
		for _, s := range all {
			if d.Snapshots[s.Server] != nil && current(s) {
				locked := *d.Lock.Servers[s.Server]
				locked.Store = s.Digest
				d.Lock.Servers[s.Server] = &locked
			}
		}
	})
	return errors.Join(append(d.Errs, err)...)
}

// rewrite writes the packages of servers, as edit changes the draft. If another run has written in the
// meantime, it begins again.
func rewrite(ctx context.Context, cl *capturing.Client, names []string, edit func(d *workspace.Draft)) (
	*generator.Report, *workspace.Draft, error,
) {
	for {
		d := workspace.NewDraft(cl.Servers, cl.Console, func(name string) bool { return slices.Contains(names, name) }, false)
		d.KeepStale, d.Frozen = true, true
		edit(d)
		files, _, err := d.Write(ctx, false)
		if !errors.Is(err, generator.ErrChanged) {
			return files, d, err
		}
		if err := cl.Read(ctx, cl.Console); err != nil {
			return nil, d, err
		}
	}
}

// Pull writes the snapshots of servers again, from the digests in the lock: other bytes are refused, and the
// lock stays as it is.
func Pull(ctx context.Context, cl *capturing.Client, o Options) ([]Stored, *generator.Report, error) {
	servers, err := cl.Targets(o.Servers)
	if err = errors.Join(cl.RequireLock(), err); err != nil {
		return nil, nil, err
	}
	signers, err := cl.Signers()
	if err == nil && len(o.Servers) > 0 {
		err = requireStored(cl.State, servers)
	}
	if err != nil {
		return nil, nil, err
	}
	servers = slices.DeleteFunc(servers, func(s endpoint.Server) bool {
		return capturing.StoredDigest(cl.Lock, s.Name) == ""
	})
	captures := make([]*capturing.Capture, len(servers))
	all, unread := transfer(cl.State, servers, o.To, func(i int, r *store.Repository, s endpoint.Server) (
		string, string, error,
	) {
		locked := cl.Lock.Servers[s.Name]
		c := &capturing.Capture{Server: s}
		err := capturing.VerifyStored(ctx, cl.Console, r, s.Name, locked.Store, signers)
		if err == nil {
			err = c.Pull(ctx, r, locked.Store)
		}
		if err != nil {
			return "", "", err
		}
		if differ := locked.Verify(c.Snapshot); len(differ) > 0 {
			err := fmt.Errorf("%s: the %s %q in the registry differs from %s",
				r.At(locked.Store), differ[0].Kind, differ[0].Name, locks.Name)
			return "", "", exit.Fail(exit.Usage, hint.With(err,
				"restore the lock with git checkout", "run mcpgen update "+hint.Word(s.Name)))
		}
		captures[i] = c
		return "", locked.Store, nil
	})
	captures = slices.DeleteFunc(captures, func(c *capturing.Capture) bool { return c == nil })
	files, d, err := rewrite(ctx, cl, nil, func(d *workspace.Draft) {
		for _, c := range captures {
			if l := cl.Lock.Servers[c.Server.Name]; l != nil && l.Store == c.Store { // else another run has updated it
				c.Launch, c.Artifact, c.Source = l.Launch, l.Artifact, l.Source
				d.Accept(ctx, c)
			}
		}
	})
	all = slices.DeleteFunc(all, func(s Stored) bool { return d.Snapshots[s.Server] == nil })
	return all, files, exit.Unless(ctx, errors.Join(unread, errors.Join(d.Errs...), err))
}

// requireStored reports the servers whose snapshots have no digest in the lock.
func requireStored(st *locks.State, servers []endpoint.Server) error {
	var errs []error
	for _, s := range servers {
		if capturing.StoredDigest(st.Lock, s.Name) == "" {
			errs = append(errs, hint.With(fmt.Errorf("%s has no registry digest for %q", locks.Name, s.Name),
				"push the snapshot: mcpgen push "+hint.Word(s.Name),
				"use a snapshot from a registry: write from: oci://REGISTRY/PATH, then run mcpgen generate"))
		}
	}
	return errors.Join(errs...)
}
