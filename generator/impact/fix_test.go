package impact

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	difference "github.com/google/go-cmp/cmp"
)

// Each archive in testdata/fix is a project, what its server said before and says now,
// the files as they have to become, and what does not compile even then.
func TestFix(t *testing.T) {
	names, err := filepath.Glob("testdata/fix/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no testdata")
	}
	for _, path := range names {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			p, files, _ := readArchive(t, path)
			if err := os.RemoveAll(filepath.Join(p.dir, "want")); err != nil {
				t.Fatal(err)
			}
			p.before.Fakes, p.after.Fakes = true, true
			p.generate(t, p.after)
			fixed, err := Fix(t.Context(), p.options(), Base{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range fixed.Rewrites {
				want, ok := files["want/"+r.File]
				if diff := difference.Diff(want, string(r.After)); !ok || diff != "" {
					t.Errorf("%s:\n%s", r.File, diff)
				}
				delete(files, "want/"+r.File)
			}
			for name := range files {
				if strings.HasPrefix(name, "want/") {
					t.Errorf("%s was not rewritten", strings.TrimPrefix(name, "want/"))
				}
			}
			var left strings.Builder
			for _, l := range fixed.Left {
				for _, site := range l.Change.CallSites {
					fmt.Fprintf(&left, "%s:%d: %s of %s: %s\n", site.File, site.Line, l.Change.Rule, l.Change.Name, cmp.Or(site.Error, "compiles"))
					if site.Step != "" {
						fmt.Fprintf(&left, "\t%s\n", site.Step)
					}
				}
			}
			for _, problem := range fixed.Problems {
				fmt.Fprintf(&left, "%s:%d: %s\n", problem.File, problem.Line, problem.Reason)
			}
			var sure []Rename
			for _, o := range fixed.Maybe {
				fmt.Fprintf(&left, "%s\n", o)
				sure = append(sure, o.Rename)
			}
			if diff := difference.Diff(files["left"], left.String()); diff != "" {
				t.Errorf("left:\n%s", diff)
			}
			for _, r := range fixed.Rewrites { // what was rewritten stays
				p.write(t, r.File, string(r.After))
			}
			if again, err := Fix(t.Context(), p.options(), Base{}); err != nil || len(again.Rewrites) > 0 {
				t.Errorf("again: %+v, %v", again, err)
			}
			if len(fixed.Maybe) == 0 {
				return
			}
			named, err := Fix(t.Context(), p.options(), Base{}, sure...)
			if err != nil || len(named.Maybe)+len(named.Left)+len(named.Problems) > 0 {
				t.Errorf("with what may be: %+v, %v", named, err)
			}
		})
	}
}

// A server that the configuration calls otherwise has no names in common with the one before.
func TestFixOfAnotherServer(t *testing.T) {
	was := surface{Tools: []json.RawMessage{[]byte(`{"name": "list", "inputSchema": {"type": "object"}}`)}}
	now := was
	now.Server = "other"
	p := newProject(t, was.snapshot(t), now.snapshot(t), nil)
	fixed, err := Fix(t.Context(), p.options(), Base{})
	if err != nil || len(fixed.Rewrites)+len(fixed.Left) > 0 {
		t.Errorf("got %+v, %v", fixed, err)
	}
}

// The go command replaces no files without a module cache: the error says what to set.
func TestFixWithoutModuleCache(t *testing.T) {
	was := surface{Tools: []json.RawMessage{[]byte(`{"name": "list", "inputSchema": {"type": "object"}}`)}}
	now := surface{Tools: []json.RawMessage{[]byte(`{"name": "list_all", "inputSchema": {"type": "object"}}`)}}
	p := newProject(t, was.snapshot(t), now.snapshot(t), nil)
	options := p.options()
	options.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"HOME", "USERPROFILE", "GOPATH", "GOMODCACHE"}, name)
	})
	options.Env = append(options.Env, "GOENV=off", "GOCACHE="+t.TempDir())
	if _, err := Fix(t.Context(), options, Base{}); err == nil || !strings.Contains(err.Error(), "no module cache: set HOME, GOPATH or GOMODCACHE") {
		t.Errorf("got %v", err)
	}
}

// A line that compiles and reads what a result may lack is listed until its declaration is changed.
func TestFixResults(t *testing.T) {
	const before = `{"Tools": [{"name": "sum", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}}}}]}`
	const code = "package agent\n\nimport (\n\t\"context\"\n\n\t\"example.com/app/mcp/srv\"\n)\n\nfunc sum(ctx context.Context) {\n\tr, _ := srv.Sum(ctx, srv.SumArgs{})\n\tprintln(r.Total)\n}\n"
	p := newProject(t, parseSurface(t, []byte(before)), parseSurface(t, []byte(strings.Replace(before, "integer", "string", 1))), map[string]string{"agent/a.go": code})
	file := filepath.Join(p.dir, "agent", "a.go")
	for name, tt := range map[string]struct {
		base Base
		want int
	}{
		"unknown":   {},
		"unchanged": {Base{Known: true}, 1},
		"elsewhere": {Base{Known: true, Files: map[string][]byte{file: []byte(code + "\nfunc other() {}\n")}}, 1},
		"changed":   {Base{Known: true, Files: map[string][]byte{file: []byte(strings.Replace(code, "r.Total", "r", 1))}}, 0},
	} {
		fixed, err := Fix(t.Context(), p.options(), tt.base)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, l := range fixed.Left {
			for _, site := range l.Change.CallSites {
				if got++; site.File != "agent/a.go" || site.Line != 11 {
					t.Errorf("%s: %+v", name, site)
				}
			}
		}
		if got != tt.want || len(fixed.Problems) > 0 {
			t.Errorf("%s: %d lines are left, want %d; problems: %v", name, got, tt.want, fixed.Problems)
		}
	}
}
