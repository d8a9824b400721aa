package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/schema"
)

// maxRatio is how many lines of code may change for one line of a listing, in 95 of 100
// edits.
const maxRatio = 10

// Edits of real listings change little of the code, and break no use of what is still there.
func TestEdits(t *testing.T) {
	m, err := newMeter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../corpus/servers/*.json")
	if err != nil || len(files) < 8 {
		t.Fatalf("found %d listings, want at least 8; %v", len(files), err)
	}
	edits := 2 * len(kinds)
	if testing.Short() {
		edits = len(kinds)
	}
	for _, file := range files {
		s, err := read(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(s.Server, func(t *testing.T) {
			out, err := m.measure(t.Context(), s, edits, 1)
			if err != nil {
				t.Fatal(err)
			}
			over := 0
			for _, o := range out {
				if o.ratio() > maxRatio {
					over++
					t.Logf("%d lines of code for %d of the listing: %s, %s in %s", o.code, o.listing, o.kind, o.what, o.where)
				}
				if len(o.broken)+len(o.renamed) > 0 {
					t.Errorf("%s, %s in %s: broken %q, renamed %q", o.kind, o.what, o.where, o.broken, o.renamed)
				}
			}
			if over > len(out)/20 {
				t.Errorf("%d of %d edits change more than %d lines of code for one of the listing", over, len(out), maxRatio)
			}
		})
	}
}

// What breaks a use is noticed.
func TestBreaksAreSeen(t *testing.T) {
	m, err := newMeter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := read("../corpus/servers/filesystem.json")
	if err != nil {
		t.Fatal(err)
	}
	before, err := m.version(t.Context(), generator.Server{}, s)
	if err != nil {
		t.Fatal(err)
	}
	less := *s
	less.Tools = s.Tools[1:]
	after, err := m.version(t.Context(), before.server, &less)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		removes bool
		where   string
		want    bool
	}{
		{"nothing was removed", false, s.Tools[0].Name, true},
		{"another tool was removed", true, s.Tools[1].Name, true},
		{"the tool was removed", true, s.Tools[0].Name, false},
	} {
		broken, err := m.uses(before, after, edit{removes: tt.removes, where: tt.where})
		if err != nil || (len(broken) > 0) != tt.want {
			t.Errorf("%s: broken are %q, %v", tt.name, broken, err)
		}
	}
}

// A name that compiles and means something else is noticed.
func TestMovesAreSeen(t *testing.T) {
	scope := func(source string) *types.Scope {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "p.go", "package p\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := new(types.Config).Check("p", set, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Scope()
	}
	const source = "const A, B = `a`, `b`\ntype T struct { F, G int `json:\"f\"` }"
	for after, want := range map[string]int{
		source:                                   0,
		strings.Replace(source, "`a`", "`x`", 1): 1,
		strings.Replace(source, `"f"`, `"f,omitzero"`, 1): 0,
		strings.Replace(source, `"f"`, `"g"`, 1):          2,
	} {
		if got := moved(scope(source), scope(after)); len(got) != want {
			t.Errorf("%s: %q, want %d", after, got, want)
		}
	}
}

var limitsText = regexp.MustCompile("Limits: codec.Limits\\(`(.*)`\\)")

// What is generated for a place that lacks a constant makes the call refuse it, there alone.
func TestCallsRefuse(t *testing.T) {
	m, err := newMeter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const tool = `{"name":"%s","inputSchema":{"type":"object","properties":{"by":{"type":"object","additionalProperties":{"type":"array","items":{"enum":["bug","task"%s]}}}}}}`
	snapshot := func(more string) *schema.Snapshot {
		s := &schema.Snapshot{Server: "srv", ProtocolVersion: "2025-11-25"}
		for _, raw := range []string{fmt.Sprintf(tool, "get", ""), fmt.Sprintf(tool, "list", more)} {
			it, err := schema.ParseItem(schema.KindTool, json.RawMessage(raw))
			if err != nil {
				t.Fatal(err)
			}
			s.Tools = append(s.Tools, it)
		}
		return s
	}
	before, err := m.version(t.Context(), generator.Server{}, snapshot(""))
	if err != nil {
		t.Fatal(err)
	}
	after, err := m.version(t.Context(), before.server, snapshot(`,"epic"`))
	if err != nil {
		t.Fatal(err)
	}
	found := limitsText.FindAllSubmatch(after.code["manifest.go"], -1)
	if len(found) != 1 {
		t.Fatalf("found the limits of %d tools, want those of one:\n%s", len(found), after.code["manifest.go"])
	}
	inv := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return &runtime.Result{}, nil })
	for args, want := range map[string]bool{`{"by":{"me":["bug","epic"]}}`: false, `{"by":{"me":["bug"],"epic":[]},"epic":"epic"}`: true} {
		_, err := codec.CallToolResult(t.Context(), inv, codec.ItemRef{Name: "get", Limits: codec.Limits(found[0][1])}, json.RawMessage(args), nil)
		if (err == nil) != want {
			t.Errorf("%s: %v", args, err)
		}
	}
}
