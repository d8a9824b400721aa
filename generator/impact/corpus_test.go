package impact

// Real changes of real servers, and a program that uses every name of what is
// generated before, one on each line.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// snapshotOfPair reads one side of a pair: a tool, or the tools of a server.
func snapshotOfPair(t *testing.T, kind string, raw json.RawMessage) *schema.Snapshot {
	t.Helper()
	s := surface{Tools: []json.RawMessage{raw}}
	if kind == "server" {
		s = surface{}
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		s.Server = ""
	}
	out := s.snapshot(t)
	out.Sort()
	return out
}

const head = `package use

import (
	"context"
	"encoding/json"

	"example.com/app/mcp/srv"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/format"
)

var _ runtime.Opt[map[format.URI]json.RawMessage]
`

// qualifyTypes returns a type as it is written outside of its package.
func qualifyTypes(text string, names map[string]bool) string {
	return regexp.MustCompile(`[\pL_][\pL\pN_]*`).ReplaceAllStringFunc(text, func(name string) string {
		if names[name] {
			return "srv." + name
		}
		return name
	})
}

// programUsing writes the program. Each of its lines uses one symbol; lines has
// them by line.
func programUsing(symbols []decide.Symbol) (text string, lines map[int]decide.Symbol) {
	lines = map[int]decide.Symbol{}
	names := map[string]bool{}
	for _, s := range symbols {
		names[s.Go] = s.Role == decide.RoleType
	}
	var b strings.Builder
	b.WriteString(head)
	n := strings.Count(head, "\n")
	add := func(s decide.Symbol, format string, args ...any) {
		n++
		lines[n] = s
		fmt.Fprintf(&b, format+"\n", args...)
	}
	for _, s := range symbols {
		switch s.Role {
		case decide.RoleFunc:
			if s.Kind != schema.KindTool {
				add(s, "var _ = srv.%s", s.Go)
				continue
			}
			signature := fmt.Sprintf("func(context.Context, srv.%sArgs, ...runtime.CallOption) (%s, error)", s.Go, qualifyTypes(s.Type, names))
			add(s, "var _ %s = srv.%s", signature, s.Go)
			add(s, "func _(c *srv.Client) %s { return c.%s }", signature, s.Go)
		case decide.RoleType:
			add(s, "func _(*srv.%s) {}", s.Go)
			if s.Type == "struct" {
				add(s, "var _ = srv.%s{}", s.Go)
			}
		case decide.RoleConst:
			add(s, "var _ = srv.%s", s.Go)
		case decide.RoleField:
			owner, field, _ := strings.Cut(s.Go, ".")
			add(s, "func _(x *srv.%s) %s { return x.%s }", owner, qualifyTypes(s.Type, names), field)
		}
	}
	return b.String(), lines
}

// Every line that does not compile once the drift is accepted is named, and every
// line that is named uses what the change is about.
func TestCorpus(t *testing.T) {
	dir := "../../schema/testdata/drift"
	if own := os.Getenv("DRIFT_PAIRS"); own != "" {
		dir = own
	}
	names, err := filepath.Glob(dir + "/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no pairs")
	}
	if os.Getenv("DRIFT_PAIRS") == "" {
		names = slices.DeleteFunc(names, func(name string) bool { return len(filepath.Base(name))%7 != 0 }) // some; all of them with DRIFT_PAIRS
	}
	for _, path := range names {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var pair struct {
				Kind          string
				Before, After json.RawMessage
			}
			if err := json.Unmarshal(data, &pair); err != nil {
				t.Fatal(err)
			}
			before, after := snapshotOfPair(t, pair.Kind, pair.Before), snapshotOfPair(t, pair.Kind, pair.After)
			symbols, err := generator.Symbols(t.Context(), optionsFor(t, before))
			if err != nil {
				t.Fatal(err)
			}
			text, lines := programUsing(symbols[0].Symbols)
			p := newProject(t, before, after, map[string]string{"use/use.go": text})
			report, problems := p.find(t)
			if len(problems) > 0 {
				t.Errorf("problems: %+v, want none", problems)
			}
			named := aboutTheirChange(t, report, lines)
			broken := p.linesThatDoNotCompile(t)
			checkErrors(t, report, broken, nil)
			for _, line := range broken {
				var n int
				if _, err := fmt.Sscanf(line, "use/use.go:%d", &n); err != nil || named[n] == "" {
					t.Errorf("%s does not compile, and no change names it: %+v", line, lines[n])
				}
				delete(named, n)
			}
			for n, rule := range named {
				if s := lines[n]; changesAreHarmless(report, s) {
					t.Errorf("use/use.go:%d is named by %s, and compiles, and nothing that is more than safe is about %s", n, rule, s.Go)
				}
			}
		})
	}
}

// changesAreHarmless reports whether no change of a symbol's item is more than
// info, so that only the compiler may refuse it.
func changesAreHarmless(report *drift.Report, s decide.Symbol) bool {
	return !slices.ContainsFunc(report.Servers[0].Changes, func(c drift.Change) bool {
		return c.Kind == s.Kind && c.Name == s.Item && c.Severity.AtLeast(drift.Warning)
	})
}

// aboutTheirChange wants every site to use a name of the item that the change is
// about, and of the part of it that differs. It returns the lines that are named.
func aboutTheirChange(t *testing.T, report *drift.Report, lines map[int]decide.Symbol) map[int]string {
	t.Helper()
	named := map[int]string{}
	for _, c := range report.Servers[0].Changes {
		for _, site := range c.CallSites {
			named[site.Line] = c.Rule.String()
			s := lines[site.Line]
			if s.Item != c.Name || s.Kind != c.Kind {
				t.Errorf("%s of %s names line %d, which is about %s of %s", c.Rule, c.Name, site.Line, s.Go, s.Item)
			}
			if c.Rule.Part() == drift.Arguments && s.Result {
				t.Errorf("%s %s names line %d, which is about the result: %s", c.Rule, c.Path, site.Line, s.Go)
			}
			if c.Rule.Part() == drift.Results && s.Role != decide.RoleFunc && !s.Result {
				t.Errorf("%s %s names line %d, which is about the arguments: %s", c.Rule, c.Path, site.Line, s.Go)
			}
		}
	}
	return named
}
