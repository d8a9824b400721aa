// State that callers keep between two rounds of a call: sealed, so that nobody but
// the gateways with the same keys can read or make it.

package gateway

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// keySize is the length of a key, in bytes.
const keySize = 32

// Key is a key for state, with the name that state carries to say which one it is.
type Key struct {
	ID     string // letters, digits, - and _
	Secret []byte // 32 random bytes; base64 of them is what `openssl rand -base64 32` prints
}

// Keys are a ring of keys: the first one seals, all of them open. To change keys,
// give all gateways the new one as the second, then as the first, then without the old.
type Keys struct {
	seals string
	ring  map[string]cipher.AEAD
}

// NewKeys returns a ring of keys. The error is for none, for an id that is duplicated
// or not plain, and for a secret that has not 32 bytes; it holds no secret.
func NewKeys(keys ...Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("gateway: no key is given: make one with openssl rand -base64 %d", keySize)
	}
	k := &Keys{seals: keys[0].ID, ring: map[string]cipher.AEAD{}}
	for _, key := range keys {
		switch {
		case key.ID == "" || strings.Trim(key.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "":
			return nil, fmt.Errorf("gateway: key %q: its id must be letters, digits, - and _", key.ID)
		case k.ring[key.ID] != nil:
			return nil, fmt.Errorf("gateway: key %q: the id is duplicated", key.ID)
		case len(key.Secret) != keySize:
			return nil, fmt.Errorf("gateway: key %q: it has %d bytes, want %d: make one with openssl rand -base64 %d", key.ID, len(key.Secret), keySize, keySize)
		}
		block, err := aes.NewCipher(key.Secret)
		if err != nil {
			return nil, fmt.Errorf("gateway: key %q: %w", key.ID, err)
		}
		if k.ring[key.ID], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, fmt.Errorf("gateway: key %q: %w", key.ID, err)
		}
	}
	return k, nil
}

// ownKeys are of this process alone.
func ownKeys() *Keys {
	secret := make([]byte, keySize)
	_, _ = rand.Read(secret)                        // never fails
	k, _ := NewKeys(Key{ID: "own", Secret: secret}) // is as NewKeys wants it
	return k
}

// newID is a random name.
func newID() string { return rand.Text() }

// sealed is what a state holds.
type sealed struct {
	Expires int64           `json:"exp"` // Unix seconds
	Call    string          `json:"c,omitzero"`
	Server  json.RawMessage `json:"s,omitzero"` // the state that the server gave
}

// seal makes a state that only the same binding can open, until it expires.
func (k *Keys) seal(s sealed, binding []string, expires time.Time) (string, error) {
	s.Expires = expires.Unix()
	plain, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	box := k.ring[k.seals].Seal(nil, nil, plain, bound(k.seals, binding))
	return k.seals + "." + base64.RawURLEncoding.EncodeToString(box), nil
}

// open returns what was sealed. The error does not say what is wrong with a state
// that was made up.
func (k *Keys) open(state string, binding []string, now time.Time) (s sealed, err error) {
	id, text, _ := strings.Cut(state, ".")
	aead := k.ring[id]
	box, err := base64.RawURLEncoding.DecodeString(text)
	if aead == nil || err != nil {
		return s, errState
	}
	plain, err := aead.Open(nil, nil, box, bound(id, binding))
	if err != nil || json.Unmarshal(plain, &s) != nil {
		return s, errState
	}
	if now.Unix() > s.Expires {
		return s, fmt.Errorf("requestState: it has expired: make the call again, without inputResponses")
	}
	return s, nil
}

// bound is what a state is bound to, without doubt about where its parts end.
func bound(id string, binding []string) []byte {
	data, _ := json.Marshal(append([]string{id}, binding...)) // texts can be written
	return data
}
