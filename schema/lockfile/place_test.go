package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// listed is the lock of a server that lists tools in an order.
func listed(names ...string) *LockedServer {
	out := &LockedServer{Tools: map[string]LockedItem{}}
	for i, name := range names {
		it := fakeItem(name, true)
		it.Place = (i + 1) * placeGap
		out.Tools[name] = it
	}
	return out
}

// order is the order of the tools of a lock.
func (l *LockedServer) order() string {
	var items []schema.Item
	for name := range l.Tools {
		items = append(items, schema.Item{Name: name})
	}
	var names []string
	for _, it := range l.InOrder(schema.KindTool, items) {
		names = append(names, it.Name)
	}
	return strings.Join(names, " ")
}

func TestKeepPlaces(t *testing.T) {
	unordered := listed("b", "a")
	for name, it := range unordered.Tools {
		it.Place = 0
		unordered.Tools[name] = it
	}
	for _, tc := range []struct {
		name          string
		before        *LockedServer
		now           string
		order, places string
	}{
		{"first", nil, "z a m", "z a m", "1000 2000 3000"},
		{"the same", listed("z", "a", "m"), "z a m", "z a m", "1000 2000 3000"},
		{"shuffled", listed("z", "a", "m"), "m z a", "z a m", "1000 2000 3000"},
		{"between", listed("z", "a", "m"), "z k a m", "z k a m", "1000 1500 2000 3000"},
		{"two between", listed("z", "a", "m"), "z k j a m", "z k j a m", "1000 1500 1750 2000 3000"},
		{"in front", listed("z", "a"), "k z a", "k z a", "500 1000 2000"},
		{"at the end", listed("z", "a"), "z a k", "z a k", "1000 2000 3000"},
		{"one is gone", listed("z", "a", "m"), "z m", "z m", "1000 3000"},
		{"without order", unordered, "b c a", "b c a", "1000 2000 3000"},
	} {
		now := listed(strings.Fields(tc.now)...)
		now.keepPlaces(tc.before)
		var places []string
		for _, name := range strings.Fields(now.order()) {
			places = append(places, fmt.Sprint(now.Tools[name].Place))
		}
		if now.order() != tc.order || strings.Join(places, " ") != tc.places {
			t.Errorf("%s: got %s at %v, want %s at %s", tc.name, now.order(), places, tc.order, tc.places)
		}
	}
	many := listed("a", "b")
	for i := range 30 { // the gap is used up, and equal places go by name
		names := append([]string{"a"}, strings.Fields(many.order())[1:]...)
		next := listed(append([]string{"a", fmt.Sprintf("x%02d", 99-i)}, names[1:]...)...)
		next.keepPlaces(many)
		many = next
	}
	if got := many.order(); !strings.HasPrefix(got, "a x") || !strings.HasSuffix(got, " b") || len(many.Tools) != 32 {
		t.Errorf("got %s", got)
	}
}

// What has not changed stays as it was written, whatever order the server has now; what has
// changed takes its order with it.
func TestKeepOrder(t *testing.T) {
	snapshot := func(identity string, tools ...string) *schema.Snapshot {
		s := &schema.Snapshot{Server: "s", Identity: json.RawMessage(identity), Capabilities: json.RawMessage(`{}`)}
		for _, raw := range tools {
			it, err := schema.ParseItem(schema.KindTool, json.RawMessage(raw))
			if err != nil {
				t.Fatal(err)
			}
			s.Tools = append(s.Tools, it)
		}
		return s
	}
	old := snapshot(`{"version":"1","name":"n"}`, `{"name":"z","inputSchema":{"b":1,"a":1}}`, `{"name":"a","x":1,"description":"d"}`)
	now := snapshot(`{"name":"n","version":"1"}`, `{"x":1,"description":"e","name":"a"}`, `{"inputSchema":{"a":1,"b":1},"name":"z"}`, `{"y":1,"name":"m"}`)
	before := mustLock(t, old)
	kept := snapshot(`{"version":"1","name":"n"}`, `{"x":1,"description":"e","name":"a"}`, `{"name":"z","inputSchema":{"b":1,"a":1}}`, `{"y":1,"name":"m"}`)
	unordered := mustLock(t, old)
	unordered.Unordered = true
	for _, tc := range []struct {
		name   string
		before *LockedServer
		old    *schema.Snapshot
		want   *schema.Snapshot
		order  string
	}{
		{"locked", before, old, kept, "z m a"},
		{"the snapshot is gone", before, nil, now, "z m a"},
		{"never locked", nil, nil, now, "a z m"},
		{"without order", unordered, old, now, "a z m"},
	} {
		locked := mustLock(t, now)
		got := locked.KeepOrder(now, tc.before, tc.old)
		if !bytes.Equal(EncodeSnapshot(got), EncodeSnapshot(tc.want)) || string(locked.Identity) != string(tc.want.Identity) || locked.order() != tc.order || locked.Unordered {
			t.Errorf("%s: got %s, in the order %s", tc.name, EncodeSnapshot(got), locked.order())
		}
		if differ := locked.Verify(got); differ != nil {
			t.Errorf("%s: %v", tc.name, differ)
		}
	}
}

// A lock of a form that kept no order says so, and until it is locked anew.
func TestUnordered(t *testing.T) {
	lock := NewLock()
	lock.Servers["s"] = listed("a")
	for _, form := range []string{"2", "3"} {
		was := bytes.Replace(lock.Encode(), []byte(`"mcpgen": 3`), []byte(`"mcpgen": `+form), 1)
		read, err := ParseLock(was)
		if err != nil || read.Servers["s"].Unordered != (form == "2") {
			t.Fatal(form, err)
		}
		again, err := ParseLock(read.Encode())
		if err != nil || again.Servers["s"].Unordered != (form == "2") {
			t.Errorf("form %s: %v, written anew as %s", form, err, read.Encode())
		}
	}
}

// Two branches that add a tool each, at different places of the listing, merge to a lock
// in which both stand where their server listed them.
func TestBranchesThatAddMerge(t *testing.T) {
	file := func(l *LockedServer) []byte {
		lock := NewLock()
		lock.Servers["s"] = l
		return lock.Encode()
	}
	base, ours, theirs := listed("m", "c", "x"), listed("m", "d", "c", "x"), listed("m", "c", "w", "x")
	ours.keepPlaces(base)
	theirs.keepPlaces(base)
	merged, err := ParseLock(mergeFile(t, file(base), file(ours), file(theirs)))
	if err != nil {
		t.Fatal(err)
	}
	if got := merged.Servers["s"].order(); got != "m d c w x" {
		t.Errorf("got %s", got)
	}
}
