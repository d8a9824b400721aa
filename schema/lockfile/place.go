package lockfile

// This file keeps the order in which a server lists its items and writes their members.

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
	maxPlace = math.MaxInt32 // the largest place in a lock
)

// InOrder returns items of one kind in the order in which the server listed them when they were locked: by
// place, then items without a place, with ties by name.
func (l *LockedServer) InOrder(kind schema.Kind, items []schema.Item) []schema.Item {
	locked, out := l.Items(kind), slices.Clone(items)
	place := func(it schema.Item) int { return cmp.Or(locked[it.Name].Place, maxPlace+1) }
	slices.SortStableFunc(out, func(a, b schema.Item) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// KeepOrder keeps the order recorded in before and its snapshot old. The items of l, which [LockSnapshot]
// created from s, get their places from before; items with an unchanged full hash get their text from old. It
// returns s with these texts. A server that only reorders items or members thus changes nothing; any other
// change of an item adopts its new member order.
//
// KeepOrder returns s unchanged if before is nil or Unordered.
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

// keepPlaces gives items their places in before. A new item gets the middle between its neighbours in the
// listing that l was created from. All other entries stay unchanged, whatever order the server lists in now. A
// kind without places in before takes the order of the listing.
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

// between returns a place after last and before the next taken place.
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
