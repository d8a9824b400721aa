package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Attach connects to the servers. The error is for an invalid configuration; the host knows which servers
// failed to start. The caller must close the host.
func (w *Workspace) Attach(ctx context.Context, servers []endpoint.Server) (*live.Host, error) {
	progress := w.startProgress(servers)
	defer progress.stop()
	return w.connect(ctx, servers, progress, live.Options{})
}

// Connect returns a host without servers, to attach these servers to. It shows their progress until done is called.
func (w *Workspace) Connect(ctx context.Context, servers []endpoint.Server) (host *live.Host, done func(), err error) {
	progress := w.startProgress(servers)
	host, err = w.connect(ctx, nil, progress, live.Options{})
	return host, progress.stop, err
}

// connect connects to the servers and shows progress. The host can attach other servers of the project
// later.
func (w *Workspace) connect(ctx context.Context, servers []endpoint.Server, progress *progress, opts live.Options) (*live.Host, error) {
	opts.Attach = attach.Options{
		OnEvent: progress.event, OnPage: progress.page, Version: w.Options.Version, Logger: w.Options.Console.Logger(),
		Install: -1, // a command waits until its servers are installed
	}
	opts, err := w.Configure(servers, opts)
	if err != nil {
		return nil, err
	}
	return live.Open(ctx, opts)
}

// Configure completes options for these servers from the project, its lock and the time limits of a command. Without
// a prompter, a person is asked at the terminal, if there is one. If signatures are required, it verifies the lock,
// unless the command shows what changed: that is signed after it was accepted.
func (w *Workspace) Configure(servers []endpoint.Server, opts live.Options) (live.Options, error) {
	if !opts.AnyLaunch && !opts.Newest {
		if err := w.verifyLock(); err != nil {
			return opts, err
		}
	}
	project := *w.Project
	project.Servers = w.Patient(project.Servers)
	opts.Profile, opts.Signers = w.Options.Profile, w.Options.Signed.Signers
	opts.Project, opts.Lock, opts.Servers, opts.Terminal = &project, w.Lock, locks.ServerNames(servers), w.Options.Console
	return opts, nil
}

// Capture is the current state of one server.
type Capture struct {
	Server   endpoint.Server
	Snapshot *schema.Snapshot
	Locked   *lockfile.LockedServer // hashes of the snapshot; Go names are not assigned yet
	Launch   lockfile.Launch        // its launch
	Artifact lockfile.Artifact      // what the launch ran
	Tree     []byte                 // its dependency tree, if that is locked
	Source   lockfile.Source        // the file that configures it
	Store    string                 // digest in the registry that the snapshot comes from; "" if the server was asked
	Observed *lockfile.Observed     // result shapes in the registry; nil without any
	Problems []schema.Problem       // items that are invalid, or that had to be changed
	Took     time.Duration          // time until everything was listed
	Withheld []judging.Withheld     // for a new server: what is left out of the snapshot
	Unusable []string               // for a new server: tools that it lists but that are invalid
	Err      error                  // why the server could not be captured; exit code 3
}

// capture attaches to the servers, with opts, and reads their whole surfaces; those with a from: are pulled
// instead. It handles groups of
// servers, as many as a host attaches concurrently, and stops each group before it starts the next. The
// result has one entry per server, in order.
func (w *Workspace) capture(ctx context.Context, servers []endpoint.Server, opts live.Options) ([]*Capture, error) {
	if len(servers) == 0 {
		return nil, nil
	}
	var stored, others []endpoint.Server
	for _, s := range servers {
		if from(w.Project, s.Name) != "" {
			stored = append(stored, s)
		} else {
			others = append(others, s)
		}
	}
	if len(stored) > 0 {
		captures, err := w.capture(ctx, others, opts)
		if err != nil {
			return nil, err
		}
		pulled := w.pullAll(ctx, stored)
		for _, c := range captures {
			pulled[c.Server.Name] = c
		}
		all := make([]*Capture, len(servers))
		for i, s := range servers {
			all[i] = pulled[s.Name]
		}
		return all, canceled(ctx)
	}
	if len(servers) > attach.DefaultParallel {
		var all []*Capture
		for some := range slices.Chunk(servers, attach.DefaultParallel) {
			captures, err := w.capture(ctx, some, opts)
			if err != nil {
				return nil, err
			}
			all = append(all, captures...)
		}
		return all, nil
	}
	progress := w.startProgress(servers)
	defer progress.stop()
	host, err := w.connect(ctx, servers, progress, opts)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	down := map[string]error{}
	for _, s := range host.Status() {
		down[s.Server] = s.Err
	}
	out := make([]*Capture, len(servers))
	listing, end := afterAll(ctx, len(servers))
	defer end()
	var wg sync.WaitGroup
	for i, server := range servers {
		out[i] = &Capture{Server: server, Launch: config.LockLaunch(server, w.Root), Source: config.LockSource(server.Source, w.Root), Err: down[server.Name]}
		if out[i].Err == nil {
			wg.Go(func() {
				out[i].Took = progress.list(server.Name, func() { out[i].take(listing, host) })
			})
		}
	}
	wg.Wait()
	for _, c := range out {
		c.Err = ServerFailure(c.Err)
	}
	return out, canceled(ctx)
}

// canceled returns the cause of an interruption. After a timeout, only the servers that were not done have an
// error.
func canceled(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return context.Cause(ctx)
	}
	return nil
}

// ServerFailure adds the exit code to the error of a server: an unset variable and a launch that cannot be
// restricted to locked bytes are the user's side, bytes that differ from the lock are a finding, and
// everything else is the server's side.
func ServerFailure(err error) error {
	if _, ok := errors.AsType[*artifact.MismatchError](err); ok {
		return exit.Fail(exit.Finding, err)
	}
	if errors.Is(err, artifact.ErrHeld) {
		return exit.Fail(exit.Usage, err)
	}
	if e, ok := errors.AsType[*attach.ServerError](err); ok && e.Stage == stage.Configure {
		return exit.Fail(exit.Usage, err)
	}
	return exit.Fail(exit.Server, err)
}

// take lists one server and hashes the listing.
func (c *Capture) take(ctx context.Context, host *live.Host) {
	c.Snapshot, c.Problems, c.Err = host.Snapshot(ctx, c.Server.Name)
	if c.Err != nil {
		return
	}
	c.Artifact = host.Runs(c.Server)
	if p, ok := c.Server.Launch.(*endpoint.Process); ok && p.Locked {
		if c.Tree, c.Err = artifact.Tree(c.Server, c.Artifact); c.Err != nil {
			return
		}
	}
	c.Err = c.hash()
}

// hash computes the hashes of the snapshot.
func (c *Capture) hash() error {
	var err error
	if c.Locked, err = lockfile.LockSnapshot(c.Snapshot); err != nil {
		return err
	}
	c.Locked.Launch, c.Locked.Artifact, c.Locked.Source, c.Locked.Store = c.Launch, c.Artifact, c.Source, c.Store
	c.Locked.Protocol = c.Snapshot.ProtocolVersion
	c.Locked.ClientCapabilities = endpoint.OffersOf(c.Snapshot.ClientCapabilities).Capabilities()
	return nil
}

// problems reports invalid items. Under strict they are an error.
func problems(con *console.Console, c *Capture, strict bool) error {
	var errs []error
	for _, p := range c.Problems {
		what := string(p.Kind)
		if p.Name != "" {
			what += " " + strconv.Quote(p.Name)
		}
		if p.Pointer != "" {
			what += " at " + p.Pointer
		}
		errs = append(errs, loose(con, strict, fmt.Errorf("%s: %s: %s", c.Server.Name, what, p.Reason)))
	}
	return exit.Fail(exit.Server, errors.Join(errs...))
}

// loose prints a warning, or returns it as an error under strict.
func loose(con *console.Console, strict bool, warning error) error {
	if strict {
		return warning
	}
	con.Warn("%v", warning)
	return nil
}

// looseness returns the errors of --strict about the package of a capture.
func looseness(ctx context.Context, in *inputs.Servers, con *console.Console, c *Capture) error {
	d := NewDraft(in, con, func(string) bool { return false }, false)
	if d.Accept(ctx, c); len(d.Errs) == 0 {
		_, err := d.render(ctx, true)
		d.Errs = append(d.Errs, err)
	}
	return errors.Join(d.Errs...)
}

// usable returns the captures that can be accepted, and one [*serverError] for each of the others. Under
// first they are checked as new servers, whose text is not reviewed yet.
func (w *Workspace) usable(ctx context.Context, captures []*Capture, strict, first bool) (good []*Capture, wrong []error) {
	for _, c := range captures {
		err := c.Err
		if err == nil {
			err = problems(w.Options.Console, c, strict)
			if first {
				err = errors.Join(err, namesVersion(w.Options.Console, c, strict), c.firstLook(ctx, w.Project, w.Lock))
			}
			if err != nil {
				err = errors.Join(err, looseness(ctx, w.Servers, w.Options.Console, c)) // so that all problems are named
			}
		}
		if err != nil {
			wrong = append(wrong, &serverError{c.Server.Name, err})
			continue
		}
		noteScripts(w.Project, w.Options.Console, c)
		good = append(good, c)
	}
	return good, wrong
}

// noteScripts names the packages of a dependency tree whose install scripts do not run.
func noteScripts(project *config.Project, con *console.Console, c *Capture) {
	p, ok := c.Server.Launch.(*endpoint.Process)
	if !ok || c.Tree == nil {
		return
	}
	packages, _ := artifact.ReadTree(c.Tree) // it was installed, so it is valid
	var names []string
	for _, pkg := range packages {
		if pkg.Scripts && !slices.Contains(p.Scripts, pkg.Name) {
			names = append(names, pkg.Name)
		}
	}
	if names = slices.Compact(names); names != nil {
		con.Note("%s: packages whose install scripts do not run: %s", c.Server.Name, safetext.Line(strings.Join(names, ", ")))
		con.Help(fmt.Sprintf("to let an install script run, write in %s: install_scripts: [%s]", project.Path, safetext.Line(names[0])))
	}
}

// Patient returns the servers with the time limits of a command: a package runner may have to install its
// server first, and --timeout raises limits that are not configured.
func (w *Workspace) Patient(servers []endpoint.Server) []endpoint.Server {
	out := slices.Clone(servers)
	for i := range out {
		t := &out[i].Timeout
		if t.Start == 0 {
			t.Start = endpoint.DefaultStart
			if _, ok := install.Of(out[i].Launch); ok {
				t.Start = endpoint.DefaultInstall
			}
			t.Start = max(t.Start, w.Options.Timeout)
		}
		t.Call = cmp.Or(t.Call, max(endpoint.DefaultCall, w.Options.Timeout))
	}
	return out
}

// MayInstall reports whether a package runner without a configured start limit starts one of the selected
// servers: commands then have more time.
func (w *Workspace) MayInstall() bool {
	return slices.ContainsFunc(w.Selected(), func(s endpoint.Server) bool {
		_, ok := install.Of(s.Launch)
		return ok && s.Timeout.Start == 0
	})
}

// short formats a duration without zero parts at its end.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// serverError is an error of one server.
type serverError struct {
	server string
	err    error
}

// Error returns the text of the cause.
func (e *serverError) Error() string { return e.err.Error() }

// Unwrap returns the cause in a list, so that Flatten sees joined causes.
func (e *serverError) Unwrap() []error { return []error{e.err} }

// leftOf returns the servers that errors are about.
func leftOf(errs []error) []string {
	var names []string
	for _, err := range errs {
		if e, ok := errors.AsType[*serverError](err); ok {
			names = append(names, e.server)
		}
	}
	return names
}

// leftOut counts the tools that a first lock omits.
func (c *Capture) leftOut() int {
	names := map[string]bool{}
	for _, name := range c.Unusable {
		names[name] = true
	}
	for _, h := range c.Withheld {
		if h.Change.Kind == schema.KindTool {
			names[h.Change.Name] = true
		}
	}
	return len(names)
}

// keep replaces the snapshot; one of a registry's is then no longer whole.
func (c *Capture) keep(s *schema.Snapshot) {
	if s != c.Snapshot {
		c.Snapshot, c.Store = s, ""
	}
}

// firstLook withholds what a person has to accept first, and names the invalid tools.
func (c *Capture) firstLook(ctx context.Context, project *config.Project, lock *lockfile.Lock) error {
	kept, withheld, err := judging.Of(project, lock, judging.Flags{}).FirstLook(ctx, project, c.Snapshot)
	if err != nil {
		return err
	}
	for _, p := range c.Problems {
		taken := slices.ContainsFunc(c.Snapshot.Tools, func(it schema.Item) bool { return it.Name == p.Name })
		name := cmp.Or(p.Name, p.Pointer) // a broken definition has no name
		if p.Kind == schema.KindTool && !taken && !slices.Contains(c.Unusable, name) {
			c.Unusable = append(c.Unusable, name)
		}
	}
	c.Withheld = withheld
	c.keep(kept)
	return nil
}

// namesVersion warns of a newly locked server whose launch names no version. Under strict that is an
// error.
func namesVersion(con *console.Console, c *Capture, strict bool) error {
	unpinned := artifact.Unpinned(c.Server)
	if unpinned == "" || c.Artifact.Kind == lockfile.ArtifactGo { // go.mod names it
		return nil
	}
	step := "name a version"
	if c.Artifact.Version != "" {
		step += ", such as " + c.Artifact.Version + ", which ran now"
	}
	return loose(con, strict, hint.With(fmt.Errorf("%sserver %q: %s names no version, so the next start may run another version",
		c.Server.Source.Prefix(), c.Server.Name, unpinned), step))
}

// pin adds the version that the server of added ran to the configuration, so that the next start runs the
// same version.
func pin(root string, captures []*Capture, added *editing.Edit) error {
	for _, c := range captures {
		pkg, args := artifact.Pinned(c.Server, c.Artifact)
		if c.Err != nil || pkg == "" || added == nil || c.Server.Name != added.Name {
			continue
		}
		if err := added.Pin(pkg, args); err != nil {
			return err
		}
		c.Server.Launch.(*endpoint.Process).Args = args // the project's server has the same launch
		c.Launch = config.LockLaunch(c.Server, root)
		c.Locked.Launch = c.Launch
	}
	return nil
}
