// Parsing YAML into the tree.

package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ParseYAML parses the one document of data. It reports an error and returns nil if the text is not YAML,
// does not hold exactly one document, or uses features without use in a configuration: merge keys, custom
// tags, and keys that are not scalars. Aliases are expanded; each use counts towards [MaxNodes].
func ParseYAML(r *Report, data []byte) *Node { return r.parseYAML(data, MaxNodes, MaxDepth) }

// The limits of [YAMLAsJSON].
const (
	maxDocument      = 4_000_000 // keys and values
	maxDocumentDepth = 500
)

// YAMLAsJSON returns the one document of data, a file at a path, as JSON with its order and its digits.
// Skipped are the lines of the file before data. The error is that of [ParseYAML], and also for duplicate
// keys and for numbers that JSON cannot express.
func YAMLAsJSON(path string, skipped int, data []byte) (json.RawMessage, error) {
	r := &Report{Path: path, Skipped: skipped}
	root := r.parseYAML(data, maxDocument, maxDocumentDepth)
	r.respell(root)
	return root.AppendJSON(nil), r.Err()
}

// respell gives the numbers in n their spelling in JSON.
func (r *Report) respell(n *Node) {
	if n == nil {
		return
	}
	for _, m := range n.Shadowed {
		r.Fail(m.Pos, "", "the key "+Quote(m.Name)+" is there twice", "remove one")
	}
	for _, m := range n.Members {
		r.respell(m.Value)
	}
	for _, item := range n.List {
		r.respell(item)
	}
	if n.Kind != Int && n.Kind != Float || json.Valid([]byte(n.Text)) {
		return
	}
	i, isInt := n.Int()
	f, isFloat := n.Float()
	switch {
	case isInt:
		n.Text = strconv.FormatInt(i, 10)
	case isFloat && !math.IsInf(f, 0) && !math.IsNaN(f):
		n.Text = strconv.FormatFloat(f, 'g', -1, 64)
	default:
		r.Fail(n.Pos, "", "JSON has no number "+Quote(n.Text), "write it in decimal digits")
	}
}

// frontMatter matches a text between lines of dashes.
var frontMatter = regexp.MustCompile(`(?ms)\A---[ \t\r]*\n(.*?)^---[ \t\r]*$`)

// FrontMatter returns the YAML between the first line of a markdown file and the next line, both of three
// dashes; false if there is none.
func FrontMatter(data []byte) ([]byte, bool) {
	m := frontMatter.FindSubmatch(bytes.TrimPrefix(data, []byte("\ufeff")))
	if m == nil {
		return nil, false
	}
	return m[1], true
}

// parseYAML is [ParseYAML] with limits.
func (r *Report) parseYAML(data []byte, nodes, depth int) *Node {
	if !r.checkText(data) {
		return nil
	}
	var doc, next yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	err := decodeYAML(dec, &doc)
	if err == nil {
		if err = decodeYAML(dec, &next); err == nil {
			r.Fail(position(&next), "", "a second document begins here", "keep one document in the file")
			return nil
		}
		if errors.Is(err, io.EOF) && len(doc.Content) == 1 {
			err = nil
		}
	}
	if err != nil {
		r.yamlProblem(data, err)
		return nil
	}
	before := len(r.Errors)
	b := yamlBuilder{Report: r, maxNodes: nodes, maxDepth: depth, open: map[*yaml.Node]bool{}}
	root := b.build(doc.Content[0], "", 0)
	if len(r.Errors) > before {
		return nil
	}
	return root
}

// decodeYAML reads one document. It recovers from panics of the parser, which occur for a few broken
// inputs.
func decodeYAML(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: the parser failed on this text: %v", p)
		}
	}()
	return dec.Decode(into)
}

var (
	yamlLine   = regexp.MustCompile(`^line (\d+): `)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	// The YAML parser counts lines from one for errors of its scanner, but from zero, omitting zero, for
	// these errors of its grammar.
	yamlGrammar = regexp.MustCompile(`^did not find expected (<|node content|key$|'-' indicator|',' or)`)
)

// yamlProblem reports an error of the YAML parser with its line.
func (r *Report) yamlProblem(data []byte, err error) {
	if errors.Is(err, io.EOF) {
		r.Fail(Pos{}, "", Empty)
		return
	}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var pos Pos
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	reason, hint := "not valid YAML: "+text, ""
	switch {
	case yamlGrammar.MatchString(text):
		pos.Line++
	case strings.Contains(text, "cannot start any token"):
		hint = "indent with spaces, not tabs, and quote texts that begin with @, ` or %"
	}
	if m := yamlAnchor.FindStringSubmatch(text); m != nil {
		reason = "the alias *" + Clip(m[1]) + " is not defined"
		hint = "quote the text if it is not an alias"
		if i := bytes.Index(data, []byte("*"+m[1])); i >= 0 {
			pos = offset(data, i)
		}
	}
	r.Fail(pos, "", reason, hint)
}

func position(n *yaml.Node) Pos { return Pos{Line: n.Line, Column: n.Column} }

// yamlBuilder converts the parser's nodes.
type yamlBuilder struct {
	*Report
	maxNodes, maxDepth int
	nodes              int
	full               bool                // a limit was exceeded: the rest is dropped
	open               map[*yaml.Node]bool // anchors that are being expanded
}

func (b *yamlBuilder) problem(n *yaml.Node, at Path, reason, hint string) {
	b.Fail(position(n), at, reason, hint)
}

func (b *yamlBuilder) build(n *yaml.Node, at Path, depth int) *Node {
	out := &Node{Kind: Null, Pos: position(n)}
	if b.full {
		return out
	}
	b.nodes++
	switch {
	case b.nodes > b.maxNodes:
		b.full = true
		b.problem(n, at, fmt.Sprintf("more than %d values, aliases included", b.maxNodes), "make the file smaller")
		return out
	case depth > b.maxDepth:
		b.full = true
		b.problem(n, at, fmt.Sprintf("nested deeper than %d levels", b.maxDepth), "flatten it")
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

// alias expands *name. The copy has the position of the alias, so that errors point to the use; values
// inside it keep their own positions.
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

// member adds m. Index finds earlier members with the same name.
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
