// The HTTP client for authorization servers, whose addresses come from an MCP server
// and are not trusted.

package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/internal/loopback"
)

const (
	requestTime  = 30 * time.Second // for one request to an authorization server
	maxAnswer    = 1 << 20          // bytes of one of its answers
	maxRedirects = 5
)

// newClient returns the client for authorization servers. Local allows addresses of this
// machine and its network. A server elsewhere may not name them: it could otherwise send
// requests to the services around the program.
func newClient(local bool) *http.Client {
	direct := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		return checkAddress(address, local)
	}}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 10 * time.Second, MaxIdleConns: 4,
		MaxResponseHeaderBytes: 256 << 10, ForceAttemptHTTP2: true,
	}
	plain := (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if ctx.Value(proxied{}) != nil {
			return plain(ctx, network, address) // the address is the proxy's, which the user has set
		}
		return direct.DialContext(ctx, network, address)
	}
	return &http.Client{Timeout: requestTime, Transport: &bounded{base: transport, local: local}}
}

// clientOf returns the client for the authorization servers of a target: the
// program's, or one from newClient. Neither follows the redirect of a POST, since its
// secrets, codes and verifiers are for the requested address alone.
func clientOf(own *http.Client, local bool) *http.Client {
	if own == nil {
		own = newClient(local)
	}
	c := *own
	c.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		switch {
		case via[0].Method != http.MethodGet && via[0].Method != http.MethodHead:
			return errors.New("the authorization server redirects the token request, and mcpgen does not follow")
		case own.CheckRedirect != nil:
			return own.CheckRedirect(req, via)
		case len(via) >= maxRedirects:
			return fmt.Errorf("more than %d redirects", maxRedirects)
		}
		return nil
	}
	return &c
}

// proxied marks the context of a request that goes through a proxy.
type proxied struct{}

// bounded refuses requests that would send secrets unencrypted, and cuts long
// answers.
type bounded struct {
	base  *http.Transport
	local bool // addresses of this machine and its network are allowed
}

// RoundTrip implements [http.RoundTripper].
func (b *bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "https" && (req.URL.Scheme != "http" || !loopback.Is(req.URL.Hostname())) {
		return nil, fmt.Errorf("%s://%s is not contacted: authorization servers have to use https",
			req.URL.Scheme, req.URL.Host)
	}
	if proxy, err := http.ProxyFromEnvironment(req); err == nil && proxy != nil {
		// A name is for the proxy to resolve.
		if ip, err := netip.ParseAddr(req.URL.Hostname()); err == nil {
			if err := checkIP(ip, b.local); err != nil {
				return nil, err
			}
		}
		req = req.WithContext(context.WithValue(req.Context(), proxied{}, true))
	}
	resp, err := b.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &cut{ReadCloser: resp.Body, left: maxAnswer}
	return resp, nil
}

// cut ends a body that is too long with an error.
type cut struct {
	io.ReadCloser
	left int
}

// Read reads the body.
func (c *cut) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// errAddress reports a local address that a remote server has named.
var errAddress = errors.New("refusing to contact a private address on behalf of a public server")

func checkAddress(address string, local bool) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return checkIP(at.Addr(), local)
}

func checkIP(ip netip.Addr, local bool) error {
	ip = ip.WithZone("").Unmap()
	if nat64.Contains(ip) { // the network translates it to this IPv4 address
		last := ip.As16()
		ip = netip.AddrFrom4([4]byte(last[12:]))
	}
	switch {
	case ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified():
		return errAddress // cloud metadata is there, and no authorization server
	case !local && (ip.IsLoopback() || ip.IsPrivate() || shared.Contains(ip)):
		return errAddress
	}
	return nil
}

var (
	// RFC 6598: networks of providers, of overlays and of some clouds' metadata.
	shared = netip.MustParsePrefix("100.64.0.0/10")
	nat64  = netip.MustParsePrefix("64:ff9b::/96")
)

// isLocal reports whether the name of a server's host alone shows that the server is on
// this machine or its network.
func isLocal(serverURL string) bool {
	u, err := url.Parse(serverURL)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return loopback.Is(host) || err == nil && (ip.Unmap().IsPrivate() || shared.Contains(ip.Unmap()))
}
