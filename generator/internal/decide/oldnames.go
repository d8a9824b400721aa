package decide

// The names that a tool had before. Code that was written against them goes on
// compiling: they stand for the new ones, unless they mean something else by now.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// keepOldNames gives every tool its old names, as far as they are free once
// everything has its name. The error names those in the lock that no name can be.
func (a *assigner) keepOldNames(tools []*tool) (ir.Foreign, error) {
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
			switch err := checkGiven(name); {
			case err != nil:
				errs = append(errs, fmt.Errorf("mcpgen.lock: servers.%s.tools.%s.was %s: %w; remove it, or restore the lock from version control",
					clean(a.server), clean(t.wire), quote(wire), err))
			case !listed[wire] && a.scope.claim(name, "a old name of "+t.who()):
				t.oldNames = append(t.oldNames, ir.OldName{Wire: wire, Go: name, Names: a.oldTypes(t, name)})
				any = true
			}
		}
	}
	if !any {
		return ir.Foreign{}, errors.Join(errs...)
	}
	give := func(name string) string { return a.scope.unique(name, "part of what tools were called before") }
	return ir.Foreign{Context: give("OldNameContext"), Option: give("OldNameOption"), Result: give("OldNameResult")}, errors.Join(errs...)
}

// oldTypes are the types and constants of a tool that are named after its
// function, renamed after an old one.
func (a *assigner) oldTypes(t *tool, function string) []ir.OldTypeName {
	var out []ir.OldTypeName
	add := func(now string, constant bool) {
		rest, ok := strings.CutPrefix(now, t.goName())
		if name := function + rest; ok && rest != "" && checkGiven(name) == nil && a.scope.claim(name, "a old name of a type of "+t.who()) {
			out = append(out, ir.OldTypeName{Go: name, Now: now, Const: constant})
		}
	}
	for _, d := range t.decls() {
		add(d.t.Go, false)
		for _, c := range d.t.Consts {
			add(c.Go, true)
		}
		if d.t.Kind == ir.Union {
			add(d.t.Other, false)
		}
	}
	return out
}

// Function returns the Go name of a tool's function, "" if the package has none.
func Function(ctx context.Context, in Input, wire string) (string, error) {
	all, err := decideAll(ctx, in, newWarner(in.Server), (*tool).release)
	if err != nil {
		return "", err
	}
	for _, t := range all.tools {
		if t.wire == wire && t.wanted {
			return t.goName(), nil
		}
	}
	return "", nil
}
