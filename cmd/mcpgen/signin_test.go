package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/rogpeppe/go-internal/testscript"
)

// startSignIn starts a server that wants a sign-in, with its authorization server, and puts
// its address into a variable: signin VARIABLE. See [openPage] for the browser.
func startSignIn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: signin VARIABLE")
	}
	tools, err := testserver.Handler("echo")
	ts.Check(err)
	var signedIn atomic.Bool
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	ts.Defer(func() {
		web.CloseClientConnections()
		web.Close()
	})
	answer := func(path string, v map[string]any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path == "/register" {
				w.WriteHeader(http.StatusCreated)
			}
			_ = json.NewEncoder(w).Encode(v)
		})
	}
	answer("/.well-known/oauth-protected-resource/mcp", map[string]any{"resource": web.URL + "/mcp", "authorization_servers": []string{web.URL}})
	answer("/.well-known/oauth-authorization-server", map[string]any{
		"issuer": web.URL, "authorization_endpoint": web.URL + "/authorize", "token_endpoint": web.URL + "/token",
		"registration_endpoint": web.URL + "/register", "response_types_supported": []string{"code"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
	})
	answer("/register", map[string]any{"client_id": "registered", "token_endpoint_auth_method": "none"})
	answer("/token", map[string]any{"access_token": "token-of-a-person", "token_type": "bearer", "expires_in": 3600})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		signedIn.Store(true)
		q := url.Values{"code": {"1"}, "state": {r.FormValue("state")}}
		http.Redirect(w, r, r.FormValue("redirect_uri")+"?"+q.Encode(), http.StatusFound)
	})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if !signedIn.Load() || r.Header.Get("Authorization") != "Bearer token-of-a-person" {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer resource_metadata=%q", web.URL+"/.well-known/oauth-protected-resource/mcp"))
			http.Error(w, "sign in first", http.StatusUnauthorized)
			return
		}
		tools.ServeHTTP(w, r)
	})
	ts.Setenv(args[0], web.URL+"/mcp")
}

// openPage is a browser whose person agrees to everything. It leaves the address in
// $WORK/opened.
func openPage() {
	err := os.WriteFile(os.Getenv("WORK")+"/opened", []byte(os.Args[1]), 0o600)
	if err == nil {
		var resp *http.Response
		if resp, err = http.Get(os.Args[1]); err == nil {
			_ = resp.Body.Close()
		}
	}
	if err != nil {
		os.Exit(1)
	}
}
