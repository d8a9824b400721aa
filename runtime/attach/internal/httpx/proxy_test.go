package httpx

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
)

// through makes the link use a proxy, as HTTPS_PROXY and HTTP_PROXY do.
func through(t *testing.T, l linked, proxy string) linked {
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	l.base.Proxy = http.ProxyURL(u)
	return l
}

// The failure of a proxy is not blamed on the server, which was never asked.
func TestFailuresOfProxies(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	_ = l.Close()
	refusing := func(status int) string {
		at := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "the proxy's page")
		})
		return strings.TrimPrefix(at, "http://")
	}
	login, bad, ends := refusing(407), refusing(502), strings.TrimPrefix(serveHTTP(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), "http://")
	for _, c := range []struct {
		url, proxy, want, step string
		sent                   bool
	}{
		{"https://mcp.example.invalid/mcp", "http://u:planted@" + closed, "the proxy http://" + closed + " cannot be reached: ", checkProxy, false},
		{"http://mcp.example.invalid/mcp", "http://u:planted@" + closed, "the proxy http://" + closed + " cannot be reached: ", checkProxy, false},
		{"https://mcp.example.invalid/mcp", "http://u:planted@proxy.invalid:3128", "the proxy http://proxy.invalid:3128 cannot be reached: ", checkProxy, false},
		{"https://mcp.example.invalid/mcp", "socks5://u:planted@" + closed, "the proxy socks5://" + closed + " cannot be reached: ", checkProxy, false},
		{"https://mcp.example.invalid/mcp", "http://u:planted@" + login, "the proxy http://" + login + " does not connect to mcp.example.invalid:443: HTTP 407", signProxy, false},
		{"https://mcp.example.invalid/mcp", "http://u:planted@" + bad, "the proxy http://" + bad + " does not connect to mcp.example.invalid:443: HTTP 502", checkProxy, false},
		{"http://mcp.example.invalid/mcp", "http://u:planted@" + login, "the proxy http://" + login + " requires credentials: HTTP 407", signProxy, false},
		{"http://mcp.example.invalid/mcp", "http://u:planted@" + ends, "mcp.example.invalid:80 through the proxy http://" + ends + " closed the connection", "", true},
	} {
		o := through(t, newLink(t, Options{URL: c.url}), c.proxy).call(t.Context())
		if o.err == nil || !strings.Contains(o.text(), c.want) || !strings.Contains(o.text(), c.step) || strings.Contains(o.text(), "planted") || o.sent != c.sent {
			t.Errorf("%s through %s: %+v, want %q and %q", c.url, c.proxy, o, c.want, c.step)
		}
		if !strings.Contains(o.text(), "407") && !errors.Is(o.err, runtime.ErrUnavailable) {
			t.Errorf("%s through %s: %+v is not unavailable", c.url, c.proxy, o)
		}
	}
}
