package gogen

// Every identifier is checked here before anything is rendered, wherever it came from:
// names are made by package decide, but also by locks and by users.

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// ownNames are the exported names of every package that are not a tool's.
var ownNames = []string{"Client", "New", "Manifest", "Tools", readName, completeName}

// The fields of structs that are for no member by itself.
const (
	extraField = "Extra"        // the undeclared members of an object
	restField  = "Rest"         // the further elements of a tuple
	exactField = "ExactNumbers" // the texts of numbers that fields round
)

// checkNames returns an error that names every name which Go would not take, or
// would take for something else.
func checkNames(p *ir.Package) error {
	c := &nameCheck{server: p.Server}
	c.members = c.scope("", 0)
	c.packageName(p.Name)
	top := c.scope("the package", 2*(len(p.Tools)+len(p.Types)))
	for _, name := range ownNames {
		if p.Server != "" { // a package of types alone has none of these
			top.claim(owner{what: "mcpgen itself"}, name)
		}
	}
	for _, name := range foreignNames(p.Foreign) {
		top.claim(owner{what: "what tools were called before"}, name)
	}
	for _, t := range p.Tools {
		top.claim(toolOwner(t), t.Go, t.Start, t.Resume)
		for _, was := range t.OldNames {
			top.claim(owner{"old name of tool", t.Wire, ""}, was.Go)
		}
		for _, n := range t.Synonyms {
			top.claim(owner{"another name of a type of tool", t.Wire, ""}, n.Go)
		}
		if t.Args == nil || t.Args.Kind != ir.Struct {
			c.fail("tool %q: its arguments are not a struct", t.Wire)
		}
	}
	for _, t := range p.Types {
		top.claim(ownerOf(t), t.Go)
		for _, k := range t.Consts {
			top.claim(ownerOf(t), k.Go)
		}
		if t.Kind == ir.Union {
			top.claim(ownerOf(t), t.Other, t.Reader)
		}
		c.fields(t)
	}
	for _, item := range p.Prompts {
		top.claim(promptOwner(item), item.Go)
		top.arguments(promptOwner(item), item.Args)
	}
	for _, item := range p.Resources {
		top.claim(resourceOwner(item), item.Go, item.Watch)
	}
	for _, item := range p.Templates {
		top.claim(templateOwner(item), item.Go, item.Watch)
		top.claim(templateOwner(item), item.Read)
		top.arguments(templateOwner(item), item.Vars)
	}
	return errors.Join(c.errs...)
}

type nameCheck struct {
	server  string
	errs    []error
	members *scope // of one type after the other
}

func (c *nameCheck) fail(format string, args ...any) {
	err := fmt.Errorf("server %q: "+format, append([]any{c.server}, args...)...)
	c.errs = append(c.errs, hint.With(err, "change the name in mcpgen.lock, or under tools.rename in mcpgen.yaml"))
}

func (c *nameCheck) packageName(name string) {
	if !isIdentifier(name) || name == "_" || name == "main" {
		c.fail("%q cannot be a package name", name)
	}
}

func (c *nameCheck) fields(t *ir.Type) {
	names := c.members
	names.where = t.Go
	clear(names.taken)
	if t.Extra != nil {
		names.claim(owner{what: "undeclared members"}, extraField)
	}
	if t.Rest != nil {
		names.claim(owner{what: "further elements"}, restField)
	}
	if t.Exact {
		names.claim(owner{what: "texts of numbers"}, exactField)
	}
	wires := map[string]bool{}
	for _, f := range t.Fields {
		member := ownerOf(t)
		member.property = f.Wire
		names.claim(member, f.Go)
		if t.Kind == ir.Tuple {
			continue
		}
		if wires[f.Wire] {
			c.fail("%s: property %q is duplicated", ownerOf(t), f.Wire)
		}
		wires[f.Wire] = true
		if !f.Untagged && !gotext.TagHolds(f.Wire) {
			c.fail("%s: property %q cannot be written in a struct tag", ownerOf(t), f.Wire)
		}
	}
}

// scope is a set of names that exclude each other.
type scope struct {
	check *nameCheck
	where string
	taken map[string]owner
}

// owner says in an error whose a name is. It is formatted only for errors: thousands of
// names are checked, and usually all are valid.
type owner struct{ what, wire, property string }

func toolOwner(t *ir.Tool) owner            { return owner{"tool", t.Wire, ""} }
func promptOwner(item *ir.Prompt) owner     { return owner{"prompt", item.Wire, ""} }
func resourceOwner(item *ir.Resource) owner { return owner{"resource", item.URI, ""} }
func templateOwner(item *ir.Template) owner { return owner{"resource template", item.Wire, ""} }

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

func (c *nameCheck) scope(where string, size int) *scope {
	return &scope{c, where, make(map[string]owner, size)}
}

// claim takes a name for an owner, and each optional name that exists.
func (s *scope) claim(owner owner, name string, optional ...string) {
	switch first, taken := s.taken[name]; {
	case !isIdentifier(name) || !token.IsExported(name):
		s.check.fail("%s: %q is not an exported Go name", owner, name)
	case taken:
		s.check.fail("%s: the Go name %s is taken in %s by %s", owner, name, s.where, first)
	default:
		s.taken[name] = owner
	}
	for _, name := range optional {
		if name != "" {
			s.claim(owner, name)
		}
	}
}

// arguments checks the struct that a prompt or a template takes.
func (s *scope) arguments(of owner, t *ir.Type) {
	if t == nil || t.Kind != ir.Struct {
		s.check.fail("%s: its arguments are not a struct", of)
		return
	}
	s.claim(of, t.Go)
	s.check.fields(t)
}

// isIdentifier is the language's rule and not a keyword; unlike the language it
// wants every rune to be one that a reader can see.
func isIdentifier(name string) bool {
	return token.IsIdentifier(name) && safetext.Strip(name) == name
}
