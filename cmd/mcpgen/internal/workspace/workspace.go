// Package workspace opens one project, and does what commands do with all of it: check, generate, update, upgrade, fix
// and list. It prints nothing except through its console.
package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Options say which project to open.
type Options struct {
	capturing.Options
	Config  string          // configuration file; "" searches upwards from the working directory
	MCP     []string        // server files, directories or systems, in place of a configuration
	Command string          // as typed: if no configuration is found, its spelling may identify a system
	Only    []string        // only these servers are used; nil: all
	OnlyBy  string          // the flag or the variables that set Only, for messages
	Typed   bool            // Only is from a flag, so unknown names are an error
	Strict  bool            // a warning about the configuration is an error
	Partly  bool            // unreadable server files only exclude their servers; the command reports them when it ends
	Line    []string        // the command line after the program's name, for hints
	Write   bool            // the command writes, so an interrupted write is also repaired on disk
	Edits   []*editing.Edit // pending changes of configurations, which are written with lock and code
}

// Workspace is one open project.
type Workspace struct {
	*capturing.Client
	Opened Options // what it was opened with

	// System is another one whose files are used, because no configuration was named or found and the command was
	// typed in its spelling; "" means none.
	System string
	edits  []*editing.Edit // that are not yet written
	before fs.FileInfo     // the configuration as loaded; nil if this command edits it, only reads it, or works without it
	partly error           // errors of ignored files, under Options.Partly; nil means none
}

// Open reads the configuration, the lock and the generated files. If a run was killed while writing, the
// files are read in their state before that run; only under Options.Write they are also repaired on disk.
// Errors are the user's side.
func Open(ctx context.Context, opts Options) (*Workspace, error) {
	project, system, before, err := load(ctx, opts)
	var partly error
	if e, ok := errors.AsType[*config.PartialError](err); ok {
		project = e.Project
		if err = withoutAbsent(e); opts.Partly {
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
		err := fmt.Errorf("--mcp %s: none of these files defines a server, so there is nothing to write",
			strings.Join(opts.MCP, ","))
		return nil, errors.Join(partly, hint.With(err, "name a file with servers"))
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
	err = opts.checkOnly(project)
	st := locks.NewState(project, root)
	st.Place, st.Borrowed = cmp.Or(project.Path, strings.Join(opts.MCP, ", "), system), len(opts.MCP) > 0
	st.Only, st.OnlyBy = opts.Only, opts.OnlyBy
	if err == nil && st.Only != nil && len(st.Selected()) == 0 { // a command that checks nothing must not report success
		err = opts.noneSelected(st.Names())
	}
	if err != nil {
		return nil, errors.Join(partly, err)
	}
	cl := &capturing.Client{Servers: inputs.NewServers(st), Options: opts.Options}
	w := &Workspace{Client: cl, Opened: opts, System: system, edits: opts.Edits, before: before, partly: partly}
	return w, w.read(ctx)
}

// read reads the lock and the generated files. A command that writes fails if the configuration has changed since it
// was loaded: with the old one it would bring a removed server back.
func (w *Workspace) read(ctx context.Context) error {
	if err := w.Read(ctx, w.Console); err != nil || w.before == nil {
		return err
	}
	now, err := os.Stat(w.Project.Path)
	if err == nil && os.SameFile(now, w.before) &&
		now.ModTime().Equal(w.before.ModTime()) && now.Size() == w.before.Size() {
		return nil
	}
	return hint.New(w.Project.Path+": the file was changed while this command was running", "run the command again")
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

// load reads what the options name: --mcp files, a configuration, or the one found from the working
// directory. Otherwise it reads the files of the system with this spelling of the command, and returns
// the system's name. Before is the configuration as loaded, for a command that writes and does not edit it.
func load(ctx context.Context, opts Options) (project *config.Project, system string, before fs.FileInfo, err error) {
	if opts.Config != "" && len(opts.MCP) > 0 {
		return nil, "", nil, hint.New("--config and --mcp exclude each other", "pass one of them")
	}
	env, err := live.Environment()
	if err != nil {
		return nil, "", nil, err
	}
	if len(opts.MCP) > 0 {
		p, err := env.LoadServers(opts.MCP...)
		return p, "", before, err
	}
	path := opts.Config
	if path == "" {
		found, err := config.Find(".")
		if errors.Is(err, config.ErrNotFound) {
			if system, files := config.FindSystem(env, opts.Command); system != "" {
				opts.Console.Note("no mcpgen.yaml here: %q is a command of %s, so mcpgen reads the server files of that system: %s",
					opts.Command, system, orNone(files))
				p, err := config.Search(env, system)
				return p, system, nil, err
			}
			return nil, "", nil, elsewhere(env, opts.Line, err)
		}
		if err != nil {
			return nil, "", nil, err
		}
		path = found
	}
	if opts.Write {
		if err := generator.Recover(ctx, filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, "", nil, err
		}
		if len(opts.Edits) == 0 {
			before, _ = os.Stat(path) // loading it reports a better error
		}
	}
	edits := opts.Edits
	if tree, err := generator.ReadTree(ctx, filepath.Dir(path), filepath.Base(path)); err == nil && len(edits) == 0 {
		if earlier, err := tree.ReadFile(filepath.Base(path)); err == nil { // the lock is in its earlier state too
			edits = []*editing.Edit{{Path: editing.RealPath(path), After: earlier}}
		}
	}
	if len(edits) > 0 {
		env.Read = editing.Reader(edits)
	}
	p, err := env.Load(path)
	return p, "", before, err
}

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
		err := fmt.Errorf("--profile: there is no profile %q; configured: %s", name, orNone(known))
		return of, hint.With(err, nearest.Question(name, known))
	}
	return of, nil
}

// checkOnly reports the servers of Only that are not configured. For a flag they are errors. A variable
// may name servers of other projects, so for variables they are warnings, unless no named server is
// configured.
func (o *Options) checkOnly(project *config.Project) error {
	_, unknown := project.Only(o.Only)
	names := locks.ServerNames(project.Servers)
	var errs []error
	for _, name := range unknown {
		err := fmt.Errorf("%s: no server is called %q; configured: %s", o.OnlyBy, name, orNone(names))
		err = hint.With(err, nearest.Question(name, names))
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

func (o *Options) noneSelected(names []string) error {
	switch {
	case len(o.Only) == 0 && o.OnlyBy == strings.Join(config.ScopeVariables(), ", "):
		return hint.With(fmt.Errorf("%s: no server is in all of these variables that are set", o.OnlyBy), "unset one of them")
	case len(o.Only) == 0:
		return fmt.Errorf("%s: it names no server", o.OnlyBy)
	}
	return fmt.Errorf("%s %s: no enabled server has one of these names; configured: %s",
		o.OnlyBy, strings.Join(o.Only, ","), orNone(names))
}

func orNone(list []string) string { return cmp.Or(strings.Join(list, ", "), "none") }

// withoutAbsent returns the errors of a project's files, except for unreadable imports whose
// servers are locked.
func withoutAbsent(e *config.PartialError) error {
	data, err := os.ReadFile(filepath.Join(e.Project.Dir, locks.Name))
	if err != nil {
		return e.Err
	}
	lock, err := lockfile.ParseLock(data)
	if err != nil {
		return e.Err // opening the lock reports a better error
	}
	_, rest := e.Without(lock)
	return rest
}

// Configuration is the configuration after imports and merging, for printing. No variable was looked up,
// and only configuration files were read.
type Configuration struct {
	Path     string           `json:"path,omitempty"`
	Settings []config.Setting `json:"settings"`
	Left     []LeftOut        `json:"leftOut"`
	Notices  []config.Notice  `json:"notices"` // not errors
}

// LeftOut is a server that is defined but not used.
type LeftOut struct {
	Server string `json:"server"`
	Reason string `json:"reason"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// ReadConfiguration reads the configuration that the options name. If [Options.Only] has servers,
// settings of other servers are left out. Errors are the user's side.
func ReadConfiguration(ctx context.Context, opts Options) (*Configuration, error) {
	project, _, _, err := load(ctx, opts)
	if err == nil {
		err = opts.checkOnly(project)
	}
	if err == nil && opts.Strict {
		err = project.Strict()
	}
	if err != nil {
		return nil, err
	}
	c := &Configuration{Path: project.Path, Settings: []config.Setting{}, Left: []LeftOut{}}
	c.Notices = append([]config.Notice{}, project.Notices...)
	for _, s := range project.Settings() {
		if s.Server == "" || len(opts.Only) == 0 || slices.Contains(opts.Only, s.Server) {
			c.Settings = append(c.Settings, s)
		}
	}
	for _, d := range project.Definitions {
		if d.Left != "" {
			left := LeftOut{Server: d.Server.Name, Reason: d.Left, Column: d.Column}
			left.Path, left.Line = d.Server.Source.Path, d.Server.Source.Line
			c.Left = append(c.Left, left)
		}
	}
	return c, nil
}
