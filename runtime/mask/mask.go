// Package mask keeps secrets out of what is written of servers: logs, recordings, pages.
// A [Set] learns the secrets while servers are started, from a host of package attach.
package mask

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Set is a set of secrets that are not to be shown. Its methods are safe for
// concurrent use. The zero value masks nothing, and so does nil.
type Set struct {
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
		m.texts = append(m.texts, endpoint.Spellings(secret)...)
		m.replacer = nil
	}
}

// AddToken adds a token with all of its spellings, as [Set.Add] does, and forgets those
// before the last 64 of its source, and the sources before the last 1024. Nothing is
// added to nil.
func (m *Set) AddToken(source, token string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.callers.add(source, endpoint.Spellings(token))
	m.replacer = nil
}

// AddResolved adds what is to be masked of a server. If its secrets change from start to
// start, the last 64 sets are kept; of names of servers, the last 1024. Servers of one name
// count as one server, also if several hosts share m. Nothing is added to nil.
func (m *Set) AddResolved(r endpoint.Resolved) {
	if m == nil || len(r.Secrets) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.servers.add(r.Name, r.Secrets) // in all of their spellings already
	m.replacer = nil
}

// Text returns the text without the secrets, and without tokens of well-known services,
// which are told by their form; those go also where m is nil.
func (m *Set) Text(text string) string {
	if text == "" {
		return text
	}
	if m != nil {
		if r := m.current(); r != nil {
			text = r.Replace(text)
		}
	}
	return endpoint.MaskTokens(text)
}

// Texts returns what is masked, in all of its spellings, the longest first: for
// what puts something else than [endpoint.Masked] in its place. Nil has none.
func (m *Set) Texts() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all()
}

// all returns what is masked, the longest first.
func (m *Set) all() []string {
	all := slices.Clone(m.texts)
	for _, s := range slices.Concat(m.servers, m.callers) {
		for _, texts := range s.secrets {
			all = append(all, texts...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(all)
}

// current returns what replaces the secrets; nil if there are none.
func (m *Set) current() *strings.Replacer {
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
			pairs = append(pairs, text, endpoint.Masked)
		}
		m.replacer = strings.NewReplacer(pairs...)
	}
	return m.replacer
}
