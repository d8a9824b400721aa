package golden

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// itemID is an item of a server.
type itemID struct {
	kind schema.Kind
	name string
}

// namesByItem returns the Go names that a server's items have, by place.
func namesByItem(t *testing.T, s generator.Server) map[itemID]map[string]string {
	t.Helper()
	o := generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []generator.Server{s}}
	symbols, err := generator.Symbols(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[itemID]map[string]string{}
	for _, sym := range symbols[0].Symbols {
		id := itemID{sym.Kind, sym.Item}
		if out[id] == nil {
			out[id] = map[string]string{}
		}
		if sym.Of == "" {
			out[id][fmt.Sprint(sym.Role, sym.Pointers, sym.Value)] += " " + sym.Go
		}
	}
	return out
}

// withoutItem returns a snapshot without an item.
func withoutItem(s *schema.Snapshot, id itemID) *schema.Snapshot {
	out := *s
	for _, list := range []*[]schema.Item{&out.Tools, &out.Prompts, &out.Resources, &out.Templates} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(it schema.Item) bool { return it.Kind == id.kind && it.Name == id.name })
	}
	return &out
}

// Once an item is locked, others come and go, and its names stay. What edits of others do to
// them measures package edits.
func TestNamesStayWithTheirItems(t *testing.T) {
	var snapshots []*schema.Snapshot
	for _, name := range corpusServers {
		snapshots = append(snapshots, corpusSnapshot(t, name))
	}
	files, err := filepath.Glob("surface/*/snapshot.json") // with prompts and resources
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := lockfile.ParseSnapshot(data)
		if err != nil {
			t.Fatal(err)
		}
		snapshots = append(snapshots, s)
	}
	most := 200
	if testing.Short() {
		most = 2
	}
	for _, s := range snapshots {
		t.Run(s.Server, func(t *testing.T) {
			stayNamed(t, s, most)
		})
	}
}

// stayNamed removes and adds items of a listing, most of them at random.
func stayNamed(t *testing.T, s *schema.Snapshot, most int) {
	update := func(before generator.Server, s *schema.Snapshot) generator.Server {
		t.Helper()
		server, err := project.Update(before, s)
		if err != nil {
			t.Fatal(err)
		}
		return server
	}
	all := update(generator.Server{}, s)
	names := namesByItem(t, all)
	same := func(what string, of itemID, want, got map[itemID]map[string]string) {
		t.Helper()
		for id := range want {
			if id != of && !maps.Equal(want[id], got[id]) {
				t.Errorf("%s %q %s: the %s %q had the names %v, has %v", of.kind, of.name, what, id.kind, id.name, want[id], got[id])
			}
		}
	}
	ids := slices.SortedFunc(maps.Keys(names), func(x, y itemID) int { return bytes.Compare([]byte(x.name), []byte(y.name)) })
	rand.New(rand.NewPCG(1, uint64(len(ids)))).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids[:min(len(ids), most)] {
		less := withoutItem(all.Snapshot, id)
		same("is gone", id, names, namesByItem(t, update(all, less)))
		first := update(generator.Server{}, less)
		same("is new", id, namesByItem(t, first), namesByItem(t, update(first, all.Snapshot)))
	}
}
