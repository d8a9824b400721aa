package sharing

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	own "github.com/mcpgen/mcpgen/runtime/policy/keyring"
)

// A key that is kept in the keyring of the system signs; what is no key is named.
func TestKeyOfKeyring(t *testing.T) {
	keyring.MockInit()
	want := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	der, err := x509.MarshalPKCS8PrivateKey(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"release": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token": "abc"} {
		if err := own.Set(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if key, err := signingKey(t.Context(), "keyring:release"); err != nil || !key.Equal(want) {
		t.Errorf("got %v", err)
	}
	for name, reason := range map[string]string{"token": "--key keyring:token: the key must be a private key in PEM", "none": "store it: mcpgen secrets set --keyring none"} {
		if _, err := signingKey(t.Context(), "keyring:"+name); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
