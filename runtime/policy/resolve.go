// Decoding escapes and resolving dot segments, strictly and leniently, as different
// servers do.

package policy

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// brokenEscape reports whether a % does not begin an escape, or the escapes do not
// decode to UTF-8.
func brokenEscape(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '%' {
			if _, ok := hexByte(text, i+1); !ok {
				return true
			}
		}
	}
	return !utf8.ValidString(unescape(text))
}

func hexByte(text string, at int) (byte, bool) {
	if at+2 > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(text[at:at+2], 16, 8)
	return byte(n), err == nil && text[at] != '+' && text[at] != '-'
}

// unescape decodes escapes once, and leaves broken ones unchanged. It also decodes
// %u002e.
func unescape(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' {
			if c, ok := hexByte(text, i+1); ok {
				b = append(b, c)
				i += 2
				continue
			}
			if i+6 <= len(text) && text[i+1]|0x20 == 'u' {
				if n, err := strconv.ParseUint(text[i+2:i+6], 16, 16); err == nil {
					b = utf8.AppendRune(b, rune(n))
					i += 5
					continue
				}
			}
		}
		b = append(b, text[i])
	}
	return string(b)
}

// decode decodes escapes once. Overlong encodings of ASCII become ASCII, as in old
// decoders; other bytes that are not UTF-8 become U+FFFD.
func decode(text string) string {
	text = unescape(text)
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if r, n := overlong(text[i:]); n > 0 {
			b.WriteRune(r)
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// overlong decodes an overlong encoding of an ASCII character at the beginning of a
// text; the length is 0 if there is none.
func overlong(text string) (rune, int) {
	var n int
	switch {
	case text[0] == 0xc0 || text[0] == 0xc1:
		n = 2
	case text[0] == 0xe0:
		n = 3
	case text[0] == 0xf0:
		n = 4
	}
	if n == 0 || len(text) < n {
		return 0, 0
	}
	r := rune(text[0]) & (0x7f >> n)
	for i := 1; i < n; i++ {
		if text[i]&0xc0 != 0x80 {
			return 0, 0
		}
		r = r<<6 | rune(text[i]&0x3f)
	}
	if r >= utf8.RuneSelf {
		return 0, 0
	}
	return r, n
}

// resolveText resolves the dot segments of everything after the scheme, like servers
// that cut the scheme off, and removes empty segments.
func resolveText(text string) string { return resolveRest(text, dots) }

// resolveSeen does the same, also for segments that only look like dots.
func resolveSeen(text string) string {
	return resolveRest(strings.Map(plainSlash, text), seenDots)
}

func resolveRest(text string, dots func(string) int) string {
	p := splitAddress(text)
	rest := strings.TrimPrefix(p.rest, p.slashes)
	clean := resolve(rest, dots, true)
	if !strings.HasSuffix(rest, "/") {
		clean = strings.TrimSuffix(clean, "/")
	}
	if strings.HasPrefix(rest, "/") && clean == "" {
		clean = "/"
	}
	return p.head() + clean
}

// resolvePath resolves the dot segments of the path alone, as RFC 3986 and WHATWG do.
func resolvePath(text string) string {
	p := splitAddress(text)
	p.path = resolve(p.path, dots, false)
	return p.String()
}

// resolve removes dot segments and the segments that ".." cancels. With merge, it
// also removes empty segments. A path never leads above its root.
func resolve(path string, dots func(string) int, merge bool) string {
	rest, rooted := strings.CutPrefix(path, "/")
	segments := strings.Split(rest, "/")
	kept := segments[:0]
	for i, s := range segments {
		last := i == len(segments)-1
		n := dots(s)
		switch {
		case n == 2 && len(kept) > 0:
			kept = kept[:len(kept)-1]
		case n == 0 && (s != "" || last || !merge):
			kept = append(kept, s)
		}
		if n > 0 && last {
			kept = append(kept, "")
		}
	}
	clean := strings.Join(kept, "/")
	if merge {
		clean = strings.TrimLeft(clean, "/")
	}
	if rooted {
		return "/" + clean
	}
	return clean
}

// dots returns 1 for the segment ".", 2 for "..", escaped or not, and 0 for other
// segments.
func dots(segment string) int {
	if len(segment) > 6 {
		return 0
	}
	switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
	case ".":
		return 1
	case "..":
		return 2
	}
	return 0
}

// seenDots does the same for segments that look like these: with invisible
// characters, wide dots, a parameter, or spaces after them.
func seenDots(segment string) int {
	segment, _, _ = strings.Cut(segment, ";")
	if len(segment) > 64 {
		return 0
	}
	n := 0
	for _, r := range decode(segment) {
		switch {
		case strings.ContainsRune(".\u2024\ufe52\uff0e\u3002\uff61", r):
			n++
		case r == '\u2025':
			n += 2
		case !unicode.IsSpace(r) && !unseen(r):
			return 0
		}
	}
	if n > 2 {
		return 0
	}
	return n
}

// plainSlash replaces characters that look like a slash by a slash.
func plainSlash(r rune) rune {
	if strings.ContainsRune("\uff0f\u2215\u2044\uff3c\ufe68", r) {
		return '/'
	}
	return r
}

// unseen reports whether a character is invisible.
func unseen(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || unicode.Is(unicode.Variation_Selector, r)
}
