package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/golden/npmregistry"
	"github.com/rogpeppe/go-internal/testscript"
)

// startRegistry starts an npm registry of servers and has a file of npm's settings name
// it: registry FILE PACKAGE@VERSION=TOOL…, or a .json file with definitions of tools. The real npx is the one that runs from then on.
func startRegistry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: registry file package@version=tool…")
	}
	npm, err := exec.LookPath("npm")
	ts.Check(err)
	if path := ts.Getenv("PATH"); !strings.HasPrefix(path, filepath.Dir(npm)) {
		ts.Setenv("PATH", filepath.Dir(npm)+string(filepath.ListSeparator)+path)
	}
	var packages []npmregistry.Package
	for _, arg := range args[1:] {
		spec, tool, _ := strings.Cut(arg, "=")
		name, version, ok := strings.Cut(spec, "@")
		if !ok {
			ts.Fatalf("%s: want package@version=tool", arg)
		}
		if text, isLibrary := strings.CutPrefix(tool, "library:"); isLibrary { // its install script says which it is
			packages = append(packages, npmregistry.Package{Name: name, Version: version,
				Files: map[string]string{"index.js": text}, Scripts: map[string]string{"postinstall": "echo " + text + " >> $RAN"}})
			continue
		}
		tool, needs, _ := strings.Cut(tool, "+")
		if strings.HasSuffix(tool, ".json") {
			tool = strings.TrimSpace(ts.ReadFile(tool))
		}
		server := npmregistry.Server(name, version, tool)
		if needs != "" {
			server.Dependencies = map[string]string{needs: "*"}
		}
		packages = append(packages, server)
	}
	server := httptest.NewServer(npmregistry.Handler(packages...))
	ts.Defer(server.Close)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("registry="+server.URL+"/\n"), 0o600))
}
