package resources

// Addresses that are in no listing: URIs that templates describe, and links in
// results of tools.

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// maxTemplate bounds a template that patternOf converts, in bytes.
const maxTemplate = 4096

// patternOf returns a pattern that matches at least the URIs of a URI template; nil
// if the template is invalid.
func patternOf(template string) *regexp.Regexp {
	if len(template) > maxTemplate {
		return nil
	}
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for template != "" {
		text, rest, found := strings.Cut(template, "{")
		b.WriteString(regexp.QuoteMeta(text))
		if !found {
			break
		}
		expression, after, closed := strings.Cut(rest, "}")
		if !closed || expression == "" {
			return nil
		}
		switch expression[0] {
		case '+', '#':
			b.WriteString(`.*`)
		case '/':
			b.WriteString(`(?:/[^?#]*)?`)
		case '?', '&':
			b.WriteString(`(?:[?&][^#]*)?`)
		default:
			b.WriteString(`[^/?#]*`)
		}
		template = after
	}
	b.WriteString(`\z`)
	p, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	return p
}

// leadsUp reports whether a URI has a part that refers to the parent folder, in any
// spelling.
func leadsUp(uri string) bool {
	for range 3 { // escapes may be nested
		for part := range strings.FieldsFuncSeq(uri, func(r rune) bool { return strings.ContainsRune(`/\?#;`, r) }) {
			if part == ".." {
				return true
			}
		}
		plain, err := url.PathUnescape(uri)
		if err != nil || plain == uri {
			return false
		}
		uri = plain
	}
	return true
}

// Limits of what is remembered.
const (
	maxCallers = 1000
	maxLinks   = 1000 // of one caller; the oldest is dropped first
)

// Links holds the addresses that results of tools have linked to, by caller. The zero
// value holds none. All [Links.Middleware] of one Links shares them, as when a
// configuration is read again.
type Links struct {
	mu sync.Mutex
	by map[string]*callerLinks
}

type callerLinks struct {
	known map[string]bool
	order []string
}

// add remembers the links in a result of a tool.
func (l *Links) add(caller, server string, res *runtime.Result) {
	for _, c := range res.Content {
		if c.URI == "" || c.Type != protocol.ContentLink && c.Type != protocol.ContentResource {
			continue
		}
		l.mu.Lock()
		own := l.by[caller]
		if own == nil {
			if l.by == nil || len(l.by) == maxCallers {
				l.by = map[string]*callerLinks{}
			}
			own = &callerLinks{known: map[string]bool{}}
			l.by[caller] = own
		}
		own.add(server + "\n" + c.URI)
		l.mu.Unlock()
	}
}

func (c *callerLinks) add(key string) {
	if c.known[key] {
		return
	}
	if len(c.order) == maxLinks {
		delete(c.known, c.order[0])
		c.order = append(c.order[:0], c.order[1:]...)
	}
	c.known[key], c.order = true, append(c.order, key)
}

// has reports whether a result of a tool that this caller got has linked to a URI.
func (l *Links) has(caller, server, uri string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.by[caller]
	return own != nil && own.known[server+"\n"+uri]
}
