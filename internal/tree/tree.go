// Package tree parses YAML, TOML and JSON with comments into one tree, whose keys and values have
// positions, and decodes such a tree strictly.
//
// Parsing is bounded in depth and in the number of nodes, never panics, and expands no more than the text
// says.
package tree

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Limits of one document.
const (
	MaxDepth = 64      // levels of maps and lists
	MaxNodes = 200_000 // keys and values; aliases count for each use
)

// Kind is the kind of a value.
type Kind uint8

// The kinds. A number without fraction and exponent is an Int.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

// String names the kind for an error message.
func (k Kind) String() string {
	return [...]string{"nothing", "a boolean", "an integer", "a number", "a string", "a list", "a mapping"}[k]
}

// Pos is a position in a text: 1-based line, and column in characters.
type Pos struct{ Line, Column int }

// Node is one value.
type Node struct {
	Kind Kind
	Pos  Pos
	Text string // a scalar as written, without its quotes
	List []*Node

	// Members are the entries of a map in the order of the text. If a key is duplicated, the last one counts,
	// as in other readers, and the earlier ones are in Shadowed.
	Members  []Member
	Shadowed []Member
}

// Member is one key of a map with its value. Pos is the key's.
type Member struct {
	Name  string
	Pos   Pos
	Value *Node
}

// Parse parses a file by its extension: as YAML, as TOML, else as JSON.
func Parse(r *Report, file string, data []byte) *Node {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".yaml", ".yml":
		return ParseYAML(r, data)
	case ".toml":
		return ParseTOML(r, data)
	}
	return ParseJSON(r, data)
}

// AppendJSON appends the value as JSON, including duplicate keys. A number that JSON cannot express
// becomes a string. A nil node appends nothing.
func (n *Node) AppendJSON(dst []byte) []byte {
	if n == nil {
		return dst
	}
	switch n.Kind {
	case List:
		dst = append(dst, '[')
		for i, item := range n.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case Map:
		dst = append(dst, '{')
		for i, m := range slices.Concat(n.Shadowed, n.Members) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.Value.AppendJSON(append(appendString(dst, m.Name), ':'))
		}
		return append(dst, '}')
	case Null:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, n.Bool())
	}
	if n.Kind != String && json.Valid([]byte(n.Text)) {
		return append(dst, n.Text...)
	}
	return appendString(dst, n.Text)
}

func appendString(dst []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string can always be encoded
	return append(dst, quoted...)
}

// Get returns the member of a map with this name. It returns false if there is none, or n is nil or not a
// map.
func (n *Node) Get(name string) (Member, bool) {
	for _, m := range n.Entries() {
		if m.Name == name {
			return m, true
		}
	}
	return Member{}, false
}

// Value returns the value of the member with this name, or nil.
func (n *Node) Value(name string) *Node {
	m, _ := n.Get(name)
	return m.Value
}

// Entries returns the members of a map; nil if n is nil or not a map.
func (n *Node) Entries() []Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// Items returns the elements of a list; nil if n is nil or not a list.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.List
}

// Without returns a copy of a map without the members with these names.
func (n *Node) Without(names ...string) *Node {
	named := func(m Member) bool { return slices.Contains(names, m.Name) }
	kept := *n
	kept.Members = slices.DeleteFunc(slices.Clone(n.Members), named)
	kept.Shadowed = slices.DeleteFunc(slices.Clone(n.Shadowed), named)
	return &kept
}

// Int returns the value of an Int in any spelling of the format. It returns false for other kinds and
// numbers that do not fit.
func (n *Node) Int() (int64, bool) {
	if n.Kind != Int {
		return 0, false
	}
	i, err := strconv.ParseInt(n.Text, 0, 64)
	return i, err == nil
}

// Float returns the value of an Int or a Float in any spelling of the format.
func (n *Node) Float() (float64, bool) {
	if i, ok := n.Int(); ok {
		return float64(i), true
	}
	if n.Kind != Float {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64)
	return f, err == nil
}

// Bool returns the value of a Bool.
func (n *Node) Bool() bool { return strings.EqualFold(n.Text, "true") }

// Path is the path of a value from the root of its file: servers.github.args[0].
type Path string

// Key returns the path of a member. Names with special characters are quoted.
func (p Path) Key(name string) Path {
	shown := name
	if !plainName().MatchString(name) {
		shown = Quote(name)
	}
	if p == "" {
		return Path(shown)
	}
	return p + "." + Path(shown)
}

// Index returns the path of a list's element.
func (p Path) Index(i int) Path { return p + Path("["+strconv.Itoa(i)+"]") }

// plainName matches names that a path holds unquoted, of at most maxShown bytes.
var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_$-]{1,80}$`) })

// maxShown bounds the part of a key that an error repeats, in bytes.
const maxShown = 80

// Quote quotes a text for a message: control and invisible characters are escaped and long texts are cut.
func Quote(text string) string { return strconv.Quote(Clip(text)) }

// Clip cuts a text for a message.
func Clip(text string) string { return safetext.Cut(text, maxShown) }
