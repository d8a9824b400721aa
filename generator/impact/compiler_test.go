package impact

// The compiler as a second judge: what it refuses once the drift is accepted has
// to be among the call sites.

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/schema/drift"
)

// linesThatDoNotCompile returns the lines, as file:line, that do not compile
// against what is generated afterwards.
func (p *project) linesThatDoNotCompile(t *testing.T) []string {
	t.Helper()
	p.generate(t, p.after)
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Context: t.Context(), Dir: p.dir, Mode: mode, Tests: true}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, pkg := range loaded {
		for _, e := range pkg.TypeErrors {
			pos := pkg.Fset.Position(e.Pos)
			name, err := filepath.Rel(p.dir, pos.Filename)
			if err != nil || strings.HasPrefix(name, "..") {
				t.Errorf("%s: %s", pos, e.Msg)
				continue
			}
			line := filepath.ToSlash(name) + ":" + strconv.Itoa(pos.Line)
			if !strings.Contains(e.Msg, "declared and not used") && !slices.Contains(out, line) {
				out = append(out, line)
				t.Logf("%s: %s", line, e.Msg)
			}
		}
	}
	return out
}

// checkWithCompiler wants every line that does not compile to be named by hand.
// Lines marked with "// follows" fail only because of a line that is named.
func (p *project) checkWithCompiler(t *testing.T, files map[string]string, report *drift.Report) {
	t.Helper()
	var lines, following []string
	for _, w := range expectedSites(files) {
		place, _, _ := strings.Cut(w, ": ")
		lines = append(lines, place)
	}
	for name, text := range files {
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "// follows") {
				following = append(following, name+":"+strconv.Itoa(i+1))
			}
		}
	}
	broken := p.linesThatDoNotCompile(t)
	for _, line := range broken {
		if !slices.Contains(lines, line) && !slices.Contains(following, line) {
			t.Errorf("%s does not compile, and no change names it", line)
		}
	}
	checkErrors(t, report, broken, following)
}

// checkErrors wants the call sites to say of the lines that do not compile, and of no
// others, what the compiler says. Lines that fail because of another one need not be
// named.
func checkErrors(t *testing.T, report *drift.Report, lines, following []string) {
	t.Helper()
	blamed := map[string]bool{}
	for _, c := range report.Servers[0].Changes {
		broken := false
		for _, s := range c.CallSites {
			if s.Error == "" {
				continue
			}
			broken = true
			line := s.File + ":" + strconv.Itoa(s.Line)
			if m := elsewhere.FindStringSubmatch(s.Error); m != nil {
				line = m[1]
			}
			blamed[line] = true
			if !slices.Contains(lines, line) {
				t.Errorf("%s names %s as one that does not compile, and it does: %s", c.Rule, line, s.Error)
			}
		}
		if broken != (c.Effect == drift.Breaks) {
			t.Errorf("%s of %s has the effect %q and errors: %t", c.Rule, c.Name, c.Effect, broken)
		}
	}
	for _, line := range lines {
		if !blamed[line] && !slices.Contains(following, line) {
			t.Errorf("%s does not compile, and no change says so", line)
		}
	}
}

// elsewhere is an error of another line than the one that is named.
var elsewhere = regexp.MustCompile(`^(\S+\.go:\d+): `)
