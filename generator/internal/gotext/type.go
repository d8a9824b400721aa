// Package gotext writes types and values as a user of a generated package writes them:
// for examples in comments and on pages, and for comparisons. Source is made by gogen.
package gotext

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// Type is a type as it is written inside its package.
func Type(r *ir.Ref) string { return TypeFrom("", r) }

// TypeFrom is [Type] for another package, in which the names of this one
// have a prefix such as "github.".
func TypeFrom(prefix string, r *ir.Ref) string {
	switch r.Kind {
	case ir.Named:
		return prefix + r.Decl.Go
	case ir.Slice:
		return "[]" + TypeFrom(prefix, r.Elem)
	case ir.Array:
		return "[" + strconv.Itoa(r.Len) + "]" + TypeFrom(prefix, r.Elem)
	case ir.Map:
		return "map[string]" + TypeFrom(prefix, r.Elem)
	case ir.Pointer:
		return "*" + TypeFrom(prefix, r.Elem)
	case ir.Opt:
		return "runtime.Opt[" + TypeFrom(prefix, r.Elem) + "]"
	case ir.Any:
		return "any"
	case ir.Raw:
		return "json.RawMessage"
	case ir.Number:
		return "json.Number"
	case ir.Text:
		return "format." + r.Name
	}
	return r.Name
}

// IsSynonym says that a type named after r has to be r itself: a defined type
// would lose the methods that it is read and written with.
func IsSynonym(r *ir.Ref) bool {
	switch r.Kind {
	case ir.Slice, ir.Array, ir.Map, ir.Basic:
		return false
	}
	return true
}

// Underlying follows aliases to the type that they are names of. A chain that does not
// end is cut; the type check refuses it.
func Underlying(r *ir.Ref) *ir.Ref {
	for range 100 {
		if r.Kind != ir.Named || r.Decl.Kind != ir.Alias {
			break
		}
		r = r.Decl.Of
	}
	return r
}

// ResultType is the type of a tool's result as it is written inside its package. Nil is
// a result without a declared type.
func ResultType(result *ir.Ref) string {
	switch {
	case result == nil:
		return "*runtime.Result"
	case IsPointer(result):
		return "*" + Type(result)
	}
	return Type(result)
}

// IsPointer says that a tool's result is handed out as a pointer: objects are.
func IsPointer(r *ir.Ref) bool {
	u := Underlying(r)
	return u.Kind == ir.Named && u.Decl.Kind == ir.Struct
}

// Rename returns the text of a type with other names in it.
func Rename(typ string, name func(string) string) string {
	return identifier().ReplaceAllStringFunc(typ, name)
}

// identifier matches the names in the text of a type.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL_][\pL\pN_]*`) })

// TagHolds reports whether a struct tag can hold a member's name. It is what
// encoding/json takes: any other tag is ignored there without an error, and the
// name of the Go field goes on the wire. The name "-" it takes with a comma behind it,
// which linters and its second version read as a mistake.
func TagHolds(name string) bool {
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return name != "" && name != "-"
}
