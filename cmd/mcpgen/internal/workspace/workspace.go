// Package workspace combines what the commands need: the configuration, the lock, the snapshots and the
// generated files of one project, and the live servers. It prints nothing except through its console.
package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// LockName is the name of the lock, in the folder of the configuration.
const LockName = "mcpgen.lock"

// Options say which project to open.
type Options struct {
	Config  string          // configuration file; "" searches upwards from the working directory
	MCP     []string        // server files, directories or systems, in place of a configuration
	Command string          // as typed: if no configuration is found, its spelling may identify a system
	Only    []string        // only these servers are used; nil: all
	OnlyBy  string          // the flag or the variables that set Only, for messages
	Typed   bool            // Only is from a flag, so unknown names are an error
	Profile string          // name of a profile, whose servers replace Only, unless that is Typed; "" is none
	Version string          // sent to servers
	Timeout time.Duration   // the user's limit for the command, which servers may use up; 0: not set
	Strict  bool            // a warning about the configuration is an error
	Partly  bool            // unreadable server files only exclude their servers; the command reports them when it ends
	Line    []string        // the command line after the program's name, for hints
	Signed  Signatures      // required by the command
	Write   bool            // the command writes, so an interrupted write is also repaired on disk
	Edits   []*editing.Edit // pending changes of configurations, which are written with lock and code
	Console *console.Console
}

// Workspace is one open project.
type Workspace struct {
	Project *config.Project
	Root    string // absolute folder of the configuration
	Lock    *lockfile.Lock
	Locked  bool // a lock file exists

	Options  Options
	tree     *generator.Tree   // lock and output as read
	only     []string          // names of the selected servers; nil: all
	packages map[string]string // Go packages by server

	absent  map[string]string // locked servers that are not usable here, with the reason; see [Workspace.findAbsent]
	removed string            // an absent server to drop

	given map[string]*given // result schemas by server, read on demand

	restored map[string]*schema.Snapshot // locked snapshots by server, where the package has another: see [Workspace.restore]
	formerly map[string]string           // locked names of servers that have another name now

	system string // the system whose files are used because its spelling of a command was typed; "" means none
	partly error  // errors of ignored files, under Options.Partly; nil means none
}

// Open reads the configuration, the lock and the generated files. If a run was killed while writing, the
// files are read in their state before that run; only under Options.Write they are also repaired on disk.
// Errors are the user's side.
func Open(ctx context.Context, opts Options) (*Workspace, error) {
	project, system, err := load(ctx, opts)
	var partly error
	if e, ok := errors.AsType[*config.PartialError](err); ok {
		project = e.Project
		if err = withoutAbsent(ctx, e); opts.Partly {
			partly, err = err, nil
		}
	}
	if err != nil {
		opts.warn(project)
		return nil, err
	}
	if opts.Strict {
		if err := project.Strict(); err != nil {
			return nil, err
		}
	}
	opts.warn(project)
	if opts.Partly && len(opts.MCP) > 0 && len(project.Definitions) == 0 {
		return nil, errors.Join(partly, hint.With(fmt.Errorf("--mcp %s: none of these files defines a server, so there is nothing to write", strings.Join(opts.MCP, ",")), "name a file with servers"))
	}
	root, err := filepath.Abs(project.Dir)
	if err != nil {
		return nil, err
	}
	if opts.Write {
		if err := generator.Recover(ctx, root); err != nil {
			return nil, err
		}
	}
	if err := opts.chooseProfile(project); err != nil {
		return nil, err
	}
	w := &Workspace{Project: project, Root: root, Options: opts, only: opts.Only, system: system, partly: partly}
	if err := cmp.Or(opts.checkOnly(project), w.someSelected()); err != nil {
		return nil, errors.Join(partly, err)
	}
	return w, w.Reread(ctx)
}

// warn prints the notices of a configuration. A nil project has none.
func (o *Options) warn(project *config.Project) {
	if project == nil {
		return
	}
	for _, n := range project.Notices {
		o.Console.Warn("%v", n.Err())
	}
}

// Reread reads the lock and the generated files, in a consistent state.
func (w *Workspace) Reread(ctx context.Context) error {
	tree, err := readTree(ctx, w.Project, w.Root)
	if err != nil {
		return err
	}
	w.tree, w.given = tree, map[string]*given{}
	return w.readLock(ctx)
}

func readTree(ctx context.Context, project *config.Project, root string) (*generator.Tree, error) {
	return generator.ReadTree(ctx, root, LockName, project.Output)
}

// load reads what the options name: --mcp files, a configuration, or the one found from the working
// directory. Otherwise it reads the files of the system with this spelling of the command, and returns
// the system's name.
func load(ctx context.Context, opts Options) (*config.Project, string, error) {
	if opts.Config != "" && len(opts.MCP) > 0 {
		return nil, "", hint.New("--config and --mcp exclude each other", "pass one of them")
	}
	env, err := live.Environment()
	if err != nil {
		return nil, "", err
	}
	if len(opts.MCP) > 0 {
		p, err := env.LoadServers(opts.MCP...)
		return p, "", err
	}
	path := opts.Config
	if path == "" {
		found, err := config.Find(".")
		if errors.Is(err, config.ErrNotFound) {
			if system, files := config.FindSystem(env, opts.Command); system != "" {
				opts.Console.Note("no mcpgen.yaml here: %q is a command of %s, so mcpgen reads the server files of that system: %s", opts.Command, system, orNone(strings.Join(files, ", ")))
				p, err := config.Search(env, system)
				return p, system, err
			}
			return nil, "", elsewhere(env, opts.Line, err)
		}
		if err != nil {
			return nil, "", err
		}
		path = found
	}
	if opts.Write {
		if err := generator.Recover(ctx, filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, "", err
		}
	}
	edits := opts.Edits
	if tree, err := generator.ReadTree(ctx, filepath.Dir(path), filepath.Base(path)); err == nil && len(edits) == 0 {
		if before, err := tree.ReadFile(filepath.Base(path)); err == nil { // the lock is in its earlier state too
			edits = []*editing.Edit{{Path: editing.RealPath(path), After: before}}
		}
	}
	if len(edits) > 0 {
		env.Read = editing.Reader(edits)
	}
	p, err := env.Load(path)
	return p, "", err
}

// System returns the other system whose files are used, because no configuration was named or found and
// the command was typed in that system's spelling; "" means none.
func (w *Workspace) System() string { return w.system }

// elsewhere returns the error for a project without a configuration. If there are server files of other
// programs, it names them with the command lines that use them. They are not used directly, since they
// start programs and the user has not named them.
func elsewhere(env config.Environment, line []string, notFound error) error {
	steps := []string{"import the server files of other programs on this machine: mcpgen init"}
	for _, f := range config.Discover(env) {
		if f.Scope != "project" {
			continue
		}
		path := f.Path
		if rel, err := filepath.Rel(env.Dir, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		name := path // of a system without a profile, its name alone does not use the file
		if f.Profile {
			name = f.Format
		}
		command := "mcpgen --mcp " + hint.Word(name)
		for _, word := range line {
			command += " " + hint.Word(word)
		}
		steps = append(steps, "use "+path+": "+command)
	}
	if len(steps) == 1 {
		return notFound
	}
	return hint.With(fmt.Errorf("%w in %s", config.ErrNotFound, env.Dir), steps...)
}

// chooseProfile selects the servers of the profile.
func (o *Options) chooseProfile(project *config.Project) error {
	of, err := ProfileOf(project, o.Profile)
	if o.Profile != "" && !o.Typed {
		o.Only, o.OnlyBy = of.Servers, "--profile "+o.Profile
	}
	return err
}

// ProfileOf returns a profile of the configuration; "" is everything.
func ProfileOf(project *config.Project, name string) (policy.Profile, error) {
	of, ok := project.Profiles[name]
	if known := slices.Sorted(maps.Keys(project.Profiles)); !ok && name != "" {
		return of, hint.With(fmt.Errorf("--profile: there is no profile %q; configured: %s", name, orNone(strings.Join(known, ", "))), nearest.Question(name, known))
	}
	return of, nil
}

// checkOnly reports the servers of Only that are not configured. For a flag they are errors. A variable
// may name servers of other projects, so for variables they are warnings, unless no named server is
// configured.
func (o *Options) checkOnly(project *config.Project) error {
	_, unknown := project.Only(o.Only)
	names := ServerNames(project.Servers)
	var errs []error
	for _, name := range unknown {
		err := hint.With(fmt.Errorf("%s: no server is called %q; configured: %s", o.OnlyBy, name, orNone(strings.Join(names, ", "))), nearest.Question(name, names))
		if o.Typed {
			errs = append(errs, err)
		} else {
			o.Console.Warn("%v", err)
		}
	}
	if len(errs) == 0 && len(unknown) > 0 && len(unknown) == len(o.Only) {
		return o.noneSelected(names)
	}
	return errors.Join(errs...)
}

// someSelected fails if --servers selects no enabled server: a command that checks nothing must not
// report success.
func (w *Workspace) someSelected() error {
	if w.only == nil || len(w.Selected()) > 0 {
		return nil
	}
	return w.Options.noneSelected(w.Names())
}

func (o *Options) noneSelected(names []string) error {
	if len(o.Only) == 0 {
		return fmt.Errorf("%s: it names no server", o.OnlyBy)
	}
	return fmt.Errorf("%s: no enabled server has one of these names; configured: %s", o.Scope(), orNone(strings.Join(names, ", ")))
}

// Narrow selects only these servers; without names it changes nothing. A name that is not a selected
// server is an error.
func (w *Workspace) Narrow(names []string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := w.Targets(names)
	w.only = names
	return err
}

// Names returns the names of all enabled servers.
func (w *Workspace) Names() []string { return ServerNames(w.Project.Servers) }

// Selected returns the enabled servers that --servers selects.
func (w *Workspace) Selected() []endpoint.Server {
	servers, _ := w.Project.Only(w.only)
	return servers
}

// InScope reports whether --servers selects a server, configured or not.
func (w *Workspace) InScope(name string) bool { return w.only == nil || slices.Contains(w.only, name) }

// Scope returns the flag or the variables that select servers, with the names.
func (o *Options) Scope() string { return o.OnlyBy + " " + strings.Join(o.Only, ",") }

func orNone(list string) string { return cmp.Or(list, "none") }

// Configured reports whether the configuration has the server, enabled or not.
func (w *Workspace) Configured(name string) bool {
	return slices.Contains(w.Names(), name) || slices.Contains(w.Project.Disabled, name)
}

func (w *Workspace) readLock(ctx context.Context) error {
	w.Lock, w.Locked = lockfile.NewLock(), false
	w.namePackages()
	data, err := w.tree.ReadFile(LockName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", LockName, err)
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
		return inFile(LockName, err)
	}
	w.Lock, w.Locked = lock, true
	w.keepOwn()
	w.findAbsent(ctx)
	w.followNames()
	w.namePackages()
	if lock.Revision != schema.ContractRevision {
		w.rehash()
	}
	return nil
}

// rehash converts a lock of an older version to the current contract hashes, in memory; generate writes
// it. A server whose snapshot cannot be read stays unchanged, and generate and check report it.
func (w *Workspace) rehash() {
	for name, locked := range w.Lock.Servers {
		if s, err := w.Snapshot(name); err == nil {
			locked.Rehash(s)
		}
	}
	w.Lock.Revision = schema.ContractRevision
}

// RequireLock fails if there is no lock yet.
func (w *Workspace) RequireLock() error {
	if w.Locked {
		return nil
	}
	where := "in " + w.Root
	if w.Project.Path != "" {
		where = "beside " + w.Project.Path
	}
	return hint.With(fmt.Errorf("%s: not found %s", LockName, where), "run mcpgen generate")
}

// lockedSnapshots reads the snapshots of the selected servers that are locked. A snapshot that differs from
// the lock is an error.
func (w *Workspace) lockedSnapshots() (map[string]*schema.Snapshot, error) {
	out := map[string]*schema.Snapshot{}
	var errs []error
	for _, server := range w.Selected() {
		if w.Lock.Servers[server.Name] == nil {
			continue
		}
		s, err := w.Snapshot(server.Name)
		if err == nil && len(w.Lock.Servers[server.Name].Verify(s)) > 0 {
			err = hint.With(fmt.Errorf("%s: it differs from %s", w.snapshotPath(server.Name), LockName), "restore the file with git checkout", "run mcpgen update "+hint.Word(server.Name))
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
func (w *Workspace) Snapshot(name string) (*schema.Snapshot, error) {
	if s := w.restored[name]; s != nil {
		return s, nil
	}
	rel := w.snapshotPath(name)
	s, err := parseSnapshot(w.tree, rel)
	if errors.Is(err, fs.ErrNotExist) {
		if _, s := w.packageOf(name); s != nil {
			return s, nil
		}
		pull := ""
		if l := w.Lock.Servers[name]; l != nil && l.Store != "" {
			pull = "run mcpgen pull " + hint.Word(name)
		}
		return nil, hint.With(fmt.Errorf("%s: the snapshot of %q is missing, but the lock refers to it", rel, name),
			"restore the file with git checkout", pull, "if the key output has changed, move its old folder to "+hint.Word(w.Project.Output)+", and run this again", "run mcpgen update "+hint.Word(name))
	}
	if err != nil {
		return nil, inFile(rel, err)
	}
	if s.Server != name {
		return nil, hint.With(fmt.Errorf("%s is the snapshot of %q, want the snapshot of %q", rel, s.Server, name), "restore the file with git checkout", "run mcpgen update "+hint.Word(name))
	}
	return s, nil
}

func parseSnapshot(tree *generator.Tree, rel string) (*schema.Snapshot, error) {
	data, err := tree.ReadFile(rel)
	if err != nil {
		return nil, err
	}
	return lockfile.ParseSnapshot(data)
}

// packageFiles returns the files called name in the folders of the packages, as slash paths relative to
// the root.
func packageFiles(project *config.Project, tree *generator.Tree, name string) []string {
	var out []string
	for _, file := range tree.Files() {
		if folder, base := path.Split(file); base == name && path.Dir(path.Clean(folder)) == project.Output {
			out = append(out, file)
		}
	}
	return out
}

// snapshotPath returns the slash path of a server's snapshot relative to the root.
func (w *Workspace) snapshotPath(name string) string {
	return w.Project.Output + "/" + w.packages[name] + "/snapshot.json"
}

// keepOwn removes lock entries of other servers that have the same names as servers of --mcp. A
// server is the locked one if it has the locked launch, or if mcpgen.yaml has it from the same file: then
// a changed launch must be accepted before it is started. Without an mcpgen.yaml next to the lock, the
// lock belongs to the servers of --mcp.
func (w *Workspace) keepOwn() {
	if len(w.Options.MCP) == 0 || !w.Locked {
		return
	}
	path, err := config.Find(w.Root)
	if err != nil || filepath.Dir(path) != w.Root {
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
	for _, s := range w.Project.Servers {
		owned := slices.ContainsFunc(own.Definitions, func(d config.Definition) bool {
			return d.Server.Name == s.Name && samePath(w.Root, d.Server.Source.Path, s.Source.Path)
		})
		if owned || launchChange(w.Lock, w.Root, s) == nil {
			continue
		}
		delete(w.Lock.Servers, s.Name)
		w.Options.Console.Note("%sserver %q: differs from the server of the same name in %s, so it is not compared with %s",
			s.Source.Prefix(), s.Name, filepath.Base(path), LockName)
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
