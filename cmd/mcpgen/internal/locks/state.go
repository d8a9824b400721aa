package locks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// State is the locked state of a project as read: the lock, the snapshots and the generated files.
type State struct {
	Project  *config.Project
	Root     string   // absolute folder of the configuration
	Place    string   // the configuration, or what is used in its place, for messages
	Borrowed bool     // the servers come from elsewhere than the project's configuration
	Only     []string // names of the selected servers; nil: all
	OnlyBy   string   // the flag or the variables that set Only, for messages
	Lock     *lockfile.Lock
	Locked   bool              // a lock file exists
	Tree     *generator.Tree   // lock and output
	Packages map[string]string // Go packages by server
	Formerly map[string]string // locked names of servers that have another name now

	absent   map[string]string           // why locked servers are not usable here: see [State.findAbsent]
	removed  string                      // an absent server to drop
	restored map[string]*schema.Snapshot // locked snapshots by server, where the package has another: see [State.Restore]
}

// NewState returns the state of a project before anything is read.
func NewState(project *config.Project, root string) *State {
	return &State{Project: project, Root: root, absent: map[string]string{}, restored: map[string]*schema.Snapshot{}}
}

// Names returns the names of all enabled servers.
func (st *State) Names() []string { return ServerNames(st.Project.Servers) }

// Selected returns the enabled servers that --servers selects.
func (st *State) Selected() []endpoint.Server {
	servers, _ := st.Project.Only(st.Only)
	return slices.Clone(servers)
}

// Unlocked returns the selected servers that are missing in the lock.
func (st *State) Unlocked() []endpoint.Server {
	return slices.DeleteFunc(st.Selected(), func(s endpoint.Server) bool { return st.Lock.Servers[s.Name] != nil })
}

// Scope returns the flag or the variables that select servers, with the names.
func (st *State) Scope() string { return st.OnlyBy + " " + strings.Join(st.Only, ",") }

// Targets returns the selected servers with these names, sorted by name; without names, all of them.
func (st *State) Targets(names []string) ([]endpoint.Server, error) {
	if len(names) == 0 {
		return st.Selected(), nil
	}
	var errs []error
	for _, name := range names {
		switch {
		case st.Absent(name) != "":
			errs = append(errs, st.NotHere(name))
		case !slices.Contains(st.Names(), name):
			configured := cmp.Or(strings.Join(st.Names(), ", "), "none")
			err := fmt.Errorf("%s: no enabled server is called %q; configured: %s", st.Place, name, configured)
			errs = append(errs, hint.With(err, nearest.Question(name, st.Names())))
		case !st.InScope(name):
			errs = append(errs, fmt.Errorf("%q was requested, but %s leaves this server out", name, st.Scope()))
		}
	}
	out, _ := st.Project.Only(names)
	slices.SortFunc(out, func(a, b endpoint.Server) int { return cmp.Compare(a.Name, b.Name) })
	return out, errors.Join(errs...)
}

// InScope reports whether --servers selects a server, configured or not.
func (st *State) InScope(name string) bool { return st.Only == nil || slices.Contains(st.Only, name) }

// Configured reports whether the configuration has the server, enabled or not.
func (st *State) Configured(name string) bool {
	return slices.Contains(st.Names(), name) || slices.Contains(st.Project.Disabled, name)
}

// Read reads the lock and the generated files, in a consistent state.
func (st *State) Read(ctx context.Context, con *console.Console) (err error) {
	if st.Tree, err = ReadTree(ctx, st.Project, st.Root); err != nil {
		return err
	}
	st.Lock, st.Locked = lockfile.NewLock(), false
	st.namePackages()
	data, err := st.Tree.ReadFile(Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	lock, err := lockfile.ParseLock(data)
	if err == nil {
		err = generator.CheckLock(lock)
		for _, one := range exit.Flatten(err) {
			if e, ok := errors.AsType[*schema.Error](one); ok {
				lockfile.Locate(data, e)
			}
		}
	}
	if err != nil {
		return InFile(Name, err)
	}
	st.Lock, st.Locked = lock, true
	if st.Borrowed {
		st.keepOwn(con)
	}
	st.findAbsent()
	st.followNames(con)
	st.namePackages()
	if lock.Revision != schema.ContractRevision {
		st.rehash()
	}
	return nil
}

// ReadTree reads the lock and the generated files of a project.
func ReadTree(ctx context.Context, project *config.Project, root string) (*generator.Tree, error) {
	return generator.ReadTree(ctx, root, Name, project.Output)
}

// rehash converts a lock of an older version to the current contract hashes, in memory; generate writes
// it. A server whose snapshot cannot be read stays unchanged, and generate and check report it.
func (st *State) rehash() {
	for name, locked := range st.Lock.Servers {
		if s, err := st.Snapshot(name); err == nil {
			locked.Rehash(s)
		}
	}
	st.Lock.Revision = schema.ContractRevision
}

// RequireLock fails if there is no lock yet.
func (st *State) RequireLock() error {
	if st.Locked {
		return nil
	}
	where := "in " + st.Root
	if st.Project.Path != "" {
		where = "beside " + st.Project.Path
	}
	return hint.With(fmt.Errorf("%s: not found %s", Name, where), "run mcpgen generate")
}

// LockedSnapshots reads the snapshots of the selected servers that are locked. A snapshot that differs from
// the lock is an error.
func (st *State) LockedSnapshots() (map[string]*schema.Snapshot, error) {
	out := map[string]*schema.Snapshot{}
	var errs []error
	for _, server := range st.Selected() {
		if st.Lock.Servers[server.Name] == nil {
			continue
		}
		s, err := st.Snapshot(server.Name)
		if err == nil && len(st.Lock.Servers[server.Name].Verify(s)) > 0 {
			err = hint.With(fmt.Errorf("%s: it differs from %s", st.SnapshotPath(server.Name), Name),
				"restore the file with git checkout", "run mcpgen update "+hint.Word(server.Name))
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out[server.Name] = s
	}
	return out, errors.Join(errs...)
}

// Snapshot reads the snapshot of a server, if necessary from the old folder of a renamed package.
func (st *State) Snapshot(name string) (*schema.Snapshot, error) {
	if s := st.restored[name]; s != nil {
		return s, nil
	}
	rel := st.SnapshotPath(name)
	restore, update := "restore the file with git checkout", "run mcpgen update "+hint.Word(name)
	s, err := ParseSnapshot(st.Tree, rel)
	if errors.Is(err, fs.ErrNotExist) {
		if _, s := st.PackageOf(name); s != nil {
			return s, nil
		}
		pull := ""
		if l := st.Lock.Servers[name]; l != nil && l.Store != "" {
			pull = "run mcpgen pull " + hint.Word(name)
		}
		move := "if the key output has changed, move its old folder to " + hint.Word(st.Project.Output)
		return nil, hint.With(fmt.Errorf("%s: the snapshot of %q is missing, but the lock refers to it", rel, name),
			restore, pull, move+", and run this again", update)
	}
	if err != nil {
		return nil, InFile(rel, err)
	}
	if s.Server != name {
		err = fmt.Errorf("%s is the snapshot of %q, want the snapshot of %q", rel, s.Server, name)
		return nil, hint.With(err, restore, update)
	}
	return s, nil
}

// SnapshotPath returns the slash path of a server's snapshot relative to the root.
func (st *State) SnapshotPath(name string) string {
	return st.Project.Output + "/" + st.Packages[name] + "/snapshot.json"
}

// ObservedPath returns the path for a server's observed.json.
func (st *State) ObservedPath(name string) string {
	return path.Join(path.Dir(st.SnapshotPath(name)), "observed.json")
}

// TreePath returns the path for the dependency tree of a server.
func (st *State) TreePath(name string) string {
	return path.Join(path.Dir(st.SnapshotPath(name)), artifact.TreeFile)
}

// PackageOf finds the package of a server that may not be configured. It returns the package's name, ""
// if there is none, and its snapshot, nil if it cannot be read.
func (st *State) PackageOf(name string) (string, *schema.Snapshot) {
	own := st.SnapshotPath(name)
	for _, file := range append([]string{own}, PackageFiles(st.Tree, st.Project.Output, "snapshot.json")...) {
		if s, err := ParseSnapshot(st.Tree, file); err == nil && s.Server == name {
			return path.Base(path.Dir(file)), s
		}
	}
	folder := st.Packages[name]
	if folder == "" {
		folder = gopkg.Of(name)
	}
	if st.Tree.Ours(path.Join(st.Project.Output, folder, folder+".go")) {
		return folder, nil
	}
	return "", nil
}

// Accepted reads the snapshot that a server's lock was made from. The error is the user's side: the
// snapshot is missing, or differs from the lock.
func (st *State) Accepted(name string) (*schema.Snapshot, error) {
	s, err := st.Snapshot(name)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, d := range st.Lock.Servers[name].Verify(s) {
		errs = append(errs, hint.With(fmt.Errorf("%s: %s %q differs from %s", st.SnapshotPath(name), d.Kind, d.Name, Name),
			"restore both with git checkout", "run mcpgen update "+hint.Word(name)))
	}
	return s, errors.Join(errs...)
}

// OldSnapshot returns the snapshot that a server's lock was made from, also a restored one, or nil if it
// is missing or was modified.
func (st *State) OldSnapshot(name string) *schema.Snapshot {
	if st.Lock.Servers[name] == nil {
		return nil
	}
	if s := st.restored[name]; s != nil {
		return s
	}
	s, err := st.Accepted(name)
	if err != nil {
		return nil
	}
	return s
}

// Signable returns the lock, and the hashes of the snapshots of its servers by their paths.
func (st *State) Signable() ([]byte, map[string]string, error) {
	data, err := st.Tree.ReadFile(Name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", Name, err)
	}
	files := map[string]string{}
	for name := range st.Lock.Servers {
		path := st.SnapshotPath(name)
		text, err := st.Tree.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			_, err = st.Snapshot(name) // its error has the next step
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		files[path] = provenance.Hash(regular.WithLF(text))
	}
	return regular.WithLF(data), files, nil
}

// namePackages assigns each server its Go package. Locked servers keep theirs, and so do those with a
// configured package. Other servers that request the same package get a suffix each.
func (st *State) namePackages() {
	st.Packages = map[string]string{}
	holds, asks := map[string]bool{}, map[string]int{}
	var free []string
	for _, name := range slices.Sorted(maps.Keys(st.Project.Build)) {
		b, l := st.Project.Build[name], st.Lock.Servers[name]
		switch {
		case b.Given, l != nil && generator.PinnedServer(l).Package == "":
			st.Packages[name] = b.Package
		case l != nil:
			st.Packages[name] = generator.PinnedServer(l).Package
		default:
			free = append(free, name)
			asks[b.Package]++
			continue
		}
		holds[st.Packages[name]] = true
	}
	for _, name := range free {
		base := st.Project.Build[name].Package
		sum := sha256.Sum256([]byte(name))
		got := base
		for n := 8; holds[got] || asks[got] > 1 || got != base && asks[got] > 0; n += 8 {
			got = base[:min(len(base), 64-40)] + hex.EncodeToString(sum[:])[:min(n, 40)]
			if n > 40 {
				break // only a forged lock can hold all of them; generate then reports both
			}
		}
		st.Packages[name] = got
	}
}

// Suffixed reports whether a server's package got another name than requested.
func (st *State) Suffixed(server string) bool {
	b := st.Project.Build[server]
	return !b.Given && b.Package != st.Packages[server]
}

// keepOwn removes lock entries of other servers that have the same names as servers of --mcp. A
// server is the locked one if it has the locked launch, or if mcpgen.yaml has it from the same file: then
// a changed launch must be accepted before it is started. Without an mcpgen.yaml next to the lock, the
// lock belongs to the servers of --mcp.
func (st *State) keepOwn(con *console.Console) {
	path, err := config.Find(st.Root)
	if err != nil || filepath.Dir(path) != st.Root {
		return
	}
	env, err := live.Environment()
	if err != nil {
		return
	}
	own, _ := env.Load(path)
	if own == nil {
		return // its servers are unknown, so the lock counts
	}
	for _, s := range st.Project.Servers {
		owned := slices.ContainsFunc(own.Definitions, func(d config.Definition) bool {
			return d.Server.Name == s.Name && samePath(st.Root, d.Server.Source.Path, s.Source.Path)
		})
		l := st.Lock.Servers[s.Name]
		if owned || l == nil {
			continue
		}
		if _, same := config.SameLaunch(l.Launch, s, st.Root); same {
			continue
		}
		delete(st.Lock.Servers, s.Name)
		con.Note("%sserver %q: differs from the server of the same name in %s, so it is not compared with %s",
			s.Source.Prefix(), s.Name, filepath.Base(path), Name)
	}
}

// samePath compares paths as written in sources.
func samePath(root, a, b string) bool {
	abs := func(path string) string {
		if filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
		return filepath.Join(root, path)
	}
	return abs(a) == abs(b)
}

// ServerNames returns the names of servers.
func ServerNames(servers []endpoint.Server) []string {
	names := make([]string, len(servers))
	for i, s := range servers {
		names[i] = s.Name
	}
	return names
}

// CachePath returns the path of a file of this project in the user's cache folder.
func CachePath(project *config.Project, root, what string) (string, error) {
	cache, err := os.UserCacheDir()
	sum := sha256.Sum256([]byte(project.Path + "\x00" + root))
	return filepath.Join(cache, "mcpgen", what+"-"+hex.EncodeToString(sum[:12])), err
}

// The state that the last update, or a generate that moved a package, replaced is kept, so that fix can update code
// even if no commit has that state.

// KeepReplaced stores the lock and snapshots that were read if packages were renamed, which it reports,
// and after an update also if the lock on disk has changed. Failures are only logged.
func (st *State) KeepReplaced(con *console.Console, updated bool) (moved bool) {
	before, err := st.Tree.ReadFile(Name)
	if err != nil {
		return false // there was none
	}
	now, err := os.ReadFile(filepath.Join(st.Root, Name))
	same := err == nil && bytes.Equal(before, now)
	// If servers were removed, the lock differs, and code cannot follow.
	if moved = same && st.leftFolder(); moved || updated && err == nil && !same {
		err = st.copyReplaced()
	}
	if err != nil {
		con.Detail("the replaced lock could not be kept for mcpgen fix: %v", err)
	}
	return moved
}

func (st *State) copyReplaced() error {
	dir, err := CachePath(st.Project, st.Root, "replaced")
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range append(PackageFiles(st.Tree, st.Project.Output, "snapshot.json"), Name) {
		data, err := st.Tree.ReadFile(name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// leftFolder reports whether a package that was read no longer exists.
func (st *State) leftFolder() bool {
	return slices.ContainsFunc(PackageFiles(st.Tree, st.Project.Output, "snapshot.json"), func(name string) bool {
		_, err := os.Lstat(filepath.Join(st.Root, filepath.FromSlash(name)))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// Replaced reads the stored state; nil if there is none.
func (st *State) Replaced() *Other {
	dir, err := CachePath(st.Project, st.Root, "replaced")
	if err != nil {
		return nil
	}
	o, err := fromFile(st.Root, st.Project.Output, st.Tree, filepath.Join(dir, Name))
	if err != nil {
		return nil
	}
	return o
}
