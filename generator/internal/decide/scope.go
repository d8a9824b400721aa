package decide

// Scopes hand out identifiers, each once.

import (
	"fmt"
	"go/token"
	"go/types"
)

// scope is one Go scope. What is taken in a parent is taken in it.
type scope struct {
	parent *scope
	owner  map[string]string // identifier -> who has it, in words
	next   map[string]int    // base name -> the next number to try
}

func newScope(parent *scope) *scope {
	return &scope{parent: parent, owner: map[string]string{}, next: map[string]int{}}
}

// reserve takes names that must not be used.
func (s *scope) reserve(owner string, names ...string) *scope {
	for _, name := range names {
		s.owner[name] = owner
	}
	return s
}

// holder says who has name, here or further out.
func (s *scope) holder(name string) (string, bool) {
	for ; s != nil; s = s.parent {
		if who, ok := s.owner[name]; ok {
			return who, true
		}
	}
	return "", false
}

// claimable returns why a name that is given cannot be.
func (s *scope) claimable(name string) error {
	err := checkGiven(name)
	if holder, taken := s.holder(name); err == nil && taken {
		err = fmt.Errorf("the name %s is taken by %s", name, holder)
	}
	return err
}

// claim takes name for who, if it is free.
func (s *scope) claim(name, who string) bool {
	if _, taken := s.holder(name); taken {
		return false
	}
	s.owner[name] = who
	return true
}

// unique takes base for who, or base with the first free number. It skips numbered names that others
// ask for.
func (s *scope) unique(base, who string, others beside) string {
	base = shorten(base)
	if s.claim(base, who) {
		return base
	}
	for n := max(2, s.next[base]); ; n++ {
		if name := numbered(base, n); others[name] == nil && s.claim(name, who) {
			s.next[base] = n + 1
			return name
		}
	}
}

// universe is the outermost scope: keywords and predeclared names.
func universe() *scope {
	s := newScope(nil)
	for t := token.Token(0); t < 256; t++ {
		if t.IsKeyword() {
			s.reserve("a keyword of Go", t.String())
		}
	}
	return s.reserve("a predeclared name of Go", types.Universe.Names()...)
}

// packageScope is the top level of a generated package.
func packageScope() *scope {
	return newScope(universe()).
		reserve("part of every generated package", "Client", "New", "Manifest", "Tools", "ReadURI", "Complete", "snapshot").
		reserve("an imported package", "codec", "context", "embed", "format", "json", "runtime")
}

// vetMethods are the method names that go vet knows by heart: it rejects them
// with any but the standard signature, and a tool's method has its own.
func vetMethods() []string {
	return []string{
		"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "UnmarshalJSON", "UnmarshalXML",
		"ReadByte", "ReadRune", "UnreadByte", "UnreadRune", "WriteByte",
	}
}

// fieldScope returns the scope of a generated struct, where fields share names with methods. Extra
// and ExactNumbers are reserved in every struct, so that no field gets another name when the
// struct needs them later.
func fieldScope() *scope {
	return newScope(nil).
		reserve("a method of generated types", "MarshalJSON", "UnmarshalJSON").
		reserve("the members that the schema does not declare", "Extra").
		reserve("the texts of numbers that a float64 rounds", "ExactNumbers")
}

// checkGiven checks a Go name that came from outside: from the lock or from the
// configuration. It returns why it cannot be used.
func checkGiven(name string) error {
	switch {
	case len(name) > 2*maxIdent:
		return fmt.Errorf("is longer than %d bytes", 2*maxIdent)
	case !token.IsIdentifier(name) || !token.IsExported(name):
		return fmt.Errorf("%s is not an exported Go name", quote(name))
	}
	return nil
}
