// Package locks reads what is locked: in a project, in another commit with the git program, or in another file.
// It starts no server and fetches nothing.
package locks

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
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// LockName is the name of the lock, in the folder of the configuration.
const Name = "mcpgen.lock"

// Limits of what is read from elsewhere.
const (
	maxSearched  = 20       // commits, for what they have locked
	maxGitOutput = 64 << 20 // bytes of one file or listing
	maxEntries   = 200_000  // visited files and folders
)

// Other is a lock from elsewhere, with its snapshots.
type Other struct {
	Lock      *lockfile.Lock
	Snapshots map[string]*schema.Snapshot
	Folders   map[string]string // slash paths of the packages, relative to the lock
	Commit    string            // "" for files
	Alone     bool              // a single snapshot without a lock
	Same      bool              // the lock equals the project's, so nothing was read
}

// Elsewhere reads a file if where names one, else a git revision.
func Elsewhere(ctx context.Context, root, output string, tree *generator.Tree, where string) (*Other, error) {
	if file := fileOf(where); file != "" {
		return fromFile(root, output, tree, file)
	}
	return At(ctx, root, output, where)
}

// Base reads the base of a branch. If that is a commit with the same lock, nothing else is read; without a
// lock, nothing was locked there. If the branch moved the project, the lock is in another folder there.
func Base(ctx context.Context, root, output string, tree *generator.Tree, where string) (*Other, error) {
	if fileOf(where) != "" {
		return Elsewhere(ctx, root, output, tree, where)
	}
	id, err := commitOf(ctx, root, where)
	if err != nil {
		return nil, err
	}
	folder := here
	then, err := lockOf(ctx, root, id)
	if errors.Is(err, errNoLock) {
		folder, err = movedFrom(ctx, root, id)
		if errors.Is(err, errNoLock) {
			return &Other{Commit: id, Lock: lockfile.NewLock()}, nil
		}
		if err == nil {
			then, err = Git(ctx, root, "cat-file", "blob", id+":"+folder+Name)
		}
	}
	if err != nil {
		return nil, err
	}
	if now, err := tree.ReadFile(Name); err == nil && bytes.Equal(then, now) {
		return &Other{Commit: id, Same: true}, nil
	}
	return fromCommit(ctx, root, output, id, folder, then)
}

// movedFrom returns the folder of a commit whose lock is gone now, with a slash at its end unless it is the
// root. The error is errNoLock if no lock is gone.
func movedFrom(ctx context.Context, root, id string) (string, error) {
	listed, err := Git(ctx, root, "diff", "--no-ext-diff", "--no-renames", "--name-only", "--diff-filter=D", "-z",
		id, "--", ":(top,glob)**/"+Name)
	if err != nil {
		return "", err
	}
	if len(listed) == 0 {
		return "", errNoLock
	}
	gone := strings.Split(strings.TrimSuffix(string(listed), "\x00"), "\x00")
	if len(gone) > 1 {
		return "", hint.With(fmt.Errorf("the revision has no %s in this folder, and several that are gone now: %s",
			Name, safetext.Words(strings.Join(gone, ", "), 400)),
			"move one project at a time", "name a revision after the move")
	}
	return strings.TrimSuffix(gone[0], Name), nil
}

// fileOf returns the file that a text names, or the lock in a folder; "" if there is none.
func fileOf(where string) string {
	if info, err := os.Stat(where); err == nil && info.IsDir() {
		where = filepath.Join(where, Name)
	}
	if info, err := os.Stat(where); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return where
}

// fromFile reads a lock with the snapshots below its folder, or one snapshot.
func fromFile(root, output string, tree *generator.Tree, file string) (*Other, error) {
	dir := filepath.Dir(file)
	abs, err := filepath.Abs(dir)
	own := err == nil && abs == root // the project's own files are read through its tree
	read := func(name string) ([]byte, error) {
		if own && slices.Contains(tree.Files(), name) {
			return tree.ReadFile(name)
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
		if path.Base(filepath.ToSlash(file)) != Name {
			return nil, fmt.Errorf("neither a snapshot (%w) nor a lock (%w)", err, lockErr)
		}
		return nil, lockErr
	}
	files, err := snapshotFiles(dir)
	if own {
		for _, file := range PackageFiles(tree, output, "snapshot.json") {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return collect(output, lock, files, read)
}

// single returns a snapshot as if nothing else were locked.
func single(s *schema.Snapshot) (*Other, error) {
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		return nil, err
	}
	o := &Other{Lock: lockfile.NewLock(), Snapshots: map[string]*schema.Snapshot{s.Server: s}, Alone: true}
	o.Lock.Servers[s.Server] = locked
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
		foreign := slices.Contains([]string{"node_modules", "vendor", "testdata"}, name)
		if d.IsDir() && p != dir && (foreign || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
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
func collect(output string, lock *lockfile.Lock, files []string, read func(string) ([]byte, error)) (*Other, error) {
	o := &Other{Lock: lock, Snapshots: map[string]*schema.Snapshot{}, Folders: map[string]string{}}
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
		if o.Snapshots[s.Server] == nil && len(l.Verify(s)) == 0 {
			o.Snapshots[s.Server], o.Folders[s.Server] = s, path.Dir(file)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(lock.Servers)) {
		if o.Snapshots[name] == nil {
			errs = append(errs, hint.With(fmt.Errorf("the folder has no snapshot.json for the server %q of the lock", name),
				"name another revision or file"))
		}
	}
	return o, errors.Join(errs...)
}

// At reads the lock and the snapshots of a git revision.
func At(ctx context.Context, root, output, revision string) (*Other, error) {
	id, err := commitOf(ctx, root, revision)
	if err != nil {
		return nil, err
	}
	data, err := lockOf(ctx, root, id)
	if err != nil {
		return nil, err
	}
	return fromCommit(ctx, root, output, id, here, data)
}

// here is the project's folder, as git names it.
const here = "./"

// commitOf returns the id of a revision. If the revision is missing, the error says how to get it.
func commitOf(ctx context.Context, root, revision string) (string, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return "", hint.New("no such file; it may be a git revision, but git was not found", "install git", "name a file")
	}
	commit, err := Git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", hint.With(fmt.Errorf("neither a file nor a git revision (%w)", err),
			append(fetching(ctx, root, revision), "name a lock or a snapshot",
				"name a branch, tag or commit that was fetched")...)
	}
	return strings.TrimSpace(string(commit)), nil
}

// fetching returns a command that gets a revision, if its name allows one.
func fetching(ctx context.Context, root, revision string) []string {
	if !fetchable.MatchString(revision) {
		return nil
	}
	remotes, _ := Git(ctx, root, "remote") // no remotes if it fails
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
			if _, err := commitOf(ctx, root, fetched); err == nil {
				return []string{"name the fetched branch: --against " + fetched}
			}
		}
		ref = "+refs/heads/" + branch + ":refs/remotes/" + fetched
	}
	step := "fetch it: git fetch "
	if shallow, _ := Git(ctx, root, "rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
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
var errNoLock = errors.New("the revision has no " + Name)

// lockOf reads the lock of a commit.
func lockOf(ctx context.Context, root, id string) ([]byte, error) {
	entry, err := Git(ctx, root, "ls-tree", "-z", "--name-only", id, "--", Name)
	if err != nil {
		return nil, err
	}
	if len(entry) == 0 {
		return nil, hint.With(errNoLock, "name one that has it")
	}
	return Git(ctx, root, "cat-file", "blob", id+":"+here+Name)
}

// fromCommit reads the snapshots below the folder of a commit whose lock was read.
func fromCommit(ctx context.Context, root, output, id, folder string, data []byte) (*Other, error) {
	listing, err := Git(ctx, root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", id+":"+folder)
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
		return nil, InFile(Name, err)
	}
	o, err := collect(output, lock, files, func(name string) ([]byte, error) {
		return Git(ctx, root, "cat-file", "blob", id+":"+folder+name)
	})
	if o != nil {
		o.Commit = id
	}
	return o, err
}

// gitEnviron returns the environment without what git sets for hooks: it is about the folder that git
// was started in. With GIT_WORK_TREE, the user names a repository and its folder.
func gitEnviron() []string {
	all := os.Environ()
	if os.Getenv("GIT_WORK_TREE") != "" {
		return all
	}
	return slices.DeleteFunc(all, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
}

// Git runs git in a folder and returns its output. It does not fetch, lock or prompt.
func Git(ctx context.Context, root string, args ...string) ([]byte, error) {
	plain := []string{"-c", "diff.relative=false", "-c", "log.showSignature=false"}
	cmd := exec.CommandContext(ctx, "git", append(plain, args...)...)
	cmd.Dir = root
	cmd.Env = append(gitEnviron(), "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
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

// CommitsOf returns the ids of the commits that changed a file, the latest first. The options choose the
// history. The result is empty without git.
func CommitsOf(ctx context.Context, root, file string, options ...string) []string {
	args := append([]string{"log", "--format=%H", "--max-count=" + strconv.Itoa(maxSearched)}, options...)
	out, err := Git(ctx, root, append(args, "--", file)...)
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// RenamedServers returns the earlier names of servers that have another name in a later lock: one server is new, one
// is gone, and both start in the same way.
func RenamedServers(from, to *lockfile.Lock) map[string]string {
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

// Rename gives each server that has another name in a later lock that name.
func (o *Other) Rename(now *lockfile.Lock) {
	for is, was := range RenamedServers(o.Lock, now) {
		l, s := o.Lock.Servers[was], o.Snapshots[was]
		s.Server = is
		l.Rehash(s) // keys are about the name
		o.Lock.Servers[is], o.Snapshots[is], o.Folders[is] = l, s, o.Folders[was]
		delete(o.Lock.Servers, was)
		delete(o.Snapshots, was)
		delete(o.Folders, was)
	}
}

// OutputBefore returns the folder that contained the packages then, if it is another one now; else "".
func (o *Other) OutputBefore(output string) string {
	for _, name := range slices.Sorted(maps.Keys(o.Folders)) {
		if folder := path.Dir(o.Folders[name]); folder != output {
			return folder
		}
	}
	return ""
}

// PackageFiles returns the files called name in the folders of the packages, as slash paths relative to
// the root.
func PackageFiles(tree *generator.Tree, output, name string) []string {
	var out []string
	for _, file := range tree.Files() {
		if folder, base := path.Split(file); base == name && path.Dir(path.Clean(folder)) == output {
			out = append(out, file)
		}
	}
	return out
}

// ParseSnapshot reads a snapshot.
func ParseSnapshot(tree *generator.Tree, rel string) (*schema.Snapshot, error) {
	data, err := tree.ReadFile(rel)
	if err != nil {
		return nil, err
	}
	return lockfile.ParseSnapshot(data)
}

// InFile prefixes an error, which may begin with line and column, with the name of a file.
func InFile(file string, err error) error {
	separator := ": "
	if at, ok := errors.AsType[*schema.Error](err); ok && at.Line > 0 && strings.HasPrefix(err.Error(), at.Error()) {
		separator = ":"
	}
	return fmt.Errorf("%s%s%w", file, separator, err)
}
