package decide

// Names by place, which are those that nested types and their constants have besides the
// ones that they are declared under: after their places, and after what the tool was
// called. Only code that uses them needs them, so the lock lists which are generated.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// maxOtherConsts bounds the constants of a tool that are declared once more, under the
// names after their places: a list of values that is the same in a thousand places has
// each value a thousand times.
const maxOtherConsts = 5000

// boundSynonyms leaves out the other names of constants beyond the bound, all of a type
// or none. Types keep theirs.
func (t *tool) boundSynonyms(w *warner) {
	count := 0
	for d := range t.decls() {
		consts := 0
		for _, n := range d.synonyms {
			if n.Value != "" {
				consts++
			}
		}
		if count+consts <= maxOtherConsts {
			count += consts
			continue
		}
		t.unnamed += consts
		d.synonyms = slices.DeleteFunc(slices.Clone(d.synonyms), func(n ir.Synonym) bool { return n.Value != "" })
	}
	if t.unnamed > 0 && t.wanted {
		w.add(t.wire, "", fmt.Sprintf(
			"%d constants get no name by place_names: %d constants already have one, and the limit is %d",
			t.unnamed, count, maxOtherConsts), "use the names that the constants have")
	}
}

// otherNames are the names that the types and constants of the tool have, or can have,
// besides those that they are declared under.
func (t *tool) otherNames() []ir.Synonym {
	var out []ir.Synonym
	for d := range t.decls() {
		out = append(out, d.synonyms...)
	}
	for _, was := range t.oldNames {
		for _, n := range was.types {
			out = append(out, n.Synonym)
		}
	}
	return out
}

// has reports whether another name of a type of the item is generated.
func (it *item) has(n ir.Synonym) bool {
	return n.From == ir.Short || it.every || it.kept[n.Go]
}

// codeName is what a name in the lock is in code: the user may have renamed the tool.
func (it *item) codeName(name string) string {
	if it.rename == "" {
		return name
	}
	return replacePrefix(name, it)
}

// checkListed refuses names in the lock that the tool does not have. If the definition is not
// the locked one, such names are only forgotten.
func checkListed(server string, t *tool) error {
	if len(t.keep) == 0 || !t.wanted || !t.isLocked() {
		return nil
	}
	derived := map[string]bool{}
	for d := range t.decls() {
		for _, n := range namesOf(d.t) {
			derived[n.Go] = true
		}
	}
	for _, n := range t.otherNames() {
		derived[n.Go] = true
	}
	var errs []error
	for i, name := range t.keep {
		if !derived[t.codeName(name)] {
			at := fmt.Sprintf("%s/go/keep/%d", lockPlace(server, t.kind, t.wire), i)
			reason := fmt.Sprintf("the name %s does not belong to a type or constant of the tool", name)
			errs = append(errs, lockErrorAt(at, reason, "remove it", "restore the lock from version control"))
		}
	}
	return errors.Join(errs...)
}

// KeepNames returns by tool, in order, the names by place that the lock has to list: those
// that used says are in use. In.Locked lists some of them; those of tools that are not
// wanted stay listed, and all do with in.PlaceNames, if they can still be derived.
func KeepNames(ctx context.Context, in Input, used func(name string) bool) (map[string][]string, error) {
	asked := in.Server
	in.Include, in.Exclude, in.Rename, in.PlaceNames, in.Past = nil, nil, nil, false, true
	all, err := decideAll(ctx, in, newWarner(in.Name, ""), (*tool).release)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, t := range all.tools {
		t.rename = asked.Rename[t.wire] // the names were given without it
		var names []string
		for _, n := range t.otherNames() {
			keep := n.From != ir.Short && used(t.codeName(n.Go))
			if asked.PlaceNames || !asked.Selects(t.wire) {
				keep = slices.Contains(t.keep, n.Go)
			}
			if keep {
				names = append(names, n.Go)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			out[t.wire] = slices.Compact(names)
		}
	}
	return out, nil
}
