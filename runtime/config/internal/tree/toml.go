// TOML into the tree.

package tree

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseTOML reads a TOML document. It returns problems and no tree if the text
// is not that. Dates and times become strings. A table that is written in parts
// stands where its first part does.
func ParseTOML(data []byte) (*Node, []Problem) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if p := checkText(data); p != nil {
		return nil, []Problem{*p}
	}
	// The parser recurses without a bound of its own.
	if at := tooDeepTOML(data); at >= 0 {
		return nil, []Problem{{Pos: offset(data, at), Reason: fmt.Sprintf("nested deeper than %d levels", MaxDepth), Hint: "flatten it"}}
	}
	b := tomlBuilder{parser: new(unstable.Parser), data: data, line: 1, index: map[*Node]map[string]*Node{}}
	root := b.document()
	if b.nodes > maxTOML || b.deep {
		return nil, []Problem{{Reason: fmt.Sprintf("more than %d values, or nested deeper than %d levels", maxTOML, MaxDepth), Hint: "make the file smaller"}}
	}
	// The decoder finds what the parser alone does not: keys that are written
	// twice and tables that are values already.
	if err := toml.Unmarshal(data, new(map[string]any)); err != nil {
		return nil, []Problem{tomlProblem(data, err)}
	}
	return root, nil
}

// maxTOML bounds the values of a document: the decoder's search for keys that are
// written twice takes the square of them.
const maxTOML = 20_000

// document reads all that the parser understands.
func (b *tomlBuilder) document() *Node {
	b.parser.Reset(b.data)
	root := &Node{Kind: Map, Pos: Pos{1, 1}}
	table := root
	for b.nodes <= maxTOML && b.parser.NextExpression() {
		switch n := b.parser.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = b.table(root, n, n.Kind == unstable.ArrayTable)
		case unstable.KeyValue:
			b.keyValue(table, n)
		}
	}
	return root
}

// tooDeepTOML returns the offset of the first bracket beyond [MaxDepth], or -1.
// It counts brackets outside strings and comments and judges nothing else.
func tooDeepTOML(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '#':
			end := bytes.IndexByte(data[i:], '\n')
			if end < 0 {
				return -1
			}
			i += end
		case '"', '\'':
			i += tomlString(data[i:])
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

// tomlString is how far to skip to stand on the last byte of the string that
// text begins with.
func tomlString(text []byte) int {
	quote := text[:1]
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(text, triple) {
		quote = triple
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote) - 1
		case text[i] == '\\' && quote[0] == '"':
			i++
		case text[i] == '\n' && len(quote) == 1:
			return i // not closed: the parser will say so
		}
	}
	return len(text)
}

// tomlProblem turns an error of the decoder into a problem. What stands in the
// file is not repeated: it may be a secret.
func tomlProblem(data []byte, err error) Problem {
	p := Problem{Reason: "not valid TOML: " + strings.TrimPrefix(err.Error(), "toml: ")}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		p.Pos.Line, p.Pos.Column = decode.Position()
		p.Pos.Column = columnInRunes(data, p.Pos)
	}
	return p
}

// tomlBuilder turns the parser's expressions into nodes. They come in the order
// of the text, so positions are found in one pass.
type tomlBuilder struct {
	parser *unstable.Parser
	data   []byte
	nodes  int
	deep   bool
	index  map[*Node]map[string]*Node // members by name, so that many tables stay cheap

	seen, line, column int
}

func (b *tomlBuilder) pos(n *unstable.Node) Pos {
	at := int(n.Raw.Offset)
	if at < b.seen {
		return offset(b.data, at)
	}
	for part := b.data[b.seen:min(at, len(b.data))]; len(part) > 0; {
		i := bytes.IndexByte(part, '\n')
		if i < 0 {
			b.column += len([]rune(string(part)))
			break
		}
		b.line++
		b.column = 0
		part = part[i+1:]
	}
	b.seen = min(at, len(b.data))
	return Pos{Line: b.line, Column: b.column + 1}
}

// table walks to the table that a header opens, and makes what is missing.
func (b *tomlBuilder) table(root *Node, header *unstable.Node, array bool) *Node {
	at, depth := root, 0
	keys := header.Key()
	for keys.Next() {
		key := keys.Node()
		if depth++; depth > MaxDepth {
			b.deep = true
			return &Node{Kind: Map}
		}
		name, pos := string(key.Data), b.pos(key)
		if array && keys.IsLast() {
			return b.element(at, name, pos)
		}
		at = b.child(at, name, pos)
	}
	return at
}

// element adds an element to an array of tables.
func (b *tomlBuilder) element(at *Node, name string, pos Pos) *Node {
	list := b.index[at][name]
	if list == nil {
		list = &Node{Kind: List, Pos: pos}
		b.add(at, name, pos, list)
	}
	element := &Node{Kind: Map, Pos: pos}
	b.nodes++
	list.List = append(list.List, element)
	return element
}

// child is the table of a name, the last one of an array of tables, or a new one.
func (b *tomlBuilder) child(at *Node, name string, pos Pos) *Node {
	next := b.index[at][name]
	switch {
	case next == nil:
		next = &Node{Kind: Map, Pos: pos}
		b.add(at, name, pos, next)
	case next.Kind == List && len(next.List) > 0:
		next = next.List[len(next.List)-1]
	}
	return next
}

func (b *tomlBuilder) add(at *Node, name string, pos Pos, value *Node) {
	b.nodes++
	if b.index[at] == nil {
		b.index[at] = map[string]*Node{}
	}
	b.index[at][name] = value
	at.Members = append(at.Members, Member{Name: name, Pos: pos, Value: value})
}

func (b *tomlBuilder) keyValue(table *Node, n *unstable.Node) {
	at, depth := table, 0
	keys := n.Key()
	for keys.Next() {
		key := keys.Node()
		if depth++; depth > MaxDepth {
			b.deep = true
			return
		}
		name, pos := string(key.Data), b.pos(key)
		if keys.IsLast() {
			b.add(at, name, pos, b.value(n.Value(), pos))
			return
		}
		at = b.child(at, name, pos)
	}
}

// value makes a node of a value. Lists and tables have no place of their own in
// the parser: they stand where their key does.
func (b *tomlBuilder) value(n *unstable.Node, key Pos) *Node {
	out := &Node{Pos: key}
	if b.nodes++; b.nodes > maxTOML {
		return out
	}
	switch n.Kind {
	case unstable.InlineTable:
		out.Kind = Map
		for it := n.Children(); it.Next(); {
			b.keyValue(out, it.Node())
		}
		return out
	case unstable.Array:
		out.Kind = List
		for it := n.Children(); it.Next(); {
			if it.Node().Kind != unstable.Comment {
				out.List = append(out.List, b.value(it.Node(), key))
			}
		}
		return out
	}
	if n.Raw.Length > 0 {
		out.Pos = b.pos(n)
	}
	out.Kind, out.Text = tomlScalar(n)
	return out
}

func tomlScalar(n *unstable.Node) (Kind, string) {
	switch n.Kind {
	case unstable.Bool:
		return Bool, string(n.Data)
	case unstable.Integer:
		return Int, strings.TrimPrefix(strings.ReplaceAll(string(n.Data), "_", ""), "+")
	case unstable.Float:
		return Float, strings.ReplaceAll(string(n.Data), "_", "")
	}
	return String, string(n.Data)
}
