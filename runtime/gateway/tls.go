// TLS, and callers by their certificates.

package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// TLS has a gateway speak TLS. Its files are in PEM, and read again when they change: what is
// wrong then is logged, and what was read before stays in use. Do not copy it after its first use.
type TLS struct {
	Certificate, Key string // files of the gateway's own certificate
	// ClientCA is a file of certificates of authorities: a caller needs a certificate of one of
	// them, and its name is the caller's. "" asks for none.
	ClientCA string
	// Logger gets errors of files that changed. Nil discards them.
	Logger *slog.Logger

	mu     sync.Mutex
	now    *certificates
	failed string // the state of the files that could not be read

	watching sync.Mutex
	open     map[*watched]bool // what is in progress with a certificate
	follows  bool              // a goroutine looks after it
}

// certificates are the contents of the files.
type certificates struct {
	state   string // of the files
	own     tls.Certificate
	callers *x509.CertPool // nil: callers need no certificate
}

// tlsListener is the listener of [TLS.Listener].
type tlsListener struct {
	net.Listener
	checks atomic.Bool // each path that is not for everybody asks for a certificate
}

// Listener returns a listener that speaks TLS over another one, 1.2 or later. A caller
// without a certificate that [TLS.ClientCA] asks for is refused in the handshake; with
// [TLS.Auth] in [Gateway.ListenAndServe], it reaches /healthz. The error is for a file that
// cannot be read.
func (t *TLS) Listener(l net.Listener) (net.Listener, error) {
	if _, err := t.current(); err != nil {
		return nil, err
	}
	own := new(tlsListener)
	own.Listener = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		now, err := t.current()
		if err != nil {
			return nil, err
		}
		c := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{now.own}}
		if now.callers != nil {
			c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, now.callers
			if own.checks.Load() {
				c.ClientAuth = tls.VerifyClientCertIfGiven
			}
			c.SessionTicketsDisabled = true // a ticket would outlive a certificate
			c.VerifyConnection = func(s tls.ConnectionState) error {
				if c.ClientAuth == tls.VerifyClientCertIfGiven && len(s.PeerCertificates) == 0 {
					return nil
				}
				_, _, err := now.caller(s.PeerCertificates)
				return err
			}
		}
		return c, nil
	}})
	return own, nil
}

// Auth returns the verification of callers by their certificates, for connections of
// [TLS.Listener]. A caller is named by its first URI, DNS name or mail address, in this
// order, or else by its common name. Each request is verified. If its certificate expires, or
// the authority is removed, the request ends within a second or two, with its calls and
// streams. It needs [TLS.ClientCA].
func (t *TLS) Auth() (*Auth, error) {
	if t.ClientCA == "" {
		return nil, errors.New("gateway: callers must have certificates, but no certificate authority is given")
	}
	return &Auth{
		byCertificate: true,
		verify: func(_ context.Context, _ string, r *http.Request) (*auth.TokenInfo, error) {
			now, err := t.current()
			if err != nil || r.TLS == nil {
				return nil, auth.ErrInvalidToken
			}
			chain := r.TLS.PeerCertificates
			name, until, err := now.caller(chain)
			if err != nil {
				return nil, auth.ErrInvalidToken
			}
			ends := func(end func()) (stop func()) { return t.watch(&watched{chain, now, until, end}) }
			return &auth.TokenInfo{UserID: name, Expiration: until, Extra: facts{ends: ends}.extra()}, nil
		},
	}, nil
}

// onEnd has end called once a caller's certificate is no longer good, unless stop was called
// before. Callers with a token are served to the end.
func onEnd(info *auth.TokenInfo, end func()) (stop func()) {
	if ends := factsOf(info).ends; ends != nil {
		return ends(end)
	}
	return func() {}
}

// watched is something in progress with a certificate.
type watched struct {
	chain []*x509.Certificate
	by    *certificates // what the chain was verified with
	until time.Time     // when it expires
	end   func()
}

// watchPause is the time between two looks at the certificates that are in use.
const watchPause = time.Second

// watch calls the end of w once its certificate has expired, or its authority is gone.
func (t *TLS) watch(w *watched) (stop func()) {
	t.watching.Lock()
	defer t.watching.Unlock()
	if t.open == nil {
		t.open = map[*watched]bool{}
	}
	t.open[w] = true
	if !t.follows {
		t.follows = true
		go t.follow()
	}
	return func() {
		t.watching.Lock()
		defer t.watching.Unlock()
		delete(t.open, w)
	}
}

// follow looks after what is in progress, until there is nothing.
func (t *TLS) follow() {
	for {
		time.Sleep(watchPause)
		t.watching.Lock()
		open := slices.Collect(maps.Keys(t.open))
		t.follows = len(open) > 0
		t.watching.Unlock()
		if len(open) == 0 {
			return
		}
		now, err := t.current()
		for _, w := range open {
			if err == nil && (w.by != now || time.Now().After(w.until)) {
				if _, w.until, err = now.caller(w.chain); err != nil {
					w.end()
				}
				w.by, err = now, nil
			}
		}
	}
}

// caller returns the name in a chain of certificates, and when the chain expires, if an
// authority of callers made it. No certificate has the name of this machine's user.
func (c *certificates) caller(chain []*x509.Certificate) (name string, until time.Time, err error) {
	if c.callers == nil || len(chain) == 0 {
		return "", until, errors.New("the caller has no certificate")
	}
	between := x509.NewCertPool()
	for _, other := range chain[1:] {
		between.AddCert(other)
	}
	options := x509.VerifyOptions{Roots: c.callers, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	ways, err := chain[0].Verify(options)
	if err != nil {
		return "", until, err
	}
	for _, way := range ways {
		first := slices.MinFunc(way, func(a, b *x509.Certificate) int { return a.NotAfter.Compare(b.NotAfter) }).NotAfter
		if first.After(until) {
			until = first
		}
	}
	if name = nameOf(chain[0]); name == "" || name == local {
		return "", until, fmt.Errorf("the name %q in a certificate is not allowed for a caller", name)
	}
	return name, until, nil
}

// nameOf returns the name that a certificate is for; "" if it has none.
func nameOf(c *x509.Certificate) string {
	switch {
	case len(c.URIs) > 0:
		return c.URIs[0].String()
	case len(c.DNSNames) > 0:
		return c.DNSNames[0]
	case len(c.EmailAddresses) > 0:
		return c.EmailAddresses[0]
	}
	return c.Subject.CommonName
}

// current returns the certificates in the files, and reads the files that changed.
func (t *TLS) current() (*certificates, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	state, err := t.state()
	if t.now != nil && (err == nil && state == t.now.state || state == t.failed) {
		return t.now, nil
	}
	fresh := &certificates{state: state}
	if err == nil {
		err = fresh.read(t)
	}
	if err == nil {
		t.now, t.failed = fresh, ""
		return fresh, nil
	}
	if t.now == nil {
		return nil, err
	}
	if t.failed = state; t.Logger != nil {
		t.Logger.Error("gateway: the changed certificates cannot be used, so the old ones stay in use", "error", err)
	}
	return t.now, nil
}

// state returns a text that changes with the files.
func (t *TLS) state() (string, error) {
	var all string
	var errs []error
	for _, path := range []string{t.Certificate, t.Key, t.ClientCA} {
		if path == "" {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			errs = append(errs, err)
			all += path + " cannot be read\n"
			continue
		}
		all += fmt.Sprintf("%s %d %d\n", path, info.ModTime().UnixNano(), info.Size())
	}
	return all, errors.Join(errs...)
}

// read reads the files.
func (c *certificates) read(t *TLS) (err error) {
	if c.own, err = tls.LoadX509KeyPair(t.Certificate, t.Key); err != nil {
		return fmt.Errorf("%s and %s: %w", t.Certificate, t.Key, err)
	}
	if t.ClientCA == "" {
		return nil
	}
	text, err := os.ReadFile(t.ClientCA)
	if err != nil {
		return err
	}
	if c.callers = x509.NewCertPool(); !c.callers.AppendCertsFromPEM(bytes.TrimSpace(text)) {
		return fmt.Errorf("%s: the file has no certificate in PEM", t.ClientCA)
	}
	return nil
}
