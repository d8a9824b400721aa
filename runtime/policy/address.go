// Addresses of resources, in every form that a server may read them as.
//
// A server reads an address with its own parser (WHATWG in Node, net/url, urlsplit
// with unquote and normpath), or cuts the scheme off and opens the rest. These
// parsers differ in escapes, backslashes, dot segments, empty segments and the extent
// of the host. Which one a server uses is unknown, so an address is converted into
// all forms that any of them produces: a rule that allows must match all forms, and a
// rule that denies must match one.

package policy

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The forms of one address are bounded, in number and in total bytes. Real addresses
// have fewer than ten.
const (
	maxForms = 300
	maxBytes = 256 << 10
)

// address is one address and its forms, which are computed at the first use.
type address struct {
	text      string
	read      bool
	why       string   // the reason why parsers disagree about it; "" if they agree
	forms     []string // the results of parsers, with the address itself
	path      []string // the forms of the part before a query or fragment; nil without these
	anonymous []string // the forms without the user before the host; nil without a user
	user      string   // the text up to the host, with the user
}

// parse computes the forms that an allowing rule must match.
func (a *address) parse() *address {
	if a.read {
		return a
	}
	a.read = true
	a.why = unclear(a.text)
	if a.why != "" {
		return a
	}
	steps := []func(string) string{
		strings.TrimSpace, decode, slashes, resolveText, resolveSeen, resolvePath, driveLetter, hostNumber,
	}
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

// within reports whether a pattern matches all forms of the address. The pattern has
// already matched the address as written.
func (a *address) within(g glob) bool {
	a.parse()
	all := func(forms []string) bool {
		return !slices.ContainsFunc(forms, func(s string) bool { return !g.match(s) })
	}
	return a.why == "" && all(a.forms) &&
		(g.query || all(a.path)) &&
		(a.user != "" && strings.HasPrefix(g.literal, a.user) || all(a.anonymous))
}

// unclear returns why parsers disagree about an address; "" if they agree.
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

// formsOf applies the steps to the texts, to the results, and so on. It returns false
// if there are too many forms.
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

// parts are the parts of an address in the terms of RFC 3986. A text without a scheme
// has only a rest and a path.
type parts struct {
	scheme               string // in lower case
	spelled              string // the scheme as written, with its colon
	rest                 string // after the colon
	slashes              string // "//" before an authority, else ""
	user, host, port     string // user includes the @, and port the colon
	path, query          string // query includes the ? or #, and the fragment
	authority, hasScheme bool   // whether these are present
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

// defaultPort returns the default port of a scheme that WHATWG calls special, with
// its colon; "" for file and other schemes.
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

// international reports whether some parsers convert the host to other characters.
func (p parts) international() bool {
	host := decode(p.host)
	return (p.special() || p.scheme == "file") &&
		(strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) ||
			strings.Contains(strings.ToLower(host), "xn--"))
}

// cutQuery returns the text before the query and the fragment.
func cutQuery(text string) string {
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		return text[:i]
	}
	return text
}

// cutUser removes the user before the host.
func cutUser(text string) string {
	p := splitAddress(text)
	p.user = ""
	return p.String()
}

// slashes replaces backslashes by slashes.
func slashes(text string) string { return strings.ReplaceAll(text, `\`, "/") }

// driveLetter replaces C| by C:, as WHATWG does.
func driveLetter(text string) string {
	p := splitAddress(text)
	path := strings.TrimLeft(p.path, "/")
	if p.scheme != "file" || len(path) < 2 || path[1] != '|' || !isScheme(path[:1]) || len(path) > 2 && path[2] != '/' {
		return text
	}
	p.path = p.path[:len(p.path)-len(path)] + path[:1] + ":" + path[2:]
	return p.String()
}

// hostNumber writes a numeric host in its usual form.
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

// number writes a label of a host for strconv: the label "0x" is zero.
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
