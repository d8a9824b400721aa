package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// startGoogle writes the key file of a service account, whose tokens a server on loopback
// hands out: google KEYFILE LOG. Each token adds the scopes that it is for to the log.
func startGoogle(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: google KEYFILE LOG")
	}
	log := ts.MkAbs(args[1])
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var claims struct{ Scope string }
		if parts := strings.Split(r.FormValue("assertion"), "."); len(parts) == 3 {
			payload, _ := base64.RawURLEncoding.DecodeString(parts[1]) // an invalid payload has no scope
			_ = json.Unmarshal(payload, &claims)
		}
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = fmt.Fprintln(f, claims.Scope)
			_ = f.Close()
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token":"token-of-google","token_type":"Bearer","expires_in":3600}`)
	}))
	ts.Defer(tokens.Close)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	ts.Check(err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	ts.Check(err)
	file, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "agent@project.example", "token_uri": tokens.URL,
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), file, 0o600))
}
