// Package limits is the form in which generated code lists the members and values that
// places of a tool's arguments lack, and that their Go types have for other tools: a JSON
// array of places, of which the first is the arguments. The generator writes it; a call and
// mcpgen vet read it.
package limits

// Place is a place of arguments. Places are counted from 1; 0 is none.
type Place struct {
	Lacks []string       `json:",omitempty"` // members that an object here must not have
	Not   []string       `json:",omitempty"` // texts that a value here must not be
	Each  int            `json:",omitempty"` // the place of the elements of an array, and of the members of a map
	In    map[string]int `json:",omitempty"` // the places of members; with Tag that of the value itself, by the JSON text of that member
	Tag   string         `json:",omitempty"`
	Kinds map[string]int `json:",omitempty"` // the place of the value itself by kind; "" is any
	OneOf []int          `json:",omitempty"` // the places of an object as each variant of a union
	Has   []string       `json:",omitempty"` // all members of a variant
}
