package workspace

// This file reads what was locked elsewhere: in another commit, through the git
// program, or in another file. No server is started and nothing is fetched.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Limits of what is read from elsewhere.
const (
	maxGitOutput = 64 << 20 // bytes of one file or listing
	maxEntries   = 200_000  // files and folders looked at
)

// other is what was locked elsewhere.
type other struct {
	lock      *lockfile.Lock // nil for a single snapshot
	snapshots map[string]*schema.Snapshot
	folders   map[string]string // slash paths of their packages, relative to the lock; nil for a single snapshot
}

// against compares the lock with what was locked elsewhere, which is the side
// before.
func (r *run) against(ctx context.Context, where string) error {
	o, err := r.w.elsewhere(ctx, where)
	if err != nil {
		return fmt.Errorf("--against %s: %w", where, err)
	}
	r.other = o
	names := slices.Collect(maps.Keys(o.snapshots))
	if o.lock != nil {
		for name := range r.w.Lock.Servers {
			if o.lock.Servers[name] == nil {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		if r.w.inScope(name) {
			if err := r.compareWith(ctx, o, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareWith compares one server.
func (r *run) compareWith(ctx context.Context, o *other, name string) error {
	c := comparison{name: name, before: o.snapshots[name]}
	if now := r.w.Lock.Servers[name]; now != nil {
		var err error
		if c.after, err = r.w.accepted(name); err != nil {
			r.add(unknown(name, report.StateInvalid, err), err)
			return nil
		}
		if o.lock != nil && o.lock.Servers[name] != nil {
			c.launchBefore, c.launchAfter = r.w.comparable(name, o.lock.Servers[name].Launch, now.Launch)
			c.ranBefore, c.ranAfter = o.lock.Servers[name].Artifact, now.Artifact
		}
	}
	out, err := r.w.judge(ctx, c, r.judgement)
	if err != nil {
		return err
	}
	if c.after == nil {
		out.State = report.StateGone
	}
	r.servers = append(r.servers, r.withLaunch(out))
	return nil
}

// comparable returns two launches in a form whose hashes can be compared: older versions
// locked another kind of hash. If the configuration no longer has the server, that kind
// cannot be computed, and both launches are unknown.
func (w *Workspace) comparable(name string, before, now lockfile.Launch) (lockfile.Launch, lockfile.Launch) {
	if before.HashOnly() == now.HashOnly() {
		return before, now
	}
	for _, s := range w.Project.Servers {
		if s.Name == name && before.HashOnly() {
			now, _ = config.SameLaunch(before, s, w.Root)
			return before, now
		}
	}
	return lockfile.Launch{}, lockfile.Launch{}
}

// withLaunch adds to a report that the configuration does not have the launch of
// the lock.
func (r *run) withLaunch(s drift.ServerReport) drift.ServerReport {
	for _, c := range r.w.launchChanges() {
		if c.Server.Name != s.Server {
			continue
		}
		own := c.judge(r.w, r.judgement)
		s.Changes = append(own.Changes, s.Changes...)
		if !drift.Severity(s.Verdict).AtLeast(drift.Severity(own.Verdict)) {
			s.Verdict = own.Verdict
		}
		r.errs = append(r.errs, fail(ExitFinding, c.withSteps(c.Text())))
		r.launches++
	}
	return s
}

// againstSources compares the Go APIs, where the profile asks for it: what was
// generated elsewhere, by this project's configuration, with what is now. Lines of
// the module are not looked for: they are written against what is now.
func (r *run) againstSources(ctx context.Context, found *drift.Report) error {
	if r.judgement.Profile != drift.Source || r.other.lock == nil {
		return nil
	}
	_, now, err := r.w.sides(ctx, nil)
	if err != nil {
		return nil // the files cannot be compared either, which the report says
	}
	return r.w.sources(ctx, r.w.asLockedThen(now, r.other), now, found, r.judgement)
}

// elsewhere reads a file, or else a revision.
func (w *Workspace) elsewhere(ctx context.Context, where string) (*other, error) {
	info, err := os.Stat(where)
	switch {
	case err == nil && info.Mode().IsRegular():
		return w.fromFile(where)
	case err == nil && info.IsDir():
		if _, err := os.Stat(filepath.Join(where, LockName)); err == nil {
			return w.fromFile(filepath.Join(where, LockName))
		}
	}
	return w.fromGit(ctx, where)
}

// fromFile reads a lock with the snapshots below its folder, or one snapshot.
func (w *Workspace) fromFile(file string) (*other, error) {
	dir := filepath.Dir(file)
	abs, err := filepath.Abs(dir)
	own := err == nil && abs == w.Root // this project's own files are read in one way
	read := func(name string) ([]byte, error) {
		if own && slices.Contains(w.tree.Files(), name) {
			return w.tree.ReadFile(name)
		}
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	}
	data, err := read(filepath.Base(file))
	if err != nil {
		return nil, err
	}
	lock, lockErr := lockfile.ParseLock(data)
	if lockErr != nil {
		s, err := lockfile.ParseSnapshot(data)
		if err == nil {
			return &other{snapshots: map[string]*schema.Snapshot{s.Server: s}}, nil
		}
		if path.Base(filepath.ToSlash(file)) != LockName {
			return nil, fmt.Errorf("neither a snapshot (%w) nor a lock (%w)", err, lockErr)
		}
		return nil, lockErr
	}
	files, err := snapshotFiles(dir)
	if own {
		for _, file := range w.packageFiles("snapshot.json") {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return collect(lock, files, read)
}

// snapshotFiles lists the snapshots below a folder. Folders that the go command
// does not look into, and those of Node, are passed over.
func snapshotFiles(dir string) ([]string, error) {
	var out []string
	seen := 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if seen++; seen > maxEntries {
			return hint.With(fmt.Errorf("%s: more than %d files below it", dir, maxEntries), "name the snapshot itself")
		}
		if err != nil {
			return nil // a folder that cannot be read has none of our snapshots
		}
		name := d.Name()
		if d.IsDir() && p != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "node_modules" || name == "vendor" || name == "testdata") {
			return filepath.SkipDir
		}
		if name == "snapshot.json" && d.Type().IsRegular() {
			rel, err := filepath.Rel(dir, p)
			if err != nil {
				return err
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out, err
}

// collect finds the snapshot of each server of a lock among files: the one that
// has the locked hashes.
func collect(lock *lockfile.Lock, files []string, read func(string) ([]byte, error)) (*other, error) {
	o := &other{lock: lock, snapshots: map[string]*schema.Snapshot{}, folders: map[string]string{}}
	for _, file := range files {
		data, err := read(file)
		if err != nil {
			return nil, err
		}
		s, err := lockfile.ParseSnapshot(data)
		if err != nil {
			continue // not one of ours, or not readable: missed below if it is needed
		}
		l := lock.Servers[s.Server]
		if l == nil {
			continue
		}
		if lock.Revision != schema.ContractRevision {
			l.Rehash(s)
		}
		if len(l.Verify(s)) == 0 {
			o.snapshots[s.Server], o.folders[s.Server] = s, path.Dir(file)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(lock.Servers)) {
		if o.snapshots[name] == nil {
			errs = append(errs, hint.With(fmt.Errorf("no snapshot.json below it matches the server %q of the lock", name), "name another revision or file"))
		}
	}
	return o, errors.Join(errs...)
}

// fromGit reads the lock and the snapshots of a commit.
func (w *Workspace) fromGit(ctx context.Context, revision string) (*other, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, hint.New("no such file, and git was not found to look for a revision", "install git", "name a file")
	}
	commit, err := w.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, hint.With(fmt.Errorf("neither a file nor a revision that git knows (%w)", err), "name a lock or a snapshot", "name a branch, tag or commit that was fetched")
	}
	id := strings.TrimSpace(string(commit))
	listing, err := w.git(ctx, "ls-tree", "-r", "-z", "--name-only", id, "--", ".")
	if err != nil {
		return nil, err
	}
	var files []string
	locked := false
	for name := range strings.SplitSeq(string(listing), "\x00") {
		locked = locked || name == LockName
		if path.Base(name) == "snapshot.json" {
			files = append(files, name)
		}
	}
	if !locked {
		return nil, hint.With(fmt.Errorf("the revision has no %s", LockName), "name one that has it")
	}
	read := func(name string) ([]byte, error) { return w.git(ctx, "cat-file", "blob", id+":./"+name) }
	data, err := read(LockName)
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.ParseLock(data)
	if err != nil {
		return nil, inFile(LockName, err)
	}
	return collect(lock, files, read)
}

// git runs git in the project's folder and returns what it printed. Nothing is
// fetched, locked or asked.
func (w *Workspace) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = w.Root
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	data, readErr := io.ReadAll(io.LimitReader(out, maxGitOutput+1))
	if len(data) > maxGitOutput {
		_ = cmd.Process.Kill() // Wait reports it; the size is the error
		_ = cmd.Wait()
		return nil, fmt.Errorf("git %s: more than %d MiB", args[0], maxGitOutput>>20)
	}
	if err := errors.Join(readErr, cmd.Wait()); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		text := strings.TrimSpace(problems.String())
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, text)
	}
	return data, nil
}
