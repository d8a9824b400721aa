package config

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tailscale/hujson"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// TestShuffle is the golden G29: in whatever order the keys of a file stand, it
// means the same. Servers, variables and headers have an order of their own, which is
// that of the file.
func TestShuffle(t *testing.T) {
	archives, err := filepath.Glob("testdata/G*.txtar")
	if err != nil || len(archives) < 20 {
		t.Fatalf("archives: %v, %v", archives, err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dir := unpackArchive(t, archive)
		t.Setenv("HOME", filepath.Join(dir, "home"))
		for _, f := range archive.Files {
			if ext := filepath.Ext(f.Name); ext != ".json" && ext != ".jsonc" {
				continue
			}
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := hujson.Standardize(data)
			if err != nil {
				continue // a broken file has no order
			}
			before, err := LoadServers(path)
			if err != nil {
				continue
			}
			for range 5 {
				if err := os.WriteFile(path, reorderMembers(t, plain, random), 0o644); err != nil {
					t.Fatal(err)
				}
				after, err := LoadServers(path)
				if err != nil {
					t.Fatalf("%s %s: %v", name, f.Name, err)
				}
				if diff := cmp.Diff(before, after, ignoreOrder()...); diff != "" {
					t.Errorf("%s %s:\n%s", name, f.Name, diff)
				}
			}
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("only %d files were compared", compared)
	}
}

// ignoreOrder compares what the order of keys must not change.
func ignoreOrder() []cmp.Option {
	byName := func(a, b endpoint.Var) int { return strings.Compare(a.Name, b.Name) }
	return append(ignoreLayout(),
		cmpopts.IgnoreFields(Project{}, "Definitions", "Notices"),
		cmp.Transformer("sorted", func(vars []endpoint.Var) map[string]string {
			sorted := map[string]string{}
			for _, v := range slices.SortedFunc(slices.Values(vars), byName) {
				sorted[v.Name] = v.Value
			}
			return sorted
		}),
		cmpopts.SortSlices(func(a, b endpoint.Server) bool { return a.Name < b.Name }),
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".LoadEnv" }, cmp.Ignore()),
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Args" }, cmp.Transformer("docker", func(args []string) []string {
			return slices.Sorted(slices.Values(args)) // which names -e variables in the order of the file
		})),
	)
}

// reorderMembers puts the members of every object into another order.
func reorderMembers(t *testing.T, data json.RawMessage, random *rand.Rand) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) == nil && members != nil {
		names := make([]string, 0, len(members))
		for name := range members {
			names = append(names, name)
		}
		slices.Sort(names)
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		var parts []string
		for _, name := range names {
			quoted, err := json.Marshal(name)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, string(quoted)+": "+string(reorderMembers(t, members[name], random)))
		}
		return json.RawMessage("{" + strings.Join(parts, ",\n") + "}")
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && list != nil {
		for i := range list {
			list[i] = reorderMembers(t, list[i], random)
		}
		out, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return data
}
