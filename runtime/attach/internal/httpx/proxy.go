// The proxy between this program and the server, and its failures.

package httpx

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// The next steps after failures of a proxy.
const (
	checkProxy = "check HTTPS_PROXY, HTTP_PROXY and NO_PROXY"
	signProxy  = "write the user and the password of the proxy into its URL in HTTPS_PROXY or HTTP_PROXY"
)

// proxy returns the address of the proxy for requests to the server, without the
// user; "" without a proxy.
func (c *client) proxy() string {
	u, err := url.Parse(c.opts.URL)
	if err != nil || c.base.Proxy == nil {
		return ""
	}
	return proxyName(c.base.Proxy(&http.Request{URL: u}))
}

func proxyName(u *url.URL, err error) string {
	if err != nil || u == nil {
		return ""
	}
	return safetext.Words(u.Scheme+"://"+u.Host, 200)
}

// proxyError returns the error of a proxy that cannot be reached, or that cannot reach
// the server; nil if err is another one. Nothing was sent to the server.
func (c *client) proxyError(err error) *Error {
	op, ok := errors.AsType[*net.OpError](err)
	if !ok || op.Op != "proxyconnect" && op.Op != "socks connect" {
		return nil
	}
	e := &Error{Refused: true, Err: err, Steps: []string{checkProxy}}
	if op.Op == "proxyconnect" {
		e.Reason = fmt.Sprintf("the proxy %s cannot be reached: %s", c.proxy(), safetext.Words(op.Err.Error(), 300))
	} else {
		e.Reason = fmt.Sprintf("the proxy %s does not connect to %s: %s", c.proxy(), c.at(), safetext.Words(op.Err.Error(), 300))
	}
	return e
}

// connected returns an error if a proxy refuses a tunnel to the server.
func (c *client) connected(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &Error{
		Refused: true, Steps: proxySteps(resp.StatusCode),
		Reason: fmt.Sprintf("the proxy %s does not connect to %s: HTTP %s", proxyName(proxy, nil), c.at(), statusText(resp.StatusCode)),
	}
}

func proxySteps(status int) []string {
	if status == http.StatusProxyAuthRequired {
		return []string{signProxy, checkProxy}
	}
	return []string{checkProxy}
}
