package gateway

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// authority makes certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, key: newECDSA(t)}
	a.cert, a.pem = a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil, a.key)
	return a
}

func newECDSA(t *testing.T) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sign signs a certificate; without a parent, its own.
func (a *authority) sign(c, parent *x509.Certificate, key *ecdsa.PrivateKey) (*x509.Certificate, []byte) {
	a.t.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		a.t.Fatal(err)
	}
	if c.SerialNumber = serial; c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(time.Hour)
	}
	c.NotBefore = time.Now().Add(-2 * time.Hour)
	if parent == nil {
		parent = c
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	signed, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return signed, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// pair returns a certificate and its key in PEM.
func (a *authority) pair(c *x509.Certificate) (cert, key []byte) {
	secret := newECDSA(a.t)
	_, cert = a.sign(c, a.cert, secret)
	der, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// client returns a client with a certificate; nil is none.
func (a *authority) client(by *authority, c *x509.Certificate) *http.Client {
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AddCert(a.cert)
	if c != nil {
		if c.ExtKeyUsage == nil {
			c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		}
		pair, err := tls.X509KeyPair(by.pair(c))
		if err != nil {
			a.t.Fatal(err)
		}
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	transport := &http.Transport{TLSClientConfig: config}
	a.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 20 * time.Second}
}

// server returns a certificate of the gateway.
func (a *authority) server(name string) (cert, key []byte) {
	return a.pair(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// must returns the verification of callers of a test.
func must(a *Auth, err error) *Auth {
	if err != nil {
		panic(err)
	}
	return a
}

const callExact = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__exact","arguments":{"n":1},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`

// post calls a tool over HTTP.
func post(client *http.Client, url string) (status int, body string, state *tls.ConnectionState, err error) {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(callExact))
	if err != nil {
		return 0, "", nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "tools/call", "Mcp-Name": "s__exact", "Authorization": "Bearer certificate",
	} {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return res.StatusCode, string(data), res.TLS, err
}

// files are the files of a gateway whose callers have certificates of the same authority.
func (a *authority) files() *TLS {
	dir := a.t.TempDir()
	files := &TLS{Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"), ClientCA: filepath.Join(dir, "ca.pem")}
	cert, key := a.server("first")
	write(a.t, files.Certificate, cert)
	write(a.t, files.Key, key)
	write(a.t, files.ClientCA, a.pem)
	return files
}

// serveTLS serves a gateway to callers with certificates, until the end of the test.
func serveTLS(t *testing.T, g *Gateway, files *TLS, opts *HandlerOptions) (address string) {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l, err := files.Listener(inner)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- g.ListenAndServe(ctx, l, opts) }()
	t.Cleanup(func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return "https://" + l.Addr().String() + Path
}

// A caller is the name in its certificate, for the host, too. Certificates of nobody we know,
// and old ones, do not come past the handshake. Without a certificate, no call is made.
func TestCertificates(t *testing.T) {
	known, other := newAuthority(t), newAuthority(t)
	files := known.files()
	var mu sync.Mutex
	var callers []string
	note := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			mu.Lock()
			callers = append(callers, req.Options.Caller)
			mu.Unlock()
			return next.Invoke(ctx, req)
		})
	}
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{note}}, nil, processServer(t, "s", "exact"))
	address := serveTLS(t, g, files, &HandlerOptions{Auth: must(files.Auth())})
	spiffe, _ := url.Parse("spiffe://example.com/ci")
	named := pkix.Name{CommonName: "common"}
	for _, c := range []struct {
		of   *x509.Certificate
		want string
	}{
		{&x509.Certificate{Subject: named, URIs: []*url.URL{spiffe}, DNSNames: []string{"dns.example"}}, "spiffe://example.com/ci"},
		{&x509.Certificate{Subject: named, DNSNames: []string{"dns.example"}, EmailAddresses: []string{"a@example.com"}}, "dns.example"},
		{&x509.Certificate{Subject: named, EmailAddresses: []string{"a@example.com"}}, "a@example.com"},
		{&x509.Certificate{Subject: named}, "common"},
	} {
		callers = nil
		status, body, _, err := post(known.client(known, c.of), address)
		if err != nil || status != http.StatusOK || !strings.Contains(body, `"exact":`) || len(callers) != 1 || callers[0] != c.want {
			t.Errorf("%s: %d %s, %v, of the callers %q", c.want, status, body, err, callers)
		}
	}
	for name, c := range map[string]*http.Client{
		"another authority": known.client(other, &x509.Certificate{Subject: named}),
		"expired":           known.client(known, &x509.Certificate{Subject: named, NotAfter: time.Now().Add(-time.Minute)}),
		"a server's":        known.client(known, &x509.Certificate{Subject: named, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}),
		"without a name":    known.client(known, &x509.Certificate{}),
		"this user's":       known.client(known, &x509.Certificate{Subject: pkix.Name{CommonName: local}}),
	} {
		if status, body, _, err := post(c, address); err == nil {
			t.Errorf("%s: it is answered %d %s", name, status, body)
		}
	}

	// Without a certificate, only a load balancer is answered.
	none := known.client(nil, nil)
	for path, want := range map[string]int{
		"/healthz": 200, "/mcp": 401, "/mcp/x": 401, "/mcp/x/y": 404, "//mcp": 401, "/x/../mcp": 401, "/": 404, "/metrics": 404, metadataPath: 404, metadataPath + Path: 404,
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions} {
			req, err := http.NewRequest(method, strings.TrimSuffix(address, Path)+path, strings.NewReader(callExact))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer certificate")
			res, err := none.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if ok := res.StatusCode == want || path == "/healthz" && method != http.MethodGet && res.StatusCode == http.StatusMethodNotAllowed; !ok {
				t.Errorf("%s %s without a certificate: %d, want %d", method, path, res.StatusCode, want)
			}
		}
	}
	if status, body, _, err := post(none, address); err != nil || status != http.StatusUnauthorized {
		t.Errorf("a call without a certificate: %d %s, %v", status, body, err)
	}

	// Files that change are read again; those that are wrong are not used. An authority that
	// is gone ends its callers on connections under way.
	old := known.client(known, &x509.Certificate{Subject: named})
	serving := func(want string) {
		t.Helper()
		fresh := known.client(known, &x509.Certificate{Subject: named})
		if status, body, state, err := post(fresh, address); err != nil || status != http.StatusOK || state.PeerCertificates[0].Subject.CommonName != want {
			t.Fatalf("want the certificate %s: %d %s, %v", want, status, body, err)
		}
	}
	serving("first")
	if status, _, _, err := post(old, address); err != nil || status != http.StatusOK {
		t.Fatal(status, err)
	}
	write(t, files.Certificate, []byte("no PEM"))
	serving("first")
	cert, key := known.server("second")
	write(t, files.Key, key)
	serving("first") // the two do not belong together yet
	write(t, files.Certificate, cert)
	serving("second")
	write(t, files.ClientCA, other.pem)
	if status, body, _, err := post(old, address); err != nil || status != http.StatusUnauthorized {
		t.Errorf("after its authority is gone, a caller is answered %d %s, %v", status, body, err)
	}
	if _, _, _, err := post(known.client(known, &x509.Certificate{Subject: named}), address); err == nil {
		t.Error("a new connection by that authority is taken")
	}
	if status, body, _, err := post(known.client(other, &x509.Certificate{Subject: named}), address); err != nil || status != http.StatusOK {
		t.Errorf("the new authority: %d %s, %v", status, body, err)
	}
}

// The calls and streams that are in progress with a certificate end with it, and so does a call
// of a session that its client has left. Those of other certificates go on.
func TestCertificatesEnd(t *testing.T) {
	known, other := newAuthority(t), newAuthority(t)
	begun, ended := make(chan string), make(chan string, 10)
	wait := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Method == protocol.MethodCallTool {
				begun <- req.Options.Caller
				<-ctx.Done()
				ended <- req.Options.Caller
			}
			return nil, ctx.Err()
		})
	}
	files := known.files()
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{wait}}, nil, processServer(t, "s", "exact"))
	address := serveTLS(t, g, files, &HandlerOptions{Auth: must(files.Auth())})
	next := func(what string, from <-chan string, want string) {
		t.Helper()
		select {
		case got := <-from:
			if got != want {
				t.Errorf("%s: got %s, want %s", what, got, want)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: %s is missing", what, want)
		}
	}
	over := make(chan string, 10)
	send := func(ctx context.Context, c *http.Client, method, body string, header ...string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		return c.Do(req)
	}
	start := func(c *http.Client, name, method, body string, header ...string) {
		go func() {
			res, err := send(t.Context(), c, method, body, header...)
			if err == nil {
				_, err = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%s ended with %v", name, err)
			}
			over <- name
		}()
	}
	client := func(name string, last time.Duration) *http.Client {
		return known.client(known, &x509.Certificate{Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(last)})
	}
	session := func(c *http.Client) []string {
		res, err := send(t.Context(), c, http.MethodPost, initialize)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return []string{"Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
	}
	body, header := modernCall("s__exact", `{"n":1}`)
	const older = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"s__exact","arguments":{"n":1}}}`

	// One expires.
	start(client("expiring", 4*time.Second), "expiring call", http.MethodPost, body, header...)
	next("the call begins", begun, "expiring")

	// The authority of another is removed.
	c := client("ann", time.Hour)
	start(c, "call", http.MethodPost, body, header...)
	next("the call begins", begun, "ann")
	start(c, "listen", http.MethodPost, `{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"Mcp-Protocol-Version", modern, "Mcp-Method", listening)
	of := session(c)
	start(c, "stream", http.MethodGet, "", of...)
	start(c, "call in a session", http.MethodPost, older, of...)
	next("the call in a session begins", begun, "ann")
	left, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if res, err := send(left, c, http.MethodPost, strings.Replace(older, `"id":3`, `"id":4`, 1), of...); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}()
	next("another call in a session begins", begun, "ann")
	time.Sleep(2 * handoverTime) // it gets a stream, which its client may resume
	leave()
	<-gone

	next("the call whose certificate expires", ended, "expiring")
	next("its request", over, "expiring call")
	select {
	case name := <-over:
		t.Errorf("%s ended too early", name)
	case name := <-ended:
		t.Errorf("a call of %s ended too early", name)
	case <-time.After(2 * watchPause):
	}
	write(t, files.ClientCA, other.pem)
	for range 3 {
		next("the calls", ended, "ann")
	}
	var names []string
	for range 4 {
		select {
		case name := <-over:
			names = append(names, name)
		case <-time.After(10 * time.Second):
		}
	}
	slices.Sort(names)
	if want := []string{"call", "call in a session", "listen", "stream"}; !slices.Equal(names, want) {
		t.Errorf("%q ended, want %q", names, want)
	}
	eventually(t, "nothing is watched any more", func() bool {
		files.watching.Lock()
		defer files.watching.Unlock()
		return len(files.open) == 0 && !files.follows
	})
}

// What is missing is said before anything is served, and a handler without TLS lets nobody in.
func TestCertificatesMissing(t *testing.T) {
	a := newAuthority(t)
	dir := t.TempDir()
	cert, key := a.server("gw")
	write(t, filepath.Join(dir, "cert.pem"), cert)
	write(t, filepath.Join(dir, "key.pem"), key)
	write(t, filepath.Join(dir, "empty.pem"), nil)
	for want, files := range map[string]*TLS{
		"absent.pem":                {Certificate: filepath.Join(dir, "absent.pem"), Key: filepath.Join(dir, "key.pem")},
		"has no certificate in PEM": {Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"), ClientCA: filepath.Join(dir, "empty.pem")},
		"cert.pem and":              {Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "cert.pem")},
	} {
		if _, err := files.Listener(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := (&TLS{}).Auth(); err == nil {
		t.Error("callers by certificates of no authority")
	}
	write(t, filepath.Join(dir, "ca.pem"), a.pem)
	verify, err := (&TLS{Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"), ClientCA: filepath.Join(dir, "ca.pem")}).Auth()
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := serveHTTP(t, openGateway(t, nil, nil, processServer(t, "s", "exact")), &HandlerOptions{Auth: verify})
	// Unless the gateway verifies each request, the handshake does.
	files := a.files()
	for name, opts := range map[string]*HandlerOptions{"no token": nil, "tokens": {Auth: must(Tokens(map[string]string{"ann": "0123456789abcdef"}))}} {
		address := serveTLS(t, openGateway(t, nil, nil, processServer(t, "s", "exact")), files, opts)
		if res, err := a.client(nil, nil).Get(strings.TrimSuffix(address, Path) + "/healthz"); err == nil {
			t.Errorf("with %s, a connection without a certificate is taken: %s", name, res.Status)
		}
	}
	if status, body, _, err := post(http.DefaultClient, plain+Path); err != nil || status != http.StatusUnauthorized {
		t.Errorf("without TLS: %d %s, %v", status, body, err)
	}
}
