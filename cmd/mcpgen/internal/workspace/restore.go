package workspace

// This file finds the locked snapshot of a server if its package has another snapshot or none, as
// after a merge that took the lock from one side and the packages from the other.

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// maxSearched bounds the commits that are searched for a locked snapshot, or for a lock with its snapshots.
const maxSearched = 20

// restore finds the locked snapshots of captured servers, and removes the captures of servers that cannot
// be compared because what was locked is unknown. The errors are about these servers.
func (w *Workspace) restore(ctx context.Context, captures []*Capture) (known []*Capture, wrong []error) {
	if w.restored == nil {
		w.restored = map[string]*schema.Snapshot{}
	}
	for _, c := range captures {
		name := c.Server.Name
		locked := w.Lock.Servers[name]
		if locked == nil || w.oldSnapshot(name) != nil {
			known = append(known, c)
			continue
		}
		s := w.findLocked(ctx, name, c.Snapshot)
		if s == nil {
			err := fmt.Errorf("%s: the snapshot differs from the lock, and neither the server nor git has the locked snapshot, so the changes are unknown", w.snapshotPath(name))
			wrong = append(wrong, &serverError{name, hint.With(err, append(w.sameCommit(ctx), lockAnew(name))...)})
			continue
		}
		w.restored[name] = s
		known = append(known, c)
	}
	return known, wrong
}

// findLocked returns a snapshot with the locked hashes of a server. It looks in the server's package, at
// what the server offers, in the last replaced lock, and in commits. It returns nil if all differ.
func (w *Workspace) findLocked(ctx context.Context, name string, offered *schema.Snapshot) *schema.Snapshot {
	locked := w.Lock.Servers[name]
	if s, err := w.Snapshot(name); err == nil && hasLocked(locked, s) {
		return s
	}
	if hasLocked(locked, offered) {
		return offered
	}
	if o := w.replaced(); o != nil && o.snapshots[name] != nil && hasLocked(locked, o.snapshots[name]) {
		return o.snapshots[name]
	}
	file := w.snapshotPath(name)
	for _, id := range w.commitsOf(ctx, file, "--all", "--full-history") {
		data, err := w.Git(ctx, "cat-file", "blob", id+":./"+file)
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
	return !slices.ContainsFunc(locked.Verify(s), func(d lockfile.Difference) bool { return d.Change != lockfile.Mismatched })
}

// commitsOf returns the ids of the commits that changed a file, the latest first. The options choose the
// history. The result is empty without git.
func (w *Workspace) commitsOf(ctx context.Context, file string, options ...string) []string {
	args := append([]string{"log", "--format=%H", "--max-count=" + strconv.Itoa(maxSearched)}, options...)
	out, err := w.Git(ctx, append(args, "--", file)...)
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// sameCommit returns the step that takes lock and packages from the latest commit of this branch in which
// they fit each other; nil without such a commit.
func (w *Workspace) sameCommit(ctx context.Context) []string {
	for _, revision := range append([]string{"HEAD"}, w.commitsOf(ctx, LockName, "--first-parent")...) {
		if o, err := w.fromGit(ctx, revision); err == nil && len(o.folders) > 0 {
			return []string{"take lock and packages from one commit: git checkout " + revision[:min(len(revision), 12)] + " -- " +
				LockName + " " + hint.Word(path.Clean(w.Project.Output)) + " && mcpgen generate && mcpgen check"}
		}
	}
	return nil
}

// restoring returns the step for a server whose snapshot is not the locked one.
func (w *Workspace) restoring(ctx context.Context, name string) []string {
	if steps := w.sameCommit(ctx); steps != nil {
		return steps
	}
	return []string{"find what was locked, and compare it with the server: mcpgen update " + hint.Word(name)}
}

// lockAnew returns the step for a server whose locked state is lost.
func lockAnew(name string) string {
	return "lock the server as a new one: remove " + strconv.Quote(name) + " from the servers of " + LockName + ", then run mcpgen generate"
}
