package validate

// This file compiles patterns. JSON Schema uses ECMA-262 syntax, which differs from RE2's in few places that
// occur in schemas.

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxPattern bounds the size of a compiled pattern, in instructions.
const maxPattern = 20_000

// pattern is a compiled pattern.
type pattern struct {
	text    string
	re      *regexp.Regexp
	size    int  // approximate number of instructions
	partial bool // re matches more texts than the pattern
}

// String returns the pattern as written in the schema.
func (p *pattern) String() string { return p.text }

// Pattern compiles a pattern of a schema as this package matches it. It fails for patterns that RE2 does not
// support, that are longer than [jsonschema.MaxPattern], or that become too large when repetitions are
// expanded.
func Pattern(text string) (*regexp.Regexp, error) {
	p, err := newPattern(text)
	if err != nil {
		return nil, err
	}
	return p.re, nil
}

// newPattern compiles a pattern of a schema.
func newPattern(text string) (*pattern, error) {
	if len(text) > jsonschema.MaxPattern {
		return nil, fmt.Errorf("the pattern is longer than %d bytes", jsonschema.MaxPattern)
	}
	re2 := translate(text)
	tree, err := syntax.Parse(re2, syntax.Perl)
	if err != nil {
		var bad *syntax.Error
		if errors.As(err, &bad) {
			return nil, errors.New(string(bad.Code) + ": " + quote(bad.Expr))
		}
		return nil, err
	}
	size := patternSize(tree)
	if size > maxPattern {
		return nil, errors.New("the pattern is too large after its repetitions are expanded")
	}
	re, err := regexp.Compile(re2)
	return &pattern{text: text, re: re, size: size}, err
}

// patternSize estimates the number of instructions of a pattern without compiling it.
func patternSize(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size = min(size+patternSize(sub), maxPattern+1)
	}
	if re.Op == syntax.OpRepeat {
		size = min(size*max(re.Min, re.Max, 1), maxPattern+1)
	}
	return size
}

// space is the meaning of \s in ECMA-262, which RE2 lacks.
const space = `\s\v\x{a0}\x{feff}\p{Z}`

// withoutLookAround returns a pattern without look-ahead and look-behind: all texts that matched still match.
// It returns text itself if it has none.
func withoutLookAround(text string) string {
	var b strings.Builder
	var skip []bool // for each open group, whether it is a look-around
	skipping, class := 0, false
	for i := 0; i < len(text); i++ {
		n := 1
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			n = 2
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			around := looksAround(text[i:])
			skip = append(skip, around)
			if around {
				if skipping++; skipping == 1 {
					b.WriteString("(?:)")
				}
			}
		case c == ')' && len(skip) > 0:
			around := skip[len(skip)-1]
			skip = skip[:len(skip)-1]
			if around {
				skipping--
				continue
			}
		}
		if skipping == 0 {
			b.WriteString(text[i : i+n])
		}
		i += n - 1
	}
	return b.String()
}

// looksAround reports whether a group is a look-around.
func looksAround(group string) bool {
	for _, opening := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(group, opening) {
			return true
		}
	}
	return false
}

// translate rewrites ECMA-262 syntax for RE2: \uXXXX, \cX, and \s, which includes all Unicode spaces. RE2 then
// rejects anything that was not translated.
func translate(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	class := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' || i+1 == len(text) {
			if c == '[' {
				class = true
			} else if c == ']' {
				class = false
			}
			b.WriteByte(c)
			continue
		}
		i++
		i += escape(&b, text[i:], class)
	}
	return b.String()
}

// escape writes the escape that follows a backslash, and returns the number of consumed bytes beyond the first.
func escape(b *strings.Builder, rest string, class bool) int {
	switch {
	case rest[0] == 'u' && len(rest) >= 5 && isHex(rest[1:5]):
		b.WriteString(`\x{` + rest[1:5] + `}`)
		return 4
	case rest[0] == 'u' && len(rest) > 2 && rest[1] == '{':
		b.WriteString(`\x`)
	case rest[0] == 'c' && len(rest) > 1 && isLetter(rest[1]):
		const digits = "0123456789abcdef"
		code := rest[1] % 32
		b.WriteString(`\x{` + string(digits[code>>4]) + string(digits[code&15]) + `}`)
		return 1
	case rest[0] == 's' && class:
		b.WriteString(space)
	case rest[0] == 's':
		b.WriteString(`[` + space + `]`)
	case rest[0] == 'S' && !class:
		b.WriteString(`[^` + space + `]`)
	default:
		b.WriteByte('\\')
		b.WriteByte(rest[0])
	}
	return 0
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
