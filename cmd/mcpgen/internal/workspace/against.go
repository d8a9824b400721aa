package workspace

// This file reads what was locked elsewhere: in another commit, with the git program, or in another file.
// It starts no server and fetches nothing.

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
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Limits of what is read from elsewhere.
const (
	maxGitOutput = 64 << 20 // bytes of one file or listing
	maxEntries   = 200_000  // visited files and folders
)

// other is a lock from elsewhere, with its snapshots.
type other struct {
	lock      *lockfile.Lock
	snapshots map[string]*schema.Snapshot
	folders   map[string]string // slash paths of the packages, relative to the lock
	commit    string            // "" for files
	alone     bool              // a single snapshot without a lock
	same      bool              // the lock equals the project's; snapshots and folders are not read
}

// elsewhere reads a file if where names one, else a git revision.
func (w *Workspace) elsewhere(ctx context.Context, where string) (*other, error) {
	if file := fileOf(where); file != "" {
		return w.fromFile(file)
	}
	return w.fromGit(ctx, where)
}

// fileOf returns the file that a text names, or the lock in a folder; "" if there is none.
func fileOf(where string) string {
	if info, err := os.Stat(where); err == nil && info.IsDir() {
		where = filepath.Join(where, LockName)
	}
	if info, err := os.Stat(where); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return where
}

// fromFile reads a lock with the snapshots below its folder, or one snapshot.
func (w *Workspace) fromFile(file string) (*other, error) {
	dir := filepath.Dir(file)
	abs, err := filepath.Abs(dir)
	own := err == nil && abs == w.Root // the project's own files are read through its tree
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
			return single(s)
		}
		if path.Base(filepath.ToSlash(file)) != LockName {
			return nil, fmt.Errorf("neither a snapshot (%w) nor a lock (%w)", err, lockErr)
		}
		return nil, lockErr
	}
	files, err := snapshotFiles(dir)
	if own {
		for _, file := range packageFiles(w.Project, w.tree, "snapshot.json") {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return collect(w.Project.Output, lock, files, read)
}

// single returns a snapshot as if nothing else were locked.
func single(s *schema.Snapshot) (*other, error) {
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		return nil, err
	}
	o := &other{lock: lockfile.NewLock(), snapshots: map[string]*schema.Snapshot{s.Server: s}, alone: true}
	o.lock.Servers[s.Server] = locked
	return o, nil
}

// snapshotFiles lists the snapshots below a folder. It skips folders that the go command ignores, and
// the folders of Node.
func snapshotFiles(dir string) ([]string, error) {
	var out []string
	seen := 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if seen++; seen > maxEntries {
			return hint.With(fmt.Errorf("the folder %s has more than %d files", dir, maxEntries), "name the snapshot itself")
		}
		if err != nil {
			return nil // an unreadable folder holds no snapshots of mcpgen
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

// collect finds the snapshot of each locked server among files by the locked hashes. A copy elsewhere counts only
// if the output has none.
func collect(output string, lock *lockfile.Lock, files []string, read func(string) ([]byte, error)) (*other, error) {
	o := &other{lock: lock, snapshots: map[string]*schema.Snapshot{}, folders: map[string]string{}}
	inOutput := func(file string) bool { return strings.HasPrefix(file, output+"/") }
	slices.SortStableFunc(files, func(a, b string) int {
		switch {
		case inOutput(a) == inOutput(b):
			return 0
		case inOutput(a):
			return -1
		}
		return 1
	})
	for _, file := range files {
		data, err := read(file)
		if err != nil {
			return nil, err
		}
		s, err := lockfile.ParseSnapshot(data)
		if err != nil {
			continue // not a snapshot, or not readable; reported below if needed
		}
		l := lock.Servers[s.Server]
		if l == nil {
			continue
		}
		if lock.Revision != schema.ContractRevision {
			l.Rehash(s)
		}
		if o.snapshots[s.Server] == nil && len(l.Verify(s)) == 0 {
			o.snapshots[s.Server], o.folders[s.Server] = s, path.Dir(file)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(lock.Servers)) {
		if o.snapshots[name] == nil {
			errs = append(errs, hint.With(fmt.Errorf("the folder has no snapshot.json for the server %q of the lock", name), "name another revision or file"))
		}
	}
	return o, errors.Join(errs...)
}

// fromGit reads the lock and the snapshots of a commit.
func (w *Workspace) fromGit(ctx context.Context, revision string) (*other, error) {
	id, err := w.commit(ctx, revision)
	if err != nil {
		return nil, err
	}
	data, err := w.lockOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return w.fromCommit(ctx, id, data)
}

// commit returns the id of a revision. If the revision is missing, the error says how to get it.
func (w *Workspace) commit(ctx context.Context, revision string) (string, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return "", hint.New("no such file; it may be a git revision, but git was not found", "install git", "name a file")
	}
	commit, err := w.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", hint.With(fmt.Errorf("neither a file nor a git revision (%w)", err),
			append(w.fetching(ctx, revision), "name a lock or a snapshot", "name a branch, tag or commit that was fetched")...)
	}
	return strings.TrimSpace(string(commit)), nil
}

// fetching returns a command that gets a revision, if its name allows one.
func (w *Workspace) fetching(ctx context.Context, revision string) []string {
	if !fetchable.MatchString(revision) {
		return nil
	}
	remotes, _ := w.Git(ctx, "remote") // no remotes if it fails
	names := strings.Fields(string(remotes))
	if len(names) == 0 {
		return nil
	}
	remote, branch := names[0], revision
	if slices.Contains(names, "origin") {
		remote = "origin"
	}
	if first, rest, ok := strings.Cut(revision, "/"); ok && slices.Contains(names, first) {
		remote, branch = first, rest
	}
	fetched, ref := remote+"/"+branch, revision // the objects of a commit are enough
	if !isHash.MatchString(revision) {
		if fetched != revision {
			if _, err := w.commit(ctx, fetched); err == nil {
				return []string{"name the fetched branch: --against " + fetched}
			}
		}
		ref = "+refs/heads/" + branch + ":refs/remotes/" + fetched
	}
	step := "fetch it: git fetch "
	if shallow, _ := w.Git(ctx, "rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
		step += "--depth=1 "
	}
	if step += remote + " " + ref; ref != revision && fetched != revision {
		step += ", then name the branch: --against " + fetched
	}
	return []string{step}
}

// isHash matches the names of commits.
var isHash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// fetchable matches names of branches, tags and commits that need no quotes.
var fetchable = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)

// errNoLock is the error of a commit without a lock.
var errNoLock = errors.New("the revision has no " + LockName)

// lockOf reads the lock of a commit.
func (w *Workspace) lockOf(ctx context.Context, id string) ([]byte, error) {
	entry, err := w.Git(ctx, "ls-tree", "-z", "--name-only", id, "--", LockName)
	if err != nil {
		return nil, err
	}
	if len(entry) == 0 {
		return nil, hint.With(errNoLock, "name one that has it")
	}
	return w.Git(ctx, "cat-file", "blob", id+":./"+LockName)
}

// fromCommit reads the snapshots of a commit whose lock was read.
func (w *Workspace) fromCommit(ctx context.Context, id string, data []byte) (*other, error) {
	listing, err := w.Git(ctx, "ls-tree", "-r", "-z", "--name-only", id, "--", ".")
	if err != nil {
		return nil, err
	}
	var files []string
	for name := range strings.SplitSeq(string(listing), "\x00") {
		if path.Base(name) == "snapshot.json" {
			files = append(files, name)
		}
	}
	lock, err := lockfile.ParseLock(data)
	if err != nil {
		return nil, inFile(LockName, err)
	}
	o, err := collect(w.Project.Output, lock, files, func(name string) ([]byte, error) { return w.Git(ctx, "cat-file", "blob", id+":./"+name) })
	if o != nil {
		o.commit = id
	}
	return o, err
}

// Git runs git in the project's folder and returns its output. It does not fetch, lock or prompt.
func (w *Workspace) Git(ctx context.Context, args ...string) ([]byte, error) {
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
		err = fmt.Errorf("git %s: %w", args[0], err)
		if text := strings.TrimSpace(problems.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return nil, err
	}
	return data, nil
}
