package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/attach/install"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Attach connects to the servers. The error is for a configuration that cannot
// mean anything; ask the host for those that did not come up. Close the host.
func (w *Workspace) Attach(ctx context.Context, servers []endpoint.Server) (*live.Host, error) {
	progress := w.startProgress(servers)
	defer progress.stop()
	return w.connect(ctx, servers, progress, live.Options{})
}

// connect connects to the servers and shows what it waits for. The host takes others of
// the project later.
func (w *Workspace) connect(ctx context.Context, servers []endpoint.Server, progress *progress, opts live.Options) (*live.Host, error) {
	opts.Attach = attach.Options{
		OnEvent: progress.event, OnPage: progress.page, Version: w.opts.Version, Logger: logger(w.opts.Console),
		Install: -1, // a command waits for what it needs
	}
	return w.open(ctx, servers, opts)
}

// open connects to the servers, within the time limits of a command. Without a prompter a
// person is asked on the terminal, if there is one.
func (w *Workspace) open(ctx context.Context, servers []endpoint.Server, opts live.Options) (*live.Host, error) {
	return live.Open(ctx, w.configure(servers, opts))
}

// configure completes options by what the project and its lock say of the servers.
func (w *Workspace) configure(servers []endpoint.Server, opts live.Options) live.Options {
	project := *w.Project
	project.Servers = w.patient(project.Servers)
	opts.Project, opts.Lock, opts.Servers, opts.Terminal = &project, w.Lock, serverNames(servers), w.opts.Console
	return opts
}

// Capture is what one server offers right now.
type Capture struct {
	Server   endpoint.Server
	Snapshot *schema.Snapshot
	Locked   *lockfile.LockedServer // hashes of the snapshot; Go names are not assigned yet
	Launch   lockfile.Launch        // how it was started or reached
	Artifact lockfile.Artifact      // what that ran
	Tree     []byte                 // its tree of dependencies, where that is locked
	Source   lockfile.Source        // the file that configures it
	Problems []schema.Problem       // items that could not be taken, or not as they are
	Took     time.Duration          // until everything was listed
	Withheld []Withheld             // of a server that nobody has seen before: what is left out of the snapshot
	Unusable []string               // of such a server: tools that it lists and that cannot be taken
	Err      error                  // why the server could not be captured; exit code 3
}

// capture attaches to the servers, which run what opts say, and takes their whole surface:
// of so many at once as a host attaches to, and each is ended before others are started. The
// result has one entry per server, in order.
func (w *Workspace) capture(ctx context.Context, servers []endpoint.Server, opts live.Options) ([]*Capture, error) {
	if len(servers) == 0 {
		return nil, nil
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
		c.Err = serverFailure(c.Err)
	}
	// Time that is up is the failure of those servers that were not done.
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, context.Cause(ctx)
	}
	return out, nil
}

// serverFailure gives the error of a server its exit code: a variable that is
// not set is the user's side, what it would run beside what is locked a finding, all else
// the server's.
func serverFailure(err error) error {
	if _, ok := errors.AsType[*artifact.MismatchError](err); ok {
		return fail(ExitFinding, err)
	}
	if errors.Is(err, artifact.ErrHeld) {
		return fail(ExitUsage, err)
	}
	if e, ok := errors.AsType[*attach.ServerError](err); ok && e.Stage == attach.StageConfigure {
		return fail(ExitUsage, err)
	}
	return fail(ExitServer, err)
}

// take lists one server and hashes what it said.
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

// hash hashes the snapshot.
func (c *Capture) hash() error {
	var err error
	if c.Locked, err = lockfile.LockSnapshot(c.Snapshot); err != nil {
		return err
	}
	c.Locked.Launch, c.Locked.Artifact, c.Locked.Source = c.Launch, c.Artifact, c.Source
	c.Locked.Protocol = c.Snapshot.ProtocolVersion
	c.Locked.ClientCapabilities = endpoint.OffersOf(c.Snapshot.ClientCapabilities).Capabilities()
	return nil
}

// problems reports what could not be taken. Under strict it is an error.
func (w *Workspace) problems(c *Capture, strict bool) error {
	var errs []error
	for _, p := range c.Problems {
		at := ""
		if p.Pointer != "" {
			at = " at " + p.Pointer
		}
		errs = append(errs, w.loose(strict, fmt.Errorf("%s: %s %q%s: %s", c.Server.Name, p.Kind, p.Name, at, p.Reason)))
	}
	return fail(ExitServer, errors.Join(errs...))
}

// loose prints a warning, or returns it as an error under strict.
func (w *Workspace) loose(strict bool, warning error) error {
	if strict {
		return warning
	}
	w.opts.Console.Warn("%v", warning)
	return nil
}

// looseness is what --strict has against the package of a capture.
func (w *Workspace) looseness(ctx context.Context, c *Capture) error {
	d := w.newDraft(func(string) bool { return false }, false)
	if d.accept(ctx, c); len(d.errs) == 0 {
		_, err := d.render(ctx, true)
		d.errs = append(d.errs, err)
	}
	return errors.Join(d.errs...)
}

// usable returns the captures that can be accepted, and what is wrong with each of
// the others, as one [*serverError] for each. Under first they are looked at as
// servers that nobody has seen before.
func (w *Workspace) usable(ctx context.Context, captures []*Capture, strict, first bool) (good []*Capture, wrong []error) {
	for _, c := range captures {
		err := c.Err
		if err == nil {
			err = w.problems(c, strict)
			if first {
				err = errors.Join(err, w.namesVersion(c, strict), w.firstLook(ctx, c))
			}
			if err != nil {
				err = errors.Join(err, w.looseness(ctx, c)) // all that is bad is named, by whomever it is found
			}
		}
		if err != nil {
			wrong = append(wrong, &serverError{c.Server.Name, err})
			continue
		}
		w.noteScripts(c)
		good = append(good, c)
	}
	return good, wrong
}

// noteScripts names the packages of a tree of dependencies whose install scripts do not run.
func (w *Workspace) noteScripts(c *Capture) {
	p, ok := c.Server.Launch.(*endpoint.Process)
	if !ok || c.Tree == nil {
		return
	}
	packages, _ := artifact.ReadTree(c.Tree) // it was installed
	var names []string
	for _, pkg := range packages {
		if pkg.Scripts && !slices.Contains(p.Scripts, pkg.Name) {
			names = append(names, pkg.Name)
		}
	}
	if names = slices.Compact(names); names != nil {
		w.opts.Console.Note("%s: packages whose install scripts do not run: %s", c.Server.Name, safetext.Line(strings.Join(names, ", ")))
		w.opts.Console.Help(fmt.Sprintf("to let one run, write in %s: install_scripts: [%s]", w.Project.Path, safetext.Line(names[0])))
	}
}

// patient returns the servers with the time limits of a command: a package runner
// may have to install its server first, and a time that the user gave for all
// raises what nobody has set.
func (w *Workspace) patient(servers []endpoint.Server) []endpoint.Server {
	out := slices.Clone(servers)
	for i := range out {
		t := &out[i].Timeout
		if t.Start == 0 {
			t.Start = endpoint.DefaultStart
			if _, ok := install.Of(out[i].Launch); ok {
				t.Start = endpoint.DefaultInstall
			}
			t.Start = max(t.Start, w.opts.Timeout)
		}
		t.Call = cmp.Or(t.Call, max(endpoint.DefaultCall, w.opts.Timeout))
	}
	return out
}

// MayInstall reports whether one of the selected servers is started by a package
// runner, for as long as it takes: commands have more time then.
func (w *Workspace) MayInstall() bool {
	return slices.ContainsFunc(w.Selected(), func(s endpoint.Server) bool {
		_, ok := install.Of(s.Launch)
		return ok && s.Timeout.Start == 0
	})
}

// short writes a duration without the parts that are zero at its end.
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
