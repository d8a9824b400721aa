package golden

// A program that only imports a generated package needs no module but this one.

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator"
)

const offlineMain = `package main

import (
	"context"
	"fmt"

	"example.com/app/mcp/everything"
)

func main() {
	_, err := everything.GetSum(context.Background(), everything.GetSumArgs{A: 2, B: 3})
	fmt.Println(err)
}
`

func TestGeneratedCodeNeedsNoOtherModule(t *testing.T) {
	dir := t.TempDir()
	app, proxy := filepath.Join(dir, "app"), filepath.Join(dir, "proxy")
	if err := os.Mkdir(app, 0o777); err != nil {
		t.Fatal(err)
	}
	writeProxy(t, proxy) // holds this module and no other
	// Fakes do need one, the validator: who wants go.mod without it sets fakes: false.
	files := slices.DeleteFunc(generateServers(t, "example.com/app", "mcp", lockSnapshot(t, corpusSnapshot(t, "everything"))).Files,
		func(f generator.File) bool { return strings.Contains(f.Path, "everythingtest/") })
	if _, err := generator.Write(t.Context(), app, files, generator.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":  "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.1.0\n",
		"main.go": offlineMain,
	} {
		if err := os.WriteFile(filepath.Join(app, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = app
		cmd.Env = append(os.Environ(), "GOPROXY="+fileURL(proxy), "GOMODCACHE="+filepath.Join(dir, "cache"), "GOSUMDB=off", "GONOSUMDB=", "GONOPROXY=",
			"GOPRIVATE=", "GOVCS=*:off", "GOFLAGS=-mod=mod -modcacherw", "GOWORK=off", "GOTOOLCHAIN=local")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
		}
		return string(text)
	}
	run("go", "mod", "tidy")
	run("go", "build", "-o", "app.exe", ".")
	if got := run(filepath.Join(app, "app.exe")); !strings.Contains(got, "no invoker") {
		t.Errorf("the program says %q", got)
	}
	deps := strings.Fields(run("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "."))
	if diff := cmp.Diff([]string{module + "/internal/jsontext", module + "/internal/safetext", module + "/internal/stage", module + "/runtime/protocol", module + "/runtime", module + "/internal/limits", module + "/runtime/codec", module + "/runtime/format", "example.com/app/mcp/everything", "example.com/app"}, deps); diff != "" {
		t.Errorf("packages (- want + got):\n%s", diff)
	}
	sums, err := os.ReadFile(filepath.Join(app, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		if !strings.HasPrefix(line, "github.com/mcpgen/mcpgen ") {
			t.Errorf("go.sum: %s", line)
		}
	}
}
