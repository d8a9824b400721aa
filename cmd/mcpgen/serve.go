package main

import (
	"cmp"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/serving"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/schema/view"
	"github.com/urfave/cli/v2"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "offer all servers as one MCP server",
		Description: `Offers the tools, prompts and resources of the servers under their qualified names.
The policy applies to each call, and the audit log records it. serve offers tools,
prompts and templates as the lock has them, and locked resources, too. It offers other
resources without texts, unless the server has skills, pages or the key resources:
locked. If a server is not in the lock, serve offers what the server lists, with a
warning.

Without --http it speaks over standard input and output, for a client that starts it.
It prints on standard error what to write into that client's file. With --http it
listens on an address. Callers of all revisions of the protocol use the path /mcp,
callers of the profile NAME of mcpgen.yaml use /mcp/NAME, and a load balancer uses
/healthz. Callers send a token. With --caller, the token is the named secret. With
--issuer, an authorization server issues the token. Otherwise serve writes the token
into a file that only you can read, and prints the path. With --client-ca, callers use a
certificate instead. --open lets every user of this machine call. An address that other
machines reach needs --caller, --issuer or --client-ca.

Several gateways behind one load balancer share a --key.

With --otlp, serve also reads the variables OTEL_EXPORTER_OTLP_HEADERS,
OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_SDK_DISABLED.

serve applies a change of the configuration, the lock or the user's grants within a
second, and with --http also on SIGHUP. Servers that did not change keep their sessions
and the calls in progress. If a file cannot be read, or the lock is gone, nothing
changes.

  mcpgen serve
  mcpgen serve --http 127.0.0.1:8080
  mcpgen serve --http 0.0.0.0:8080 --caller ci=ci-token --key k1=gateway-key`,
		Flags: append([]cli.Flag{
			agentFlag(),
			&cli.StringFlag{Name: "profile", Usage: "offer only the profile `NAME` of mcpgen.yaml"},
			&cli.StringFlag{Name: "http", Usage: "listen on `ADDRESS`, such as 127.0.0.1:8080"},
			&cli.StringSliceFlag{Name: "caller", Usage: "accept a caller, as `NAME=SECRET`: " +
				"NAME sends the secret called SECRET as its bearer token; may be repeated"},
			&cli.StringFlag{Name: "tools", Value: "all", Usage: "list all tools, or with search only three tools, " +
				"which find, describe and call the others: `LIST` is all or search"},
			&cli.StringFlag{Name: "for",
				Usage: "write tools as the API of `PROVIDER` takes them: " + strings.Join(view.Providers(), ", ")},
			&cli.BoolFlag{Name: "open", Usage: "accept calls without a token: every user of this machine may call"},
			&cli.StringSliceFlag{Name: "session-per-caller", Usage: "give each caller its own session with `SERVER`: " +
				"its own process, whose secret NAME is the secret NAME/CALLER if that is stored, or, " +
				"for a server with a URL, the secret SERVER/CALLER as its bearer token; may be repeated"},
			&cli.StringSliceFlag{Name: "origin", Usage: "accept calls from web pages of `ORIGIN`; may be repeated"},
			&cli.StringSliceFlag{Name: "key", Usage: "encrypt the state that callers keep between two rounds of a call, " +
				"with `ID=SECRET`: SECRET is the name of a secret of 32 bytes in base64; " +
				"may be repeated: the first key encrypts, all keys decrypt"},
			&cli.StringFlag{Name: "issuer", Usage: "accept tokens that the OAuth authorization server at " +
				"`URL` made for --resource and signed; with --introspect, ask that server about each token instead"},
			&cli.StringFlag{Name: "resource",
				Usage: "accept only tokens that were made for `URL`, the address that callers use for this gateway"},
			&cli.StringFlag{Name: "jwks",
				Usage: "read the public keys of the authorization server from `URL`; by default from the address in its metadata"},
			&cli.StringFlag{Name: "introspect", Usage: "ask the authorization server at `URL` whether " +
				"a token is valid (RFC 7662), for each token every ten seconds; needs --client-id and --client-secret"},
			&cli.StringFlag{Name: "client-id", Usage: "identify this gateway to the authorization server as `ID`"},
			&cli.StringFlag{Name: "client-secret",
				Usage: "send the secret called `SECRET` with --client-id to the authorization server"},
			&cli.StringSliceFlag{Name: "scope", Usage: "accept only tokens that have the scope `SCOPE`; may be repeated"},
			&cli.StringFlag{Name: "tls-cert",
				Usage: "speak TLS with the certificate in `FILE`, and the key of --tls-key; both are read again when they change"},
			&cli.StringFlag{Name: "tls-key", Usage: "read the private key of --tls-cert from `FILE`"},
			&cli.StringFlag{Name: "client-ca",
				Usage: "accept callers that have a certificate of an authority in `FILE`, without a token"},
			&cli.StringFlag{Name: "metrics",
				Usage: "also listen on `ADDRESS`, and answer Prometheus at /metrics, without a token"},
			&cli.StringFlag{Name: "otlp", Usage: "send OpenTelemetry traces, metrics and logs to the collector at `URL`, " +
				"such as http://127.0.0.1:4318, by OTLP over HTTP; by default to OTEL_EXPORTER_OTLP_ENDPOINT, if that is set"},
			&cli.DurationFlag{Name: "drain", Value: gateway.DefaultDrain,
				Usage: "at Ctrl-C, SIGTERM or the end of the input, wait at most `DURATION` for calls in progress"},
			&cli.DurationFlag{Name: "shutdown-delay", DefaultText: "5s, and 0s with an address that only this machine reaches",
				Usage: "after Ctrl-C or SIGTERM, still accept calls for `DURATION`, while /healthz answers draining"},
		}, signatureFlags()...),
		Action: serve,
	}
}

func serve(c *cli.Context) error {
	opts, err := serveOptions(c)
	if err != nil {
		return err
	}
	s, err := open(c)
	if err != nil {
		return err
	}
	if opts.HTTP != "" && !console.IsTerminal(os.Stdin) { // on a terminal, SIGHUP means that the terminal was closed
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGHUP)
		defer signal.Stop(asked)
		opts.Reload = asked
	}
	if err := serving.Serve(c.Context, s.Workspace, *opts); err != nil || c.Context.Err() == nil {
		return err
	}
	return nil
}

// serveOptions returns the options from the flags.
func serveOptions(c *cli.Context) (*serving.Options, error) {
	o := &serving.Options{
		In: os.Stdin, Out: c.App.Writer, HTTP: c.String("http"), Origins: c.StringSlice("origin"), Keys: c.StringSlice("key"),
		Open:    c.Bool("open"),
		Metrics: c.String("metrics"),
		OTLP:    c.String("otlp"),
		Search:  c.String("tools") == "search",
		For:     c.String("for"),
		Own:     trimmed(c.StringSlice("session-per-caller")),
		Callers: map[string]string{}, Drain: cmp.Or(c.Duration("drain"), -1), Line: startLine(c),
	}
	if c.IsSet("shutdown-delay") {
		o.Delay = new(c.Duration("shutdown-delay"))
	}
	for _, text := range o.Keys {
		if id, secret, ok := strings.Cut(text, "="); !ok || id == "" || secret == "" {
			return nil, usage("--key %s: want ID=SECRET, with the name of a secret", text)
		}
	}
	for _, text := range c.StringSlice("caller") {
		name, secret, ok := strings.Cut(text, "=")
		switch {
		case !ok || name == "" || secret == "":
			return nil, usage("--caller %s: want NAME=SECRET, with the name of a secret", text)
		case o.Callers[name] != "":
			return nil, hint.With(usage("--caller %s: two callers have this name", name), "give each caller its own name")
		}
		o.Callers[name] = secret
	}
	ofIssuer := []string{"resource", "jwks", "introspect", "client-id", "client-secret", "scope"}
	switch asked := c.IsSet("introspect"); {
	case !c.IsSet("issuer"):
		for _, flag := range ofIssuer {
			if c.IsSet(flag) && o.HTTP != "" {
				err := usage("--%s is about the tokens of an authorization server, but none is named", flag)
				return nil, hint.With(err, "pass --issuer URL, too")
			}
		}
	case !c.IsSet("resource"):
		return nil, hint.With(usage("--issuer needs the URL of this gateway, because each token is for one gateway"),
			"pass --resource, the URL that callers use")
	case asked && (c.String("client-id") == "" || c.String("client-secret") == ""):
		return nil, hint.With(usage("--introspect: this gateway needs credentials for the authorization server"),
			"pass --client-id and --client-secret, too")
	case asked && c.IsSet("jwks"), !asked && (c.IsSet("client-id") || c.IsSet("client-secret")):
		return nil, hint.With(usage("--issuer: --introspect needs --client-id and --client-secret and excludes --jwks"),
			"pass --introspect, --client-id and --client-secret, or only --jwks")
	case asked:
		o.OAuth = &gateway.Introspection{
			Issuer: c.String("issuer"), Resource: c.String("resource"), Endpoint: c.String("introspect"),
			ClientID: c.String("client-id"), Secret: c.String("client-secret"), Scopes: c.StringSlice("scope"),
		}
	default:
		o.JWT = &gateway.JWT{Issuer: c.String("issuer"), Resource: c.String("resource"),
			Keys: c.String("jwks"), Scopes: c.StringSlice("scope")}
	}
	if tools := c.String("tools"); tools != "all" && !o.Search {
		return nil, hint.With(usage("--tools %s", tools), "pass all or search")
	}
	if o.For != "" && !slices.Contains(view.Providers(), o.For) {
		return nil, hint.With(usage("--for %s: the provider is not known", o.For),
			"pass "+strings.Join(view.Providers(), ", "))
	}
	if cert, key := c.String("tls-cert"), c.String("tls-key"); cert != "" || key != "" || c.IsSet("client-ca") {
		if cert == "" || key == "" {
			return nil, hint.With(usage("--tls-cert, --tls-key and --client-ca: TLS needs a certificate and its key"),
				"pass --tls-cert FILE --tls-key FILE")
		}
		o.TLS = &gateway.TLS{Certificate: cert, Key: key, ClientCA: c.String("client-ca")}
	}
	if c.IsSet("client-ca") && (len(o.Callers) > 0 || c.IsSet("issuer") || o.Open) {
		return nil, hint.With(usage("--client-ca, --caller, --issuer and --open exclude each other"), "pass only one of them")
	}
	if o.Open && (len(o.Callers) > 0 || c.IsSet("issuer")) {
		return nil, usage("--open lets callers in without a token, and --caller and --issuer require one: " +
			"leave one of these flags out")
	}
	if o.HTTP == "" {
		for _, flag := range append(ofIssuer,
			"caller", "open", "session-per-caller", "origin", "key", "issuer", "tls-cert", "shutdown-delay") {
			if c.IsSet(flag) {
				err := usage("--%s works only with --http: without --http, mcpgen serves only the program that started it", flag)
				return nil, hint.With(err, "pass --http ADDRESS")
			}
		}
	}
	return o, nil
}

// anywhere makes a command line of the go command that works in dir work in every folder: the available
// tools and modules depend on the folder.
func anywhere(line, dir string) []string {
	words := strings.Fields(line)
	return slices.Concat(words[:1], []string{"-C", dir}, words[1:])
}

// startLine returns the command line that starts this program from any folder as it was started here.
func startLine(c *cli.Context) []string {
	absolute := func(path string) string {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
		return path
	}
	line := []string{"mcpgen"}
	if program, err := os.Executable(); err == nil && !console.ByGo(program) {
		line[0] = program
	} else if err == nil { // an executable that the go command built is deleted when it ends
		line = anywhere(starter.GoCommand(".", version()), absolute("."))
	}
	for _, path := range trimmed(c.StringSlice("mcp")) {
		if _, err := os.Stat(path); err == nil {
			path = absolute(path)
		}
		line = append(line, "--mcp", path)
	}
	if file := c.String("config"); file != "" {
		line = append(line, "--config", absolute(file))
	}
	if names := trimmed(c.StringSlice("servers")); names != nil {
		line = append(line, "--servers", strings.Join(names, ","))
	}
	line = append(line, "serve")
	if file := c.String("agent"); file != "" {
		line = append(line, "--agent", absolute(file))
	}
	if name := c.String("profile"); name != "" {
		line = append(line, "--profile", name)
	}
	if c.String("tools") == "search" {
		line = append(line, "--tools", "search")
	}
	if name := c.String("for"); name != "" {
		line = append(line, "--for", name)
	}
	return line
}
