package golden

// Generated code and its runtime come from two versions of mcpgen when only one of
// them was updated. The compiler then says what to run.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testdata/compat/v1 is what mcpgen generated before package codec was split off, v2
// what it generated before items had references, v3 before formats and tasks were the
// codec's.
func TestOlderGeneratedCodeSaysWhatToRun(t *testing.T) {
	for folder, want := range map[string]string{
		"v1": "tracker.go:25:11: runtime.GeneratedV1",
		"v2": "tracker.go:28:11: codec.GeneratedV2",
		"v3": "tracker.go:30:11: codec.GeneratedV3",
	} {
		text := buildFails(t, "./testdata/compat/"+folder+"/tracker")
		if _, message, found := strings.Cut(text, want); !found || !strings.Contains(strings.SplitN(message, "\n", 2)[0], "run go tool mcpgen generate") {
			t.Errorf("the compiler says:\n%s\nwant a line with %q and the command", text, want)
		}
	}
}

// Code for a contract that the runtime does not have yet names the type, and what to run
// stands above it. The compiler stops after ten errors, and that one is among them
// whatever else such code uses that is not there.
func TestNewerGeneratedCodeSaysWhatToRun(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join("cases", "memory"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		source, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(source)
	}
	manifest := read("manifest.go")
	const line = "\ntype _ codec.GeneratedV4\n"
	before, _, found := strings.Cut(manifest, line)
	if comment := before[strings.LastIndex(before, ")\n\n")+1:]; !found || !strings.Contains(comment, "go get github.com/mcpgen/mcpgen@latest") {
		t.Fatalf("manifest.go does not say above %q what to run", line)
	}
	replaced := map[string]string{}
	for name, source := range map[string]string{
		"manifest.go": strings.Replace(manifest, "GeneratedV4", "GeneratedV5", 1),
		"types.go":    read("types.go") + "\ntype newer struct {\n" + strings.Repeat("\t_ codec.NotThereYet\n", 20) + "}\n",
	} {
		newer := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(newer, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(folder, name)] = newer
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	text := buildFails(t, "-overlay", list, "./cases/memory")
	if !strings.Contains(text, "undefined: codec.GeneratedV5") || !strings.Contains(text, "too many errors") {
		t.Errorf("the compiler says:\n%s", text)
	}
}

// buildFails returns what the compiler says.
func buildFails(t *testing.T, args ...string) string {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "go", append([]string{"build"}, args...)...).CombinedOutput()
	if err == nil {
		t.Fatalf("go build %s: no error", strings.Join(args, " "))
	}
	return string(text)
}
