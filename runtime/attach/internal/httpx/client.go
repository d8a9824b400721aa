// Package httpx carries the messages of a [wire.Conn] over HTTP. [Streamable] is the
// link of streamable HTTP. [Events] is the link of the older transport: a stream of
// events and separate POSTs.
//
//   - Every message is bounded in size after decompression. A body that is not a JSON-RPC
//     message is skipped, or becomes an error of that one request, and never ends the
//     session.
//   - Requests are sent to the configured origin alone.
//   - A status that is not a success becomes an [Error] with next steps.
//
// URL and headers come from an [endpoint.Resolved], which has validated them.
package httpx

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Bounds that cannot be configured.
const (
	maxHeader      = 1 << 20          // bytes of the header of one answer
	maxRedirects   = 5                // for one request
	idlePerHost    = 128              // connections that are kept: the callers of a server come in crowds
	probeTimeout   = 5 * time.Second  // for server/discover, which old servers may leave unanswered
	messageTimeout = 5 * time.Second  // for a notification, or for the answer to a request of the server
	deleteTimeout  = time.Second      // for the DELETE that ends the session
	dialTimeout    = 10 * time.Second // for a connection, and again for its TLS handshake
	drainTimeout   = time.Second      // to read the rest of an answered stream
	maxDrain       = 64 << 10         // bytes of that rest
	writeBuffer    = 2 << 10          // of a connection: most requests fit, and idle connections keep it
)

// Options are the settings of a link.
type Options struct {
	URL        string         // of the server, absolute, http or https
	Headers    []endpoint.Var // sent with every request, to this origin only
	UserAgent  string         // sent unless Headers holds one
	MaxMessage int64          // bytes of one message, after decompression; must be positive
	Memory     *budget.Budget // shared by all readers of large messages; nil means no bound

	// Credentials give the tokens of requests. Nil: requests have only the headers.
	Credentials Credentials
}

// client is the part that both links share: the HTTP client for one server.
type client struct {
	opts   Options
	origin origin
	header http.Header // configured
	base   *http.Transport
	http   *http.Client
	conn   *wire.Conn

	life   context.Context // of requests and streams: ends with Close
	end    context.CancelFunc
	last   context.Context // of the requests that Close makes
	endAll context.CancelFunc
	over   chan struct{} // closed when everything has ended

	gone context.Context // ends when the server no longer knows the session; the cause is the reason
	lose context.CancelCauseFunc
}

// newClient returns a client. It fails if the URL cannot be parsed.
func newClient(opts Options) (*client, error) {
	u, err := url.Parse(opts.URL)
	if err != nil {
		return nil, err
	}
	c := &client{opts: opts, origin: originOf(u), header: http.Header{}, over: make(chan struct{})}
	if opts.UserAgent != "" {
		c.header.Set("User-Agent", opts.UserAgent)
	}
	for _, h := range opts.Headers {
		if !protocolHeader(h.Name) {
			c.header.Set(h.Name, h.Value)
		}
	}
	c.base = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer().DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           idlePerHost,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idleTime(u.Scheme),
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: maxHeader,
		WriteBufferSize:        writeBuffer,
	}
	c.base.OnProxyConnectResponse = c.connected
	c.http = &http.Client{Transport: c.base, CheckRedirect: c.checkRedirect}
	c.life, c.end = context.WithCancel(context.Background())
	c.last, c.endAll = context.WithCancel(context.Background())
	c.gone, c.lose = context.WithCancelCause(context.Background())
	return c, nil
}

// idleTime is how long a connection without requests is kept: less than servers keep it. A request that
// meets the server's end of the connection fails, and nobody knows whether it was carried out.
func idleTime(scheme string) time.Duration {
	if scheme == "https" {
		return 50 * time.Second // load balancers, which speak it for most servers, keep connections for a minute
	}
	return 4 * time.Second // Node's and uvicorn's servers keep them for five seconds
}

// Open implements [wire.Link].
func (c *client) Open(conn *wire.Conn) { c.conn = conn }

// Drop implements [wire.Link]: a posted request cannot be taken back.
func (c *client) Drop(seq uint64) (sent bool) { return seq != 0 }

// seqOf returns the sequence number of a failed request: 0 if it was not sent.
func seqOf(sent bool) uint64 {
	if sent {
		return 1
	}
	return 0
}

// leave releases all that is left.
func (c *client) leave() {
	c.end()
	c.endAll()
	c.base.CloseIdleConnections()
	close(c.over)
}

// Wait waits, after Close, until the link has released everything, or until the
// context ends.
func (c *client) Wait(ctx context.Context) {
	select {
	case <-c.over:
	case <-ctx.Done():
	}
}

// Lost returns the error which showed that the server no longer knows this session;
// nil while the session is known.
func (c *client) Lost() error { return context.Cause(c.gone) }

// Gone is closed when Lost returns an error. This may happen without a call in
// progress, if the server reports it on a standing stream. Calls in progress are
// still answered.
func (c *client) Gone() <-chan struct{} { return c.gone.Done() }

// origin is scheme, host and port. Credentials are sent to one origin alone.
type origin struct{ scheme, host, port string }

func originOf(u *url.URL) origin {
	o := origin{scheme: strings.ToLower(u.Scheme), host: strings.ToLower(u.Hostname()), port: u.Port()}
	if o.port == "" {
		o.port = map[string]string{"http": "80", "https": "443"}[o.scheme]
	}
	return o
}

func (o origin) String() string { return o.scheme + "://" + o.host + ":" + o.port }

// protocolHeader reports whether a header belongs to the protocol: a configured
// one would break the session.
func protocolHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Accept", "Content-Type", "Content-Length", sessionHeader, versionHeader, methodHeader, nameHeader, eventHeader:
		return true
	}
	return false
}

// errRedirect is wrapped in the error of a redirect that is not followed.
var errRedirect = errors.New("redirected")

// checkRedirect allows redirects within the origin, if the method stays: a POST that
// becomes a GET loses its body.
func (c *client) checkRedirect(next *http.Request, via []*http.Request) error {
	target := originOf(next.URL)
	reason, steps := "", []string(nil)
	switch {
	case target != c.origin:
		reason, steps = fmt.Sprintf("the server redirects to another origin, %q, and mcpgen does not follow", target.String()), []string{"if you trust this origin, write its address as url"}
	case len(via) >= maxRedirects:
		reason = fmt.Sprintf("the server redirects more than %d times", maxRedirects)
	case next.Method != via[0].Method:
		reason, steps = fmt.Sprintf("the server redirects to the path %q with a status that changes the request method", next.URL.EscapedPath()), []string{"write this path into url"}
	default:
		return nil
	}
	return &Error{Reason: reason, Steps: steps, Err: errRedirect}
}
