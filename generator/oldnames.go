package generator

// What a tool was called before: kept in the lock, so that the code of callers
// goes on compiling after the tool has got another name.

import (
	"context"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
)

// KeepOldNames writes into the lock of after what its tools were called before:
// what the lock of before says already, and, for the tools in renamed (wire names,
// old to new), the name that before generates. Call it when after is accepted,
// behind [AssignNames].
//
// A old name leaves when the server lists a tool of that wire name again, when
// something else gets its Go name, and when somebody removes it from the lock. A
// name that would be the one of today is not kept. Nil locks are passed over.
func KeepOldNames(ctx context.Context, before, after Server, renamed map[string]string) error {
	if before.Locked == nil || after.Locked == nil || before.Snapshot == nil || after.Snapshot == nil {
		return nil
	}
	was := map[string]map[string]string{} // by the wire name of today
	keep := func(tool, wire, name string) {
		if was[tool] == nil {
			was[tool] = map[string]string{}
		}
		was[tool][wire] = name
	}
	for tool, item := range before.Locked.Tools {
		now := tool
		if to := renamed[tool]; to != "" {
			now = to
		}
		for wire, name := range decide.Pinned(item).Was {
			keep(now, wire, name)
		}
	}
	if len(renamed) > 0 {
		symbols, err := decide.Symbols(ctx, decide.Input{Server: before.WithoutOldNames()})
		if err != nil {
			return err
		}
		for _, sym := range symbols {
			if to := renamed[sym.Item]; to != "" && sym.Kind == schema.KindTool && sym.Role == SymbolFunc && sym.Pointers[0] == "" {
				keep(to, sym.Item, sym.Go)
			}
		}
	}
	if len(was) == 0 {
		return nil
	}
	return setOldNames(ctx, after, was, renamed)
}

// setOldNames writes the old names that are free into the lock. If a tool has too
// many, the most recent renames stay.
func setOldNames(ctx context.Context, s Server, was map[string]map[string]string, renamed map[string]string) error {
	symbols, err := decide.Symbols(ctx, decide.Input{Server: s.WithoutOldNames()})
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, sym := range symbols {
		taken[sym.Go] = true
	}
	for tool, names := range was {
		item, ok := s.Locked.Tools[tool]
		if !ok {
			continue
		}
		maps.DeleteFunc(names, func(wire, name string) bool {
			_, listed := s.Locked.Tools[wire]
			return listed || taken[name]
		})
		for _, isNew := range []bool{false, true} {
			for _, wire := range slices.Sorted(maps.Keys(names)) {
				if len(names) > decide.MaxOldNames && (renamed[wire] != "") == isNew {
					delete(names, wire)
				}
			}
		}
		pins := decide.Pinned(item)
		pins.Was = names
		s.Locked.Tools[tool] = decide.WithPins(item, pins)
	}
	return nil
}
