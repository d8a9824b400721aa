package gogen

// Every identifier is checked here, wherever it came from: names are made by the
// builder, but also by locks and by users. Nothing is rendered before.

import (
	"errors"
	"fmt"
	"go/token"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// ownNames are the exported names of every package that are not a tool's.
var ownNames = []string{"Client", "New", "Manifest", "Tools", readName, completeName}

// extraField holds the undeclared members of an object.
const extraField = "Extra"

// restField holds the elements behind those of a tuple.
const restField = "Rest"

// checkNames returns an error that names every name which Go would not take, or
// would take for something else.
func checkNames(p *ir.Package) error {
	c := &nameCheck{server: p.Server}
	c.packageName(p.Name)
	top := c.scope("the package")
	for _, name := range ownNames {
		top.claim(name, owner{what: "mcpgen itself"})
	}
	for _, name := range foreignNames(p.Foreign) {
		top.claim(name, owner{what: "what tools were called before"})
	}
	for _, t := range p.Tools {
		top.claim(t.Go, owner{"tool", t.Wire, ""})
		if t.Start != "" {
			top.claim(t.Start, owner{"tool", t.Wire, ""})
			top.claim(t.Resume, owner{"tool", t.Wire, ""})
		}
		for _, was := range t.OldNames {
			top.claim(was.Go, owner{"old name of tool", t.Wire, ""})
			for _, n := range was.Names {
				top.claim(n.Go, owner{"old name of a type of tool", t.Wire, ""})
			}
		}
		for _, n := range t.Synonyms {
			top.claim(n.Go, owner{"another name of a type of tool", t.Wire, ""})
		}
		if t.Args == nil || t.Args.Kind != ir.Struct {
			c.fail("tool %q: its arguments are not a struct", t.Wire)
		}
	}
	for _, t := range p.Types {
		top.claim(t.Go, ownerOf(t))
		for _, k := range t.Consts {
			top.claim(k.Go, ownerOf(t))
		}
		if t.Kind == ir.Union {
			top.claim(t.Other, ownerOf(t))
		}
		c.fields(t)
	}
	c.surface(top, p)
	return errors.Join(c.errs...)
}

type nameCheck struct {
	server string
	errs   []error
}

func (c *nameCheck) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("server %q: "+format, append([]any{c.server}, args...)...))
}

func (c *nameCheck) packageName(name string) {
	if !isIdentifier(name) || name == "_" || name == "main" {
		c.fail("%q cannot be a package name", name)
	}
}

func (c *nameCheck) fields(t *ir.Type) {
	names := c.scope(t.Go)
	if t.Extra != nil {
		names.claim(extraField, owner{what: "undeclared members"})
	}
	if t.Rest != nil {
		names.claim(restField, owner{what: "further elements"})
	}
	wires := map[string]bool{}
	for _, f := range t.Fields {
		member := ownerOf(t)
		member.property = f.Wire
		names.claim(f.Go, member)
		if t.Kind == ir.Tuple {
			continue
		}
		if wires[f.Wire] {
			c.fail("%s: property %q is duplicated", originOf(t), f.Wire)
		}
		wires[f.Wire] = true
		if !f.Untagged && !taggable(f.Wire) {
			c.fail("%s: property %q cannot be written in a struct tag", originOf(t), f.Wire)
		}
	}
}

// scope is a set of names that exclude each other.
type scope struct {
	check *nameCheck
	where string
	taken map[string]owner
}

// owner says in an error whose a name is. Thousands of names are checked and none is
// wrong, so it is put into words only then.
type owner struct{ what, wire, property string }

// ownerOf is a type, by its place on the wire if that is known.
func ownerOf(t *ir.Type) owner {
	if t.Path == "" {
		return owner{"type", t.Go, ""}
	}
	return owner{wire: t.Path}
}

func (o owner) String() string {
	words := o.what
	if o.wire != "" {
		words = strings.TrimPrefix(fmt.Sprintf("%s %q", o.what, o.wire), " ")
	}
	if o.property != "" {
		words += fmt.Sprintf(": property %q", o.property)
	}
	return words
}

func (c *nameCheck) scope(where string) *scope { return &scope{c, where, map[string]owner{}} }

func (s *scope) claim(name string, owner owner) {
	switch first, taken := s.taken[name]; {
	case !isIdentifier(name) || !token.IsExported(name):
		s.check.fail("%s: %q is not an exported Go name: change it in the lock or in rename", owner, name)
	case taken:
		s.check.fail("%s: the Go name %s is taken in %s by %s: change it in the lock or in rename", owner, name, s.where, first)
	default:
		s.taken[name] = owner
	}
}

// isIdentifier is the language's rule and not a keyword; unlike the language it
// wants every rune to be one that a reader can see.
func isIdentifier(name string) bool {
	return token.IsIdentifier(name) && safetext.Strip(name) == name
}

// taggable says that encoding/json reads name in a struct tag as it stands. It
// ignores a tag that it does not like without a word.
func taggable(name string) bool {
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return name != ""
}

// originOf names a type for an error: where it came from, on the wire.
func originOf(t *ir.Type) string { return ownerOf(t).String() }
