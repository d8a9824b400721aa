package impact

// The compiler as a second judge: what it refuses once the drift is accepted has
// to be among the call sites.

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
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
func (p *project) checkWithCompiler(t *testing.T, files map[string]string) {
	t.Helper()
	var lines []string
	for _, w := range expectedSites(files) {
		place, _, _ := strings.Cut(w, ": ")
		lines = append(lines, place)
	}
	for name, text := range files {
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "// follows") {
				lines = append(lines, name+":"+strconv.Itoa(i+1))
			}
		}
	}
	for _, line := range p.linesThatDoNotCompile(t) {
		if !slices.Contains(lines, line) {
			t.Errorf("%s does not compile, and no change names it", line)
		}
	}
}
