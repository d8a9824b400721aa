package schema

// This file is the surface of one server and its items.

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// FormatVersion is the value of the member "mcpgen" that opens every snapshot
// and lock.
const FormatVersion = 1

// Kind says which listing an item stands in, or which part of a server a
// [Difference] is about.
type Kind string

// The kinds of items.
const (
	KindTool     Kind = "tool"
	KindPrompt   Kind = "prompt"
	KindResource Kind = "resource"
	KindTemplate Kind = "template"
)

// The parts of a server that are no items: only in a [Difference].
const (
	KindIdentity     Kind = "identity"
	KindCapabilities Kind = "capabilities"
	KindInstructions Kind = "instructions"
	KindProtocol     Kind = "protocol"
)

// MaxName bounds the names of items, in bytes; URIs may be 16 times as long.
const MaxName = 256

// nameMember is the member that holds the name of an item of kind k.
func (k Kind) nameMember() string {
	switch k {
	case KindResource:
		return "uri"
	case KindTemplate:
		return "uriTemplate"
	}
	return "name"
}

func (k Kind) maxName() int {
	if k == KindResource || k == KindTemplate {
		return 16 * MaxName
	}
	return MaxName
}

// Item is one definition of a surface, as the server sent it.
type Item struct {
	Kind Kind
	Name string          // name; of resources their URI, of templates their URI template
	Raw  json.RawMessage // the definition
}

// Snapshot is what one server offers. Items are sorted by name in byte order.
type Snapshot struct {
	Server          string          // configured name
	ProtocolVersion string          // revision of the session that listed it
	Identity        json.RawMessage // serverInfo as sent; nil if absent
	Capabilities    json.RawMessage // the server's; nil if absent
	Instructions    string
	Tools           []Item
	Prompts         []Item
	Resources       []Item
	Templates       []Item
}

// Items yields tools, prompts, resources and templates, in this order.
func (s *Snapshot) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, l := range s.lists() {
			for _, it := range *l.items {
				if !yield(it) {
					return
				}
			}
		}
	}
}

// Sort brings every list into the order that a snapshot has on disk.
func (s *Snapshot) Sort() {
	for _, l := range s.lists() {
		slices.SortStableFunc(*l.items, func(a, b Item) int { return strings.Compare(a.Name, b.Name) })
	}
}

// list is one of the four lists of a snapshot and the member that holds it.
type list struct {
	member string
	kind   Kind
	items  *[]Item
}

func (s *Snapshot) lists() [4]list {
	return [4]list{
		{"tools", KindTool, &s.Tools},
		{"prompts", KindPrompt, &s.Prompts},
		{"resources", KindResource, &s.Resources},
		{"resourceTemplates", KindTemplate, &s.Templates},
	}
}

// ParseItem reads one definition from a listing. It fails if the definition
// cannot be kept: no JSON object, duplicate member names, nesting deeper than
// 512, strings that are not UTF-8, or no usable name. Everything else that is
// wrong with it is for [ParseTool] and [ParseSchema] to say.
func ParseItem(kind Kind, raw json.RawMessage) (Item, error) {
	v, err := parseJSON(raw)
	if err != nil {
		return Item{}, err
	}
	name, err := itemName(kind, v)
	if err != nil {
		return Item{}, err
	}
	return Item{Kind: kind, Name: name, Raw: raw}, nil
}

// itemName returns the name of a definition.
func itemName(kind Kind, v *value) (string, *Error) {
	if v.kind != objectValue {
		return "", &Error{Reason: fmt.Sprintf("the %s is %v, not an object", kind, v.kind), offset: int(v.pos)}
	}
	member := kind.nameMember()
	n := v.get(member)
	switch {
	case n == nil:
		return "", &Error{Reason: fmt.Sprintf("the %s has no %q", kind, member), offset: int(v.pos)}
	case n.kind != stringValue:
		return "", &Error{Pointer: "/" + member, Reason: fmt.Sprintf("must be a string, is %v", n.kind), offset: int(n.pos)}
	case n.text == "":
		return "", &Error{Pointer: "/" + member, Reason: "must not be empty", offset: int(n.pos)}
	case len(n.text) > kind.maxName():
		return "", &Error{Pointer: "/" + member, Reason: fmt.Sprintf("is longer than %d bytes", kind.maxName()), offset: int(n.pos)}
	case hasSurrogate(n.text):
		return "", &Error{Pointer: "/" + member, Reason: "holds half of a surrogate pair", offset: int(n.pos)}
	}
	// A copy, or the name would keep the whole text in memory that it was read from.
	return strings.Clone(n.text), nil
}

// joinErrors joins errors, naming the first 50 and counting the rest.
func joinErrors(errs []error) error {
	const most = 50
	if len(errs) > most {
		rest := len(errs) - most
		errs = append(slices.Clone(errs[:most]), fmt.Errorf("and %d more", rest))
	}
	return errors.Join(errs...)
}
