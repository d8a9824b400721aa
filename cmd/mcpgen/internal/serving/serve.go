// Package serving is the command serve: it offers the servers of a project as one server.
package serving

import (
	"cmp"
	"context"
	"encoding/json"
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

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Options say how the servers are served, and to whom.
type Options struct {
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
	Drain   time.Duration          // see gateway.Options.Drain
	Delay   *time.Duration         // see gateway.Options.ShutdownDelay; nil: 5s if other machines reach the gateway
	Line    []string               // the command line with which a client starts this program
	Reload  <-chan os.Signal       // each signal reloads the configuration and the lock; nil: never

	tokenFile string // the file with the callers' token; "": they have it already, or need none
}

// byIssuer reports whether callers have tokens of an authorization server.
func (o *Options) byIssuer() bool { return o.OAuth != nil || o.JWT != nil }

// byCertificate reports whether callers have certificates.
func (o *Options) byCertificate() bool { return o.TLS != nil && o.TLS.ClientCA != "" }

// Serve serves the selected servers as one, under the configured names, with policy and audit log, until
// the client or ctx ends it.
func Serve(ctx context.Context, w *workspace.Workspace, opts Options) error {
	con := w.Console
	manifests, err := w.Manifests(w.Console)
	if err != nil {
		return err
	}
	if of := w.Project.Profiles[w.Profile]; opts.HTTP == "" && !of.IsFor("") {
		return hint.With(fmt.Errorf("--profile %s: the profile is not for the program that starts the gateway", w.Profile),
			"add {caller: local} to profiles."+w.Profile+".callers")
	}
	var listener net.Listener
	if opts.HTTP != "" {
		if listener, err = net.Listen("tcp", opts.HTTP); err != nil {
			return hint.With(fmt.Errorf("--http %s: %w", opts.HTTP, err), "pass an address such as 127.0.0.1:8080")
		}
		defer listener.Close()
		if len(opts.Callers) == 0 && !opts.byIssuer() && !opts.byCertificate() && !gateway.IsLoopback(listener.Addr()) {
			return hint.With(fmt.Errorf("--http %s: anyone who reaches this address could call every tool", opts.HTTP),
				"listen on 127.0.0.1", "say who may call: --caller NAME=SECRET, --issuer URL or --client-ca FILE")
		}
		if opts.TLS != nil {
			opts.TLS.Logger = con.Logger()
			if listener, err = opts.TLS.Listener(listener); err != nil {
				return hint.With(fmt.Errorf("--tls-cert: %w", err), "pass a certificate and its key, both in PEM")
			}
		}
	}
	metrics, stop, err := measured(con, w.Version, opts.Metrics, opts.OTLP)
	if err != nil {
		return err
	}
	defer stop()
	if err := checkDelegation(w.State, &opts); err != nil {
		return err
	}
	hidden := new(mask.Set)
	auth, keys, err := verifiers(ctx, w.Project, hidden, &opts)
	if err != nil {
		return err
	}
	input := new(gateway.Input)
	sessions, err := ownSessions(w.State, opts.Own)
	if err != nil {
		return err
	}
	host, err := connect(ctx, w.Client, live.Options{
		Manifests: manifests, Outer: []runtime.Middleware{metrics.Middleware()},
		Watch: true, Reread: func() (live.Options, error) { return reread(ctx, w) },
		Attach: attach.Options{
			Background: true, OnEvent: missing(con, metrics.Event), Input: input, Mask: hidden, Version: w.Version,
			Logger:  slog.New(input.Handler(con.Logger().Handler())),
			Callers: sessions, Auth: []attach.AuthFunc{callerTokens(w.Project)},
		},
	}, opts.HTTP == "")
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
	go reloads(ctx, con, host, opts.Reload)
	context.AfterFunc(ctx, func() {
		select {
		case <-over:
		case <-time.After(drainNote):
			con.Note("the gateway ends within %s; a second interrupt ends it at once", delay+max(opts.Drain, 0))
		}
	})
	gw, err := gateway.New(host.Host, &gateway.Options{
		View: host.View, HasProfile: host.HasProfile, AllowsProfile: host.AllowsProfile, Input: input, Metrics: metrics,
		Keys: keys, Search: opts.Search, For: opts.For, Version: w.Version,
		Drain: opts.Drain, ShutdownDelay: delay, Logger: con.Logger(),
	})
	if err != nil {
		return err
	}
	defer gw.Close()
	serving, end := context.WithCancel(context.WithoutCancel(ctx)) // also while calls end
	defer end()
	if err := serveMetrics(serving, con, gw, opts.Metrics); err != nil {
		return err
	}
	announce(w, host, &opts, listener)
	if listener == nil {
		return gw.ServeIO(ctx, opts.In, opts.Out)
	}
	return gw.ListenAndServe(ctx, listener, &gateway.HandlerOptions{Auth: auth, Origins: opts.Origins})
}

// measured returns metrics if there is an address for them or a collector, which gets telemetry until stop
// is called.
func measured(con *console.Console, version, address, collector string) (
	metrics *gateway.Metrics, stop func(), err error,
) {
	const variable = "OTEL_EXPORTER_OTLP_ENDPOINT"
	place, stop := "--otlp", func() {}
	if collector == "" {
		place, collector = variable, os.Getenv(variable)
		if collector != "" && os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc" {
			con.Warn("%v", hint.New(variable+" is not used: "+
				"OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but serve sends OTLP over HTTP", "pass --otlp URL"))
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
	stop, err = metrics.Export(collector, version, con.Logger())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", place, err)
	}
	con.Note("traces, metrics and logs go to the collector of %s", place)
	return metrics, stop, nil
}

// serveMetrics answers Prometheus at an address until ctx ends; "" does nothing.
func serveMetrics(ctx context.Context, con *console.Console, gw *gateway.Gateway, address string) error {
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
	con.Note("metrics at http://%s/metrics", l.Addr())
	if !gateway.IsLoopback(l.Addr()) {
		con.Warn("everyone who can reach %s can read the names of servers and tools", l.Addr())
	}
	return nil
}

// metricsTime bounds a request for metrics.
const metricsTime = 10 * time.Second

// reread reads the configuration and the lock again.
func reread(ctx context.Context, w *workspace.Workspace) (live.Options, error) {
	fresh, err := workspace.Open(ctx, w.Opened)
	if err != nil {
		return live.Options{}, err
	}
	manifests, err := fresh.Manifests(fresh.Console)
	if err != nil {
		return live.Options{}, err
	}
	return fresh.Configure(fresh.Selected(), live.Options{Manifests: manifests})
}

// reloads reloads the configuration on request, until ctx ends. Changed files are detected separately.
func reloads(ctx context.Context, con *console.Console, host *live.Host, asked <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			if err := host.Reload(ctx); err != nil {
				con.Warn("reload: %v", err)
			}
		}
	}
}

// drainNote is the time after which a line explains why the shutdown waits.
const drainNote = 300 * time.Millisecond

// missing returns an event handler that warns of servers that fail to start, and notes reloads. The host
// logs servers that are lost later. The next handler gets each event.
func missing(con *console.Console, next func(event.Event)) func(event.Event) {
	told := map[string]bool{}
	return func(e event.Event) {
		next(e)
		switch {
		case e.Kind == event.Attached:
			told[e.Server] = true
		case e.Kind == event.Failed && !told[e.Server]:
			told[e.Server] = true
			con.Warn("%v; its tools are missing until it is connected", e.Err)
		case e.Kind == event.Reloaded:
			con.Note("the configuration and %s were read again", locks.Name)
		}
	}
}

// connect begins to connect to the selected servers. A server whose launch differs from the lock is left
// out, with a warning.
func connect(ctx context.Context, cl *capturing.Client, opts live.Options, stdio bool) (*live.Host, error) {
	for _, s := range cl.Unlocked() {
		err := fmt.Errorf("%s is not in %s, so its tools are offered as the server lists them", s.Name, locks.Name)
		cl.Console.Warn("%v", hint.With(err, "lock them: mcpgen update "+hint.Word(s.Name)))
	}
	if stdio {
		opts.Prompter = nobodyAsks{} // the terminal, if there is one, belongs to the client
	}
	opts, err := cl.Configure(cl.Selected(), opts)
	if err != nil {
		return nil, err
	}
	return live.Open(ctx, opts)
}

// nobodyAsks is a prompter for programs without a person.
type nobodyAsks struct{}

// Ask implements [policy.Prompter].
func (nobodyAsks) Ask(context.Context, policy.Question) (policy.Answer, error) {
	return policy.Answer{}, policy.ErrNoPrompter
}

// announce prints what is served, and what to configure in clients.
func announce(w *workspace.Workspace, host *live.Host, opts *Options, listener net.Listener) {
	tools, err := host.Everything()
	if err != nil {
		return // the gateway has reported it
	}
	name := cmp.Or(filepath.Base(w.Root), "mcpgen")
	con := w.Console
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
		err := fmt.Errorf("--for %s: the provider refuses requests with more than %d tools, and the gateway offers %d",
			opts.For, most, len(tools))
		con.Warn("%v", hint.With(err, "have models search for tools: --tools search",
			"offer fewer tools: --profile NAME, or allow and deny in mcpgen.yaml"))
	}
	if listener == nil {
		path, err := filepath.Abs(w.Project.Path)
		if err == nil && w.Opened.Config == "" && !w.Borrowed && w.Project.Path != "" {
			opts.Line = append(slices.Clone(opts.Line), "--config", path)
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
	if names := slices.Sorted(maps.Keys(w.Project.Profiles)); len(names) > 0 && w.Profile == "" {
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
