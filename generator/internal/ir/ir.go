// Package ir holds what the generator decided: Go names, Go types and docs. It
// is a closed set of small types without methods that render. Every node keeps
// the wire path that it came from. Nothing here is ever hashed.
package ir

// Package is one generated package: one server.
type Package struct {
	Name   string  // Go package name
	Server string  // configured server name
	Title  string  // the server's own name for itself; hostile text, for docs only
	Doc    Doc     // the package comment
	Tools  []*Tool // in byte order of their wire names
	Types  []*Type // in order of emission: tool by tool, arguments before results
}

// Shim is the registration shim over all generated packages.
type Shim struct {
	Name     string        // Go package name
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
	Doc       Doc
	Args      *Type // always a struct
	// Result is nil if the tool has no result schema: the call returns the
	// protocol's result.
	Result *Ref
}

// Kind is the kind of a declared type.
type Kind int

// The kinds of declared types.
const (
	Struct Kind = iota // fields
	Enum               // a basic type with constants
	Alias              // a named type over any Ref: type T Ref
)

// Type is one declared type.
type Type struct {
	Go     string
	Path   string // wire path: tool, side and JSON pointer into its schema
	Doc    Doc
	Kind   Kind
	Fields []*Field // Struct
	// Extra is the value type of undeclared members; nil keeps none.
	Extra *Ref
	// Decodes says that values of this type are read from the server, so that
	// decoding help is emitted: members spelled exactly, integers in any
	// spelling, undeclared members kept.
	Decodes bool
	Base    string // Enum: string, int, int64, uint64, float64 or bool
	Consts  []Const
	Of      *Ref // Alias
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
	// Wire is the member's name. A struct tag can hold it; "-" has to be
	// written "-,".
	Wire     string
	Doc      Doc
	Type     *Ref
	Presence Presence
}

// Const is one constant of an enum.
type Const struct {
	Go string
	// Value is a JSON scalar from which a Go literal is made: a string, true or
	// false, or a number that is already spelled as Go spells it.
	Value string
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
)

// Ref is a type expression.
type Ref struct {
	Kind RefKind
	Name string
	Decl *Type
	Elem *Ref
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
