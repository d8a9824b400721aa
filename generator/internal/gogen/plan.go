package gogen

// The declarations that a file has to consist of, noted as they are passed to jennifer.
// When the rendered file is parsed, any other declaration means that a text of a server
// has broken out of its comment or literal.

import (
	"fmt"
)

// plan is the plan of a file, or of a part of one.
type plan struct {
	pkg        string
	imports    []string // that there may be, as written in the file: name, if any, and quoted path
	decls      []declaration
	directives []directive
	values     bool // it has values as users write them
}

// declaration is a planned declaration, or a parsed one.
type declaration struct {
	kind    string // const, var, type or func
	recv    string // func: receiver type, with its star
	name    string
	members []string // type: "struct" and its fields with their tags, or its form
	owner   owner    // whom it is for, in errors
}

func (d declaration) String() string {
	if d.recv != "" {
		return fmt.Sprintf("%s (%s) %s", d.kind, d.recv, d.name)
	}
	return d.kind + " " + d.name
}

// alias is the form of a type that is another name of one.
var alias = []string{"="}

// memberOf is a field of a struct as a plan has it.
func memberOf(name string, t tags) string {
	if t == (tags{}) {
		return name
	}
	return name + " " + t.String()
}
