// Package httpx is what lies between the SDK's HTTP transports and the network.
//
// The SDK's sessions do the protocol's bookkeeping (session ids, versions,
// resumption, routing by id). Everything that must be exact, bounded or safe
// happens here, below them, in one [http.RoundTripper]:
//
//   - the parameters of our own requests and the bytes of their results never
//     pass through the SDK's types: an [Exchange] in the request's context
//     carries them past it;
//   - every answer is bounded in size after decompression, and what is not a
//     JSON-RPC message is skipped or becomes an error of that one request, never
//     the end of the session;
//   - what the SDK has been handed and not handled yet is bounded in bytes;
//   - nothing is sent to another origin than the configured one.
//
// The older transport, a stream of events and separate POSTs, is here as a whole:
// see [Events].
package httpx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// Bounds that no configuration changes.
const (
	maxHeader      = 1 << 20          // bytes of the header of one answer
	maxRedirects   = 5                // for one request
	idlePerHost    = 128              // kept connections: callers of one server come in crowds
	probeTimeout   = 5 * time.Second  // for server/discover, which old servers may leave unanswered
	messageTimeout = 5 * time.Second  // for a notification or an answer of ours
	deleteTimeout  = time.Second      // for the farewell
	dialTimeout    = 10 * time.Second // for a connection, and again for its TLS handshake
	drainTimeout   = time.Second      // for the rest of an answered stream
	maxDrain       = 64 << 10         // bytes of it
	writeBuffer    = 2 << 10          // of a connection: most requests fit, and idle ones hold it, too
)

// Header is one configured header.
type Header struct{ Name, Value string }

// Options are the settings of a [Client].
type Options struct {
	URL        string         // of the server, absolute, http or https
	Headers    []Header       // sent with every request, to this origin only
	UserAgent  string         // sent unless Headers holds one
	MaxMessage int64          // bytes of one message, after decompression; must be positive
	Memory     *budget.Budget // shared by all whose large messages arrive at the same time; nil is no bound
	MaxUnasked int64          // bytes of what it sends without being asked and nobody has handled yet; 0 is wire.DefaultMaxUnasked
	SSE        bool           // the transport of 2024-11-05: a GET stream and separate POSTs

	// Credentials give the tokens of requests. Nil: the headers are all there is.
	Credentials Credentials

	// OnHandshake receives the result of initialize and server/discover as
	// sent. Nil ignores them.
	OnHandshake func(method string, result []byte)
	// OnSkipped receives what stood in a stream and is no message. It must not
	// block and not keep the bytes. Nil ignores it.
	OnSkipped func(data []byte)
	// OnDrop receives what was dropped for a bound, and why. It must not block.
	// Nil ignores it.
	OnDrop func(n wire.Drops, why error)
}

// Client is the round-tripper of one session.
type Client struct {
	opts    Options
	origin  origin
	base    *http.Transport
	direct  *http.Client // of [Client.Do]
	ids     wire.IDs
	lastID  atomic.Uint64
	unasked atomic.Pointer[standing] // the SDK's stream for what answers nothing
	life    context.Context          // ends with Close
	end     context.CancelFunc
	skipped atomic.Int64
	inbox   *inbox // what the SDK has not handled yet; not of the SSE transport
	lost    atomic.Pointer[Error]
	gone    chan struct{} // closed with lost
	broken  atomic.Pointer[Error]

	firstPause time.Duration // between the connections of a standing stream
}

// New returns the round-tripper for one session. It fails if the URL or a
// header cannot be used. Call [Client.Close] when the session has ended.
func New(opts Options) (*Client, error) {
	u, err := CheckURL(opts.URL)
	if err != nil {
		return nil, err
	}
	for _, h := range opts.Headers {
		if err := checkHeader(h); err != nil {
			return nil, err
		}
	}
	base := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer().DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           idlePerHost,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: maxHeader,
		WriteBufferSize:        writeBuffer,
	}
	life, end := context.WithCancel(context.Background())
	c := &Client{
		opts: opts, origin: originOf(u), base: base, ids: wire.NewIDs(), life: life, end: end,
		gone: make(chan struct{}), firstPause: firstPause,
		inbox: newInbox(cmp.Or(opts.MaxUnasked, wire.DefaultMaxUnasked)),
	}
	c.direct = &http.Client{Transport: straight{c}, CheckRedirect: c.checkRedirect}
	return c, nil
}

// HTTP returns the client to give to the SDK's transport.
func (c *Client) HTTP() *http.Client {
	return &http.Client{Transport: c, CheckRedirect: c.checkRedirect}
}

// Abort ends what is under way: notifications and answers that the server does
// not take. The farewell of the session can still be sent.
func (c *Client) Abort() { c.end() }

// Close ends what is under way and gives the connections back.
func (c *Client) Close() {
	c.end()
	c.base.CloseIdleConnections()
}

// Lost returns the answer that said that the server no longer knows this
// session; nil as long as it does.
func (c *Client) Lost() error {
	if e := c.lost.Load(); e != nil {
		return e
	}
	return nil
}

// Broken returns what was wrong with the stream of the SSE transport, or with
// the last answer to a handshake in a stream, if that is why it ended: the SDK
// does not pass it on.
func (c *Client) Broken() error {
	if e := c.broken.Load(); e != nil {
		return e
	}
	return nil
}

// Skipped returns how many events were skipped because they are no messages.
func (c *Client) Skipped() int { return int(c.skipped.Load()) }

func (c *Client) skip(data []byte) {
	c.skipped.Add(1)
	if c.opts.OnSkipped != nil {
		c.opts.OnSkipped(data)
	}
}

// drop counts something that is dropped for a bound.
func (c *Client) drop(n wire.Drops, why error) {
	if c.opts.OnDrop != nil {
		c.opts.OnDrop(n, why)
	}
}

// CheckURL parses the address of a server. The error does not repeat what the
// address may hold as a password.
func CheckURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		// The text of the error repeats the address.
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return nil, fmt.Errorf("the url cannot be read: %v: write it as https://host/path", err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the url has the scheme %q: only http and https are spoken", u.Scheme)
	case u.Hostname() == "":
		return nil, errors.New("the url names no host: write it as https://host/path")
	case u.User != nil:
		return nil, errors.New("the url holds a user name or password: put them into the Authorization header, under headers")
	}
	return u, nil
}

func checkHeader(h Header) error {
	if h.Name == "" || strings.Trim(h.Name, tokenChars) != "" {
		return fmt.Errorf("%q is not the name of a header", h.Name)
	}
	if strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("the value of the header %q holds a character that headers cannot hold, such as a line break: check the variable it comes from", h.Name)
	}
	return nil
}

// tokenChars are the characters of a header's name.
const tokenChars = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// origin is scheme, host and port: what credentials are bound to.
type origin struct{ scheme, host, port string }

func originOf(u *url.URL) origin {
	o := origin{scheme: strings.ToLower(u.Scheme), host: strings.ToLower(u.Hostname()), port: u.Port()}
	if o.port == "" {
		o.port = map[string]string{"http": "80", "https": "443"}[o.scheme]
	}
	return o
}

func (o origin) String() string { return o.scheme + "://" + o.host + ":" + o.port }

// checkRedirect lets a request follow within the origin only, and only where
// the method stays: a POST that becomes a GET has lost its body.
func (c *Client) checkRedirect(next *http.Request, via []*http.Request) error {
	target := originOf(next.URL)
	switch {
	case target != c.origin:
		return &Error{Reason: fmt.Sprintf("the server redirects to another origin, %q, and is not followed there: if you trust it, write that address as url", target.String())}
	case len(via) >= maxRedirects:
		return &Error{Reason: fmt.Sprintf("the server redirects more than %d times", maxRedirects)}
	case next.Method != via[0].Method:
		return &Error{Reason: fmt.Sprintf("the server redirects to the path %q in a way that drops the request: write that path into url", next.URL.EscapedPath())}
	}
	return nil
}
