package lockfile

// This file keeps the order in which a server lists its items, and in which it writes them.

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

const (
	placeGap = 1000          // between neighbours of a new lock
	maxPlace = math.MaxInt32 // of what a lock can say
)

// InOrder returns items of one kind as the server listed them when they were locked: by
// place, those without one behind the others, equal ones by name.
func (l *LockedServer) InOrder(kind schema.Kind, items []schema.Item) []schema.Item {
	locked, out := l.Items(kind), slices.Clone(items)
	place := func(it schema.Item) int { return cmp.Or(locked[it.Name].Place, maxPlace+1) }
	slices.SortStableFunc(out, func(a, b schema.Item) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// KeepOrder keeps the order of what was locked before, from the snapshot old: the items of
// l, which [LockSnapshot] made from s, get the places that they have there, and those that
// have the same full hash their text of old. It returns s with these texts. So a server
// that lists its items or writes their members in another order changes nothing; another
// change of an item takes its new order with it.
//
// Everything is as s has it if before is nil or Unordered.
func (l *LockedServer) KeepOrder(s *schema.Snapshot, before *LockedServer, old *schema.Snapshot) *schema.Snapshot {
	if before == nil || before.Unordered {
		return s
	}
	l.keepPlaces(before)
	if old == nil {
		return s
	}
	out := *s
	for _, kind := range schema.Kinds() {
		now, was, texts := l.Items(kind), before.Items(kind), map[string]json.RawMessage{}
		for _, it := range *old.List(kind) {
			texts[it.Name] = it.Raw
		}
		items := slices.Clone(*s.List(kind))
		for i, it := range items {
			if text := texts[it.Name]; text != nil && now[it.Name].Full == was[it.Name].Full {
				items[i].Raw = text
			}
		}
		*out.List(kind) = items
	}
	for _, part := range []struct{ now, locked, old *json.RawMessage }{
		{&out.Identity, &l.Identity, &old.Identity}, {&out.Capabilities, &l.Capabilities, &old.Capabilities},
	} {
		if canonicalText(*part.now) == canonicalText(*part.old) {
			*part.now, *part.locked = *part.old, *part.old
		}
	}
	return &out
}

// keepPlaces gives items the places that they have in before. One that is new takes the
// middle between its neighbours in the listing that l was made from, by [LockSnapshot]. So
// the entries of all others stay as they are, whatever order the server lists in now. A
// kind without any place in before takes the order of the listing.
func (l *LockedServer) keepPlaces(before *LockedServer) {
	for _, list := range lists() {
		items, kept := l.Items(list.kind), before.Items(list.kind)
		var taken []int
		for name := range items {
			if p := kept[name].Place; p > 0 {
				taken = append(taken, p)
			}
		}
		if len(taken) == 0 {
			continue
		}
		slices.Sort(taken)
		var names []string
		for name := range items {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(items[a].Place, items[b].Place), cmp.Compare(a, b)) })
		last := 0
		for _, name := range names {
			it := items[name]
			if it.Place = kept[name].Place; it.Place == 0 {
				it.Place = between(last, taken)
				at, _ := slices.BinarySearch(taken, it.Place)
				taken = slices.Insert(taken, at, it.Place)
			}
			last = it.Place
			items[name] = it
		}
	}
}

// between is a place behind last and before the next one that is taken.
func between(last int, taken []int) int {
	at, _ := slices.BinarySearch(taken, last+1)
	if at == len(taken) {
		return min(last+placeGap, maxPlace)
	}
	return max(last+(taken[at]-last)/2, 1)
}

// place reads the place of an item; 0 if absent.
func (r *fileReader) place(v *tree.Value, pointer string) int {
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if v.Kind != tree.Number || err != nil || n < 1 || n > maxPlace {
		r.fail(v.Pos, pointer, "must be a whole number from 1 to "+strconv.Itoa(maxPlace))
		return 0
	}
	return n
}
