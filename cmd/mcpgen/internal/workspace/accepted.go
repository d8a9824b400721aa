package workspace

// Acceptances of security findings: in the lock, and added by a branch.

import (
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// keepAccepted stores the acceptances for the server of capture i in the draft: every security finding
// that had to be accepted and is not withheld, and what a launch ran.
func (u *updating) keepAccepted(d *Draft, i int, server string) {
	before, now := u.w.Lock.Servers[server], d.Lock.Servers[server]
	if now == nil || d.Snapshots[server] == nil {
		return
	}
	withheld := slices.Concat(u.silent, u.withheld)
	for _, c := range u.changes[i] {
		left := func(h Withheld) bool {
			return h.Server == server && h.Change.Kind == c.Kind && h.Change.Name == c.Name && h.Change.Rule == c.Rule && h.Change.Path == c.Path
		}
		if !gated(&c) && c.Rule != drift.ArtifactChanged || slices.ContainsFunc(withheld, left) {
			continue
		}
		if c.Kind == drift.KindServer {
			a := lockfile.Acceptance{Rule: c.Rule.String(), Before: serverHash(before, &c), After: serverHash(now, &c)}
			now.Accepted = lockfile.Accept(now.Accepted, a)
			continue
		}
		name := c.Name
		if to := renamedTo(&c, u.changes[i]); to != "" {
			name = to
		}
		if item, ok := now.Items(c.Kind)[name]; ok {
			a := lockfile.Acceptance{Rule: c.Rule.String(), Before: before.Items(c.Kind)[c.Name].Full, After: item.Full}
			item.Accepted = lockfile.Accept(item.Accepted, a)
			now.Items(c.Kind)[name] = item
		}
	}
}

// serverHash returns the hash of the part of a server that a change is about; "" for a nil server.
func serverHash(l *lockfile.LockedServer, c *drift.Change) string {
	switch {
	case l == nil:
		return ""
	case c.Rule == drift.LaunchChanged:
		return l.Launch.Hash
	case c.Rule == drift.ArtifactChanged, c.Rule == drift.BytesChanged:
		return artifactHash(l.Artifact)
	case ofInstructions(c):
		return l.Instructions
	}
	text, err := schema.Canonical(l.Identity)
	if err != nil {
		return ""
	}
	return lockfile.TextHash(string(text))
}

// addedAcceptances returns the acceptances of the lock that other lacks.
func (w *Workspace) addedAcceptances(other *lockfile.Lock) []report.Accepted {
	var out []report.Accepted
	for _, name := range slices.Sorted(maps.Keys(w.Lock.Servers)) {
		if !w.InScope(name) {
			continue
		}
		now, then := w.Lock.Servers[name], other.Servers[name]
		add := func(kind schema.Kind, item string, now, then []lockfile.Acceptance) {
			for _, a := range now {
				if !slices.Contains(then, a) {
					out = append(out, report.Accepted{Server: name, Kind: kind, Name: item, Rule: a.Rule, Before: a.Before, After: a.After})
				}
			}
		}
		if then == nil {
			then = &lockfile.LockedServer{}
		}
		add(drift.KindServer, "", now.Accepted, then.Accepted)
		for _, kind := range schema.Kinds() {
			for _, item := range slices.Sorted(maps.Keys(now.Items(kind))) {
				add(kind, item, now.Items(kind)[item].Accepted, then.Items(kind)[item].Accepted)
			}
		}
	}
	return out
}
