package schema

// This file defines the surface of one server and its items.

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Kind is the kind of an item, or the part of a server that a [Problem] or a difference concerns.
type Kind string

// The kinds of items.
const (
	KindTool     Kind = "tool"
	KindPrompt   Kind = "prompt"
	KindResource Kind = "resource"
	KindTemplate Kind = "template"
	KindSkill    Kind = "skill"
	KindApp      Kind = "app"
)

// NameMember returns the name of the member that holds the name of an item of kind k.
func (k Kind) NameMember() string {
	switch k {
	case KindResource, KindSkill, KindApp:
		return "uri"
	case KindTemplate:
		return "uriTemplate"
	}
	return "name"
}

// Item is one definition in a surface, as the server sent it.
type Item struct {
	Kind Kind
	Name string          // the name; for resources, skills and apps the URI, for templates the URI template
	Raw  json.RawMessage // the definition
}

// Snapshot is everything that one server offers. Items are sorted by name in byte order.
type Snapshot struct {
	Server          string          // configured name
	ProtocolVersion string          // revision of the session that listed the items
	Identity        json.RawMessage // serverInfo as sent; nil if absent
	Capabilities    json.RawMessage // the server's; nil if absent
	// ClientCapabilities are the capabilities that the client declared when it listed the items, since a server's
	// lists may depend on them; nil means none.
	ClientCapabilities json.RawMessage
	Instructions       string
	Tools              []Item
	Prompts            []Item
	Resources          []Item
	Templates          []Item
	Skills             []Item // entries of skills/list (SEP-2640)
	Apps               []Item // pages of tools: see package extension
}

// Kinds returns the kinds of items, in the order of a snapshot.
func Kinds() []Kind {
	return []Kind{KindTool, KindPrompt, KindResource, KindTemplate, KindSkill, KindApp}
}

// List returns a pointer to the items of one kind, or nil if kind is not an item.
func (s *Snapshot) List(kind Kind) *[]Item {
	switch kind {
	case KindTool:
		return &s.Tools
	case KindPrompt:
		return &s.Prompts
	case KindResource:
		return &s.Resources
	case KindTemplate:
		return &s.Templates
	case KindSkill:
		return &s.Skills
	case KindApp:
		return &s.Apps
	}
	return nil
}

// Items yields tools, prompts, resources, templates, skills and apps, in this order.
func (s *Snapshot) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, kind := range Kinds() {
			for _, it := range *s.List(kind) {
				if !yield(it) {
					return
				}
			}
		}
	}
}

// Sort sorts every list by name.
func (s *Snapshot) Sort() {
	for _, kind := range Kinds() {
		slices.SortStableFunc(*s.List(kind), func(a, b Item) int { return strings.Compare(a.Name, b.Name) })
	}
}

// ParseItem reads one definition from a listing. It fails if the definition cannot be kept: not a JSON object,
// duplicate member names, nesting deeper than 512, strings that are not UTF-8, or no usable name. [ParseTool]
// and package jsonschema report all other defects.
func ParseItem(kind Kind, raw json.RawMessage) (Item, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return Item{}, err
	}
	name, err := tree.ItemName(v, string(kind), kind.NameMember())
	if err != nil {
		return Item{}, err
	}
	return Item{Kind: kind, Name: name, Raw: raw}, nil
}
