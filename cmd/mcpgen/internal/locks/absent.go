package locks

// This file handles locked servers that the configuration does not have under their names, or whose packages do not
// have the locked snapshots, as after a merge that took the lock from one side and the packages from the other.
//
// The source of some is not usable on this machine: a user's own file that another user has, or a file that is not
// trusted or cannot be read. Others have another name now. What a person accepted of them holds: another name is no
// reason to accept what changed meanwhile.

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// findAbsent finds the locked servers that are not configured here and not removed, with the reason.
// Package settings in the configuration still apply to them.
func (st *State) findAbsent() {
	for name, l := range st.Lock.Servers {
		if st.Configured(name) || st.absent[name] != "" || name == st.removed {
			continue
		}
		why := st.whyAbsent(name, l.Source)
		if why == "" {
			continue
		}
		st.absent[name] = why
		build, ok := st.Project.Entries[name]
		if !ok {
			build.Package = gopkg.Of(name)
		}
		pins := generator.PinnedServer(l)
		build.Exclude = slices.Concat(pins.Exclude, build.Exclude)
		if build.Include == nil {
			build.Include = pins.Include
		}
		st.Project.Build[name] = build
	}
}

// whyAbsent returns why the source of a locked server is not usable here; "" if it is usable, or if that
// is unknown.
func (st *State) whyAbsent(name string, source lockfile.Source) string {
	p := st.Project
	switch asked, read := p.Asks(source); {
	case p.Left(name), p.Undefined(name) && source == lockfile.Source{} && !p.Gone(name):
		return p.Why(name)
	case !p.Undefined(name), source == lockfile.Source{}, read:
		return ""
	case !asked: // an unreadable import without locked servers may be the renamed source
		for _, u := range p.Unread {
			if !slices.ContainsFunc(slices.Collect(maps.Values(st.Lock.Servers)), func(l *lockfile.LockedServer) bool {
				return l.Source.Scope == u.Source.Scope && l.Source.File == u.Source.File
			}) {
				return notHere(u.Source)
			}
		}
		return ""
	}
	return notHere(source)
}

// notHere says why the servers of an import are absent.
func notHere(source lockfile.Source) string {
	return source.String() + " is not on this machine, or cannot be read"
}

// Gone reports whether a locked server was certainly removed from the configuration.
func (st *State) Gone(name string) bool {
	if name == st.removed || st.Configured(name) || st.absent[name] != "" {
		return name == st.removed
	}
	l := st.Lock.Servers[name]
	return st.Project.Undefined(name) && (l != nil && l.Source != lockfile.Source{} || st.Project.Gone(name))
}

// Absent returns why a server is locked but not usable on this machine; "" if it is usable.
func (st *State) Absent(name string) string { return st.absent[name] }

// Remove treats an absent server as removed.
func (st *State) Remove(name string) {
	delete(st.absent, name)
	delete(st.Project.Build, name)
	st.removed = name
}

// AbsentNames returns the absent servers that --servers selects, sorted.
func (st *State) AbsentNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(st.absent)), func(name string) bool { return !st.InScope(name) })
}

// NotHere is the error of a command that must reach a server whose source is not usable here.
func (st *State) NotHere(name string) error {
	err := fmt.Errorf("%s: not reachable from here: %s", name, st.absent[name])
	return exit.Fail(exit.Server, hint.With(err,
		"run this command on a machine that can reach the server", "remove the server: mcpgen remove "+hint.Word(name)))
}

// followNames gives a locked server the name that the configuration has for it: no server has the locked name any more,
// and one new server starts in the same way. It changes the lock in memory; generate and update write it. A server
// whose locked snapshot is not in its package stays as it is, and so do servers of a store, which has other names.
func (st *State) followNames(con *console.Console) {
	for name := range st.Formerly {
		delete(st.restored, name)
	}
	st.Formerly = map[string]string{}
	is, was := map[string][]string{}, map[string][]string{}
	for _, s := range st.Project.Servers {
		for old, l := range st.Lock.Servers {
			if st.Lock.Servers[s.Name] != nil || l.Store != "" || !st.Gone(old) {
				continue
			}
			if _, same := config.SameLaunch(l.Launch, s, st.Root); same {
				is[old], was[s.Name] = append(is[old], s.Name), append(was[s.Name], old)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		old := was[name][0]
		if len(was[name]) > 1 || len(is[old]) > 1 {
			continue
		}
		l := st.Lock.Servers[old]
		if _, s := st.PackageOf(old); s != nil && hasLocked(l, s) {
			s.Server = name
			l.Rehash(s) // keys are about the name
			delete(st.Lock.Servers, old)
			st.Lock.Servers[name], st.restored[name], st.Formerly[name] = l, s, old
			con.Note("%s: the server %q is called %q now", Name, old, name)
		}
	}
}

// Restore finds the locked snapshot of a server whose package has another: what [State.Snapshot] returns is then
// what was locked. It is an error if that is unknown, so that changes cannot be named.
func (st *State) Restore(ctx context.Context, name string, offered *schema.Snapshot) error {
	if st.Lock.Servers[name] == nil || st.OldSnapshot(name) != nil {
		return nil
	}
	s := st.findLocked(ctx, name, offered)
	if s == nil {
		err := fmt.Errorf("%s: the snapshot differs from the lock, and neither the server nor git has the locked snapshot, "+
			"so the changes are unknown", st.SnapshotPath(name))
		anew := "lock the server as a new one: remove " + strconv.Quote(name) + " from the servers of " + Name
		return hint.With(err, append(SameCommit(ctx, st.Root, st.Project.Output), anew+", then run mcpgen generate")...)
	}
	st.restored[name] = s
	return nil
}

// findLocked returns a snapshot with the locked hashes of a server. It looks in the server's package, at
// what the server offers, in the last replaced lock, and in commits. It returns nil if all differ.
func (st *State) findLocked(ctx context.Context, name string, offered *schema.Snapshot) *schema.Snapshot {
	locked := st.Lock.Servers[name]
	if s, err := st.Snapshot(name); err == nil && hasLocked(locked, s) {
		return s
	}
	if hasLocked(locked, offered) {
		return offered
	}
	if o := st.Replaced(); o != nil && o.Snapshots[name] != nil && hasLocked(locked, o.Snapshots[name]) {
		return o.Snapshots[name]
	}
	file := st.SnapshotPath(name)
	for _, id := range CommitsOf(ctx, st.Root, file, "--all", "--full-history") {
		data, err := Git(ctx, st.Root, "cat-file", "blob", id+":./"+file)
		if err != nil {
			continue // the commit removed the file
		}
		if s, err := lockfile.ParseSnapshot(data); err == nil && s.Server == name && hasLocked(locked, s) {
			return s
		}
	}
	return nil
}

// hasLocked reports whether a snapshot has the locked definitions. Their full hashes decide: contract
// hashes and keys of the lock may be wrong, which update repairs.
func hasLocked(locked *lockfile.LockedServer, s *schema.Snapshot) bool {
	return !slices.ContainsFunc(locked.Verify(s), func(d lockfile.Difference) bool {
		return d.Change != lockfile.Mismatched
	})
}

// SameCommit returns the step that takes lock and packages from the latest commit of this branch in which
// they fit each other; nil without such a commit.
func SameCommit(ctx context.Context, root, output string) []string {
	for _, revision := range append([]string{"HEAD"}, CommitsOf(ctx, root, Name, "--first-parent")...) {
		if o, err := At(ctx, root, output, revision); err == nil && len(o.Folders) > 0 {
			commit := revision[:min(len(revision), 12)]
			return []string{"take lock and packages from one commit: git restore --source=" + commit +
				" --staged --worktree " + Name + " " + hint.Word(path.Clean(output)) + " && mcpgen generate && mcpgen check"}
		}
	}
	return nil
}
