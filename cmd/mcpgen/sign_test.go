package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpgen/mcpgen/internal/provenance"
)

// writeSigner writes the key of a signer to NAME.pem; signer NAME ENV puts its public part into a variable.
func writeSigner(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signer NAME ENV")
	}
	private, public := signerOf(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".pem"), private, 0o600))
	ts.Setenv(args[1], public)
}

// signerOf returns the same key each time.
func signerOf(name string) (private []byte, public string) {
	seed := sha256.Sum256([]byte(name))
	key := ed25519.NewKeyFromSeed(seed[:])
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	_ = pem.Encode(&b, &pem.Block{Type: "PRIVATE KEY", Bytes: der}) // into memory
	return []byte(b.String()), provenance.PublicKey(key)
}
