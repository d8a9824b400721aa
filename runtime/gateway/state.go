// State that callers keep between two rounds of a call, and the IDs of tasks. It is
// sealed: only gateways with the same keys can read or make it.

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

// Key is a key for state. State carries the key's ID.
type Key struct {
	ID     string // letters, digits, - and _
	Secret []byte // 32 random bytes; `openssl rand -base64 32` prints such bytes in base64
}

// Keys is a ring of keys: the first one seals, and all of them open. To change keys,
// give all gateways the new key as the second, then as the first, then remove the old
// one.
type Keys struct {
	seals string
	ring  map[string]cipher.AEAD
}

// NewKeys returns a ring of keys. The error is for a missing key, for an ID that is
// duplicated or invalid, and for a secret that does not have 32 bytes; it contains no
// secret.
func NewKeys(keys ...Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("gateway: no key is given: make a key with openssl rand -base64 %d", keySize)
	}
	k := &Keys{seals: keys[0].ID, ring: map[string]cipher.AEAD{}}
	for _, key := range keys {
		switch {
		case key.ID == "" || strings.Trim(key.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "":
			return nil, fmt.Errorf("gateway: key %q: the id must consist of letters, digits, - and _", key.ID)
		case k.ring[key.ID] != nil:
			return nil, fmt.Errorf("gateway: key %q: the id is duplicated", key.ID)
		case len(key.Secret) != keySize:
			return nil, fmt.Errorf("gateway: key %q has %d bytes, want %d: make a key with openssl rand -base64 %d", key.ID, len(key.Secret), keySize, keySize)
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

// ownKeys returns random keys for this process alone.
func ownKeys() *Keys {
	secret := make([]byte, keySize)
	_, _ = rand.Read(secret)                        // never fails
	k, _ := NewKeys(Key{ID: "own", Secret: secret}) // valid for NewKeys
	return k
}

// newID returns a random name.
func newID() string { return rand.Text() }

// sealed is the content of a state.
type sealed struct {
	Expires int64           `json:"exp"` // Unix seconds
	Call    string          `json:"c,omitzero"`
	Task    *taskRef        `json:"t,omitzero"`
	Server  json.RawMessage `json:"s,omitzero"` // the server's own state
}

// seal makes a state that can only be opened with the same binding, until it expires.
func (k *Keys) seal(s sealed, binding []string, expires time.Time) (string, error) {
	s.Expires = expires.Unix()
	plain, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	box := k.ring[k.seals].Seal(nil, nil, plain, bound(k.seals, binding))
	return k.seals + "." + base64.RawURLEncoding.EncodeToString(box), nil
}

// open returns the sealed content of a state. For a forged state, the error gives no
// details.
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
		return s, fmt.Errorf("requestState has expired: make the call again, without inputResponses")
	}
	return s, nil
}

// bound returns what a state is bound to, in an unambiguous encoding.
func bound(id string, binding []string) []byte {
	data, _ := json.Marshal(append([]string{id}, binding...)) // strings can be marshalled
	return data
}
