package workspace

// Go names that changed their meaning. A lock edited by hand can cause this within the rules for names,
// and the compiler does not detect it.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// maxRebound bounds the names that are reported for one server.
const maxRebound = 20

// names compares the meaning of each Go name with its earlier one: the tool of a function, the place of a
// member or a constant. Renamed tools are not findings, since their functions are renamed too, and
// neither are items that the server removed or renamed: only existing items can be swapped.
func (r *run) names(ctx context.Context, then, now generator.Options) error {
	before, err := generator.Symbols(ctx, then)
	if err != nil {
		return exit.Unless(ctx, exit.Fail(exit.Usage, err))
	}
	after, err := generator.Symbols(ctx, now)
	if err != nil {
		return exit.Unless(ctx, exit.Fail(exit.Usage, err))
	}
	for _, was := range before {
		i := slices.IndexFunc(after, func(s generator.ServerSymbols) bool { return s.Server == was.Server })
		if i < 0 {
			continue
		}
		s, err := r.w.Accepted(was.Server)
		if err != nil {
			continue // the report has the error
		}
		r.rebound(was, after[i], s)
	}
	return nil
}

// rebound compares the names of one server with the current offer.
func (r *run) rebound(before, after generator.ServerSymbols, offered *schema.Snapshot) {
	was := r.Other.Snapshots[before.Server]
	renamed := drift.RenamedTools(was, offered)
	names := map[string][]generator.Symbol{} // a name shared by several items has several symbols
	for _, a := range after.Symbols {
		names[a.Go] = append(names[a.Go], a)
	}
	found := 0
	for _, b := range before.Symbols {
		at := slices.IndexFunc(names[b.Go], func(a generator.Symbol) bool { return a.Role == b.Role })
		if at < 0 || b.Of != "" || b.IsType() {
			continue
		}
		if slices.ContainsFunc(names[b.Go], func(a generator.Symbol) bool {
			return means(b, a) || b.IsFunc() && a.Role == b.Role && a.Kind == b.Kind && renamed[b.Item] == a.Item
		}) {
			continue
		}
		a, still := names[b.Go][at], slices.ContainsFunc(after.Symbols, func(a generator.Symbol) bool { return means(b, a) })
		meant, now := "", ""
		switch {
		case b.IsFunc() && (still || b.Kind == schema.KindTool):
			meant, now = itemWords(was, b), itemWords(offered, a)
		case !b.IsFunc() && still && a.Item == b.Item && a.Kind == b.Kind:
			meant, now = placeWords(b), placeWords(a)
		}
		if meant == "" {
			continue
		}
		if found++; found <= maxRebound {
			r.errs = append(r.errs, exit.Fail(exit.Finding, hint.With(
				fmt.Errorf("%s: the Go name %s used to mean %s, but now means %s", before.Server, b.Go, meant, now),
				"restore the names of "+locks.Name+" with git checkout", "if the change is intended, give the tool another name: servers."+before.Server+".tools.rename")))
		}
	}
	if found > maxRebound {
		r.errs = append(r.errs, exit.Fail(exit.Finding, fmt.Errorf("%s: and %d more Go names", before.Server, found-maxRebound)))
	}
}

// means reports whether two names have the same meaning.
func means(b, a generator.Symbol) bool {
	same := a.Role == b.Role && a.Kind == b.Kind && a.Item == b.Item && a.Value == b.Value
	return same && (b.IsFunc() || slices.ContainsFunc(a.Pointers, func(p string) bool { return slices.Contains(b.Pointers, p) }))
}

// itemWords describes what a function calls, with the annotations of a tool.
func itemWords(s *schema.Snapshot, sym generator.Symbol) string {
	text := fmt.Sprintf("the %s %q", sym.Kind, sym.Item)
	for _, it := range s.Tools {
		var def struct {
			Annotations struct {
				ReadOnly    bool `json:"readOnlyHint"`
				Destructive bool `json:"destructiveHint"`
			}
		}
		switch {
		case it.Name != sym.Item || sym.Kind != schema.KindTool || json.Unmarshal(it.Raw, &def) != nil:
		case def.Annotations.ReadOnly:
			text += " (read-only)"
		case def.Annotations.Destructive:
			text += " (destructive)"
		}
	}
	return text
}

func placeWords(sym generator.Symbol) string {
	if sym.Value != "" {
		return "the value " + sym.Value
	}
	return fmt.Sprintf("%q of %q", sym.Pointers[0], sym.Item)
}
