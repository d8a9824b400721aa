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
// what it generated before items had references.
func TestOlderGeneratedCodeSaysWhatToRun(t *testing.T) {
	for folder, want := range map[string]string{
		"v1": "tracker.go:25:11: runtime.GeneratedV1",
		"v2": "tracker.go:28:11: codec.GeneratedV2",
	} {
		text := buildFails(t, "./testdata/compat/"+folder+"/tracker")
		if _, message, found := strings.Cut(text, want); !found || !strings.Contains(strings.SplitN(message, "\n", 2)[0], "run go tool mcpgen generate") {
			t.Errorf("the compiler says:\n%s\nwant a line with %q and the command", text, want)
		}
	}
}

// Code for a contract that the runtime does not have yet names the constant, and
// what to run stands above it.
func TestNewerGeneratedCodeSaysWhatToRun(t *testing.T) {
	path, err := filepath.Abs(filepath.Join("cases", "memory", "memory.go"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const line = "\nconst _ = codec.GeneratedV3\n"
	before, _, found := strings.Cut(string(source), line)
	if comment := before[strings.LastIndex(before, ")\n\n")+1:]; !found || !strings.Contains(comment, "go get github.com/mcpgen/mcpgen@latest") {
		t.Fatalf("%s does not say above %q what to run", path, line)
	}
	newer := filepath.Join(t.TempDir(), "memory.go")
	if err := os.WriteFile(newer, []byte(strings.Replace(string(source), "GeneratedV3", "GeneratedV4", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: newer}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	if text := buildFails(t, "-overlay", list, "./cases/memory"); !strings.Contains(text, "undefined: codec.GeneratedV4") {
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
