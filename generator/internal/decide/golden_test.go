package decide

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata/*.txtar")

// options are the parts of Input that a case may set.
type options struct {
	Package          string
	Include, Exclude []string
	Rename, RenameAt map[string]string
	Types            []TypeChoice
	Locked           map[string]map[string]string // tool -> names
	Strict           bool
}

// TestGolden runs testdata/*.txtar: tools.json is a listing, surface.json may hold
// prompts, resources and templates, options.json the rest of the input, want what was decided, with
// warnings, an error, and the names that the lock has to remember.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]*txtar.File{}
			for i := range archive.Files {
				files[archive.Files[i].Name] = &archive.Files[i]
			}
			got := decideFiles(t, files)
			if *update {
				files["want"].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(files["want"].Data), got); diff != "" {
				t.Errorf("(-want +got; -update rewrites)\n%s", diff)
			}
		})
	}
}

func decideFiles(t *testing.T, files map[string]*txtar.File) string {
	t.Helper()
	var tools []json.RawMessage
	var o options
	if err := json.Unmarshal(files["tools.json"].Data, &tools); err != nil {
		t.Fatal(err)
	}
	if f := files["options.json"]; f != nil {
		if err := json.Unmarshal(f.Data, &o); err != nil {
			t.Fatal(err)
		}
	}
	in := Input{
		Server: Server{Name: "srv", Package: o.Package, Snapshot: &schema.Snapshot{},
			Include: o.Include, Exclude: o.Exclude, Rename: o.Rename, RenameAt: o.RenameAt, Types: o.Types},
		Strict: o.Strict,
	}
	for _, raw := range tools {
		in.Snapshot.Tools = append(in.Snapshot.Tools, toolItem(t, raw))
	}
	addSurface(t, &in, files)
	for tool, names := range o.Locked {
		if in.Locked == nil {
			in.Locked = newLock()
		}
		in.Locked.Tools[tool] = WithPins(lockfile.LockedItem{}, Pins{Names: names})
	}
	var b strings.Builder
	in.PlaceNames = true
	p, warnings, err := Package(t.Context(), in)
	if err != nil {
		b.WriteString("error: " + err.Error() + "\n")
	} else {
		if err := checkIdentifiers(p); err != nil {
			t.Error(err)
		}
		b.WriteString(dumpPackage(p))
	}
	for _, w := range warnings {
		b.WriteString("warning: " + w.String() + "\n")
	}
	names, err := AssignNames(t.Context(), in, nil)
	for _, kind := range schema.Kinds() {
		locked := map[string]map[string]string{}
		for id, numbered := range names {
			if id.Kind == kind {
				locked[id.Name] = numbered
			}
		}
		if err != nil || len(locked) == 0 {
			continue
		}
		data, err := json.MarshalIndent(locked, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		lock := "lock"
		if kind != schema.KindTool {
			lock += " of " + string(kind) + "s"
		}
		b.WriteString(lock + ": " + string(data) + "\n")
	}
	return b.String()
}
