// The key types of mcpgen.yaml, about generated types.

package config

import (
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// checkTypes checks that values are names of types, or words for types of numbers and open objects. Only
// the generator can check whether a place exists.
func (k *checker) checkTypes(n *tree.Node, at tree.Path) {
	words := []string{"int", "int64", "uint64", "float64", "decimal", "open"}
	for _, m := range n.Entries() {
		if m.Value.Kind != tree.String {
			continue
		}
		value := m.Value.Text
		first, _ := utf8.DecodeRuneInString(value)
		switch isPlace := strings.Contains(m.Name, "/"); {
		case m.Name == placeNames && value == all:
		case m.Name == placeNames:
			k.Fail(m.Value.Pos, at.Key(m.Name), "unknown word "+tree.Quote(value), "write all, or remove the line")
		case slices.Contains(words, value) && isPlace:
		case slices.Contains(words, value):
			k.Fail(m.Value.Pos, at.Key(m.Name),
				"the value "+value+" applies to one field, but this key names a type",
				"use the path of the field as the key, such as list_issues/args/page")
		case !isPlace && (!token.IsIdentifier(m.Name) || !token.IsExported(m.Name)):
			k.Fail(m.Pos, at.Key(m.Name),
				"the key is neither the Go name of a type nor the path of a field",
				"write a name such as Entity, or a path such as list_issues/args/page")
		case isPlace && unicode.IsLower(first):
			k.Fail(m.Value.Pos, at.Key(m.Name), "unknown word "+tree.Quote(value), tree.Suggest(value, words))
		case !token.IsIdentifier(value) || !token.IsExported(value) || len(value) > texts.MaxName:
			k.Fail(m.Value.Pos, at.Key(m.Name), "want an exported Go identifier such as Entity, found "+tree.Quote(value))
		}
	}
}

// placeNames is the key of types for names by place; its value is all.
const (
	placeNames = "place_names"
	all        = "all"
)

// readTypes reads the choices of an entry for types, and the places of those and of its names for tools.
func (k *checker) readTypes(b *Build, entry *tree.Node) {
	for _, m := range entry.Value("tools").Value("rename").Entries() {
		if b.RenameAt == nil {
			b.RenameAt = map[string]string{}
		}
		b.RenameAt[m.Name] = k.At(m.Value.Pos).String()
	}
	for _, m := range entry.Value("types").Entries() {
		if m.Name == placeNames {
			b.PlaceNames = true
			continue
		}
		b.Types = append(b.Types, TypeChoice{Key: m.Name, Value: m.Value.Text, At: k.At(m.Pos).String()})
	}
}
