package impact

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/schema/drift"
)

const (
	gateBefore = `{"Tools": [
		{"name": "list", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer"}, "state": {"type": "string"}, "flag": {"type": "string"}}}},
		{"name": "find_by_rare_word", "description": "Finds a word that is rare.", "inputSchema": {"type": "object", "required": ["pattern"], "properties": {"pattern": {"type": "string"}, "flag": {"type": "string"}}}},
		{"name": "sum", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}}}},
		{"name": "drop", "inputSchema": {"type": "object"}}],
		"Templates": [{"uriTemplate": "a://{id}", "name": "issue"}, {"uriTemplate": "b://{id}", "name": "page"}]}`
	gateAfter = `{"Tools": [
		{"name": "list", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 50}, "state": {"type": "string"}}}},
		{"name": "findByRareWord", "description": "Finds a word that is rare.", "inputSchema": {"type": "object", "required": ["pattern"], "properties": {"pattern": {"type": "string", "maxLength": 3}, "flag": {"type": "string"}}}},
		{"name": "sum", "inputSchema": {"type": "object"}}],
		"Templates": [{"uriTemplate": "a://{project}/{id}", "name": "issue"}, {"uriTemplate": "b://v2/{id}", "name": "page"}]}`

	gateHead = "package agent\n\nimport (\n\t\"context\"\n\n\t\"example.com/app/mcp/srv\"\n)\n\n"

	gateList = "func pages(ctx context.Context, n int) { srv.List(ctx, srv.ListArgs{Limit: &n}) }\n"
	gateFlag = "type list struct{ srv.ListArgs }\n\nfunc flag(_ context.Context, l list) { l.Flag = new(\"x\") }\n"
	gateSum  = "func sum(ctx context.Context) any { r, _ := srv.Sum(ctx, srv.SumArgs{}); return r }\n"
	gateURI  = "func uri(context.Context) string { return srv.IssueURI(srv.IssueURIVars{ID: \"3\"}) }\n"
	gateSame = "// Pages lists n.\nfunc pages(\n\tctx context.Context, n int,\n) {\n\tsrv.List(ctx, srv.ListArgs{\n\t\tLimit: &n,\n\t})\n}\n"
)

// TestFit has the code of a branch and of its base, and wants the lines that do not fit, with
// a question mark where that is not known, and those that were repaired.
func TestFit(t *testing.T) {
	for name, tt := range map[string]struct {
		base, branch string // of agent/a.go
		moved        bool   // to agent/b.go
		tag          string // build tag of the file, which is the only one of its folder then
		unknownBase  bool
		want         []string
		repaired     []string
	}{
		"left as it was":  {base: gateList, branch: gateList, want: []string{"agent/a.go:9?"}},
		"laid out anew":   {base: gateList, branch: gateSame, want: []string{"agent/a.go:14?"}},
		"moved":           {base: gateList, branch: gateList, moved: true, want: []string{"agent/b.go:9?"}},
		"looked at":       {base: gateList, branch: strings.Replace(gateList, "{ srv", "{ n = min(n, 50); srv", 1)},
		"no base":         {branch: gateList, unknownBase: true, want: []string{"agent/a.go:9?"}},
		"new and unknown": {branch: gateList},
		"new and refused": {branch: strings.Replace(gateList, "&n", "new(100)", 1), want: []string{"agent/a.go:9"}},
		"repaired": {
			base: strings.Replace(gateList, "&n", "new(100)", 1), branch: strings.Replace(gateList, "&n", "new(50)", 1),
			repaired: []string{"agent/a.go:9"},
		},
		"does not compile": {
			base: "func drop(ctx context.Context) { srv.Drop(ctx, srv.DropArgs{}) }\n", branch: "func drop(ctx context.Context) {\n\tsrv.Drop(ctx, srv.DropArgs{})\n}\n",
			want: []string{"agent/a.go:10"},
		},
		"removed": {
			base: "func drop(ctx context.Context) { srv.Drop(ctx, srv.DropArgs{}) }\n", branch: "func drop(context.Context) srv.ListArgs { return srv.ListArgs{} }\n",
			repaired: []string{"agent/a.go:9"},
		},
		"under the new name": {
			base: "func find(ctx context.Context) { srv.FindByRareWord(ctx, srv.FindByRareWordArgs{Pattern: \"word\"}) }\n", branch: "func find(ctx context.Context) { srv.FindByRareWord(ctx, srv.FindByRareWordArgs{Pattern: \"words\"}) }\n",
			want: []string{"agent/a.go:9"},
		},
		"under a build tag": {
			base: strings.Replace(gateList, "&n", "new(100)", 1), branch: strings.Replace(gateList, "&n", "new(50)", 1), tag: "integration",
			repaired: []string{"agent/a.go:11"},
		},
		"removed with its build tag": {
			base: strings.Replace(gateList, "&n", "new(100)", 1), branch: strings.Replace(gateList, "&n", "new(50)", 1), tag: "integration", moved: true,
			repaired: []string{"agent/a.go:11"},
		},
		"a template without its new variable": {base: gateURI, branch: gateURI, want: []string{"agent/a.go:9"}},
		"a template, still without its new variable": {
			base: gateURI, branch: strings.Replace(gateURI, "3", "4", 1), want: []string{"agent/a.go:9"},
		},
		"a template with its new variable": {
			base: gateURI, branch: strings.Replace(gateURI, "ID:", "Project: \"p\", ID:", 1), repaired: []string{"agent/a.go:9"},
		},
		"a template that makes other URIs": {
			base: strings.ReplaceAll(gateURI, "Issue", "Page"), branch: strings.ReplaceAll(gateURI, "Issue", "Page"),
		},
		"a result without a type": {base: gateSum, branch: gateSum, want: []string{"agent/a.go:9?"}},
		"of an embedded field": {
			base: gateFlag, branch: "\n" + gateFlag, want: []string{"agent/a.go:12"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, parseSurface(t, []byte(gateBefore)), parseSurface(t, []byte(gateAfter)), nil)
			p.generate(t, p.after)
			head := gateHead
			if tt.tag == "" {
				p.write(t, "agent/doc.go", "// Package agent is an agent.\npackage agent\n")
			} else {
				head = "//go:build " + tt.tag + "\n\n" + head
			}
			base := Base{Known: !tt.unknownBase, Files: map[string][]byte{}}
			file, now := filepath.Join(p.dir, "agent", "a.go"), "agent/a.go"
			if tt.moved {
				now = "agent/b.go"
				base.Files[filepath.Join(p.dir, "agent", "b.go")] = nil
			}
			if p.write(t, now, head+tt.branch); tt.base != tt.branch || tt.moved {
				if base.Files[file] = nil; tt.base != "" {
					base.Files[file] = []byte(head + tt.base)
				}
			}
			if tt.unknownBase {
				base.Files = nil
			}
			report := p.report(drift.Caller)
			fitting, err := Fit(t.Context(), p.options(), base, report)
			if err != nil || len(fitting.Problems) > 0 {
				t.Fatal(err, fitting.Problems)
			}
			var got, repaired []string
			each(report, func(_ string, _ *drift.Change, s drift.CallSite) {
				at := s.File + ":" + lineText(s)
				if !slices.Contains(got, at) {
					got = append(got, at)
				}
			})
			for _, s := range fitting.Repaired["srv"] {
				repaired = append(repaired, s.File+":"+strings.TrimSuffix(lineText(s), "?"))
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got) + cmp.Diff(tt.repaired, repaired); diff != "" {
				t.Errorf("lines that do not fit, and that were repaired (-want +got):\n%s", diff)
			}
		})
	}
}

// lineText is the number of a line, with a question mark if it is not known to break.
func lineText(s drift.CallSite) string {
	text := strconv.Itoa(s.Line)
	if s.Kind == drift.SiteCalls {
		text += "?"
	}
	return text
}

// A line that compiles against the new packages is repaired only by a change of its declaration.
func TestRepairedIsChanged(t *testing.T) {
	const base = "package a\n\nfunc f() { srv.List(1) }\n"
	site := drift.CallSite{File: "a.go", Line: 3, Source: "func f() { srv.List(1) }", Kind: drift.SiteBreaks}
	was := &drift.Report{Servers: []drift.ServerReport{{Server: "srv", Changes: []drift.Change{{Severity: drift.Breaking, CallSites: []drift.CallSite{site}}}}}}
	for branch, want := range map[string]int{base: 0, "package a\n\n// F is f.\n" + base[len("package a\n\n"):]: 0, strings.Replace(base, "1", "2", 1): 1} {
		root := t.TempDir()
		file := filepath.Join(root, "a.go")
		if err := os.WriteFile(file, []byte(branch), 0o666); err != nil {
			t.Fatal(err)
		}
		f := &fit{root: root, base: Base{Known: true, Files: map[string][]byte{}}, decls: map[string][]decl{}, line: func(string, int) string { return "" }}
		if branch != base {
			f.base.Files[file] = []byte(base)
		}
		repaired := map[string][]drift.CallSite{}
		f.repaired(was, &drift.Report{}, nil, repaired)
		if got := len(repaired["srv"]); got != want {
			t.Errorf("%q: %d lines are repaired, want %d", branch, got, want)
		}
	}
}

// A line that does not compile is not repaired, whatever the reason.
func TestRepairedCompiles(t *testing.T) {
	site := drift.CallSite{File: "a.go", Line: 3, Source: "srv.Drop(x)", Kind: drift.SiteBreaks, Error: "undefined: srv.Drop"}
	was := &drift.Report{Servers: []drift.ServerReport{{Server: "srv", Changes: []drift.Change{{Severity: drift.Breaking, CallSites: []drift.CallSite{site}}}}}}
	for line, want := range map[string]int{"srv.Drop(x)": 0, "srv.Other(x)": 1} {
		f := &fit{root: t.TempDir(), decls: map[string][]decl{}, line: func(string, int) string { return line }}
		repaired := map[string][]drift.CallSite{}
		f.repaired(was, &drift.Report{}, []Problem{{File: "a.go", Line: 4}}, repaired)
		if got := len(repaired["srv"]); got != want {
			t.Errorf("%s does not compile: %d lines are repaired, want %d", line, got, want)
		}
	}
}
