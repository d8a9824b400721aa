package gateway

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// While the authorization server does not do its work, callers get the number of a report, and
// the log has the reason under it, once in an outage. Known keys stay in use meanwhile.
func TestAuthorizationServerDown(t *testing.T) {
	const client = "a-secret-of-the-gateway"
	issuer := newIssuer(t)
	issuer.rotate("a", jose.RS256, newRSA(t, 2048))
	var down atomic.Bool
	introspection := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"active":true,"sub":"ann","aud":"`+testResource+`"}`)
	}))
	var later atomic.Int64 // the clock of the keys runs ahead
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	asked := Introspection{Resource: testResource, Issuer: introspection, Endpoint: introspection + "/introspect", ClientID: "gw", Secret: client}
	for name, c := range map[string]struct {
		auth         func() (*Auth, error)
		set          func(down bool)
		reason       string
		keepsServing bool // by known keys
	}{
		"keys": {JWT{Resource: testResource, Issuer: issuer.url, now: now}.Auth, issuer.set,
			"the keys of the authorization server cannot be read: " + issuer.url + "/.well-known/openid-configuration: 502 Bad Gateway", true},
		"introspection": {asked.Auth, down.Store,
			"the authorization server does not say whether tokens are valid: " + introspection + "/introspect: 401 Unauthorized", false},
	} {
		a, err := c.auth()
		if err != nil {
			t.Fatal(err)
		}
		log := &lockedBuffer{}
		g := openGateway(t, nil, &Options{Logger: slog.New(slog.NewTextHandler(log, nil))}, processServer(t, "s", "exact"))
		url, _ := serveHTTP(t, g, &HandlerOptions{Auth: a})
		sent := 0
		ask := func(want int) string {
			t.Helper()
			sent++ // each token is new
			token := issuer.token("a", issuer.claims("exp", now().Add(time.Hour*time.Duration(sent)).Unix()))
			status, got, _ := postJSON(t, url+Path, initialize, "Authorization", "Bearer "+token)
			if status != want {
				t.Errorf("%s: %d %s, want %d", name, status, got, want)
			}
			return got
		}
		logged := func(want int) {
			t.Helper()
			all := log.String()
			if strings.Count(all, c.reason) != want || strings.Contains(all, client) {
				t.Errorf("%s: the log has\n%swant %d times %s", name, all, want, c.reason)
			}
		}
		c.set(true)
		for range 3 {
			if got := ask(http.StatusInternalServerError); got != "unavailable, at auth: ask the operator of the gateway for the reason: it is report 1 in the log\n" {
				t.Errorf("%s: a caller gets %s", name, got)
			}
		}
		logged(1)
		if !strings.Contains(log.String(), "report=1\n") {
			t.Errorf("%s: the log has no number: %s", name, log)
		}
		c.set(false)
		later.Add(int64(keysPause))
		ask(http.StatusOK)
		time.Sleep(time.Second) // the text of an outage has the second in which it began
		a.outage.mu.Lock()
		a.outage.began = a.outage.began.Add(-2 * outagePause)
		a.outage.mu.Unlock()
		c.set(true)
		if c.keepsServing {
			later.Add(int64(keysAge + time.Second))
			ask(http.StatusOK)
			eventually(t, "the outage is in the log", func() bool { ask(http.StatusOK); return strings.Count(log.String(), c.reason) == 2 })
		} else {
			ask(http.StatusInternalServerError)
		}
		logged(2)
		c.set(false)
	}
}

// An outage has one reason. One that ends and begins again soon is the same.
func TestOutage(t *testing.T) {
	var o outage
	first := o.begin(errors.New("first"))
	if again := o.begin(errors.New("second")); again != first || o.now() != first {
		t.Errorf("got %v and %v", again, o.now())
	}
	o.end()
	if o.now() != nil {
		t.Error("it goes on")
	}
	if again := o.begin(errors.New("third")); again != first || o.now() != first {
		t.Errorf("got %v and %v", again, o.now())
	}
	o.end()
	o.began = o.began.Add(-2 * outagePause)
	if next := o.begin(errors.New("fourth")); next == first || !strings.HasPrefix(next.Error(), "fourth (since ") {
		t.Errorf("got %v", next)
	}
}
