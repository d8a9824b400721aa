// Checks of a text that all formats share: invalid characters, nesting depth, and positions of offsets.

package tree

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/conflict"
)

// Empty is the error for an empty text.
const Empty = "the file is empty"

// checkText reports text that no format allows. It returns false if there is such text.
func (r *Report) checkText(data []byte) bool {
	before := len(r.Errors)
	if line := conflict.Line(data); line > 0 {
		r.Fail(Pos{Line: line, Column: 1}, "", "git conflict markers", "choose the lines to keep, and remove the markers")
	}
	for i := 0; i < len(data) && len(r.Errors) == before; {
		c, size := utf8.DecodeRune(data[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			r.Fail(offset(data, i), "", "not UTF-8", "save the file as UTF-8 text")
		case unicode.IsControl(c) && !strings.ContainsRune("\t\n\r\u0085", c), c == '\ufffe', c == '\uffff':
			r.Fail(offset(data, i), "", fmt.Sprintf("a control character (%U)", c), "remove it")
		}
		i += size
	}
	return len(r.Errors) == before
}

// offset converts a byte offset to a position.
func offset(data []byte, at int) Pos {
	before := data[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return Pos{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[start:]) + 1}
}

// checkDepth reports brackets beyond [MaxDepth] and then returns false: the parsers of JSON and TOML
// recurse without a limit.
func (r *Report) checkDepth(data []byte) bool {
	at := tooDeep(data)
	if at >= 0 {
		r.Fail(offset(data, at), "", fmt.Sprintf("nested deeper than %d levels", MaxDepth), "flatten it")
	}
	return at < 0
}

// tooDeep returns the offset of the first bracket beyond [MaxDepth], or -1. It only counts brackets
// outside strings and comments of JSON and TOML. A comment or string of the other format is a syntax
// error to the parser, so what follows does not matter.
func tooDeep(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"', '\'':
			i += stringLength(data[i:]) - 1
		case '#', '/':
			i += max(0, commentLength(data[i:])-1)
		case '[', '{':
			if depth++; depth > MaxDepth {
				return i
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return -1
}

// commentLength returns the length of the comment at the beginning of a text; 0 if there is none.
func commentLength(text []byte) int {
	for _, mark := range [...]struct{ open, end string }{{"#", "\n"}, {"//", "\n"}, {"/*", "*/"}} {
		rest, ok := bytes.CutPrefix(text, []byte(mark.open))
		if !ok {
			continue
		}
		if end := bytes.Index(rest, []byte(mark.end)); end >= 0 {
			return len(mark.open) + end + len(mark.end)
		}
		return len(text)
	}
	return 0
}

// stringLength returns the length of the string at the beginning of a text. An unclosed string ends with
// its line; the parser will report it.
func stringLength(text []byte) int {
	quote := text[:1]
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(text, triple) {
		quote = triple
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case bytes.HasPrefix(text[i:], quote):
			end := i + len(quote)
			for len(quote) == 3 && end < min(i+5, len(text)) && text[end] == quote[0] {
				end++ // up to two quotes may precede the closing three
			}
			return end
		case text[i] == '\\' && quote[0] == '"':
			i++
		case text[i] == '\n' && len(quote) == 1:
			return i + 1
		}
	}
	return len(text)
}

// columnInRunes converts the parser's byte column to characters.
func columnInRunes(data []byte, pos Pos) int {
	for line := 1; line < pos.Line; line++ {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return pos.Column
		}
		data = data[i+1:]
	}
	if pos.Column < 1 || pos.Column-1 > len(data) {
		return pos.Column
	}
	return utf8.RuneCount(data[:pos.Column-1]) + 1
}

// positions computes positions of mostly rising offsets in one pass.
type positions struct {
	data         []byte
	seen         int // offset that was reached
	line, column int // line breaks before seen, and characters since
}

func (p *positions) at(offsetOf int) Pos {
	if offsetOf < p.seen {
		return offset(p.data, offsetOf)
	}
	part := p.data[p.seen:min(offsetOf, len(p.data))]
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		p.line, p.column = p.line+bytes.Count(part, []byte("\n")), utf8.RuneCount(part[i+1:])
	} else {
		p.column += utf8.RuneCount(part)
	}
	p.seen += len(part)
	return Pos{Line: p.line + 1, Column: p.column + 1}
}
