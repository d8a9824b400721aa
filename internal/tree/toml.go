//go:build !mcpgen_lean

// Parsing TOML into the tree.

package tree

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseTOML parses a TOML document. For any other text it reports an error and returns nil. Dates and
// times become strings. A table that is written in parts has the position of its first part.
func ParseTOML(r *Report, data []byte) *Node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !r.checkText(data) || !r.checkDepth(data) {
		return nil
	}
	b := tomlBuilder{positions: positions{data: data}, index: map[*Node]map[string]*Node{}}
	root := b.document()
	if b.nodes > maxTOML || b.deep {
		r.Fail(Pos{}, "", fmt.Sprintf("more than %d values, or nested deeper than %d levels", maxTOML, MaxDepth), "make the file smaller")
		return nil
	}
	// The decoder finds errors that the parser does not: duplicate keys, and tables that are already values.
	if err := toml.Unmarshal(data, new(map[string]any)); err != nil {
		r.tomlProblem(data, err)
		return nil
	}
	return root
}

// maxTOML bounds the values of a document: the decoder's search for duplicate keys takes quadratic time.
const maxTOML = 20_000

// document parses the expressions of the document into a map.
func (b *tomlBuilder) document() *Node {
	parser := new(unstable.Parser)
	parser.Reset(b.data)
	root := &Node{Kind: Map, Pos: Pos{1, 1}}
	table := root
	for b.nodes <= maxTOML && parser.NextExpression() {
		switch n := parser.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = b.table(root, n, n.Kind == unstable.ArrayTable)
		case unstable.KeyValue:
			b.keyValue(table, n)
		}
	}
	return root
}

// tomlProblem reports an error of the decoder. It does not repeat the file's text, which may be a secret.
func (r *Report) tomlProblem(data []byte, err error) {
	var pos Pos
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		pos.Line, pos.Column = decode.Position()
		pos.Column = columnInRunes(data, pos)
	}
	r.Fail(pos, "", "not valid TOML: "+strings.TrimPrefix(err.Error(), "toml: "))
}

// tomlBuilder converts the parser's expressions to nodes, in the order of the text.
type tomlBuilder struct {
	positions
	nodes int
	deep  bool
	index map[*Node]map[string]*Node // members by name, so that many tables stay cheap
}

func (b *tomlBuilder) pos(n *unstable.Node) Pos { return b.at(int(n.Raw.Offset)) }

// table finds the table that a header opens, and creates missing ones.
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

// child returns the table called name, the last one of an array of tables, or a new one.
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

// value converts a value to a node. The parser has no position for lists and tables, so they get the
// position of their key.
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
