package validate

// This file converts the library's errors into a flat list.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// report returns err as an Errors.
func report(err error) error {
	found, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return Errors{{Reason: clean(err.Error())}}
	}
	var list Errors
	collect(found, &list)
	slices.SortFunc(list, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Reason, b.Reason))
	})
	list = slices.CompactFunc(list, func(a, b *Error) bool { return *a == *b })
	return list[:min(len(list), maxErrors)]
}

// collect adds the errors of e and its causes.
func collect(e *jsonschema.ValidationError, list *Errors) {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, cause := range e.Causes {
			collect(cause, list)
		}
		return
	case *kind.AnyOf:
		collectUnion(e, list)
		return
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			collectUnion(e, list)
			return
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			*list = append(*list, &Error{Pointer: pointer(append(slices.Clip(e.InstanceLocation), name)), Reason: notAllowed})
		}
		return
	}
	*list = append(*list, &Error{Pointer: pointer(e.InstanceLocation), Reason: reason(e)})
}

// collectUnion adds the reasons why a value fits no branch of a union. If all branches want another type, one
// error lists these types. If the value's type or a constant selects a single branch, the errors are those of
// that branch.
func collectUnion(e *jsonschema.ValidationError, list *Errors) {
	var wanted []string
	var meant []*jsonschema.ValidationError
	simple := true
	for _, cause := range e.Causes {
		leaves := leavesOf(cause, nil)
		if types := otherType(e, leaves); types != nil {
			wanted = append(wanted, types...)
			continue
		}
		simple = false
		if !otherTag(e, leaves) {
			meant = append(meant, cause)
		}
	}
	place := pointer(e.InstanceLocation)
	switch {
	case simple && wanted != nil:
		*list = append(*list, &Error{Pointer: place, Reason: wantTypes(wanted, gotOf(e))})
	case len(meant) == 1:
		collect(meant[0], list)
	default:
		*list = append(*list, &Error{Pointer: place, Reason: "matches none of the " + safetext.Count(len(e.Causes), "alternative") + noneBecause(e, meant)})
	}
}

// noneBecause returns the first error of each of the first two branches that may be meant.
func noneBecause(e *jsonschema.ValidationError, meant []*jsonschema.ValidationError) string {
	if len(meant) == 0 || len(meant) == len(e.Causes) && len(meant) > 3 {
		return ""
	}
	var parts []string
	for _, branch := range meant[:min(len(meant), 2)] {
		if leaves := leavesOf(branch, nil); len(leaves) > 0 {
			text := reason(leaves[0])
			if below := leaves[0].InstanceLocation[len(e.InstanceLocation):]; len(below) > 0 {
				text = "at " + quote(pointer(below)) + " " + text
			}
			if !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
	}
	slices.Sort(parts)
	return ": " + strings.Join(parts, "; or ")
}

// leavesOf returns the errors in e that have no causes; a union counts as one error.
func leavesOf(e *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, cause := range e.Causes {
			leaves = leavesOf(cause, leaves)
		}
		return leaves
	}
	return append(leaves, e)
}

// otherType returns the types that a branch wants if the value has none of them, otherwise nil.
func otherType(union *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) []string {
	for _, leaf := range leaves {
		if k, ok := leaf.ErrorKind.(*kind.Type); ok && len(leaf.InstanceLocation) == len(union.InstanceLocation) {
			return k.Want
		}
	}
	return nil
}

// otherTag reports whether a member of the value differs from the constant that the branch wants.
func otherTag(union *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) bool {
	for _, leaf := range leaves {
		if len(leaf.InstanceLocation) == len(union.InstanceLocation)+1 {
			switch k := leaf.ErrorKind.(type) {
			case *kind.Const:
				return true
			case *kind.Enum:
				return len(k.Want) == 1
			}
		}
	}
	return false
}

// gotOf returns the type of a value that fits no branch.
func gotOf(e *jsonschema.ValidationError) string {
	for _, cause := range e.Causes {
		for _, leaf := range leavesOf(cause, nil) {
			if k, ok := leaf.ErrorKind.(*kind.Type); ok {
				return k.Got
			}
		}
	}
	return ""
}

// pointer returns a JSON pointer.
func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(jsontext.EscapePointer(token))
	}
	return b.String()
}
