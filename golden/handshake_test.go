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

// Code for a contract that the runtime has no longer refers to what its comment shows, and
// the compiler quotes what to run.
func TestOlderGeneratedCodeSaysWhatToRun(t *testing.T) {
	path, err := filepath.Abs(filepath.Join("..", "runtime", "codec", "handshake.go"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(source), "//	func GeneratedV1(")
	shown, _, ended := strings.Cut(shown, "\n//\n")
	if !found || !ended {
		t.Fatalf("%s does not show how a contract is withdrawn", path)
	}
	withdrawn := "package codec\n\nfunc GeneratedV1(" + strings.ReplaceAll(shown, "//\t", "") + "\n"
	text := buildFails(t, "-overlay", overlay(t, map[string]string{path: withdrawn}), "./cases/memory")
	if _, message, found := strings.Cut(text, "codec.GeneratedV1"); !found || !strings.Contains(strings.SplitN(message, "\n", 2)[0], "run mcpgen generate") {
		t.Errorf("the compiler says:\n%s\nwant a line with the command", text)
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
	const line = "\ntype _ codec.GeneratedV1\n"
	before, _, found := strings.Cut(manifest, line)
	if comment := before[strings.LastIndex(before, ")\n\n")+1:]; !found || !strings.Contains(comment, "go get github.com/mcpgen/mcpgen@latest") {
		t.Fatalf("manifest.go does not say above %q what to run", line)
	}
	text := buildFails(t, "-overlay", overlay(t, map[string]string{
		filepath.Join(folder, "manifest.go"): strings.Replace(manifest, "GeneratedV1", "GeneratedV2", 1),
		filepath.Join(folder, "types.go"):    read("types.go") + "\ntype newer struct {\n" + strings.Repeat("\t_ codec.NotThereYet\n", 20) + "}\n",
	}), "./cases/memory")
	if !strings.Contains(text, "undefined: codec.GeneratedV2") || !strings.Contains(text, "too many errors") {
		t.Errorf("the compiler says:\n%s", text)
	}
}

// overlay returns a file that gives the go command other sources, by absolute path.
func overlay(t *testing.T, sources map[string]string) string {
	t.Helper()
	dir, replaced := t.TempDir(), map[string]string{}
	for path, source := range sources {
		replaced[path] = filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(replaced[path], []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
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
