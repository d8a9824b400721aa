package decide

// The names that a tool had before. They remain as aliases, so that code which uses them
// compiles, unless something else has such a name now.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// oldName is a name that a tool had, with the names that its types had then.
type oldName struct {
	ir.OldName
	types []oldType
}

// oldType is the name of a type or constant after an old name of its tool, and after the
// present one.
type oldType struct {
	ir.Synonym
	now string
}

// keepOldNames gives every tool its old names, as far as they are free once
// everything has its name. The error names those in the lock that no name can be.
//
// An old name has to be one that was derived for the old wire name, or that renames, by
// wire name, gives to it: any other could stand for a tool that code means.
func keepOldNames(server string, in *scope, tools []*tool, renames map[string]string) (ir.Foreign, error) {
	listed := map[string]bool{}
	for _, t := range tools {
		listed[t.wire] = true
	}
	var errs []error
	any := false
	for _, t := range tools {
		if !t.wanted {
			continue
		}
		for _, wire := range slices.Sorted(maps.Keys(t.was)) {
			name := t.was[wire]
			err := checkGiven(name)
			whole := exported(wire)
			derived := func(whole string) bool { return derivedFor(whole, name) || withoutPackage(t.pkg, whole) == name }
			if err == nil && !derived(whole) && !derived(t.caps.spell(whole)) && renames[wire] != name {
				err = fmt.Errorf("the name %s is not derived from %s", name, quote(wire))
			}
			switch {
			case err != nil:
				at := lockPlace(server, t.kind, t.wire) + "/go/was/" + jsontext.EscapePointer(wire)
				errs = append(errs, lockErrorAt(at, err.Error(), "remove it", "restore the lock from version control"))
			case !listed[wire] && in.claim(name, "an old name of "+t.who()):
				t.oldNames = append(t.oldNames, oldName{ir.OldName{Wire: wire, Go: name}, oldTypes(in, t, name)})
				any = true
			}
		}
	}
	if !any {
		return ir.Foreign{}, errors.Join(errs...)
	}
	give := func(name string) string { return in.unique(name, "part of what tools were called before", nil) }
	names := ir.Foreign{Context: give("OldNameContext"), Option: give("OldNameOption"), Result: give("OldNameResult")}
	return names, errors.Join(errs...)
}

// oldTypes are the types and constants of a tool that are named after its
// function, renamed after an old one.
func oldTypes(in *scope, t *tool, function string) []oldType {
	var out []oldType
	for d := range t.decls() {
		for _, now := range d.pathNames() {
			rest, ok := strings.CutPrefix(now.Go, t.goName())
			name := function + rest
			if ok && rest != "" && checkGiven(name) == nil && in.claim(name, "an old name of a type of "+t.who()) {
				old := ir.Synonym{Go: name, Of: cmp.Or(now.Of, now.Go), Value: now.Value, From: ir.OldTool}
				out = append(out, oldType{old, now.Go})
			}
		}
	}
	return out
}
