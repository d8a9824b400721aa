package capturing

// This file connects projects with an OCI registry: push uploads locked snapshots, and a server with from:
// takes its surface from there. A pulled surface has the limits of a listing and is compared like one, so a
// person has to accept the same changes. A surface without a signature of a trusted key is refused.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/extension"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// The media types in a registry.
const (
	snapshotType  = "application/vnd.mcpgen.snapshot.v1" // of the artifact
	snapshotLayer = "application/vnd.mcpgen.snapshot.v1+json"
	observedLayer = "application/vnd.mcpgen.observed.v1+json"
	orderLayer    = "application/vnd.mcpgen.order.v1+json" // names by kind, in the server's order
)

// The keys of annotations.
const (
	titleKey    = "org.opencontainers.image.title"
	versionKey  = "org.opencontainers.image.version"
	protocolKey = "com.github.mcpgen.protocol"
	clientKey   = "com.github.mcpgen.client" // what the client declared: the condition of the capture
	surfaceKey  = "com.github.mcpgen.surface"
)

// newest is the tag of what was pushed last.
const newest = "latest"

// maxTransfers bounds the servers that are pushed or pulled at the same time.
const MaxTransfers = 8

// RepositoryOf opens the repository of a server, and returns the reference in its address. The errors are the
// user's side.
func RepositoryOf(project *config.Project, name, to string) (*store.Repository, string, error) {
	address, key := project.Build[name].From, "servers."+name+".from"
	if base := to; base != "" || address == "" {
		if key = "--to"; base == "" {
			base, key = project.Store, "store"
		}
		if base == "" {
			return nil, "", exit.Fail(exit.Usage, hint.New("no registry is given",
				"name one: --to oci://REGISTRY/PATH", "write it in mcpgen.yaml: store: oci://REGISTRY/PATH"))
		}
		address = strings.TrimSuffix(base, "/") + "/mcp/" + store.Name(name)
	}
	r, reference, err := store.Open(address)
	if err != nil {
		return nil, "", exit.Fail(exit.Usage, fmt.Errorf("%s: %w", key, err))
	}
	return r, reference, nil
}

// Transfer calls one for the servers, some at a time, and returns their errors. An error without an exit
// code is the registry's side.
func Transfer(servers []endpoint.Server, one func(i int, s endpoint.Server) error) []error {
	errs := make([]error, len(servers))
	var group errgroup.Group
	group.SetLimit(MaxTransfers)
	for i, s := range servers {
		group.Go(func() error {
			if err := one(i, s); err != nil {
				errs[i] = fmt.Errorf("%sserver %q: %w", s.Source.Prefix(), s.Name, err)
				if _, ok := errors.AsType[*exit.Failure](err); !ok {
					errs[i] = exit.Fail(exit.Server, errs[i])
				}
			}
			return nil
		})
	}
	_ = group.Wait()
	return errs
}

// ArtifactOf returns the artifact of a locked server and its tags, the version first.
func ArtifactOf(in *inputs.Servers, name, surface string) (store.Artifact, []string, error) {
	s, err := in.Accepted(name)
	if err != nil {
		return store.Artifact{}, nil, err
	}
	a := store.Artifact{
		Type: snapshotType, Layers: map[string][]byte{snapshotLayer: lockfile.EncodeSnapshot(s)},
		Annotations: map[string]string{titleKey: name, protocolKey: s.ProtocolVersion, surfaceKey: surface},
	}
	if declared, err := schema.Canonical(s.ClientCapabilities); err == nil {
		a.Annotations[clientKey] = string(declared)
	}
	tags := []string{newest}
	if version := jsontext.Text(jsontext.Member(s.Identity, "version")); store.Tag(version) != "" {
		a.Annotations[versionKey] = version
		tags = []string{store.Tag(version), newest}
	}
	if l := in.Lock.Servers[name]; !l.Unordered {
		order := map[schema.Kind][]string{}
		for _, kind := range schema.Kinds() {
			for _, it := range l.InOrder(kind, *s.List(kind)) {
				order[kind] = append(order[kind], it.Name)
			}
		}
		a.Layers[orderLayer], _ = json.Marshal(order) // of texts
	}
	observed, err := in.Observed(name)
	if observed != nil {
		a.Layers[observedLayer] = observed.Encode()
	}
	return a, tags, err
}

// SurfaceHash returns one hash over the items and the instructions of a server, whatever it is called.
func SurfaceHash(l *lockfile.LockedServer) string {
	if l == nil {
		return ""
	}
	text := l.Instructions + "\n"
	for _, kind := range schema.Kinds() {
		items := l.Items(kind)
		for _, name := range slices.Sorted(maps.Keys(items)) {
			text += fmt.Sprintf("%s %q %s\n", kind, name, items[name].Full)
		}
	}
	return lockfile.TextHash(text)
}

// StoredDigest returns the digest of a server's snapshot in the registry; "" if the lock has none.
func StoredDigest(lock *lockfile.Lock, name string) string {
	if l := lock.Servers[name]; l != nil {
		return l.Store
	}
	return ""
}

// pullAll captures servers from the repositories that the configuration names.
func (cl *Client) pullAll(ctx context.Context, servers []endpoint.Server) map[string]*Capture {
	all := make([]*Capture, len(servers))
	errs := Transfer(servers, func(i int, s endpoint.Server) error {
		c, began := cl.captureOf(s), time.Now()
		all[i] = c
		r, reference, err := RepositoryOf(cl.Project, s.Name, "")
		if err == nil {
			err = c.Pull(ctx, r, cmp.Or(reference, newest))
		}
		var signers *provenance.Signers
		if err == nil {
			signers, err = cl.Signers()
		}
		if err == nil {
			err = VerifyStored(ctx, cl.Console, r, s.Name, c.Store, signers)
		}
		c.Took = time.Since(began)
		return err
	})
	out := map[string]*Capture{}
	for i, c := range all {
		c.Err, out[c.Server.Name] = errs[i], c
	}
	return out
}

// Pull takes a surface from a registry by the rules for a listing. The surface gets the name of the server here.
func (c *Capture) Pull(ctx context.Context, r *store.Repository, reference string) error {
	limits := c.Server.Limits.WithDefaults()
	a, err := r.Pull(ctx, reference, snapshotType, limits.Memory)
	if err != nil {
		return err
	}
	at := r.At(a.Digest)
	s, err := lockfile.ParseSnapshot(a.Layers[snapshotLayer])
	if err != nil {
		return hint.With(fmt.Errorf("%s: its snapshot cannot be read: %s", at, exit.Flatten(err)[0]),
			"push it again with this version of mcpgen")
	}
	s.Server = c.Server.Name
	for _, kind := range schema.Kinds() {
		if n := len(*s.List(kind)); n > limits.Tools {
			return hint.With(fmt.Errorf("%s has %d items of the kind %s; the limit is %d", at, n, kind, limits.Tools),
				"raise limits.tools")
		}
	}
	for _, it := range s.Tools {
		_, odd, _ := schema.ParseTool(it.Raw) // it has a name, or the snapshot could not be read
		c.Problems = append(c.Problems, odd...)
	}
	for _, it := range s.Skills {
		if _, err := extension.ParseSkill(it.Raw); err != nil {
			return fmt.Errorf("%s: skill %q: %w", at, it.Name, err)
		}
	}
	if len(s.Tools) == 0 && !c.Server.AllowEmpty {
		return hint.With(fmt.Errorf("%s: %w", at, attach.ErrEmpty), "if the server really has no tools, set allow_empty")
	}
	if data := a.Layers[observedLayer]; data != nil {
		if c.Observed, err = lockfile.ParseObserved(data); err != nil {
			return fmt.Errorf("%s: its observed shapes cannot be read: %s", at, exit.Flatten(err)[0])
		}
		for tool, shape := range c.Observed.Tools {
			if err := inputs.CheckResultSchema(shape); err != nil {
				return fmt.Errorf("%s: the observed shape of %q: %w", at, tool, err)
			}
		}
	}
	if err := inOrderOf(s, a.Layers[orderLayer]); err != nil {
		return fmt.Errorf("%s: the order of its items cannot be read: %w", at, err)
	}
	c.Snapshot, c.Store = s, a.Digest
	return c.Hash()
}

// inOrderOf sorts the items of a snapshot by a layer with their order; nil changes nothing.
func inOrderOf(s *schema.Snapshot, layer []byte) error {
	if layer == nil {
		return nil
	}
	var order map[schema.Kind][]string
	if err := json.Unmarshal(layer, &order); err != nil {
		return err
	}
	for _, kind := range schema.Kinds() {
		places := map[string]int{}
		for i, name := range order[kind] {
			places[name] = i
		}
		slices.SortStableFunc(*s.List(kind), func(a, b schema.Item) int {
			return cmp.Compare(places[a.Name], places[b.Name])
		})
	}
	return nil
}

// Signatures says whether signatures are required, and of whom.
type Signatures struct {
	Require bool   // also if the configuration does not require them
	Signers string // file of the trusted keys: see provenance.Load
}

// Signers returns the trusted keys if signatures are required, else nil.
func (cl *Client) Signers() (*provenance.Signers, error) {
	if !cl.Signed.Require && !cl.Project.RequireSignature {
		return nil, nil
	}
	return provenance.Load(cl.Signed.Signers, cl.Root)
}

// VerifyLock requires that trusted keys signed the lock and the snapshots as they were read, if signatures are
// required.
func (cl *Client) VerifyLock() error {
	signers, err := cl.Signers()
	if err != nil || signers == nil {
		return err
	}
	if err := cl.RequireLock(); err != nil {
		return err
	}
	data, files, err := cl.Signable()
	if err != nil {
		return err
	}
	signed, err := signers.Lock(filepath.Join(cl.Root, locks.Name), data, files)
	return tellSigned(cl.Console, locks.Name, signed, err)
}

// tellSigned prints who signed something. A missing signature is a finding.
func tellSigned(con *console.Console, what string, signed []provenance.Statement, err error) error {
	if _, ok := errors.AsType[*provenance.Error](err); ok {
		return exit.Fail(exit.Finding, err)
	}
	for _, s := range signed {
		con.Note("%s: %s accepted it on %s, with %s",
			what, s.By, s.At.UTC().Format(time.DateOnly), safetext.Count(len(s.Findings), "finding"))
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

// VerifyStored requires that trusted keys signed the snapshot of a server with this digest. Nil signers
// require nothing.
func VerifyStored(
	ctx context.Context, con *console.Console, r *store.Repository, server, digest string, signers *provenance.Signers,
) error {
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
			con.Warn("%v", hint.New(r.At(tag)+": the registry lists this signature, but does not have it",
				"sign again: mcpgen sign "+hint.Word(server)))
		case trusted:
			broken = append(broken, err)
		}
	}
	signed, err := signers.Verify(bundles, provenance.Want{
		Place: r.At(digest), Subjects: StoredSubject(digest),
		Step: "let a person review and sign the snapshot: mcpgen sign " + hint.Word(server)}, time.Now())
	if err != nil && broken != nil {
		return errors.Join(broken...)
	}
	return tellSigned(con, r.At(digest), signed, err)
}
