// Package build decides: it turns what a server said (schema) into what will be
// generated (ir). Names, types and docs are made here and nowhere else.
//
// Everything a server says is taken for hostile. Identifiers come from scopes
// only, every loop has a bound, and a definition that makes no sense costs
// itself, never its neighbours. The rule for types is "looser, never stricter":
// what is not understood widens the type, and both the doc comment and a
// [Warning] say so.
package build

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// Input is one server and what the user wants of it. It is only read.
type Input struct {
	Server string // configured name
	// Package is the Go package name. Empty is PackageName(Server).
	Package  string
	Snapshot *schema.Snapshot
	// Names gives each tool's qualified name, by wire name. A tool that is not
	// in it is known by its wire name.
	Names map[string]string
	// Locked says which tools were accepted before and how, by wire name. Nil
	// is a server that was never locked.
	Locked map[string]Locked
	// Include and Exclude are globs over wire names: * is any run of
	// characters, the slash too, ? one character, [a-z] one of a class, and a
	// backslash takes away the meaning of what follows. No Include is all
	// tools. Exclude wins.
	Include, Exclude []string
	// Rename gives a tool, by wire name, the Go name that it shall have.
	Rename map[string]string
	// Strict makes every warning an error.
	Strict bool
}

// Locked is what the lock says of one tool.
type Locked struct {
	// Pin is the contract hash. Empty is computed from the definition.
	Pin string
	// Names are the Go names that had to be numbered, as [AssignNames] gave
	// them out.
	Names map[string]string
}

// Warning is something that was left out or typed more loosely than its schema.
type Warning struct {
	Server  string
	Tool    string // wire name; empty for the server itself
	Pointer string // JSON pointer into the tool's definition; "" is the whole
	Reason  string
}

// String puts the place first: server/tool, pointer, reason.
func (w Warning) String() string {
	return fmt.Sprintf("%s: %s", w.place(), w.Reason)
}

// Package decides everything about one generated package. Tools come out in byte
// order of their wire names, whatever order they were listed in.
//
// A tool that cannot be generated is left out, a schema that is not understood
// is typed more loosely; each is a warning, or with in.Strict part of the error,
// which names all of them. The other errors are the user's to mend: a package
// name, glob, rename or locked name that cannot be used.
func Package(in Input) (*ir.Package, []Warning, error) {
	return nil, nil, errors.New("not built")
}

func (w Warning) place() string { return w.Server }
