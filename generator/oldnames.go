package generator

// Names of before: what a tool was called, and names by place of its types. The lock keeps
// them, so that the code of callers goes on compiling.

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// KeepOldNames writes into the lock of after what its tools were called before:
// what the lock of before says already, and, for the tools in renamed (wire names,
// old to new), the name that before generates; then the names by place that before
// generates and after does not by itself. Call it when after is accepted, behind
// [AssignNames].
//
// An old name leaves when the server lists a tool of that wire name again, when
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
			if to := renamed[sym.Item]; to != "" && sym.Kind == schema.KindTool && sym.IsFunc() && sym.Pointers[0] == "" {
				keep(to, sym.Item, sym.Go)
			}
		}
	}
	if len(was) > 0 {
		if err := setOldNames(ctx, after, was, renamed); err != nil {
			return err
		}
	}
	for tool, item := range before.Locked.Tools {
		setKept(after.Locked, cmp.Or(renamed[tool], tool), decide.Pinned(item).Keep)
	}
	return keepPlaceNames(ctx, before, after)
}

// keepPlaceNames lists the names by place of before, whoever uses them.
func keepPlaceNames(ctx context.Context, before, after Server) error {
	same := maps.EqualFunc(before.Locked.Tools, after.Locked.Tools, func(x, y lockfile.LockedItem) bool {
		was, now := decide.Pinned(x), decide.Pinned(y)
		return x.Full == y.Full && x.Result == y.Result && maps.Equal(was.Names, now.Names) && maps.Equal(was.Was, now.Was)
	})
	if same {
		return nil
	}
	was := map[string]bool{}
	for _, item := range before.Locked.Tools {
		for _, name := range decide.Pinned(item).Keep {
			was[name] = true
		}
	}
	symbols, _ := decide.Symbols(ctx, decide.Input{Server: before}) // a lock that was merged wrongly may have none
	for _, s := range symbols {
		was[s.Go] = true
	}
	return KeepNames(ctx, after, func(name string) bool { return was[name] })
}

// KeepNames lists in the lock of s, which is not nil, the names by place that used says are
// in use, and no others. Tools that are not generated keep theirs.
func KeepNames(ctx context.Context, s Server, used func(name string) bool) error {
	s.Snapshot, _ = lockfile.AsFile(s.Snapshot, nil)
	names, err := decide.KeepNames(ctx, decide.Input{Server: s}, used)
	if err != nil {
		return err
	}
	for tool := range s.Locked.Tools {
		setKept(s.Locked, tool, names[tool])
	}
	return nil
}

func setKept(l *lockfile.LockedServer, tool string, names []string) {
	item, known := l.Tools[tool]
	if pins := decide.Pinned(item); known && !slices.Equal(pins.Keep, names) {
		pins.Keep = names
		l.Tools[tool] = decide.WithPins(item, pins)
	}
}

// HasKept reports whether a lock lists names by place.
func HasKept(l *lockfile.LockedServer) bool {
	for _, item := range l.Tools {
		if len(decide.Pinned(item).Keep) > 0 {
			return true
		}
	}
	return false
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
