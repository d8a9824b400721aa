// Package capturing reaches the servers of a project for a command, and captures what they offer: from the servers
// themselves, or from a registry.
package capturing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Options say how a command reaches servers.
type Options struct {
	Console *console.Console
	Version string        // sent to servers
	Timeout time.Duration // the user's limit for the command, which servers may use up; 0: not set
	Profile string        // name of a profile of the configuration; "" is none
	Signed  Signatures    // required by the command
}

// Client reaches the servers of a project for one command.
type Client struct {
	*inputs.Servers
	Options
}

// Attach connects to the servers. The error is for an invalid configuration; the host knows which servers
// failed to start. The caller must close the host.
func (cl *Client) Attach(ctx context.Context, servers []endpoint.Server) (*live.Host, error) {
	progress := cl.startProgress(servers)
	defer progress.stop()
	return cl.connect(ctx, servers, progress, live.Options{})
}

// Connect returns a host without servers, to attach these servers to. It shows their progress until done is called.
func (cl *Client) Connect(ctx context.Context, servers []endpoint.Server) (host *live.Host, done func(), err error) {
	progress := cl.startProgress(servers)
	host, err = cl.connect(ctx, nil, progress, live.Options{})
	return host, progress.stop, err
}

// connect connects to the servers and shows progress. The host can attach other servers of the project
// later. Of opts.Attach, it uses Protocols.
func (cl *Client) connect(ctx context.Context, servers []endpoint.Server, progress *progress, opts live.Options) (
	*live.Host, error,
) {
	opts.Attach = attach.Options{
		OnEvent: progress.event, OnPage: progress.page, Version: cl.Version, Logger: cl.Console.Logger(),
		Protocols: opts.Attach.Protocols,
		Install:   -1, // a command waits until its servers are installed
	}
	opts, err := cl.Configure(servers, opts)
	if err != nil {
		return nil, err
	}
	return live.Open(ctx, opts)
}

// Configure completes options for these servers from the project, its lock and the time limits of a command. Without
// a prompter, a person is asked at the terminal, if there is one. If signatures are required, it verifies the lock,
// unless the command shows what changed: that is signed after it was accepted.
func (cl *Client) Configure(servers []endpoint.Server, opts live.Options) (live.Options, error) {
	if !opts.AnyLaunch && !opts.Newest {
		if err := cl.VerifyLock(); err != nil {
			return opts, err
		}
	}
	project := *cl.Project
	project.Servers = cl.Patient(project.Servers)
	opts.Profile, opts.Signers = cl.Profile, cl.Signed.Signers
	opts.Project, opts.Lock, opts.Servers, opts.Terminal = &project, cl.Lock, locks.ServerNames(servers), cl.Console
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

// captureOf returns the capture of a server before anything is listed.
func (cl *Client) captureOf(s endpoint.Server) *Capture {
	return &Capture{Server: s, Launch: config.LockLaunch(s, cl.Root), Source: config.LockSource(s.Source, cl.Root)}
}

// Capture attaches to the servers, with opts, and reads their whole surfaces; those with a from: are pulled
// instead. It handles groups of servers, as many as a host attaches concurrently, and stops each group before it
// starts the next. The result has one entry per server, in order.
func (cl *Client) Capture(ctx context.Context, servers []endpoint.Server, opts live.Options) ([]*Capture, error) {
	if len(servers) == 0 {
		return nil, nil
	}
	var stored, others []endpoint.Server
	for _, s := range servers {
		if cl.Project.Build[s.Name].From != "" {
			stored = append(stored, s)
		} else {
			others = append(others, s)
		}
	}
	if len(stored) > 0 {
		captures, err := cl.Capture(ctx, others, opts)
		if err != nil {
			return nil, err
		}
		pulled := cl.pullAll(ctx, stored)
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
			captures, err := cl.Capture(ctx, some, opts)
			if err != nil {
				return nil, err
			}
			all = append(all, captures...)
		}
		return all, nil
	}
	progress := cl.startProgress(servers)
	defer progress.stop()
	host, err := cl.connect(ctx, servers, progress, opts)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	down := map[string]error{}
	for _, s := range host.Status() {
		down[s.Server] = s.Err
	}
	out := make([]*Capture, len(servers))
	listing, end := AfterAll(ctx, len(servers))
	defer end()
	var wg sync.WaitGroup
	for i, server := range servers {
		out[i] = cl.captureOf(server)
		if out[i].Err = down[server.Name]; out[i].Err == nil {
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
	c.Err = c.Hash()
}

// Hash computes the hashes of the snapshot.
func (c *Capture) Hash() error {
	var err error
	if c.Locked, err = lockfile.LockSnapshot(c.Snapshot); err != nil {
		return err
	}
	c.Locked.Launch, c.Locked.Artifact, c.Locked.Source, c.Locked.Store = c.Launch, c.Artifact, c.Source, c.Store
	c.Locked.Protocol = c.Snapshot.ProtocolVersion
	c.Locked.ClientCapabilities = endpoint.OffersOf(c.Snapshot.ClientCapabilities).Capabilities()
	return nil
}

// Patient returns the servers with the time limits of a command: a package runner may have to install its
// server first, and --timeout raises limits that are not configured.
func (cl *Client) Patient(servers []endpoint.Server) []endpoint.Server {
	out := slices.Clone(servers)
	for i := range out {
		t := &out[i].Timeout
		if t.Start == 0 {
			t.Start = endpoint.DefaultStart
			if _, ok := install.Of(out[i].Launch); ok {
				t.Start = endpoint.DefaultInstall
			}
			t.Start = max(t.Start, cl.Timeout)
		}
		t.Call = cmp.Or(t.Call, max(endpoint.DefaultCall, cl.Timeout))
	}
	return out
}

// MayInstall reports whether a package runner without a configured start limit starts one of the selected
// servers: commands then have more time.
func (cl *Client) MayInstall() bool {
	return slices.ContainsFunc(cl.Selected(), func(s endpoint.Server) bool {
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

// LeftOut counts the tools that a first lock omits.
func (c *Capture) LeftOut() int {
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

// Keep replaces the snapshot; one of a registry's is then no longer whole.
func (c *Capture) Keep(s *schema.Snapshot) {
	if s != c.Snapshot {
		c.Snapshot, c.Store = s, ""
	}
}

// FirstLook withholds what a person has to accept first, and names the invalid tools.
func (c *Capture) FirstLook(ctx context.Context, project *config.Project, lock *lockfile.Lock) error {
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
	c.Keep(kept)
	return nil
}

// graceTime is the time left to list and write the servers that answered in time, when a command's time
// was used up by others.
const graceTime = 10 * time.Second

// AfterAll returns ctx, or a context with a little more time if ctx is over after waiting for servers.
// The caller must call the function.
func AfterAll(ctx context.Context, servers int) (context.Context, context.CancelFunc) {
	if servers > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return context.WithTimeoutCause(context.WithoutCancel(ctx), graceTime, context.Cause(ctx))
	}
	return ctx, func() {}
}
