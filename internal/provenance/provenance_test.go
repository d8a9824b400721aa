package provenance

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keyOf returns the key of a name.
func keyOf(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

var day = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func accepted(by string) Statement {
	return Statement{By: by, At: day, Subjects: map[string]string{"mcpgen.lock": Hash([]byte("lock")), "more": "00"}, Findings: []Finding{{Server: "s", Rule: "r"}}}
}

func signed(t *testing.T, s Statement, key string) Bundle {
	t.Helper()
	data, err := s.Sign(keyOf(key))
	if err != nil {
		t.Fatal(err)
	}
	return Bundle{key, data}
}

// signersOf trusts the keys of names, each with more members.
func signersOf(t *testing.T, require int, names ...string) *Signers {
	t.Helper()
	var all []string
	for _, text := range names {
		name, more, _ := strings.Cut(text, " ")
		all = append(all, fmt.Sprintf(`{"name": %q, "key": %q%s}`, name, PublicKey(keyOf(name)), more))
	}
	s, err := parseSigners("signers", fmt.Appendf(nil, `{"require": %d, "signers": [%s]}`, require, strings.Join(all, ", ")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVerify(t *testing.T) {
	want := Want{Place: "mcpgen.lock", Subjects: map[string]string{"mcpgen.lock": Hash([]byte("lock"))}, Findings: []Finding{{Server: "s", Rule: "r"}}}
	future, other, names := accepted("alice"), accepted("alice"), accepted("bob")
	future.At = day.Add(time.Hour)
	other.Subjects = map[string]string{"mcpgen.lock": "00"}
	less := accepted("alice")
	less.Findings = nil
	good := signed(t, accepted("alice"), "alice")
	for _, c := range []struct {
		name    string
		trusted *Signers
		bundles []Bundle
		reason  string // "" is accepted
	}{
		{"one", signersOf(t, 0, "alice"), []Bundle{good}, ""},
		{"one of two", signersOf(t, 1, "bob", "alice"), []Bundle{signed(t, other, "alice"), good}, ""},
		{"two", signersOf(t, 2, "alice", "bob"), []Bundle{good, signed(t, accepted("bob"), "bob")}, ""},
		{"one twice", signersOf(t, 2, "alice", "bob"), []Bundle{good, good}, "1 of 2"},
		{"none", signersOf(t, 1, "alice"), nil, "and there is no other"},
		{"its last day", signersOf(t, 1, `alice , "until": "2026-11-28"`), []Bundle{good}, ""},
		{"expired", signersOf(t, 1, `alice , "until": "2026-11-27"`), []Bundle{good}, "was trusted until 2026-11-27"},
		{"revoked", signersOf(t, 1, `alice , "revoked": "lost"`), []Bundle{good}, "is revoked: lost"},
		{"another key", signersOf(t, 1, "alice"), []Bundle{signed(t, accepted("alice"), "mallory")}, "the signature is not from a trusted key"},
		{"another name", signersOf(t, 1, "alice", "bob"), []Bundle{signed(t, names, "alice")}, `names "bob" as the signer, but the key belongs to "alice"`},
		{"the future", signersOf(t, 1, "alice"), []Bundle{signed(t, future, "alice")}, "is in the future"},
		{"other bytes", signersOf(t, 1, "alice"), []Bundle{signed(t, other, "alice")}, "signed another version of mcpgen.lock"},
		{"other findings", signersOf(t, 1, "alice"), []Bundle{signed(t, less, "alice")}, "differ from the findings"},
		{"no bundle", signersOf(t, 1, "alice"), []Bundle{{"x", []byte("{}")}}, "not a sigstore bundle"},
	} {
		_, err := c.trusted.Verify(c.bundles, want, day)
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.reason)
		}
	}
}

// A change of any byte of a statement ends the signature, and what it said is not shown.
func TestTampered(t *testing.T) {
	trusted, good := signersOf(t, 1, "alice"), signed(t, accepted("alice"), "alice")
	var b bundle
	if err := json.Unmarshal(good.Data, &b); err != nil {
		t.Fatal(err)
	}
	for i := range b.Envelope.Payload {
		changed := b
		changed.Envelope.Payload = append([]byte(nil), b.Envelope.Payload...)
		changed.Envelope.Payload[i] ^= 1
		data, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := trusted.open(data, day); err == nil || err.Error() != "the signature is not from a trusted key" {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	// Signed bytes of another type are no statement.
	b.Envelope.PayloadType = "text/plain"
	b.Envelope.Signatures = []signature{{ed25519.Sign(keyOf("alice"), b.Envelope.signed())}}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := trusted.open(data, day); err == nil || !strings.Contains(err.Error(), "something other") {
		t.Errorf("got %v", err)
	}
}

func TestSigners(t *testing.T) {
	key := PublicKey(keyOf("alice"))
	for text, reason := range map[string]string{
		`{"signers": [{"name": "a", "key": "` + key + `"}, {"name": "b", "key": "` + key + `"}]}`: "its key is duplicated",
		`{"signers": [{"key": "` + key + `"}]}`:                                                   "has no name",
		`{"signers": [{"name": "a", "key": "` + key + `", "unitl": "2027-01-01"}]}`:               "unknown field",
		`{"signers": [{"name": "a", "key": "` + key + `", "until": "soon"}]}`:                     "want a day",
		`{"require": 2, "signers": [{"name": "a", "key": "` + key + `"}]}`:                        "2 signers are required, but the file lists 1",
		`{"signers": [{"name": "a", "key": "AAAA"}]}`:                                             "not an ed25519 public key",
		`{"signers": []}`: "1 signers are required, but the file lists 0",
	} {
		if _, err := parseSigners("signers", []byte(text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got %v, want %q", text, err, reason)
		}
	}
}

// A file that a pull request could change is no source of trust, by whatever path.
func TestRepository(t *testing.T) {
	root := t.TempDir()
	project, outside := filepath.Join(root, "repo", "service"), filepath.Join(root, "home")
	for _, dir := range []string{filepath.Join(root, "repo", ".git"), project, outside} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := []byte(`{"signers": [{"name": "alice", "key": "` + PublicKey(keyOf("alice")) + `"}]}`)
	for path, want := range map[string]bool{"home/s.json": true, "repo/s.json": false, "repo/service/s.json": false} {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, project); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
		t.Setenv(Variable, path)
		if _, err := Load("", project); (err == nil) != want {
			t.Errorf("%s by the variable: %v", path, err)
		}
	}
	t.Setenv(Variable, string(text))
	if s, err := Load("", project); err != nil || s.Require != 1 {
		t.Errorf("the variable's text: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	data, err := accepted("alice").Sign(keyOf("alice"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "dsseEnvelope": {"signatures": [{}]}}`))
	key, err := parseSigners("signers", []byte(`{"signers": [{"name": "alice", "key": "`+PublicKey(keyOf("alice"))+`"}]}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, by, err := key.open(data, day)
		if err == nil && (s.By != "alice" || by.Name != "alice" || s.Subjects["mcpgen.lock"] != Hash([]byte("lock"))) {
			t.Errorf("%+v", s)
		}
	})
}
