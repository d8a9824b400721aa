package workspace

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TestReboundOfUpgrades: what real servers rename and give up is no exchange of names. With
// -short it takes every sixth pair.
func TestReboundOfUpgrades(t *testing.T) {
	var files []string
	for _, dir := range []string{"upgrades", "releases"} {
		found, err := filepath.Glob(filepath.Join("../../../../golden/corpus", dir, "*.json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 60 {
		t.Fatalf("%d pairs, want at least 60", len(files))
	}
	for i, file := range files {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			was, now := pairOf(t, file)
			before, after := generatorOptions(t, was), generatorOptions(t, now)
			if err := generator.AssignNames(t.Context(), before.Servers[0], nil, nil, nil); err != nil {
				t.Fatal(err)
			}
			if err := generator.AssignNames(t.Context(), after.Servers[0], before.Servers[0].Locked, was, nil); err != nil {
				t.Fatal(err)
			}
			if err := generator.KeepOldNames(t.Context(), before.Servers[0], after.Servers[0], drift.RenamedTools(was, now)); err != nil {
				t.Fatal(err)
			}
			then, err := generator.Symbols(t.Context(), before)
			if err != nil {
				t.Fatal(err)
			}
			since, err := generator.Symbols(t.Context(), after)
			if err != nil {
				t.Fatal(err)
			}
			r := &run{gate: &gate{Other: &locks.Other{Snapshots: map[string]*schema.Snapshot{"server": was}}}}
			r.rebound(then[0], since[0], now)
			for _, err := range r.errs {
				t.Error(err)
			}
		})
	}
}

// pairOf reads what a server offered before and after an upgrade.
func pairOf(t *testing.T, file string) (before, after *schema.Snapshot) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	type side struct{ Tools, Prompts, Resources, ResourceTemplates []json.RawMessage }
	var pair struct{ Before, After side }
	if err := json.NewDecoder(z).Decode(&pair); err != nil {
		t.Fatal(err)
	}
	read := func(s side) *schema.Snapshot {
		out := &schema.Snapshot{Server: "server", ProtocolVersion: "2025-11-25"}
		for kind, raws := range map[schema.Kind][]json.RawMessage{schema.KindTool: s.Tools, schema.KindPrompt: s.Prompts, schema.KindResource: s.Resources, schema.KindTemplate: s.ResourceTemplates} {
			for _, raw := range raws {
				item, err := schema.ParseItem(kind, raw)
				if err != nil {
					t.Fatal(err)
				}
				*out.List(kind) = append(*out.List(kind), item)
			}
		}
		return out
	}
	return read(pair.Before), read(pair.After)
}

// generatorOptions generate a snapshot as it is.
func generatorOptions(t *testing.T, s *schema.Snapshot) generator.Options {
	t.Helper()
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return generator.Options{Output: "mcp", ImportPath: "example.com/app/mcp", Servers: []generator.Server{{Name: "server", Snapshot: s, Locked: locked}}}
}
