package impact

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// oneToolProject is a project of one tool that loses a member.
func oneToolProject(t testing.TB, files map[string]string) *project {
	t.Helper()
	tool := func(properties string) *schema.Snapshot {
		return surface{Tools: []json.RawMessage{json.RawMessage(
			`{"name":"list","inputSchema":{"type":"object","additionalProperties":false,"properties":{` + properties + `}}}`)}}.snapshot(t)
	}
	return newProject(t, tool(`"state":{"type":"string"},"page":{"type":"integer"}`), tool(`"page":{"type":"integer"}`), files)
}

const user = `package use

import "example.com/app/mcp/srv"

var args = srv.ListArgs{State: nil}
`

const found = "use/use.go:5: input-property-removed=ListArgs.State"

// All modules of a workspace are searched: those that go.work uses.
func TestFindSearchesTheWorkspace(t *testing.T) {
	p := oneToolProject(t, map[string]string{
		"use/use.go":     user,
		"tool/go.mod":    "module example.com/tool\n\ngo 1.26\n",
		"tool/use.go":    strings.Replace(user, "package use", "package tool", 1),
		"unused/go.mod":  "module example.com/unused\n\ngo 1.26\n",
		"unused/main.go": strings.Replace(user, "package use", "package unused", 1),
		"go.work":        "go 1.26\n\nuse (\n\t.\n\t./tool\n)\n",
	})
	t.Setenv("GOENV", "off")
	t.Setenv("GOFLAGS", "")
	report, problems := p.find(t)
	wantSites(t, []string{found, "tool/use.go:5: input-property-removed=ListArgs.State"}, callSites(report))
	if len(problems) > 0 {
		t.Error(problems)
	}
	p.write(t, "go.work", "go 1.26\n\nuse ./unused\n")
	if _, problems := p.find(t); len(problems) == 0 {
		t.Error("a workspace without the module is no problem")
	}
}

// New code may import a package of the runtime that nothing imports yet.
func TestFindWithFirstImport(t *testing.T) {
	tool := func(properties string) *schema.Snapshot {
		return surface{Tools: []json.RawMessage{json.RawMessage(
			`{"name":"list","inputSchema":{"type":"object","additionalProperties":false,"properties":{` + properties + `}}}`)}}.snapshot(t)
	}
	p := newProject(t, tool(`"state":{"type":"string"}`), tool(`"since":{"type":"string","format":"date-time"}`), map[string]string{"use/use.go": user})
	report, problems := p.find(t)
	wantSites(t, []string{found}, callSites(report))
	if len(problems) > 0 {
		t.Error(problems)
	}
}

// What does not load is named, and the rest is looked at all the same.
func TestFindReportsProblems(t *testing.T) {
	p := oneToolProject(t, map[string]string{
		"use/use.go":       user,
		"broken/broken.go": "package broken\n\nimport \"example.com/app/mcp/srv\"\n\nvar a = srv.ListArgs{State: undefined}\n\nvar b int = \"b\"\n",
		"syntax/syntax.go": "package syntax\n\nimport \"example.com/app/mcp/srv\"\n\nvar a = srv.ListArgs{State: nil}\n\nfunc {\n",
		"tagged/tagged.go": "//go:build ignore\n\npackage tagged\n\nimport \"example.com/app/mcp/srv\"\n\nvar a = srv.ListArgs{State: nil}\n",
		"tagged/always.go": "package tagged\n",
		"alien/alien.go":   "package alien\n\nvar a int = \"none of ours\"\n",
	})
	report, problems := p.find(t)
	wantSites(t, []string{
		found,
		"broken/broken.go:5: input-property-removed=ListArgs.State",
		"syntax/syntax.go:5: input-property-removed=ListArgs.State",
	}, callSites(report))
	for _, want := range []struct{ file, reason string }{
		{"broken/broken.go", "undefined: undefined"},
		{"broken/broken.go", `cannot use "b"`},
		{"syntax/syntax.go", "expected"},
		{"tagged/tagged.go", "build constraints"},
	} {
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.File == want.file && strings.Contains(p.Reason, want.reason) }) {
			t.Errorf("no problem of %s that says %q in %+v", want.file, want.reason, problems)
		}
	}
	for _, problem := range problems {
		if strings.HasPrefix(problem.File, "alien") {
			t.Errorf("%+v: it has nothing to do with generated code", problem)
		}
	}
}

// Files for other systems, with tags and in packages of which nothing is built here are
// looked at as they are built elsewhere, and what is wrong with others there is not said.
func TestFindElsewhere(t *testing.T) {
	const want = "input-property-removed=ListArgs.State"
	p := oneToolProject(t, map[string]string{
		"use/use.go":            user,
		"use/use_plan9.go":      strings.Replace(user, "var args", "var args9", 1),
		"use/tagged.go":         "//go:build integration && !plan9\n\n" + strings.Replace(user, "var args", "var argsT", 1),
		"only/tagged.go":        "//go:build integration\n\n" + user,
		"windows/a_windows.go":  user,
		"other/other.go":        "package other\n\nimport _ \"example.com/app/mcp/srv\"\n\nvar _ = here\n",
		"other/here_linux.go":   "package other\n\nvar here int\n",
		"other/here_darwin.go":  "package other\n\nvar here int\n",
		"testdata/x/tagged.go":  "//go:build integration\n\n" + user,
		"nested/go.mod":         "module example.com/nested\n",
		"nested/x/a_windows.go": user,
		"use/native.go":         "package use\n\nimport \"C\"\n\nimport \"example.com/app/mcp/srv\"\n\nvar argsC = srv.ListArgs{State: nil}\n",
	})
	report := p.report(drift.Caller)
	o := p.options()
	o.Env = append(os.Environ(), "CGO_ENABLED=0")
	problems, err := Find(t.Context(), o, report)
	if err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	wantSites(t, []string{
		found, "use/use_plan9.go:5: " + want, "use/tagged.go:7: " + want, "only/tagged.go:7: " + want, "windows/a_windows.go:5: " + want, "use/native.go:7: " + want,
	}, callSites(report))
	for _, c := range report.Servers[0].Changes {
		for _, s := range c.CallSites {
			if s.Error == "" {
				t.Errorf("%s:%d: the compiler says nothing", s.File, s.Line)
			}
		}
	}
}

func TestFindTakesTags(t *testing.T) {
	p := oneToolProject(t, map[string]string{"use/use.go": "//go:build special\n\n" + user})
	report := p.report(drift.Caller)
	o := p.options()
	o.Tags = []string{"special", "more"}
	problems, err := Find(t.Context(), o, report)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	wantSites(t, []string{strings.Replace(found, ":5:", ":7:", 1)}, callSites(report))
}

// Paths are relative to the root that is given, and the module is found upwards.
func TestFindRelative(t *testing.T) {
	p := oneToolProject(t, map[string]string{"use/use.go": user})
	report := p.report(drift.Caller)
	o := p.options()
	o.Dir, o.Root = p.dir+"/mcp", p.dir+"/mcp"
	if _, err := Find(t.Context(), o, report); err != nil {
		t.Fatal(err)
	}
	wantSites(t, []string{"../" + found}, callSites(report))
}

// Generated files that are not those of the lock have other names: that is said.
func TestFindOutdated(t *testing.T) {
	p := oneToolProject(t, map[string]string{"use/use.go": user})
	other := p.before
	other.Servers = slices.Clone(other.Servers)
	other.Servers[0].Rename = map[string]string{"list": "Enumerate"}
	p.before = other
	p.after.Servers = []generator.Server{optionsFor(t, surface{}.snapshot(t)).Servers[0]}
	report, problems := p.find(t)
	if len(callSites(report)) > 0 || len(problems) != 1 || !strings.Contains(problems[0].Reason, "mcpgen generate") {
		t.Errorf("call sites %v, problems %+v; want no site and one problem that names mcpgen generate", callSites(report), problems)
	}
}

// Without a change that touches Go, or a changed text, nothing is loaded: there is no module
// here.
func TestFindLoadsNothing(t *testing.T) {
	s := surface{Tools: []json.RawMessage{json.RawMessage(`{"name":"list","description":"a","inputSchema":{"type":"object"}}`)}}.snapshot(t)
	later := surface{Tools: []json.RawMessage{json.RawMessage(`{"name":"list","description":"a","inputSchema":{"type":"object"}}`), json.RawMessage(`{"name":"new","inputSchema":{"type":"object"}}`)}}.snapshot(t)
	o := Options{Dir: t.TempDir(), Before: optionsFor(t, s), After: optionsFor(t, later), Env: []string{"PATH=/nonexistent"}}
	report, err := drift.Compare(t.Context(), s, later, &drift.Options{Profile: drift.Pin})
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := Find(t.Context(), o, report); err != nil || problems != nil {
		t.Errorf("problems %v, error %v; want neither", problems, err)
	}
}

func TestFindIsCancelled(t *testing.T) {
	p := oneToolProject(t, map[string]string{"use/use.go": user})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, p.options(), p.report(drift.Caller)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// Looking for call sites never writes, even where the go command is set up to
// bring go.mod up to date: here it would add the requirement that is missing.
func TestFindKeepsGoMod(t *testing.T) {
	p := oneToolProject(t, map[string]string{
		"use/use.go":     user,
		"needs/needs.go": "package needs\n\nimport _ \"example.com/other\"\n",
		"other/go.mod":   "module example.com/other\n",
		"other/other.go": "package other\n",
	})
	gomod := filepath.Join(p.dir, "go.mod")
	data, err := os.ReadFile(gomod)
	if err != nil {
		t.Fatal(err)
	}
	untidy := string(data) + "\nreplace example.com/other => ./other\n"
	for _, flags := range []string{"-mod=mod", "--mod=mod -buildvcs=false", "-mod=readonly"} {
		p.write(t, "go.mod", untidy)
		o := p.options()
		o.Env = append(os.Environ(), "GOFLAGS="+flags)
		report := p.report(drift.Caller)
		if _, err := Find(t.Context(), o, report); err != nil {
			t.Errorf("GOFLAGS=%s: %v", flags, err)
		}
		wantSites(t, []string{found}, callSites(report))
		if now, err := os.ReadFile(gomod); err != nil || string(now) != untidy {
			t.Errorf("%s: go.mod was rewritten (%v):\n%s", flags, err, now)
		}
	}
}

// The same input gives the same report.
func TestFindTwice(t *testing.T) {
	p := oneToolProject(t, map[string]string{"use/use.go": user, "use/use_test.go": "package use\n\nvar more = args.State\n"})
	first, _ := p.find(t)
	second, _ := p.find(t)
	if !slices.Equal(callSites(first), callSites(second)) || len(callSites(first)) != 2 {
		t.Errorf("got %v, then %v; want the same two call sites", callSites(first), callSites(second))
	}
}
