package workspace

// This file serves the servers of a project as one server.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/mcpgen/mcpgen/schema/view"
)

// ServeOptions say how the servers are served, and to whom.
type ServeOptions struct {
	In  io.Reader // from the client that started this program
	Out io.Writer

	HTTP    string                 // address to listen on; "" is In and Out
	Metrics string                 // address for metrics; "" is none
	OTLP    string                 // URL of a collector; "" is OTEL_EXPORTER_OTLP_ENDPOINT
	Origins []string               // of web pages that may call
	Callers map[string]string      // names of callers, each with the name of the secret that is its token
	OAuth   *gateway.Introspection // Secret is the name of a secret
	JWT     *gateway.JWT           // excludes OAuth
	TLS     *gateway.TLS           // with ClientCA, callers have certificates; nil: plain HTTP
	Open    bool                   // callers need no token; else, if nothing above names callers, gateway.OwnToken's
	Search  bool                   // callers see three tools with which they find the others
	For     string                 // the provider of the callers' models; may be empty
	Own     []string               // servers to which each caller has a separate session
	Keys    []string               // ID=SECRET: names of secrets that are keys; the first one seals
	Drain   time.Duration          // 0: gateway.DefaultDrain
	Delay   *time.Duration         // see gateway.Options.ShutdownDelay; nil: five seconds, if other machines reach the gateway
	Line    []string               // the command line with which a client starts this program
	Reload  <-chan os.Signal       // each signal reloads the configuration and the lock; nil: never

	tokenFile string // the file with the callers' token; "": they have it already, or need none
}

// byIssuer reports whether callers have tokens of an authorization server.
func (o *ServeOptions) byIssuer() bool { return o.OAuth != nil || o.JWT != nil }

// byCertificate reports whether callers have certificates.
func (o *ServeOptions) byCertificate() bool { return o.TLS != nil && o.TLS.ClientCA != "" }

// Serve serves the selected servers as one, under the configured names, with policy and audit log, until
// the client or ctx ends it.
func (w *Workspace) Serve(ctx context.Context, opts ServeOptions) error {
	manifests, err := w.Manifests()
	if err != nil {
		return err
	}
	if of := w.Project.Profiles[w.opts.Profile]; opts.HTTP == "" && !of.IsFor("") {
		return hint.With(fmt.Errorf("--profile %s: the profile is not for the program that starts the gateway", w.opts.Profile), "add {caller: local} to profiles."+w.opts.Profile+".callers")
	}
	var listener net.Listener
	if opts.HTTP != "" {
		if listener, err = net.Listen("tcp", opts.HTTP); err != nil {
			return hint.With(fmt.Errorf("--http %s: %w", opts.HTTP, err), "pass an address such as 127.0.0.1:8080")
		}
		defer listener.Close()
		if len(opts.Callers) == 0 && !opts.byIssuer() && !opts.byCertificate() && !gateway.IsLoopback(listener.Addr()) {
			return hint.With(fmt.Errorf("--http %s: anyone who reaches this address could call every tool", opts.HTTP), "listen on 127.0.0.1", "say who may call: --caller NAME=SECRET, --issuer URL or --client-ca FILE")
		}
		if opts.TLS != nil {
			opts.TLS.Logger = logger(w.opts.Console)
			if listener, err = opts.TLS.Listener(listener); err != nil {
				return hint.With(fmt.Errorf("--tls-cert: %w", err), "pass a certificate and its key, both in PEM")
			}
		}
	}
	metrics, stop, err := w.measured(opts.Metrics, opts.OTLP)
	if err != nil {
		return err
	}
	defer stop()
	if err := w.checkDelegation(&opts); err != nil {
		return err
	}
	hidden := new(mask.Set)
	auth, keys, err := w.verifiers(ctx, hidden, &opts)
	if err != nil {
		return err
	}
	input := new(gateway.Input)
	sessions, err := w.ownSessions(opts.Own)
	if err != nil {
		return err
	}
	host, err := w.serving(ctx, live.Options{Manifests: manifests, Outer: []runtime.Middleware{metrics.Middleware()}, Watch: true, Reread: func() (live.Options, error) { return w.reread(ctx) }, Attach: attach.Options{
		Background: true, OnEvent: w.missing(metrics.Event), Input: input, Mask: hidden, Version: w.opts.Version, Logger: slog.New(input.Handler(logger(w.opts.Console).Handler())),
		Callers: sessions, Auth: []attach.AuthFunc{w.callerTokens()},
	}}, opts.HTTP == "")
	if err != nil {
		return err
	}
	defer host.Close()
	var delay time.Duration
	if opts.Delay != nil {
		delay = *opts.Delay
	} else if listener != nil && !gateway.IsLoopback(listener.Addr()) {
		delay = 5 * time.Second
	}
	over := make(chan struct{})
	defer close(over)
	go w.reloads(ctx, host, opts.Reload)
	context.AfterFunc(ctx, func() {
		select {
		case <-over:
		case <-time.After(drainNote):
			w.opts.Console.Note("the gateway ends within %s; a second interrupt ends it at once", delay+cmp.Or(opts.Drain, gateway.DefaultDrain))
		}
	})
	if name := w.Project.Naming.Qualify("server", "tool"); opts.For != "" && !opts.Search && !view.TakesName(opts.For, name) {
		return hint.With(fmt.Errorf("--for %s: models of this provider refuse tool names such as %q", opts.For, name), "set naming: double-underscore in mcpgen.yaml")
	}
	gw, err := gateway.New(host.Host, &gateway.Options{
		View: host.View, HasProfile: host.HasProfile, AllowsProfile: host.AllowsProfile, Input: input, Metrics: metrics, Keys: keys, Search: opts.Search, For: opts.For, Version: w.opts.Version, Drain: opts.Drain, ShutdownDelay: delay, Logger: logger(w.opts.Console),
	})
	if err != nil {
		return err
	}
	defer gw.Close()
	serving, end := context.WithCancel(context.WithoutCancel(ctx)) // also while calls end
	defer end()
	if err := w.serveMetrics(serving, gw, opts.Metrics); err != nil {
		return err
	}
	w.announce(host, &opts, listener)
	if listener == nil {
		return gw.ServeIO(ctx, opts.In, opts.Out)
	}
	return gw.ListenAndServe(ctx, listener, &gateway.HandlerOptions{Auth: auth, Origins: opts.Origins})
}

// measured returns metrics if there is an address for them or a collector, which gets telemetry until stop
// is called.
func (w *Workspace) measured(address, collector string) (metrics *gateway.Metrics, stop func(), err error) {
	const variable = "OTEL_EXPORTER_OTLP_ENDPOINT"
	place, stop := "--otlp", func() {}
	if collector == "" {
		place, collector = variable, os.Getenv(variable)
		if collector != "" && os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc" {
			w.opts.Console.Warn("%v", hint.New(variable+" is not used: OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but serve sends OTLP over HTTP", "pass --otlp URL"))
			collector = ""
		}
	}
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		collector = ""
	}
	if address == "" && collector == "" {
		return nil, stop, nil
	}
	metrics = new(gateway.Metrics)
	if collector == "" {
		return metrics, stop, nil
	}
	stop, err = metrics.Export(collector, w.opts.Version, logger(w.opts.Console))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", place, err)
	}
	w.opts.Console.Note("traces, metrics and logs go to the collector of %s", place)
	return metrics, stop, nil
}

// serveMetrics answers Prometheus at an address until ctx ends; "" does nothing.
func (w *Workspace) serveMetrics(ctx context.Context, gw *gateway.Gateway, address string) error {
	if address == "" {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return hint.With(fmt.Errorf("--metrics %s: %w", address, err), "pass an address such as 127.0.0.1:9464")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", gw.ServeMetrics)
	srv := &http.Server{Handler: mux, ReadTimeout: metricsTime, WriteTimeout: metricsTime, IdleTimeout: 2 * time.Minute}
	context.AfterFunc(ctx, func() { _ = srv.Close() }) // what is lost is a reading
	go func() { _ = srv.Serve(l) }()
	w.opts.Console.Note("metrics at http://%s/metrics", l.Addr())
	if !gateway.IsLoopback(l.Addr()) {
		w.opts.Console.Warn("everyone who can reach %s can read the names of servers and tools", l.Addr())
	}
	return nil
}

// metricsTime bounds a request for metrics.
const metricsTime = 10 * time.Second

// reread reads the configuration and the lock again.
func (w *Workspace) reread(ctx context.Context) (live.Options, error) {
	fresh, err := Open(ctx, w.opts)
	if err != nil {
		return live.Options{}, err
	}
	manifests, err := fresh.Manifests()
	if err != nil {
		return live.Options{}, err
	}
	return fresh.configure(fresh.Selected(), live.Options{Manifests: manifests})
}

// reloads reloads the configuration on request, until ctx ends. Changed files are detected separately.
func (w *Workspace) reloads(ctx context.Context, host *live.Host, asked <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			if err := host.Reload(ctx); err != nil {
				w.opts.Console.Warn("reload: %v", err)
			}
		}
	}
}

// drainNote is the time after which a line explains why the shutdown waits.
const drainNote = 300 * time.Millisecond

// missing returns an event handler that warns of servers that fail to start, and notes reloads. The host
// logs servers that are lost later. The next handler gets each event.
func (w *Workspace) missing(next func(event.Event)) func(event.Event) {
	told := map[string]bool{}
	return func(e event.Event) {
		next(e)
		switch {
		case e.Kind == event.Attached:
			told[e.Server] = true
		case e.Kind == event.Failed && !told[e.Server]:
			told[e.Server] = true
			w.opts.Console.Warn("%v; its tools are missing until it is connected", e.Err)
		case e.Kind == event.Reloaded:
			w.opts.Console.Note("the configuration and %s were read again", LockName)
		}
	}
}

// serving begins to connect to the selected servers. A server whose launch differs from the lock is left
// out, with a warning.
func (w *Workspace) serving(ctx context.Context, opts live.Options, stdio bool) (*live.Host, error) {
	for _, s := range w.unlocked() {
		w.opts.Console.Warn("%v", hint.With(fmt.Errorf("%s is not in %s, so its tools are offered as the server lists them", s.Name, LockName), "lock them: mcpgen update "+hint.Word(s.Name)))
	}
	if stdio {
		opts.Prompter = nobodyAsks{} // the terminal, if there is one, belongs to the client
	}
	return w.open(ctx, w.Selected(), opts)
}

// nobodyAsks is a prompter for programs without a person.
type nobodyAsks struct{}

// Ask implements [policy.Prompter].
func (nobodyAsks) Ask(context.Context, policy.Question) (policy.Answer, error) {
	return policy.Answer{}, policy.ErrNoPrompter
}

// Manifests returns the locked items of the selected servers in the form of their generated packages: the
// selected tools, under their configured names. It is an error if a snapshot differs from the lock.
func (w *Workspace) Manifests() ([]*codec.Manifest, error) {
	snapshots, err := w.lockedSnapshots()
	if err != nil {
		return nil, err
	}
	names, clashes, err := w.qualify(snapshots)
	if err != nil {
		return nil, err
	}
	for _, c := range clashes {
		w.opts.Console.Warn("%v", clashError(c))
	}
	prompts, err := w.promptNames()
	if err != nil {
		return nil, err
	}
	var manifests []*codec.Manifest
	var errs []error
	for _, server := range slices.Sorted(maps.Keys(snapshots)) {
		locked := w.Lock.Servers[server]
		if wrong := locked.Verify(snapshots[server]); len(wrong) > 0 {
			errs = append(errs, hint.With(fmt.Errorf("%s: it differs from %s", w.snapshotPath(server), LockName), "restore the file with git checkout", "run mcpgen update "+hint.Word(server)))
			continue
		}
		var refs []codec.ItemRef
		for _, t := range snapshots[server].Tools {
			if name := names[server][t.Name]; name != "" {
				item := locked.Tools[t.Name]
				refs = append(refs, codec.ItemRef{Server: server, Name: t.Name, Qualified: name, Pin: item.Contract, Place: item.Place})
			}
		}
		for _, kind := range []schema.Kind{schema.KindPrompt, schema.KindResource, schema.KindTemplate} {
			for _, it := range *snapshots[server].List(kind) {
				item := locked.Items(kind)[it.Name]
				var name string
				if kind == schema.KindPrompt {
					name = prompts[naming.Pair{Server: server, Tool: it.Name}]
				}
				refs = append(refs, codec.ItemRef{Server: server, Kind: string(kind), Name: it.Name, Qualified: name, Pin: item.Contract, Place: item.Place})
			}
		}
		manifests = append(manifests, codec.NewManifest(server, string(lockfile.EncodeSnapshot(snapshots[server])), refs...).LaunchedAs(locked.Launch.Hash))
	}
	return manifests, errors.Join(errs...)
}

// announce prints what is served, and what to configure in clients.
func (w *Workspace) announce(host *live.Host, opts *ServeOptions, listener net.Listener) {
	tools, err := host.Everything()
	if err != nil {
		return // the gateway has reported it
	}
	name := cmp.Or(filepath.Base(w.Root), "mcpgen")
	con := w.opts.Console
	known, unknown := 0, 0
	for _, st := range host.Status() {
		switch o, present := host.Offered(st.Server); {
		case present:
			known++
		case st.State == attach.Connecting && o == attach.Offered{}:
			unknown++
		}
	}
	what := safetext.Count(len(tools), "tool") + " of " + safetext.Count(known, "server")
	if unknown > 0 {
		what += ", and what " + safetext.Count(unknown, "server") + " without a lock will list,"
	}
	if most := view.MaxTools(opts.For); most > 0 && len(tools) > most && !opts.Search {
		con.Warn("%v", hint.With(fmt.Errorf("--for %s: the provider refuses requests with more than %d tools, and the gateway offers %d", opts.For, most, len(tools)),
			"have models search for tools: --tools search", "offer fewer tools: --profile NAME, or allow and deny in mcpgen.yaml"))
	}
	if listener == nil {
		if w.opts.Config == "" && len(w.opts.MCP) == 0 && w.Project.Path != "" {
			opts.Line = append(slices.Clone(opts.Line), "--config", absolute(w.Project.Path))
		}
		files, text := clientFile(name, clientEntry{Command: opts.Line[0], Args: opts.Line[1:]})
		con.Note("offering %s on standard input and output\n"+clientLines, what, files, text)
		return
	}
	address := "http://" + listener.Addr().String() + gateway.Path
	if opts.TLS != nil {
		address = "https" + strings.TrimPrefix(address, "http")
	}
	entry := clientEntry{Type: "http", URL: address}
	if len(opts.Callers) > 0 || opts.tokenFile != "" {
		entry.Headers = map[string]string{"Authorization": "Bearer ${MCPGEN_TOKEN}"}
	}
	files, text := clientFile(name, entry)
	con.Note("offering %s at %s\n"+clientLines, what, address, files, text)
	if names := slices.Sorted(maps.Keys(w.Project.Profiles)); len(names) > 0 && w.opts.Profile == "" {
		con.Note("each profile has its own address: %s/%s", address, strings.Join(names, ", "+address+"/"))
	}
	if entry.Headers != nil {
		con.Note("Cursor and VS Code write ${env:MCPGEN_TOKEN}")
	}
	switch {
	case opts.tokenFile != "":
		con.Note("callers send the token in %s: export MCPGEN_TOKEN=$(cat %s)", opts.tokenFile, hint.Word(opts.tokenFile))
	case opts.byCertificate():
		con.Note("callers present a certificate of %s", opts.TLS.ClientCA)
	case opts.Open:
		con.Warn("every user of this machine may call, with your servers' credentials")
	}
}

// clientEntry is the entry for a client's configuration: how to start this server, or its address.
type clientEntry struct {
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Type    string            `json:"type,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// clientLines is the format for the result of [clientFile].
const clientLines = "%s; in .vscode/mcp.json\n\"mcpServers\" is \"servers\":\n  %s"

// clientFile returns an entry for the files of the most common clients, and the names of these files. The
// files only differ in the key for the list of servers.
func clientFile(name string, entry clientEntry) (files, text string) {
	files = "for .mcp.json, .cursor/mcp.json"
	if entry.URL == "" { // Claude Desktop supports no addresses in its file
		files += ", claude_desktop_config.json"
	}
	entries, _ := json.Marshal(map[string]map[string]clientEntry{"mcpServers": {name: entry}}) // strings always encode
	return files, string(entries)
}
