package workspace

// This file follows servers that the configuration calls otherwise than the lock. What a person accepted of a server
// holds under its new name: another name is no reason to accept what changed meanwhile.

import (
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// followNames gives a locked server the name that the configuration has for it: no server has the locked name any more,
// and one new server starts in the same way. It changes the lock in memory; generate and update write it. A server
// whose locked snapshot is not in its package stays as it is, and so do servers of a store, which has names of its own.
func (w *Workspace) followNames() {
	for name := range w.formerly {
		delete(w.restored, name)
	}
	w.formerly = map[string]string{}
	is, was := map[string][]string{}, map[string][]string{}
	for _, s := range w.Project.Servers {
		for old, l := range w.Lock.Servers {
			if w.Lock.Servers[s.Name] != nil || l.Store != "" || !w.gone(old) {
				continue
			}
			if _, same := config.SameLaunch(l.Launch, s, w.Root); same {
				is[old], was[s.Name] = append(is[old], s.Name), append(was[s.Name], old)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		old := was[name][0]
		if len(was[name]) > 1 || len(is[old]) > 1 {
			continue
		}
		l := w.Lock.Servers[old]
		if _, s := w.packageOf(old); s != nil && hasLocked(l, s) {
			s.Server = name
			l.Rehash(s) // keys are about the name
			delete(w.Lock.Servers, old)
			if w.restored == nil {
				w.restored = map[string]*schema.Snapshot{}
			}
			w.Lock.Servers[name], w.restored[name], w.formerly[name] = l, s, old
			w.Options.Console.Note("%s: the server %q is called %q now", LockName, old, name)
		}
	}
}

// renamedServers returns the earlier names of servers that have another name in a later lock: one server is new, one
// is gone, and both start in the same way.
func renamedServers(from, to *lockfile.Lock) map[string]string {
	gone, added := map[string][]string{}, map[string][]string{} // by launch
	for name, l := range from.Servers {
		if to.Servers[name] == nil {
			gone[l.Launch.Hash] = append(gone[l.Launch.Hash], name)
		}
	}
	for name, l := range to.Servers {
		if from.Servers[name] == nil {
			added[l.Launch.Hash] = append(added[l.Launch.Hash], name)
		}
	}
	out := map[string]string{}
	for launch, names := range gone {
		if len(names) == 1 && len(added[launch]) == 1 {
			out[added[launch][0]] = names[0]
		}
	}
	return out
}
