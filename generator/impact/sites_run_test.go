package impact

// The call sites once more, as a program that runs against servers of the new surfaces.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// TestSitesRun wants of each line what it says of a run, and of none that it breaks where the
// run does not say so, or the other way round.
func TestSitesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program: make releases runs it")
	}
	p, _ := sitesProject(t)
	p.generate(t, p.after)
	want := p.readSites(t, compilable)
	if err := os.Rename(p.dir+"/results/results_test.go", p.dir+"/results/played.go"); err != nil {
		t.Fatal(err)
	}
	a, err := txtar.ParseFile("testdata/sites/run.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		p.write(t, f.Name, string(f.Data))
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", "run", ".")
	build.Dir = p.dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the lines that compile do not: %v\n%s", err, out)
	}
	got := p.runSites(t, want)
	for _, at := range slices.Sorted(maps.Keys(want)) {
		s, says := want[at], strings.Join(slices.Sorted(maps.Keys(got[at])), ", ")
		switch {
		case s.run == "does not compile":
			says = s.run // the build is of all other lines
		case says == "":
			says = "sends nothing"
		}
		t.Logf("%-28s %-18s %s", at, s.impact, says)
		if says != s.run {
			t.Errorf("%s: the run says %q, want %q", at, says, s.run)
		}
		breaks := got[at]["refused"] || got[at]["missing"]
		switch s.impact {
		case "fine":
			if breaks {
				t.Errorf("%s breaks, and is said to be fine", at)
			}
		case "breaks":
			if got[at]["accepted"] && !got[at]["missing"] || got[at]["there"] {
				t.Errorf("%s works, and is said to break", at)
			}
		}
	}
}

// compilable is a line of the program without what does not compile any more, and without
// constraints of builds.
func compilable(name, line string, s site) string {
	code, _, _ := strings.Cut(line, " // ")
	switch {
	case strings.HasPrefix(line, "//go:build "), s.run == "does not compile" && strings.HasPrefix(line, "\t_, _ = "):
		return ""
	case s.run != "does not compile":
		return strings.Replace(line, "println(", "read(", 1)
	case strings.HasPrefix(code, "\treturn "):
		return "\treturn nil, nil"
	}
	return "\tif false {" // of a condition
}

// runSites runs the program and answers as the servers do. It returns what came of each line.
func (p *project) runSites(t *testing.T, want map[string]site) map[string]map[string]bool {
	t.Helper()
	run := exec.CommandContext(t.Context(), p.dir+"/run")
	var stderr bytes.Buffer
	run.Stderr = &stderr
	answers, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	requests, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string]bool{}
	for in := json.NewDecoder(requests); ; {
		var r struct {
			At           []string // the lines on the stack, the innermost first
			Server, Name string
			Args         json.RawMessage
			Read         string // what a line reads is there or missing
		}
		if err := in.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err, stderr.String())
		}
		word, result := r.Read, json.RawMessage(nil)
		if word == "" {
			word, result = p.answer(t, r.Server, r.Name, r.Args)
			if err := json.NewEncoder(answers).Encode(map[string]any{"refused": word == "refused", "result": result}); err != nil {
				t.Fatal(err, stderr.String())
			}
		}
		i := slices.IndexFunc(r.At, func(at string) bool { return want[at] != site{} })
		if i < 0 {
			t.Errorf("no line of %v says anything of itself", r.At)
			continue
		}
		if got[r.At[i]] == nil {
			got[r.At[i]] = map[string]bool{}
		}
		got[r.At[i]][word] = true
	}
	if err := run.Wait(); err != nil {
		t.Fatal(err, stderr.String())
	}
	return got
}

// answer is what the new server does with a call: its schema decides, and a result has no
// more than it has to have.
func (p *project) answer(t *testing.T, server, tool string, args json.RawMessage) (string, json.RawMessage) {
	t.Helper()
	for item := range serverOf(p.after, server).Items() {
		if item.Kind != schema.KindTool || item.Name != tool {
			continue
		}
		var def struct{ InputSchema, OutputSchema json.RawMessage }
		if err := json.Unmarshal(item.Raw, &def); err != nil {
			t.Fatal(err)
		}
		input, err := validate.New(def.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if args == nil || string(args) == "null" {
			args = json.RawMessage("{}")
		}
		if input.Validate(args) != nil {
			return "refused", nil
		}
		structured := "{}"
		if def.OutputSchema != nil {
			doc, err := jsonschema.Parse(def.OutputSchema)
			if err != nil {
				t.Fatal(err)
			}
			structured = least(doc.Root)
			if output, err := validate.New(def.OutputSchema); err != nil || output.Validate(json.RawMessage(structured)) != nil {
				t.Fatalf("%s: %s is not a result: %v", tool, structured, err)
			}
		}
		return "accepted", json.RawMessage(`{"content":[{"type":"text","text":"{}"}],"structuredContent":` + structured + `}`)
	}
	return "refused", nil
}

// least is a value with what is required, and one element of each list.
func least(s *jsonschema.Schema) string {
	switch {
	case len(s.Values()) > 0:
		return string(s.Values()[0])
	case len(s.AnyOf) > 0:
		return least(s.AnyOf[0])
	case slices.Contains(s.Types, "array"):
		return "[" + least(s.Items) + "]"
	case slices.Contains(s.Types, "object"):
		var members []string
		for _, m := range s.Properties {
			if s.IsRequired(m.Name) {
				members = append(members, fmt.Sprintf("%q:%s", m.Name, least(m.Schema)))
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	case slices.Contains(s.Types, "boolean"):
		return "true"
	case slices.Contains(s.Types, "string"):
		return `"x"`
	}
	return "1"
}
