// Package ir holds what the generator decided: Go names, Go types and docs. It
// is a closed set of small types without methods that render. Every node keeps
// the wire path that it came from. Nothing here is ever hashed.
package ir

import "iter"

// Package is one generated package: one server.
type Package struct {
	Name    string  // Go package name
	Server  string  // configured server name
	Launch  string  // hash of how the server was started or reached; "" if unknown
	Title   string  // the server's own name for itself; hostile text, for docs only
	Version string  // the server's own version; hostile text, for docs only
	Doc     Doc     // the package comment
	Tools   []*Tool // in byte order of their wire names
	Types   []*Type // in order of emission: the shared ones, then tool by tool, arguments before results

	Prompts []*Prompt // in byte order of their wire names
	// ImportPath is where others import the package from. Without it there are no examples.
	ImportPath string

	Resources []*Resource // in byte order of their URIs
	Templates []*Template // in byte order of their texts
	// Reads says that there is a reader for any URI. Its doc is ReadsDoc.
	Reads    bool
	ReadsDoc Doc
	// Shapes are short names of types that the lock does not have yet, by place.
	Shapes []ShapeName
	// PlaceNames says that all types have their names by place, for users elsewhere.
	// Otherwise other names of types are old ones.
	PlaceNames bool
	// Completes says that the server completes arguments.
	Completes bool
	// Foreign are the aliases in the deprecated functions of renamed tools. It is the zero
	// value if no tool was renamed.
	Foreign Foreign
}

// ShapeName is a name that the lock has to remember: a short one of a nested type, or
// of something named after that, or a new one of a function whose name two branches gave.
type ShapeName struct {
	Server string // configured name
	Kind   string // of a prompt, resource or template; "" for a tool
	Tool   string // wire name of the item
	Place  string // in the item's definition, as the lock has it
	Go     string // "" for a name that the lock has to forget
}

// Foreign names a package's aliases for types of other packages. Functions that go fix
// inlines have these aliases in their signatures, so that go fix adds no import to a user's file.
type Foreign struct {
	Context string // context.Context
	Option  string // runtime.CallOption
	Result  string // runtime.Result
}

// Prompt is one prompt and the function that gets it.
type Prompt struct {
	Wire string // name as the server spells it
	Go   string // exported identifier
	Pin  string // contract hash
	// Place orders prompts as the server listed them, as that of a [Tool] does.
	Place int
	Doc   Doc
	Args  *Type // a Struct of texts, not among the package's Types
}

// Resource is one resource and the function that reads it, or several that differ in a
// number, which is the function's argument.
type Resource struct {
	URI   string // of several that of one of them
	Go    string // exported identifier
	Watch string // exported identifier of the function that reads it at each change; "" if the server reports none
	Pin   string // contract hash
	Place int    // as of a Prompt
	Doc   Doc
	// Numbered says that there are several. Their URIs have these texts before and after the number.
	Numbered      bool
	Before, After string
}

// Template is one resource template: a function that makes URIs, and one that
// reads what they name.
type Template struct {
	Wire    string // the template, as RFC 6570 has it
	Go      string // exported identifier of the function that makes URIs
	Read    string // exported identifier of the function that reads
	Watch   string // as of a Resource
	Pin     string // contract hash
	Place   int    // as of a Prompt
	Doc     Doc
	ReadDoc Doc
	Parts   []URIPart // of the template, in order
	Vars    *Type     // a Struct of texts and lists of texts, not among the package's Types
}

// URIPart is literal text of a URI template, or an expression.
type URIPart struct {
	Text string   // as in each URI; "" of an expression
	Op   string   // the operator of an expression; may be ""
	Vars []URIVar // of an expression
}

// URIVar is a variable in an expression.
type URIVar struct {
	Name    string // wire name of a field of the template's Vars
	Explode bool   // each item of a list by itself
	Prefix  int    // characters to take of a text; 0 is all
}

// Shim is the registration shim over all generated packages.
type Shim struct {
	Name     string        // Go package name
	Command  string        // starts mcpgen in the package's folder
	Packages []ShimPackage // in byte order of server names
}

// ShimPackage is one generated package as the shim sees it.
type ShimPackage struct {
	Server     string // configured server name
	Name       string // Go package name
	ImportPath string
}

// Tool is one tool and the function that calls it.
type Tool struct {
	Wire      string // name as the server spells it
	Go        string // exported identifier
	Qualified string // name in the registry
	Pin       string // contract hash
	Place     int    // orders tools as the server listed them; 0 is unknown
	Doc       Doc
	Args      *Type // always a struct
	// Result is nil if the tool has no result schema: the call returns the
	// protocol's result.
	Result *Ref
	// Example is a value of Args that shows how a call is written; it may be nil.
	Example *Literal
	// OldNames are names that the tool had before, by which code may still call it.
	OldNames []OldName
	// Start and Resume are the functions that start it as a task, and take such a task up;
	// "" if it cannot be one.
	Start, Resume string
	// Synonyms are other names of its types and constants: after their places, before
	// types became one, and after what the tool was called.
	Synonyms []Synonym
	// Unnamed are how many constants have no name after their place, because there are
	// too many.
	Unnamed int
	// Limits are the places of its arguments that lack what their types have for other
	// places; nil if there are none. The first one is the arguments.
	Limits []Limit
	// Hints are the server's claims about the tool's effects. They are not checked.
	Hints Hints
	// Size is how many bytes a model reads of the tool: qualified name, description
	// and input schema as one compact JSON object.
	Size int
	// Tokens is about how many tokens those are.
	Tokens int
}

// Limit is a place of arguments: what is refused there, and the places inside it. Places
// are counted from 1; 0 is none.
type Limit struct {
	Lacks []string // members of an object
	Not   []string // constants, as in Const
	Each  int      // the place of the elements of an array, and of the members of a map
	// Members are the places of the members of an object. With a Tag they are the object
	// itself, by the JSON constants of that member.
	Members []Step
	Tag     string
	Kinds   []Step // the place itself by kind: array, object, string; "" is any
	// OneOf are the place itself as each variant of a union without a tag. Has are all members
	// of a variant.
	OneOf []int
	Has   []string
}

// Step is one step of the path to a [Limit].
type Step struct {
	Name string
	To   int
}

// Hints are the annotations of a tool. Nil is a missing annotation.
type Hints struct {
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// OldName is one name that a tool had before.
type OldName struct {
	Wire string // name as the server spelled it
	Go   string // exported identifier of the function and the method
}

// Synonym is another name of a type or a constant.
type Synonym struct {
	Go    string // exported identifier
	Of    string // the name that it is declared under, or another synonym
	Value string // of a constant, as in Const; "" of a type
	Type  string // that a constant is declared with, so that go doc shows it there; "" is that of Of
	From  Origin
}

// Origin says where another name comes from.
type Origin int

// The origins of other names.
const (
	ByPlace Origin = iota // made of the tool and the place
	Short                 // a short name that the type had, or that the user chose against
	OldTool               // made of an old name of the tool
)

// Kind is the kind of a declared type.
type Kind int

// The kinds of declared types.
const (
	Struct Kind = iota // fields
	Enum               // a basic type with constants
	Alias              // a named type over any Ref: type T Ref
	Union              // an interface that only the variants implement
	Tuple              // a struct that is an array in JSON
)

// Type is one declared type.
type Type struct {
	Go   string
	Tool string // wire name of the tool that it was made for
	Path string // wire path: tool, side and JSON pointer into its schema
	Doc  Doc
	Kind Kind
	// Shared says that types of several tools name it.
	Shared bool
	// Fields are the members of a Struct, or the elements of a Tuple in order.
	// Those of a Tuple have no wire name; the ones that may be missing stand
	// behind the others.
	Fields []*Field
	// Extra is the value type of undeclared members of a Struct; nil keeps none.
	Extra *Ref
	// Decodes says that decoding help is emitted: members spelled exactly,
	// integers in any spelling, undeclared members kept. It is set for structs and
	// tuples that are read from the server. What holds a union, tags, or members
	// that no struct tag can hold needs help on either side.
	Decodes bool
	// Exact says of a Struct or a Tuple that it has a field for the texts of numbers that
	// its fields round.
	Exact  bool
	Base   string // Enum: string, int, int64, uint64, float64 or bool
	Consts []Const
	// Open says of an Enum that other values are as good as its constants. It is
	// Base by another name (type T = string), so that a plain string fits, and it
	// is never a variant.
	Open bool
	// Partial says that an Enum that is a variant also holds other values than Values. It is
	// a Go type of its own, without a list of its values.
	Partial bool
	Of      *Ref // Alias

	// Variants of a Union, in order of declaration.
	Variants []Variant
	// Other is the Go name of the type that keeps what matches no variant of a
	// Union: type Other json.RawMessage in all but name.
	Other string
	// Reader is the Go name of the function that decodes a Union; "" if it has none.
	Reader string
	// Tags are the members of a Struct that marshalling sets and no field shows.
	// It has them if it is a variant: the required members with one possible value.
	Tags []Tag
	// Rest is the type of the elements behind the Fields of a Tuple; nil keeps
	// none.
	Rest *Ref
}

// Variant is one type of a Union. A type can be a variant of several.
type Variant struct {
	// Type is a Struct, a Tuple, an Enum that is not Open, or an Alias over a
	// scalar, a slice, a map or an array.
	Type  *Type
	Match Match
}

// Match says which JSON values are of a variant. A value may be one if it is of the
// Kind, its Tag has one of Values or is absent where Needs lacks it, and Key is there. Variants
// that the Tag speaks for are tried first, then those that the Key speaks for, then
// the others, those first that know most of its members, and else in the order of
// Rank. The first one that decodes and loses nothing wins. Where every variant would
// lose a member, Other keeps the value.
type Match struct {
	Kind   string   // object, array, string, boolean, integer, or number, which integers are too
	Tag    string   // member whose constant identifies the variant; "" if none
	Values []string // the JSON constants of Tag that mean this variant
	Key    string   // required member that only this variant has; "" if none
	Rank   int      // from 0; the most specific variants first
	// Needs are the required members of an object variant, tags too.
	Needs []string
}

// Tag is a member with one possible value.
type Tag struct {
	Wire  string
	Value string // a JSON constant
}

// Presence says how absence of a member is written.
type Presence int

// How a field is sent when it holds the zero value.
const (
	Required Presence = iota // always sent; nil slices and maps as [] and {}
	OmitZero                 // left out when zero: a nil pointer, an Opt, or a type whose zero value means absent
)

// Field is one declared member of an object.
type Field struct {
	Go string
	// Wire is the member's name. A struct tag can hold it unless Untagged is set.
	Wire     string
	Doc      Doc
	Type     *Ref
	Presence Presence
	// Null says of a required union, slice or map that nil is sent as null, and of an
	// optional union that its Other keeps null, as it keeps other values. Otherwise nil
	// is not a value of a required union, an empty slice or map, and what null is read as
	// for an optional union.
	Null bool
	// Untagged says that no struct tag can hold Wire: the field's tag is "-" and
	// the member is written and read by the struct's own marshalling.
	Untagged bool
}

// Const is one constant of an enum.
type Const struct {
	Go string
	// Value is a JSON scalar from which a Go literal is made: a string, true or
	// false, or a number that is already spelled as Go spells it.
	Value string
	// Note says where the value is one, if it is not at all places of the type.
	Note string
}

// RefKind is the closed set of type expressions.
type RefKind int

// The type expressions.
const (
	Basic   RefKind = iota // Name: string, bool, int, int64, uint64, float64
	Named                  // Decl
	Slice                  // []Elem
	Map                    // map[string]Elem
	Pointer                // *Elem
	Opt                    // runtime.Opt[Elem]
	Any                    // any
	Raw                    // json.RawMessage
	Array                  // [Len]Elem
	Text                   // format.Name: a text of a format that the runtime knows
	Number                 // json.Number: the text of a number
)

// Ref is a type expression.
type Ref struct {
	Kind RefKind
	Name string
	Decl *Type
	Elem *Ref
	Len  int // Array
}

// Base is what a type expression is made of in the end: T of []map[string]*T.
func (r *Ref) Base() *Ref {
	for r.Elem != nil {
		r = r.Elem
	}
	return r
}

// Refs yields the type expressions in the declaration of t.
func (t *Type) Refs() iter.Seq[*Ref] {
	return func(yield func(*Ref) bool) {
		for _, f := range t.Fields {
			if !yield(f.Type) {
				return
			}
		}
		for _, r := range []*Ref{t.Extra, t.Rest, t.Of} {
			if r != nil && !yield(r) {
				return
			}
		}
	}
}

// Uses yields the declared types that t names, as often as it names them.
func (t *Type) Uses() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		for r := range t.Refs() {
			if of := r.Base().Decl; of != nil && !yield(of) {
				return
			}
		}
		for _, v := range t.Variants {
			if !yield(v.Type) {
				return
			}
		}
	}
}

// Reach yields the declared types that t names, directly or through other types: each once, in
// order of first use.
func (t *Type) Reach() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		seen := map[*Type]bool{}
		var visit func(*Type) bool
		visit = func(t *Type) bool {
			for used := range t.Uses() {
				if !seen[used] {
					if seen[used] = true; !yield(used) || !visit(used) {
						return false
					}
				}
			}
			return true
		}
		visit(t)
	}
}

// Doc is documentation in order: the sentence that mcpgen writes, the server's
// words, and notes such as why a type is wider than the schema. Each note is a
// sentence of its own; one that starts with "Deprecated: " has to be a
// paragraph. All but Lead may hold hostile text. Each part may be empty.
type Doc struct {
	Lead   string
	Server string
	Notes  []string
}

// Literal is a Go expression of a type, for examples. Its form follows from Type:
//
//   - Basic, and an Alias over one: Value, as a conversion where the type is not
//     the type that Go infers.
//   - an Enum: the constant Const, else a conversion of Value.
//   - a Struct or a Tuple: Fields. An empty one is T{}.
//   - Slice, Array, and an Alias over one: Elems.
//   - Map, and an Alias over one: Keys and Elems.
//   - Pointer: one of Elems, whose address is taken (&T{…}, new(2)); none is nil.
//   - Opt: one of Elems in runtime.Some; none is runtime.Null.
//   - Any: Value, a JSON scalar.
//   - Number: Value, as a conversion of its text.
//
// A value of a Union is a Literal of one of its variants.
type Literal struct {
	Type   *Ref
	Value  string // a JSON scalar, numbers as Go spells them
	Const  string // Go name
	Fields []LiteralField
	Keys   []string // of Elems, as text
	Elems  []*Literal
}

// LiteralField is one field of a struct literal.
type LiteralField struct {
	Go    string
	Value *Literal
}
