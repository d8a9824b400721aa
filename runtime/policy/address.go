// Addresses of resources: everything that a server may take one for.
//
// A server reads an address with the parser at hand (WHATWG in Node, net/url,
// urlsplit with unquote and normpath), or cuts the scheme off and opens what is
// left. These differ in escapes, backslashes, dot segments, empty segments and in
// what belongs to the host. Nobody knows which one a server has, so an address is
// put into every form that one of them makes of it: a rule that allows has to
// allow all of them, and a rule that denies has to match one.

package policy

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The forms of one address are bounded, in number and in bytes together. Real ones
// have fewer than ten.
const (
	maxForms = 300
	maxBytes = 256 << 10
)

// address is one address and its forms, worked out when a rule first asks.
type address struct {
	text      string
	read      bool
	why       string   // parsers cannot agree on it, for this reason; "" if they can
	forms     []string // what parsers make of it, itself included
	path      []string // the same of the part before a query or fragment; nil if that is all
	anonymous []string // the same without a user before the host; nil if there is none
	user      string   // the text up to the host, user included
}

// parse works out what a rule that allows has to allow.
func (a *address) parse() *address {
	if a.read {
		return a
	}
	a.read = true
	a.why = unclear(a.text)
	if a.why != "" {
		return a
	}
	steps := []func(string) string{strings.TrimSpace, decode, slashes, resolveText, resolveSeen, resolvePath, driveLetter, hostNumber}
	expand := func(text string) []string {
		all, ok := formsOf([]string{text}, steps)
		if !ok {
			a.why = "it can be read in too many ways"
		}
		if slices.ContainsFunc(all, func(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }) {
			a.why = "it holds escaped control characters"
		}
		return all
	}
	a.forms = expand(a.text)
	if cut := cutQuery(a.text); cut != a.text {
		a.path = expand(cut)
	}
	if cut := cutUser(a.text); cut != a.text {
		a.anonymous = expand(cut)
		u := splitAddress(a.text)
		a.user = u.head() + u.user
	}
	return a
}

// within reports whether a pattern takes the address however it is read. The
// pattern has matched the address as it is spelled.
func (a *address) within(g glob) bool {
	a.parse()
	all := func(forms []string) bool {
		return !slices.ContainsFunc(forms, func(s string) bool { return !g.match(s) })
	}
	return a.why == "" && all(a.forms) &&
		(g.query || all(a.path)) &&
		(a.user != "" && strings.HasPrefix(g.literal, a.user) || all(a.anonymous))
}

// unclear says why parsers cannot agree on an address; "" if they can.
func unclear(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		return "it holds control characters"
	}
	if brokenEscape(text) {
		return "it holds broken escapes"
	}
	u := splitAddress(text)
	switch {
	case u.scheme == "file" && !strings.HasPrefix(u.rest, "/"),
		u.special() && (!strings.HasPrefix(u.rest, "//") || strings.HasPrefix(u.rest, "///")),
		u.special() && (strings.Contains(u.user+u.host, `\`) || strings.Contains(u.host, "%")):
		return "parsers do not agree on its host"
	case u.international():
		return "its host is not plain ASCII"
	}
	return ""
}

// formsOf applies the steps to the texts, to what they make of them, and so on.
// It reports false if there are too many forms.
func formsOf(texts []string, steps []func(string) string) ([]string, bool) {
	seen := make(map[string]bool, len(texts))
	var all []string
	size := 0
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			all = append(all, text)
			size += len(text)
		}
	}
	for _, text := range texts {
		add(text)
	}
	for i := 0; i < len(all); i++ {
		if len(all) > maxForms || size > maxBytes {
			return all, false
		}
		for _, step := range steps {
			add(step(all[i]))
		}
	}
	return all, true
}

// parts are those of an address as RFC 3986 names them. A text without a scheme
// has a rest and a path alone.
type parts struct {
	scheme               string // in small letters
	spelled              string // the scheme as it is spelled, with its colon
	rest                 string // after the colon
	slashes              string // "//" before an authority, else ""
	user, host, port     string // user ends with @, and port begins with a colon
	path, query          string // query begins with ? or #, and holds the fragment
	authority, hasScheme bool   // whether there is one
}

func splitAddress(text string) parts {
	var p parts
	p.rest = text
	if i := strings.IndexByte(text, ':'); i > 0 && isScheme(text[:i]) {
		p.scheme, p.spelled, p.rest, p.hasScheme = strings.ToLower(text[:i]), text[:i+1], text[i+1:], true
	}
	p.path = p.rest
	if i := strings.IndexAny(p.path, "?#"); i >= 0 {
		p.path, p.query = p.path[:i], p.path[i:]
	}
	if !p.hasScheme || !strings.HasPrefix(p.path, "//") {
		return p
	}
	p.slashes, p.authority = "//", true
	host := p.path[2:]
	p.path = ""
	if i := strings.IndexByte(host, '/'); i >= 0 {
		host, p.path = host[:i], host[i:]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		p.user, host = host[:i+1], host[i+1:]
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.Contains(host[i:], "]") {
		host, p.port = host[:i], host[i:]
	}
	p.host = host
	return p
}

func isScheme(text string) bool {
	for i := range len(text) {
		c := text[i] | 0x20
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(text[i]))) {
			return false
		}
	}
	return text != ""
}

func (p parts) head() string { return p.spelled + p.slashes }

func (p parts) String() string {
	return p.head() + p.user + p.host + p.port + p.path + p.query
}

// defaultPorts are the default ports of what WHATWG calls special schemes, except
// file.
func defaultPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return ":80"
	case "https", "wss":
		return ":443"
	case "ftp":
		return ":21"
	}
	return ""
}

func (p parts) special() bool { return defaultPort(p.scheme) != "" }

// international reports whether some parsers put the host into other letters.
func (p parts) international() bool {
	host := decode(p.host)
	return (p.special() || p.scheme == "file") &&
		(strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) || strings.Contains(strings.ToLower(host), "xn--"))
}

// cutQuery returns the text before the query and the fragment.
func cutQuery(text string) string {
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		return text[:i]
	}
	return text
}

// cutUser leaves out the user before the host.
func cutUser(text string) string {
	p := splitAddress(text)
	p.user = ""
	return p.String()
}

// slashes takes backslashes for slashes.
func slashes(text string) string { return strings.ReplaceAll(text, `\`, "/") }

// driveLetter writes C| as C:, as WHATWG does.
func driveLetter(text string) string {
	p := splitAddress(text)
	path := strings.TrimLeft(p.path, "/")
	if p.scheme != "file" || len(path) < 2 || path[1] != '|' || !isScheme(path[:1]) || len(path) > 2 && path[2] != '/' {
		return text
	}
	p.path = p.path[:len(p.path)-len(path)] + path[:1] + ":" + path[2:]
	return p.String()
}

// hostNumber writes the number of a host as it is usually written.
func hostNumber(text string) string {
	p := splitAddress(text)
	if !p.special() && p.scheme != "file" || p.host == "" {
		return text
	}
	if inner, ok := strings.CutPrefix(p.host, "["); ok {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil {
			return text
		}
		p.host = "[" + ip.String() + "]"
		return p.String()
	}
	labels := strings.Split(strings.TrimSuffix(p.host, "."), ".")
	var sum uint64
	for i, label := range labels {
		n, err := strconv.ParseUint(number(label), 0, 64)
		last := i == len(labels)-1
		if err != nil || len(labels) > 4 || !last && n > 255 || last && n >= 1<<(8*(5-len(labels))) {
			return text
		}
		if last {
			sum += n
		} else {
			sum += n << (8 * (3 - i))
		}
	}
	p.host = netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String()
	return p.String()
}

// number writes a label of a host for strconv: "0x" is zero there.
func number(label string) string {
	lower := strings.ToLower(label)
	switch {
	case lower == "0x":
		return "0"
	case strings.ContainsAny(lower, "_bo") && !strings.HasPrefix(lower, "0x"), strings.Contains(lower, "_"):
		return ""
	}
	return lower
}
