// JSON with comments and trailing commas into the tree.

package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// ParseJSON reads one JSON value. Comments and trailing commas are allowed, a
// byte order mark is skipped. It returns problems and no tree if the text is
// not that.
func ParseJSON(data []byte) (*Node, []Problem) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if p := checkText(data); p != nil {
		return nil, []Problem{*p}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, []Problem{emptyFile()}
	}
	// The parser recurses without a bound of its own.
	if at := tooDeep(data); at >= 0 {
		return nil, []Problem{{Pos: offset(data, at), Reason: fmt.Sprintf("nested deeper than %d levels", MaxDepth), Hint: "flatten it"}}
	}
	// A line comment at the end of the file needs its newline there.
	value, err := hujson.Parse(append(bytes.Clone(data), '\n'))
	if err != nil {
		return nil, []Problem{jsonProblem(data, err)}
	}
	b := jsonBuilder{data: data, line: 1}
	root := b.build(&value)
	if b.nodes > MaxNodes {
		return nil, []Problem{{Reason: fmt.Sprintf("more than %d values", MaxNodes), Hint: "make the file smaller"}}
	}
	return root, nil
}

// tooDeep returns the offset of the first bracket beyond [MaxDepth], or -1. It
// counts brackets outside strings and comments and judges nothing else.
func tooDeep(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(data[i:])
		case '[', '{':
			if depth++; depth > MaxDepth {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// commentLength is how far to skip to stand on the last byte of the comment at
// the beginning of text; 0 if there is none.
func commentLength(text []byte) int {
	for _, mark := range [...]struct{ open, end string }{{"//", "\n"}, {"/*", "*/"}} {
		if !bytes.HasPrefix(text, []byte(mark.open)) {
			continue
		}
		end := bytes.Index(text[2:], []byte(mark.end))
		if end < 0 {
			return len(text)
		}
		return 2 + end + len(mark.end) - 1
	}
	return 0
}

var jsonPosition = regexp.MustCompile(`^hujson: line (\d+), column (\d+): `)

// jsonProblem turns an error of the parser into a problem. Literals are not
// repeated: a broken one may be a secret.
func jsonProblem(data []byte, err error) Problem {
	text := err.Error()
	p := Problem{}
	if m := jsonPosition.FindStringSubmatch(text); m != nil {
		p.Pos.Line, _ = strconv.Atoi(m[1])
		p.Pos.Column, _ = strconv.Atoi(m[2])
		p.Pos.Column = columnInRunes(data, p.Pos)
		text = text[len(m[0]):]
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = "the text ends too early: a bracket, a quote or a comment is not closed"
		p.Pos = offset(data, len(bytes.TrimRight(data, " \t\r\n")))
	case strings.HasPrefix(text, "invalid literal"):
		text = "not a string, number, true, false or null (a string with a line break or a bad escape is not one)"
	}
	p.Reason = "not valid JSON: " + text
	return p
}

// columnInRunes turns the parser's byte column into ours.
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

// jsonBuilder turns the parser's values into ours. It visits them in the order
// of the text, so positions are found in one pass.
type jsonBuilder struct {
	data  []byte
	nodes int

	seen, line int // offset that was reached, and its line
	column     int // characters of that line before it
}

// pos is the position of an offset that is not before the last one.
func (b *jsonBuilder) pos(at int) Pos {
	for part := b.data[b.seen:min(at, len(b.data))]; ; {
		i := bytes.IndexByte(part, '\n')
		if i < 0 {
			b.column += utf8.RuneCount(part)
			break
		}
		b.line++
		b.column = 0
		part = part[i+1:]
	}
	b.seen = min(at, len(b.data))
	return Pos{Line: b.line, Column: b.column + 1}
}

func (b *jsonBuilder) build(v *hujson.Value) *Node {
	out := &Node{Pos: b.pos(v.StartOffset)}
	if b.nodes++; b.nodes > MaxNodes {
		return out
	}
	switch value := v.Value.(type) {
	case *hujson.Object:
		out.Kind = Map
		index := map[string]int{}
		for i := range value.Members {
			m := &value.Members[i]
			name, _ := m.Name.Value.(hujson.Literal)
			pos := b.pos(m.Name.StartOffset)
			out.member(index, Member{Name: name.String(), Pos: pos, Value: b.build(&m.Value)})
		}
	case *hujson.Array:
		out.Kind = List
		for i := range value.Elements {
			out.List = append(out.List, b.build(&value.Elements[i]))
		}
	case hujson.Literal:
		out.Kind, out.Text = literal(value)
	}
	return out
}

func literal(l hujson.Literal) (Kind, string) {
	switch l.Kind() {
	case 'n':
		return Null, string(l)
	case 't', 'f':
		return Bool, string(l)
	case '0':
		if bytes.ContainsAny(l, ".eE") {
			return Float, string(l)
		}
		return Int, string(l)
	}
	return String, l.String()
}
