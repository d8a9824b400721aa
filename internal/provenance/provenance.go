// Package provenance signs what a project accepted, and verifies who accepted it.
//
// A statement says who accepted which bytes, when, and with which security findings. It is an in-toto
// statement in a DSSE envelope, signed with ed25519, in a bundle of sigstore: cosign verifies it with the
// public key. A bundle for mcpgen.lock is a file in its folder; see [File].
//
// Whom to trust is up to the user: see [Load]. A signature proves that the holder of a key signed these
// bytes. It does not prove when: the time in a statement is the signer's claim. So an expired or revoked
// key counts for nothing, whatever the time in its statements is.
//
// Nothing of a statement is read before its signature is verified with a trusted key.
package provenance

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// The types of sigstore, in-toto and mcpgen.
const (
	MediaType     = "application/vnd.dev.sigstore.bundle.v0.3+json" // of a bundle
	PredicateType = "https://github.com/mcpgen/mcpgen/accepted/v1"  // of a statement
	statementType = "https://in-toto.io/Statement/v1"
	payloadType   = "application/vnd.in-toto+json"
)

// MaxBundle bounds a bundle, in bytes, and MaxBundles their number for one subject.
const (
	MaxBundle  = 4 << 20
	MaxBundles = 64
)

// maxAhead is how far the clock of a signer may be ahead.
const maxAhead = 10 * time.Minute

// Statement says who accepted what.
type Statement struct {
	By       string            // the signer, as Signer.Name of those who trust the key
	At       time.Time         // when, by the signer's clock
	Findings []Finding         // accepted security findings
	Subjects map[string]string // SHA-256 of the accepted bytes, in hex, by name
}

// Finding is a security finding that a lock accepts. Kind and Name are "" for a finding about the server itself.
type Finding struct {
	Server string      `json:"server"`
	Kind   schema.Kind `json:"kind,omitempty"`
	Name   string      `json:"name,omitempty"`
	Rule   string      `json:"rule"`
	Before string      `json:"before,omitempty"` // hash of the subject
	After  string      `json:"after,omitempty"`
}

// Findings returns the findings that a lock accepts for servers, sorted.
func Findings(lock *lockfile.Lock, servers ...string) []Finding {
	out := []Finding{}
	for _, server := range slices.Sorted(slices.Values(servers)) {
		l := lock.Servers[server]
		if l == nil {
			continue
		}
		add := func(kind schema.Kind, name string, accepted []lockfile.Acceptance) {
			for _, a := range accepted {
				out = append(out, Finding{server, kind, name, a.Rule, a.Before, a.After})
			}
		}
		add("", "", l.Accepted)
		for _, kind := range schema.Kinds() {
			items := l.Items(kind)
			for _, name := range slices.Sorted(maps.Keys(items)) {
				add(kind, name, items[name].Accepted)
			}
		}
	}
	return out
}

// Hash returns the SHA-256 of bytes, in hex.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// The documents, as they are encoded.
type (
	bundle struct {
		MediaType string   `json:"mediaType"`
		Material  material `json:"verificationMaterial"`
		Envelope  envelope `json:"dsseEnvelope"`
	}
	material struct {
		PublicKey struct {
			Hint string `json:"hint"`
		} `json:"publicKey"`
	}
	envelope struct {
		Payload     []byte      `json:"payload"`
		PayloadType string      `json:"payloadType"`
		Signatures  []signature `json:"signatures"`
	}
	signature struct {
		Sig []byte `json:"sig"`
	}
	statement struct {
		Type          string    `json:"_type"`
		Subject       []subject `json:"subject"`
		PredicateType string    `json:"predicateType"`
		Predicate     predicate `json:"predicate"`
	}
	subject struct {
		Name   string            `json:"name"`
		Digest map[string]string `json:"digest"`
	}
	predicate struct {
		By       string    `json:"by"`
		At       time.Time `json:"at"`
		Findings []Finding `json:"findings"`
	}
)

// signed returns the bytes that DSSE signs.
func (e *envelope) signed() []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(e.PayloadType), e.PayloadType, len(e.Payload), e.Payload)
}

// ParseKey reads an ed25519 private key: PEM with PKCS #8, as openssl writes it.
func ParseKey(text []byte) (ed25519.PrivateKey, error) {
	step := "make one: openssl genpkey -algorithm ed25519 -out FILE"
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, hint.New("the key must be a private key in PEM, without encryption", step)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if own, ok := key.(ed25519.PrivateKey); ok && err == nil {
		return own, nil
	}
	return nil, hint.New("the key is not an ed25519 key", step)
}

// ReadKey reads a private key from a file that only its user may read. See [ParseKey].
func ReadKey(path string) (ed25519.PrivateKey, error) {
	text, err := statefile.File{Path: path, Private: true}.Read()
	if err == nil && text == nil {
		err = fmt.Errorf("%s: there is no such file", path)
	}
	if err != nil {
		return nil, err
	}
	key, err := ParseKey(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return key, err
}

// PublicKey returns the public part of a key as [Signer.Key] has it: the line in a PEM file of openssl.
func PublicKey(key ed25519.PrivateKey) string {
	der, _ := x509.MarshalPKIXPublicKey(key.Public()) // cannot fail for ed25519
	return base64.StdEncoding.EncodeToString(der)
}

// keyID returns the hash that names a public key in file names and bundles.
func keyID(public string) []byte {
	der, _ := base64.StdEncoding.DecodeString(public)
	sum := sha256.Sum256(der)
	return sum[:]
}

// ID returns a short name of a public key, for names of files and tags.
func ID(public string) string { return hex.EncodeToString(keyID(public)[:6]) }

// Sign returns the statement as a bundle. The time is cut to seconds.
func (s Statement) Sign(key ed25519.PrivateKey) ([]byte, error) {
	in := statement{
		Type: statementType, PredicateType: PredicateType,
		Predicate: predicate{By: s.By, At: s.At.UTC().Truncate(time.Second), Findings: s.Findings},
	}
	for _, name := range slices.Sorted(maps.Keys(s.Subjects)) {
		in.Subject = append(in.Subject, subject{name, map[string]string{"sha256": s.Subjects[name]}})
	}
	payload, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	b := bundle{MediaType: MediaType, Envelope: envelope{Payload: payload, PayloadType: payloadType}}
	b.Envelope.Signatures = []signature{{ed25519.Sign(key, b.Envelope.signed())}}
	b.Material.PublicKey.Hint = base64.StdEncoding.EncodeToString(keyID(PublicKey(key)))
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}

// open returns the statement of a bundle and its signer, if a trusted key that is in force signed it.
func (s *Signers) open(data []byte, now time.Time) (*Statement, *Signer, error) {
	var b bundle
	if err := json.Unmarshal(data, &b); err != nil || !strings.HasPrefix(b.MediaType, "application/vnd.dev.sigstore.bundle") || len(b.Envelope.Signatures) != 1 {
		return nil, nil, errors.New("the file is not a sigstore bundle with one signature")
	}
	message, sig := b.Envelope.signed(), b.Envelope.Signatures[0].Sig
	i := slices.IndexFunc(s.Signers, func(s Signer) bool { return ed25519.Verify(s.public, message, sig) })
	if i < 0 {
		return nil, nil, errors.New("the signature is not from a trusted key")
	}
	by := &s.Signers[i]
	switch {
	case by.Revoked != "":
		return nil, nil, fmt.Errorf("the key of %q is revoked: %s", by.Name, by.Revoked)
	case by.Until != "" && by.Until < now.UTC().Format(time.DateOnly):
		return nil, nil, fmt.Errorf("the key of %q was trusted until %s", by.Name, by.Until)
	}
	var in statement
	if err := json.Unmarshal(b.Envelope.Payload, &in); err != nil || b.Envelope.PayloadType != payloadType || in.Type != statementType || in.PredicateType != PredicateType {
		return nil, nil, fmt.Errorf("%q signed something other than an acceptance", by.Name)
	}
	switch {
	case in.Predicate.By != by.Name:
		return nil, nil, fmt.Errorf("the signature names %q as the signer, but the key belongs to %q", in.Predicate.By, by.Name)
	case in.Predicate.At.After(now.Add(maxAhead)):
		return nil, nil, fmt.Errorf("the signature of %q has the time %s, which is in the future", by.Name, in.Predicate.At.Format(time.RFC3339))
	}
	out := &Statement{By: by.Name, At: in.Predicate.At, Findings: in.Predicate.Findings, Subjects: map[string]string{}}
	for _, sub := range in.Subject {
		if _, twice := out.Subjects[sub.Name]; twice {
			return nil, nil, fmt.Errorf("it names %q twice", sub.Name)
		}
		out.Subjects[sub.Name] = sub.Digest["sha256"]
	}
	return out, by, nil
}

// Bundle is a bundle and where it is from, for messages.
type Bundle struct {
	Place string
	Data  []byte
}

// Want lists the subjects that must be signed.
type Want struct {
	Place    string            // for messages
	Subjects map[string]string // all of them must be in a statement
	Findings []Finding         // nil: any
	Step     string            // how to sign them, for messages; "" is a lock
}

// Verify returns the statements of the trusted signers, sorted by name, if enough of them signed what is wanted.
// Others count as none; the error, of the type [*Error], says why.
func (s *Signers) Verify(bundles []Bundle, want Want, now time.Time) ([]Statement, error) {
	signed, reasons := map[string]Statement{}, []string{}
	for _, b := range bundles {
		st, by, err := s.open(b.Data, now)
		if err == nil {
			err = st.fits(want)
		}
		if err != nil {
			reasons = append(reasons, b.Place+": "+err.Error())
			continue
		}
		if old, ok := signed[by.Name]; !ok || old.At.Before(st.At) {
			signed[by.Name] = *st
		}
	}
	if len(signed) < s.Require {
		return nil, hint.With(&Error{want.Place, len(signed), s.Require, reasons}, cmp.Or(want.Step, "let a person review and sign the lock: mcpgen sign"), "write the keys that you trust into "+s.Path)
	}
	out := slices.Collect(maps.Values(signed))
	slices.SortFunc(out, func(a, b Statement) int { return strings.Compare(a.By, b.By) })
	return out, nil
}

// fits reports what a statement says other than what is wanted.
func (s *Statement) fits(want Want) error {
	for _, name := range slices.Sorted(maps.Keys(want.Subjects)) {
		if s.Subjects[name] != want.Subjects[name] {
			return fmt.Errorf("%q signed another version of %s", s.By, name)
		}
	}
	if want.Findings != nil && !slices.Equal(s.Findings, want.Findings) {
		return fmt.Errorf("the findings that %q signed differ from the findings that the lock accepts", s.By)
	}
	return nil
}

// Error reports that not enough trusted signers signed something.
type Error struct {
	Place      string
	Have, Want int
	Reasons    []string // why other signatures do not count
}

// Error names the place, the numbers, and the reasons.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %d of %d trusted signatures", e.Place, e.Have, e.Want)
	if len(e.Reasons) == 0 {
		return text + ", and there is no other"
	}
	return text + "; " + strings.Join(e.Reasons, "; ")
}

// decode reads JSON without unknown members.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
