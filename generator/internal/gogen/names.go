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
		top.claim(name, "mcpgen itself")
	}
	for _, name := range foreignNames(p.Foreign) {
		top.claim(name, "what tools were called before")
	}
	for _, t := range p.Tools {
		top.claim(t.Go, fmt.Sprintf("tool %q", t.Wire))
		for _, was := range t.OldNames {
			top.claim(was.Go, fmt.Sprintf("old name of tool %q", t.Wire))
			for _, n := range was.Names {
				top.claim(n.Go, fmt.Sprintf("old name of a type of tool %q", t.Wire))
			}
		}
		for _, n := range t.Synonyms {
			top.claim(n.Go, fmt.Sprintf("another name of a type of tool %q", t.Wire))
		}
		if t.Args == nil || t.Args.Kind != ir.Struct {
			c.fail("tool %q: its arguments are not a struct", t.Wire)
		}
	}
	for _, t := range p.Types {
		top.claim(t.Go, originOf(t))
		for _, k := range t.Consts {
			top.claim(k.Go, originOf(t))
		}
		if t.Kind == ir.Union {
			top.claim(t.Other, originOf(t))
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
		names.claim(extraField, "undeclared members")
	}
	if t.Rest != nil {
		names.claim(restField, "further elements")
	}
	wires := map[string]bool{}
	for _, f := range t.Fields {
		names.claim(f.Go, fmt.Sprintf("%s: property %q", originOf(t), f.Wire))
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
	taken map[string]string // name -> its owner
}

func (c *nameCheck) scope(where string) *scope { return &scope{c, where, map[string]string{}} }

func (s *scope) claim(name, owner string) {
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
func originOf(t *ir.Type) string {
	if t.Path == "" {
		return fmt.Sprintf("type %q", t.Go)
	}
	return fmt.Sprintf("%q", t.Path)
}
