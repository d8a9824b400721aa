// Parsing JSON with comments and trailing commas into the tree.

package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// ParseJSON parses one JSON value. Comments and trailing commas are allowed, and a byte order mark is
// skipped. For any other text it reports an error and returns nil.
func ParseJSON(r *Report, data []byte) *Node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !r.checkText(data) {
		return nil
	}
	if len(bytes.TrimSpace(data)) == 0 {
		r.Fail(Pos{}, "", Empty)
		return nil
	}
	if !r.checkDepth(data) {
		return nil
	}
	// The parser requires a newline after a line comment at the end of the file.
	value, err := hujson.Parse(append(bytes.Clone(data), '\n'))
	if err != nil {
		r.jsonProblem(data, err)
		return nil
	}
	b := jsonBuilder{positions: positions{data: data}}
	root := b.build(&value)
	if b.nodes > MaxNodes {
		r.Fail(Pos{}, "", fmt.Sprintf("more than %d values", MaxNodes), "make the file smaller")
		return nil
	}
	return root
}

var jsonPosition = regexp.MustCompile(`^hujson: line (\d+), column (\d+): `)

// jsonProblem reports an error of the parser. It does not repeat literals: a broken one may be a secret.
func (r *Report) jsonProblem(data []byte, err error) {
	text, pos := err.Error(), Pos{}
	if m := jsonPosition.FindStringSubmatch(text); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		pos.Column, _ = strconv.Atoi(m[2])
		pos.Column = columnInRunes(data, pos)
		text = text[len(m[0]):]
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = "the text ends too early: a bracket, a quote or a comment is not closed"
		pos = offset(data, len(bytes.TrimRight(data, " \t\r\n")))
	case strings.HasPrefix(text, "invalid literal"):
		text = "not a string, number, true, false or null (a string with a line break or a bad escape is not one)"
	}
	r.Fail(pos, "", "not valid JSON: "+text)
}

// jsonBuilder converts the parser's values to nodes. It visits them in the order of the text.
type jsonBuilder struct {
	positions
	nodes int
}

func (b *jsonBuilder) build(v *hujson.Value) *Node {
	out := &Node{Pos: b.at(v.StartOffset)}
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
			pos := b.at(m.Name.StartOffset)
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
