package endpoint

// This file masks secrets: the spellings in which a value may show up in a text,
// and a set of values that grows while servers are started.

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Masked is what stands in a text in place of a secret.
const Masked = "***"

// Spellings returns the ways in which a secret may be written in a text: as it
// is, inside a JSON, Go or HTML text, inside a URL, as hex, as base64 (also
// where it is a part of what was encoded), with its white space collapsed, and
// line by line. A value shorter than four bytes has none: masking it would
// garble everything and hide nothing. The longest comes first.
func Spellings(secret string) []string {
	if len(secret) < shortestSecret {
		return nil
	}
	all := append([]string{secret}, spellings(secret)...)
	for _, line := range strings.FieldsFunc(secret, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line != secret && len(line) >= shortestPart {
			all = append(all, line)
			all = append(all, spellings(line)...)
		}
	}
	return longestFirst(all)
}

// shortestPart is the length below which a part of a secret is not masked.
const shortestPart = 12

// longestFirst sorts texts so that a whole goes before its part, and removes
// duplicates and those that are too short.
func longestFirst(texts []string) []string {
	texts = slices.DeleteFunc(texts, func(s string) bool { return len(s) < shortestSecret })
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(texts)
}

// spellings returns how a value may look when something else than itself holds
// it.
func spellings(v string) []string {
	hexed := hex.EncodeToString([]byte(v))
	all := []string{
		strings.Join(strings.Fields(v), " "), safetext.Strip(v),
		inside(strconv.Quote(v)), inside(strconv.QuoteToASCII(v)),
		html.EscapeString(v),
		hexed, strings.ToUpper(hexed), percent(hexed), percent(strings.ToUpper(hexed)),
	}
	for _, escaped := range []string{url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(url.QueryEscape(v), "+", "%20")} {
		all = append(all, escaped, lowerPercent(escaped))
	}
	all = append(all, jsonSpellings(v)...)
	return append(all, base64Spellings(v)...)
}

// inside returns what stands between the quotes.
func inside(quoted string) string { return quoted[1 : len(quoted)-1] }

// percent writes every byte as %xx.
func percent(hexed string) string {
	var b strings.Builder
	for i := 0; i < len(hexed); i += 2 {
		b.WriteString("%" + hexed[i:i+2])
	}
	return b.String()
}

// lowerPercent writes the digits of %XX in small letters.
func lowerPercent(escaped string) string {
	b := []byte(escaped)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// jsonSpellings returns the value inside a JSON text: with < and its kin escaped
// and not, with slashes escaped, and with everything but ASCII escaped.
func jsonSpellings(v string) []string {
	escaped, _ := json.Marshal(v) // a string can always be encoded
	angled := inside(string(escaped))
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(angled)
	var ascii strings.Builder
	for _, r := range plain {
		switch {
		case r < 0x80:
			ascii.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&ascii, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&ascii, `\u%04x`, r)
		}
	}
	return []string{angled, plain, strings.ReplaceAll(plain, "/", `\/`), ascii.String()}
}

// base64Spellings returns the value in base64, alone and as a part of something
// longer: it then begins at one of three places of a group, and what its
// neighbours decide is left out.
func base64Spellings(v string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		all = append(all, enc.EncodeToString([]byte(v)), strings.TrimRight(enc.EncodeToString([]byte(v)), "="))
		for before := range 3 {
			text := enc.EncodeToString(append(make([]byte, before), v...))
			begin := (before*8 + 5) / 6      // characters that hold a bit of what stands before
			end := (before + len(v)) * 8 / 6 // and behind
			if end-begin >= shortestPart {
				all = append(all, text[begin:end])
			}
		}
	}
	return all
}

// Mask is a set of secrets that are not to be shown. Its methods are safe for
// concurrent use. The zero value masks nothing, and so does nil.
type Mask struct {
	mu       sync.RWMutex
	known    map[string]bool
	texts    []string
	servers  sources // what was resolved for them
	callers  sources // tokens
	replacer *strings.Replacer
}

// sources are what gives out secrets that replace one another; the one that added one last
// stands last.
type sources []source

type source struct {
	name    string
	secrets [][]string // in all of their spellings, the newest last
}

// The bounds of secrets that change for as long as a process runs. One that was
// replaced is soon good for nothing, and a text with it comes soon or never: the last 64
// of a source are 32 access and refresh tokens, those of as many requests where each
// gets its own, and as many starts of a server whose secrets are others each time. Sources
// are as many as callers of a service, or servers, are at work at a time.
const (
	maxSecrets = 64
	maxSources = 1024
)

// add adds a secret of a source, and forgets the oldest beyond the bounds.
func (all *sources) add(name string, texts []string) {
	s := source{name: name}
	if i := slices.IndexFunc(*all, func(s source) bool { return s.name == name }); i >= 0 {
		s = (*all)[i]
		*all = slices.Delete(*all, i, i+1)
	}
	s.secrets = append(slices.DeleteFunc(s.secrets, func(t []string) bool { return slices.Equal(t, texts) }), texts)
	s.secrets = slices.Delete(s.secrets, 0, max(0, len(s.secrets)-maxSecrets))
	*all = append(*all, s)
	*all = slices.Delete(*all, 0, max(0, len(*all)-maxSources))
}

// Add adds secrets with all of their spellings. Nothing is added to nil.
func (m *Mask) Add(secrets ...string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, secret := range secrets {
		if m.known[secret] {
			continue
		}
		if m.known == nil {
			m.known = map[string]bool{}
		}
		m.known[secret] = true
		m.texts = append(m.texts, Spellings(secret)...)
		m.replacer = nil
	}
}

// AddToken adds a token with all of its spellings, as [Mask.Add] does, and forgets those
// before the last 64 of its source, and the sources before the last 1024. Nothing is
// added to nil.
func (m *Mask) AddToken(source, token string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.callers.add(source, Spellings(token))
	m.replacer = nil
}

// AddResolved adds what is to be masked of a server. If its secrets change from start to
// start, the last 64 sets are kept; of names of servers, the last 1024. Servers of one name
// count as one server, also if several hosts share m. Nothing is added to nil.
func (m *Mask) AddResolved(r Resolved) {
	if m == nil || len(r.Secrets) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.servers.add(r.Name, r.Secrets) // in all of their spellings already
	m.replacer = nil
}

// Text returns the text without the secrets.
func (m *Mask) Text(text string) string {
	if m == nil || text == "" {
		return text
	}
	if r := m.current(); r != nil {
		return r.Replace(text)
	}
	return text
}

// Texts returns what is masked, in all of its spellings, the longest first: for
// what puts something else than [Masked] in its place. Nil has none.
func (m *Mask) Texts() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all()
}

// all returns what is masked, the longest first.
func (m *Mask) all() []string {
	all := slices.Clone(m.texts)
	for _, s := range slices.Concat(m.servers, m.callers) {
		for _, texts := range s.secrets {
			all = append(all, texts...)
		}
	}
	return longestFirst(all)
}

// current returns what replaces the secrets; nil if there are none.
func (m *Mask) current() *strings.Replacer {
	m.mu.RLock()
	r, n := m.replacer, len(m.texts)+len(m.servers)+len(m.callers)
	m.mu.RUnlock()
	if r != nil || n == 0 {
		return r
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.replacer == nil {
		var pairs []string
		for _, text := range m.all() {
			pairs = append(pairs, text, Masked)
		}
		m.replacer = strings.NewReplacer(pairs...)
	}
	return m.replacer
}
