// YAML into the tree.

package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/conflict"
	"go.yaml.in/yaml/v3"
)

// ParseYAML reads the one document of data. It returns problems and no tree if
// the text is not YAML, holds no document or more than one, or uses what a
// configuration has no use for: merge keys, tags of its own, keys that are not
// scalars. Aliases are followed; each use counts towards [MaxNodes].
func ParseYAML(data []byte) (*Node, []Problem) {
	if p := checkText(data); p != nil {
		return nil, []Problem{*p}
	}
	var doc, next yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := decodeYAML(dec, &doc); err != nil {
		return nil, []Problem{yamlProblem(data, err)}
	}
	if err := decodeYAML(dec, &next); err == nil {
		return nil, []Problem{{Pos: position(&next), Reason: "a second document begins here", Hint: "keep one document in the file"}}
	} else if !errors.Is(err, io.EOF) {
		return nil, []Problem{yamlProblem(data, err)}
	}
	if len(doc.Content) != 1 {
		return nil, []Problem{yamlProblem(data, io.EOF)}
	}
	b := yamlBuilder{open: map[*yaml.Node]bool{}}
	root := b.build(doc.Content[0], "", 0)
	if len(b.problems) > 0 {
		return nil, b.problems
	}
	return root, nil
}

// decodeYAML reads one document. The parser panics on a few broken inputs; a
// file must not be able to end the program.
func decodeYAML(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: the text confuses the YAML parser: %v", p)
		}
	}()
	return dec.Decode(into)
}

// checkText finds what no text format allows.
func checkText(data []byte) *Problem {
	if line := conflict.Line(data); line > 0 {
		return &Problem{Pos: Pos{Line: line, Column: 1}, Reason: "git conflict markers", Hint: "decide what stays of both sides, and remove the markers"}
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return &Problem{Pos: offset(data, i), Reason: "not UTF-8", Hint: "save the file as UTF-8 text"}
		case unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r), r == '\ufffe', r == '\uffff':
			return &Problem{Pos: offset(data, i), Reason: fmt.Sprintf("a control character (%U)", r), Hint: "remove it"}
		}
		i += size
	}
	return nil
}

// offset turns a byte offset into a position.
func offset(data []byte, at int) Pos {
	before := data[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return Pos{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[start:]) + 1}
}

var (
	yamlLine   = regexp.MustCompile(`^line (\d+): `)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	// The YAML parser counts lines from one in what its scanner finds, and from
	// zero, leaving out zero, in what its grammar finds: these.
	yamlGrammar = regexp.MustCompile(`^did not find expected (<|node content|key$|'-' indicator|',' or)`)
)

// yamlProblem turns an error of the YAML parser into a problem with a line.
func yamlProblem(data []byte, err error) Problem {
	if errors.Is(err, io.EOF) {
		return emptyFile()
	}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	p := Problem{}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		p.Pos.Line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	p.Reason = "not valid YAML: " + text
	switch {
	case yamlGrammar.MatchString(text):
		p.Pos.Line++
	case strings.Contains(text, "cannot start any token"):
		p.Hint = "indent with spaces, not tabs, and quote texts that begin with @, ` or %"
	}
	if m := yamlAnchor.FindStringSubmatch(text); m != nil {
		p.Reason = "the alias *" + Clip(m[1]) + " stands for nothing"
		p.Hint = "quote the text if it is not an alias"
		if i := bytes.Index(data, []byte("*"+m[1])); i >= 0 {
			p.Pos = offset(data, i)
		}
	}
	return p
}

func position(n *yaml.Node) Pos { return Pos{Line: n.Line, Column: n.Column} }

// yamlBuilder turns the parser's nodes into ours.
type yamlBuilder struct {
	nodes    int
	full     bool                // a limit was hit: the rest is left out
	open     map[*yaml.Node]bool // anchors that are being expanded
	problems []Problem
}

func (b *yamlBuilder) problem(n *yaml.Node, at Path, reason, hint string) {
	b.problems = append(b.problems, Problem{Pos: position(n), At: at, Reason: reason, Hint: hint})
}

func (b *yamlBuilder) build(n *yaml.Node, at Path, depth int) *Node {
	out := &Node{Kind: Null, Pos: position(n)}
	if b.full {
		return out
	}
	b.nodes++
	switch {
	case b.nodes > MaxNodes:
		b.full = true
		b.problem(n, at, fmt.Sprintf("more than %d values, aliases included", MaxNodes), "make the file smaller")
		return out
	case depth > MaxDepth:
		b.full = true
		b.problem(n, at, fmt.Sprintf("nested deeper than %d levels", MaxDepth), "flatten it")
		return out
	}
	switch n.Kind {
	case yaml.AliasNode:
		return b.alias(n, at, depth)
	case yaml.MappingNode:
		b.mapping(n, out, at, depth)
	case yaml.SequenceNode:
		b.sequence(n, out, at, depth)
	default:
		b.scalar(n, out, at)
	}
	return out
}

// alias follows *name. The copy stands where the alias stands, so that errors
// point to the use; what is inside it keeps its own place.
func (b *yamlBuilder) alias(n *yaml.Node, at Path, depth int) *Node {
	if b.open[n.Alias] {
		b.full = true
		b.problem(n, at, "the alias *"+n.Value+" contains itself", "write the value out")
		return &Node{Pos: position(n)}
	}
	out := b.build(n.Alias, at, depth)
	out.Pos = position(n)
	return out
}

func (b *yamlBuilder) mapping(n *yaml.Node, out *Node, at Path, depth int) {
	out.Kind = Map
	if n.ShortTag() != "!!map" {
		b.problem(n, at, "the tag "+Quote(n.Tag)+" has no meaning here", "remove it")
	}
	b.open[n] = true
	defer delete(b.open, n)
	index := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = &yaml.Node{Kind: key.Alias.Kind, Tag: key.Alias.Tag, Value: key.Alias.Value, Line: key.Line, Column: key.Column}
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			b.problem(key, at, "a key that is a list or a mapping", "use a plain text as key")
			continue
		case key.ShortTag() == "!!merge":
			b.problem(key, at, "merge keys (<<) are not supported", "write the keys out, or alias a whole value")
			continue
		}
		out.member(index, Member{Name: key.Value, Pos: position(key), Value: b.build(value, at.Key(key.Value), depth+1)})
	}
}

// member adds m. Index finds earlier members of the same name.
func (n *Node) member(index map[string]int, m Member) {
	if i, again := index[m.Name]; again {
		n.Shadowed = append(n.Shadowed, n.Members[i])
		n.Members[i] = m
		return
	}
	index[m.Name] = len(n.Members)
	n.Members = append(n.Members, m)
}

func (b *yamlBuilder) sequence(n *yaml.Node, out *Node, at Path, depth int) {
	out.Kind = List
	if n.ShortTag() != "!!seq" {
		b.problem(n, at, "the tag "+Quote(n.Tag)+" has no meaning here", "remove it")
	}
	b.open[n] = true
	defer delete(b.open, n)
	for i, item := range n.Content {
		out.List = append(out.List, b.build(item, at.Index(i), depth+1))
	}
}

func (b *yamlBuilder) scalar(n *yaml.Node, out *Node, at Path) {
	out.Text = n.Value
	switch n.ShortTag() {
	case "!!null":
		out.Kind = Null
	case "!!bool":
		out.Kind = Bool
	case "!!int":
		out.Kind = Int
	case "!!float":
		out.Kind = Float
	case "!!str", "!!timestamp", "!!merge":
		out.Kind = String
	default:
		b.problem(n, at, "the tag "+Quote(n.Tag)+" has no meaning here", "remove it")
	}
}
