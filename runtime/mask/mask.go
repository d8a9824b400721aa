// Package mask removes secrets from text about servers: logs, recordings, pages. A
// [Set] learns the secrets while a host of package attach starts servers.
package mask

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Set is a set of secrets that must not be shown. Its methods are safe for concurrent
// use. The zero value and nil mask no secrets.
type Set struct {
	mu      sync.RWMutex
	known   map[string]bool
	texts   []string
	servers sources           // resolved secrets, by server
	callers sources           // tokens
	index   credentials.Index // of all of these
}

// sources lists the sources of secrets that replace one another; the source of the
// latest secret is last.
type sources []source

type source struct {
	name    string
	secrets [][]string // each in all of its spellings, the newest last
}

// The limits for secrets that change while a process runs. A replaced secret soon
// becomes invalid, and a text with it soon becomes unlikely. The last 64 secrets of a
// source are 32 pairs of access and refresh tokens, one for each of 32 requests, or 64
// starts of a server whose secrets change each time. There are as many sources as
// callers of a service, or servers, are active at a time.
const (
	maxSecrets = 64
	maxSources = 1024
)

// add adds a secret of a source, and drops the oldest beyond the limits.
func (all *sources) add(x *credentials.Index, name string, texts []string) {
	s := source{name: name}
	if i := slices.IndexFunc(*all, func(s source) bool { return s.name == name }); i >= 0 {
		s = (*all)[i]
		*all = slices.Delete(*all, i, i+1)
	}
	if i := slices.IndexFunc(s.secrets, func(t []string) bool { return slices.Equal(t, texts) }); i >= 0 {
		s.secrets = slices.Delete(s.secrets, i, i+1)
	} else {
		x.Add(texts...)
	}
	s.secrets = append(s.secrets, texts)
	old := max(0, len(s.secrets)-maxSecrets)
	x.Remove(slices.Concat(s.secrets[:old]...)...)
	s.secrets = slices.Delete(s.secrets, 0, old)
	*all = append(*all, s)
	gone := max(0, len(*all)-maxSources)
	for _, s := range (*all)[:gone] {
		x.Remove(slices.Concat(s.secrets...)...)
	}
	*all = slices.Delete(*all, 0, gone)
}

// Add adds secrets with all of their spellings. On nil it does nothing.
func (m *Set) Add(secrets ...string) {
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
		texts := credentials.Spellings(secret)
		m.texts = append(m.texts, texts...)
		m.index.Add(texts...)
	}
}

// AddToken adds a token with all of its spellings, as [Set.Add] does. It drops all
// but the last 64 tokens of the source, and all but the last 1024 sources. On nil it
// does nothing.
func (m *Set) AddToken(source, token string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.callers.add(&m.index, source, credentials.Spellings(token))
}

// AddResolved adds the secrets of a server. If they change from start to start, the
// last 64 sets are kept, for the last 1024 names of servers. Servers with one name
// count as one, even if several hosts share m. On nil it does nothing.
func (m *Set) AddResolved(r endpoint.Resolved) {
	if m == nil || len(r.Secrets) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.servers.add(&m.index, r.Name, r.Secrets) // already in all of their spellings
}

// Text returns the text without the secrets, without the parts of secrets at a cut
// that is marked by "…", and without tokens of well-known services, which are
// recognised by their form. A nil m only removes the latter.
func (m *Set) Text(text string) string {
	if text == "" {
		return text
	}
	if m != nil {
		m.mu.RLock()
		text = m.index.Mask(text)
		m.mu.RUnlock()
	}
	return credentials.MaskTokens(text)
}

// Texts returns the masked texts, in all of their spellings, the longest first. It is
// for callers that replace them by another text than [credentials.Masked]. On nil it
// returns nil.
func (m *Set) Texts() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.texts)
	for _, s := range slices.Concat(m.servers, m.callers) {
		for _, texts := range s.secrets {
			all = append(all, texts...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(all)
}
