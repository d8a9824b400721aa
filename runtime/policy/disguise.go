// Other spellings of a name: a rule that denies takes them in, since a server may
// take them for the same.

package policy

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// fold is a name in small letters, without what is not seen, and with the wide
// forms of ASCII as ASCII.
func fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case '\uff01' <= r && r <= '\uff5e':
			return r - 0xfee0
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name))
}

// resolutions returns the addresses that an address may lead to: escapes decoded,
// once and once more, as some do, and .. resolved. It has none where that changes
// nothing.
func resolutions(address string) []string {
	var all []string
	for range 2 {
		if decoded, err := url.PathUnescape(address); err == nil && decoded != address {
			address = decoded
			all = append(all, address)
		}
		if clean := cleanAddress(strings.ReplaceAll(address, `\`, "/")); clean != address {
			all = append(all, clean)
		}
	}
	return all
}

// cleanAddress resolves .. and doubled slashes behind the scheme. What leads
// above the root stays below it.
func cleanAddress(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	clean := path.Clean("/" + rest)
	if !strings.HasPrefix(rest, "/") {
		clean = clean[1:]
	}
	if strings.HasSuffix(rest, "/") && !strings.HasSuffix(clean, "/") {
		clean += "/"
	}
	return scheme + "://" + clean
}

// disguises returns what a target may be taken for: itself, its name folded, and
// for an address the one that is left when escapes and .. are resolved.
func (t target) disguises() []target {
	all := []target{t}
	add := func(name string) {
		d := t
		d.server, d.name = fold(t.server), strings.TrimSpace(fold(name))
		for _, known := range all {
			if known.server == d.server && known.name == d.name {
				return
			}
		}
		all = append(all, d)
	}
	add(t.name)
	if t.kind != aboutResource {
		return all
	}
	plain := t.name
	for range 2 { // some decode once more than they should
		if decoded, err := url.PathUnescape(plain); err == nil {
			plain = strings.ReplaceAll(decoded, `\`, "/")
		}
		add(plain)
		scheme, rest, ok := strings.Cut(plain, "://")
		if !ok {
			scheme, rest, ok = strings.Cut(plain, ":")
		}
		if ok {
			clean := path.Clean("/" + rest)
			add(scheme + "://" + strings.TrimPrefix(clean, "/"))
			add(scheme + "://" + clean)
		}
	}
	return all
}
