// Other spellings of a name: a rule that denies takes them in, since a server may
// take them for the same.

package policy

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

// fold is a name in small letters, without what is not seen, and with the wide
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

// equivalents are the targets that a target may be taken for, itself first.
type equivalents struct {
	targets []target
	any     bool // it is the address of a resource that may be any other
}

// equivalentNames returns what a target may be taken for: itself, its name
// folded, that of a server of the same name, and each address that a server may read into the one of a resource.
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
	for _, named := range e.targets { // a rule about a name is about all servers that have it
		if plain := naming.Plain(named.server); plain != named.server {
			named.server = plain
			e.targets = append(e.targets, named)
		}
	}
	return e
}

// equivalentAddresses returns what an address may be taken for. It reports false
// if that cannot be said.
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

// otherHeads returns an address with other slashes after the scheme, with and
// without what parsers take for granted there.
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

// whatwgHead writes the slashes behind a scheme, and the path of a host that has
// none, as WHATWG does for the schemes that it knows.
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

// cutPort leaves out a port that is the scheme's own.
func cutPort(text string) string {
	p := splitAddress(text)
	if p.port == ":" || p.port != "" && p.port == defaultPort(p.scheme) {
		p.port = ""
	}
	return p.String()
}

// cutDot leaves out the dot at the end of a whole host name.
func cutDot(text string) string {
	p := splitAddress(text)
	if p.special() || p.scheme == "file" {
		p.host = strings.TrimSuffix(p.host, ".")
	}
	return p.String()
}

// cutFileHost leaves out the host of a file, as those do who take the path alone.
func cutFileHost(text string) string {
	p := splitAddress(text)
	if p.scheme == "file" && p.path != "" {
		p.user, p.host, p.port = "", "", ""
	}
	return p.String()
}

// decodedRule writes a rule about resources with its escapes decoded; a character
// that means something in a pattern is kept from doing so.
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
