// Equivalent names: a rule that denies a name also denies other spellings that a
// server may consider equal.

package policy

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

// fold returns a name in lower case, without invisible characters, and with the wide
// forms of ASCII as ASCII.
func fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case unseen(r):
			return -1
		case '\uff01' <= r && r <= '\uff5e':
			return r - 0xfee0
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name))
}

// equivalents holds the targets that a server may consider equal to a target, itself
// first.
type equivalents struct {
	targets []target
	any     bool // the address of a resource may refer to any other
}

// equivalentNames returns the equivalents of a target: itself, its folded name, the
// plain name of its server, and, for a resource, each address that a server may read
// it as.
func (t target) equivalentNames() equivalents {
	e := equivalents{targets: []target{t}}
	folded := t
	folded.server, folded.name = fold(t.server), strings.TrimSpace(fold(t.name))
	if folded.server != t.server || folded.name != t.name {
		e.targets = append(e.targets, folded)
	}
	for _, a := range t.addresses {
		forms, ok := equivalentAddresses(a.text)
		e.any = e.any || !ok
		for _, form := range forms {
			form = strings.TrimSpace(fold(form))
			if !slices.ContainsFunc(e.targets, func(t target) bool { return t.server == folded.server && t.name == form }) {
				led := folded
				led.name = form
				e.targets = append(e.targets, led)
			}
		}
	}
	for _, named := range e.targets { // a rule about a name applies to all servers with that name
		if plain := naming.Plain(named.server); plain != named.server {
			named.server = plain
			e.targets = append(e.targets, named)
		}
	}
	return e
}

// equivalentAddresses returns the addresses that an address may be read as. It
// returns false if they cannot be determined.
func equivalentAddresses(text string) ([]string, bool) {
	steps := []func(string) string{
		fold, strings.TrimSpace, decode, slashes, resolveText, resolveSeen, resolvePath, driveLetter, hostNumber,
		cutQuery, cutUser, cutPort, cutDot, cutFileHost, whatwgHead,
	}
	forms, ok := formsOf([]string{text}, steps)
	for _, form := range forms {
		ok = ok && !splitAddress(form).international()
	}
	for _, form := range slices.Clone(forms) {
		forms = append(forms, otherHeads(form)...)
	}
	return forms, ok
}

// otherHeads returns an address with other numbers of slashes after the scheme, with
// and without the defaults that parsers add there.
func otherHeads(text string) []string {
	p := splitAddress(text)
	if !p.hasScheme {
		return nil
	}
	rest := strings.TrimLeft(p.rest, "/")
	all := []string{p.spelled + rest, p.spelled + "/" + rest, p.spelled + "//" + rest, p.spelled + "///" + rest}
	if p.scheme == "file" {
		all = append(all, p.spelled+"//localhost/"+rest)
	}
	if port := defaultPort(p.scheme); port != "" && p.authority && p.port == "" {
		p.port = port
		all = append(all, p.String())
	}
	if trimmed := strings.TrimRight(p.rest, "/"); trimmed != p.rest {
		all = append(all, otherHeads(p.spelled+trimmed)...)
	}
	return all
}

// whatwgHead normalises the slashes after a scheme, and the empty path of a host, as
// WHATWG does for its special schemes.
func whatwgHead(text string) string {
	p := splitAddress(text)
	switch {
	case p.special():
		p = splitAddress(p.spelled + "//" + strings.TrimLeft(p.rest, `/\`))
		if p.path == "" {
			p.path = "/"
		}
		return p.String()
	case p.scheme == "file" && !strings.HasPrefix(p.rest, "//"):
		return p.spelled + "///" + strings.TrimLeft(p.rest, `/\`)
	}
	return text
}

// cutPort removes the default port of a scheme.
func cutPort(text string) string {
	p := splitAddress(text)
	if p.port == ":" || p.port != "" && p.port == defaultPort(p.scheme) {
		p.port = ""
	}
	return p.String()
}

// cutDot removes the dot at the end of an absolute host name.
func cutDot(text string) string {
	p := splitAddress(text)
	if p.special() || p.scheme == "file" {
		p.host = strings.TrimSuffix(p.host, ".")
	}
	return p.String()
}

// cutFileHost removes the host of a file address, like parsers that only use the
// path.
func cutFileHost(text string) string {
	p := splitAddress(text)
	if p.scheme == "file" && p.path != "" {
		p.user, p.host, p.port = "", "", ""
	}
	return p.String()
}

// decodedRule returns a rule about resources with its escapes decoded. Decoded
// characters with a meaning in patterns are escaped.
func decodedRule(text string) string {
	if !strings.HasPrefix(text, "resource:") || !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j+2 < len(text) && text[j] == '%' {
			if _, ok := hexByte(text, j+1); !ok {
				break
			}
			j += 3
		}
		if j == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		for _, r := range decode(text[i:j]) {
			if strings.ContainsRune(`*?[]\^-`, r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		i = j
	}
	return b.String()
}
