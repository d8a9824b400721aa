package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// claimsGateway serves the server s with rules by claims. Checks returns the reasons of
// the decisions so far.
func claimsGateway(t *testing.T, auth *Auth) (url string, checks func() string) {
	var mu sync.Mutex
	var seen []string
	gate, err := policy.New(policy.Config{
		Callers: []policy.CallerRules{
			{CallerMatch: policy.CallerMatch{Claim: "groups", Is: "devs"}, Allow: []string{"tool:s/*"}},
			{CallerMatch: policy.CallerMatch{Claim: "scope", Is: "tools"}, Allow: []string{"tool:s/*"}},
			{CallerMatch: policy.CallerMatch{Claim: "groups", Is: "guests"}, Deny: []string{"tool:s/*"}},
			{CallerMatch: policy.CallerMatch{Claim: "realm_access.roles", Is: "devs"}, Allow: []string{"tool:s/*"}},
			{CallerMatch: policy.CallerMatch{Claim: "client_id", Is: "batch"}, Limits: []policy.Limit{{Rate: "1/1h"}}},
		},
	}, &policy.Options{OnEvent: func(e event.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, e.Caller+": "+e.Detail)
	}})
	if err != nil {
		t.Fatal(err)
	}
	host := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{gate.Middleware()}, Callers: &attach.CallerSessions{Sessions: true}}, nil, processServer(t, "s", "exact")).host
	g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Shows: gate.Shows})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	url, _ = serveHTTP(t, g, &HandlerOptions{Auth: auth})
	return url + Path, func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(seen, "\n")
	}
}

// may reports whether a caller is listed the tool, and whether it may call it.
func may(t *testing.T, url, token, session string) (listed, called bool) {
	t.Helper()
	headers := []string{"Authorization", "Bearer " + token, "Mcp-Session-Id", session, "Claims", "groups=devs", "Groups", "devs"}
	_, list, _ := postJSON(t, url, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"claims":["groups=devs"],"groups":["devs"]}}}`, headers...)
	_, answer, _ := postJSON(t, url, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"s__exact","arguments":{"n":1},"_meta":{"claims":["groups=devs"],"groups":["devs"]}}}`, headers...)
	return strings.Contains(list, `"s__exact"`), strings.Contains(answer, `"result"`) && !strings.Contains(answer, `"isError":true`)
}

// begun begins a session.
func begun(t *testing.T, url, token string) string {
	t.Helper()
	_, _, header := postJSON(t, url, initialize, "Authorization", "Bearer "+token)
	session := header.Get(sessionHeader)
	postJSON(t, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Authorization", "Bearer "+token, "Mcp-Session-Id", session)
	return session
}

// What a verified token says of its caller decides what that caller is listed and may
// call, whoever else uses the server, and whatever the caller writes into a request.
func TestClaims(t *testing.T) {
	s := newIssuer(t)
	s.rotate("a", jose.RS256, newRSA(t, 2048))
	auth, err := JWT{Resource: testResource, Issuer: s.url}.Auth()
	if err != nil {
		t.Fatal(err)
	}
	url, checks := claimsGateway(t, auth)
	sessions := map[string]string{}
	for range 2 { // in turn, over the sessions that are there
		for _, c := range []struct {
			sub string
			add []any
			may bool
		}{
			{"dev", []any{"groups", []string{"x", "devs"}}, true},
			{"one", []any{"groups", "devs"}, true},
			{"none", nil, false},
			{"words", []any{"groups", "devs guests"}, false},
			{"scope", []any{"scope", "mcp tools"}, true},
			{"other", []any{"groups", []string{"dev", "devs2", "DEVS"}, "duties", []string{"devs"}, "groups=devs", "devs", "x", "groups=devs"}, false},
			{"nested", []any{"groups", []any{[]string{"devs"}, map[string]any{"devs": "devs"}, 1, nil}}, false},
			{"object", []any{"groups", map[string]any{"devs": true}, "realm", map[string]any{"groups": "devs"}}, false},
			{"both", []any{"groups", []string{"devs", "guests"}}, false},
			{"path", []any{"realm_access", map[string]any{"roles": []string{"x", "devs"}}}, true},
			{"exact", []any{"realm_access", map[string]any{"roles": "devs"}, "realm_access.roles", "x"}, false},
			{"whole", []any{"realm_access.roles", "devs"}, true},
			{"deeper", []any{"x", map[string]any{"realm_access": map[string]any{"roles": "devs"}}}, false},
			{"listed", []any{"realm_access", []any{map[string]any{"roles": "devs"}}}, false},
			{"groups=devs", nil, false},
			{"devs", []any{"groups", nil, "client_id", "devs"}, false},
		} {
			token := s.token("a", s.claims(append([]any{"sub", c.sub}, c.add...)...))
			if sessions[c.sub] == "" {
				sessions[c.sub] = begun(t, url, token)
			}
			if listed, called := may(t, url, token, sessions[c.sub]); listed != c.may || called != c.may {
				t.Errorf("%s %v: listed %v, called %v", c.sub, c.add, listed, called)
			}
		}
	}
	// A session is its caller's, with the claims of each request's own token.
	none, dev := s.token("a", s.claims("sub", "dev")), s.token("a", s.claims("sub", "dev", "groups", "devs"))
	if listed, called := may(t, url, none, sessions["dev"]); listed || called {
		t.Errorf("a token without the claim, in a session begun with it: listed %v, called %v", listed, called)
	}
	if listed, called := may(t, url, dev, sessions["dev"]); !listed || !called {
		t.Errorf("the token with the claim: listed %v, called %v", listed, called)
	}
	if listed, called := may(t, url, s.token("a", s.claims("sub", "none")), sessions["dev"]); listed || called {
		t.Errorf("another caller in the session: listed %v, called %v", listed, called)
	}
	batch := s.token("a", s.claims("sub", "job", "client_id", "batch", "groups", "devs"))
	session := begun(t, url, batch)
	_, first := may(t, url, batch, session)
	_, second := may(t, url, batch, session)
	if !first || second {
		t.Errorf("a limit for the claim: %v, then %v", first, second)
	}
	got := checks()
	checkContains(t, got, `dev: the rule "tool:s/*" for callers with groups=devs allows it`, `both: the rule "tool:s/*" for callers with groups=guests denies it`,
		"job: the limit (1 calls in 1h for callers with client_id=batch, for each caller) is reached")
	for _, word := range []string{"DEVS", "duties", s.url} {
		if strings.Contains(got, word) {
			t.Errorf("the log has claims that no rule names: %s", got)
		}
	}
}

// An authorization server that is asked about tokens says the same of callers.
func TestClaimsOfAnswers(t *testing.T) {
	issuer := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		more := map[string]string{
			"dev": `"groups":["devs"]`, "scope": `"scope":"mcp tools"`, "none": `"x":1`, "case": `"Groups":"devs","GROUPS":["devs"]`, "guest": `"groups":["guests","devs"]`,
			"many": `"groups":["guests","` + strings.Repeat(`x","`, maxClaims/8) + `devs"]`,
		}[r.FormValue("token")]
		_, _ = fmt.Fprintf(w, `{"active":true,"sub":%q,"aud":%q,%s}`, r.FormValue("token"), testResource, more)
	}))
	auth, err := Introspection{Resource: testResource, Issuer: issuer, Endpoint: issuer + "/introspect"}.Auth()
	if err != nil {
		t.Fatal(err)
	}
	url, _ := claimsGateway(t, auth)
	for token, want := range map[string]bool{"dev": true, "scope": true, "none": false, "case": false, "guest": false} {
		for range 2 { // the second answer is the one that is kept
			if listed, called := may(t, url, token, begun(t, url, token)); listed != want || called != want {
				t.Errorf("%s: listed %v, called %v", token, listed, called)
			}
		}
	}
	if status, got, _ := postJSON(t, url, initialize, "Authorization", "Bearer many"); status != http.StatusUnauthorized || !strings.Contains(got, "claims are longer than") {
		t.Errorf("more claims than are read: %d %s", status, got)
	}
}
