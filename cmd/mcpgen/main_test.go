package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpgen/mcpgen/golden/ociregistry"
	"github.com/mcpgen/mcpgen/golden/testserver"
)

func TestMain(m *testing.M) {
	testscript.Main(besideServer{m}, map[string]func(){
		"echoserver": echoServer,
		"npx":        standInRunner,
		"docker":     standInRunner,
		"xdg-open":   openPage,
		"mcpsecret":  func() { os.Stdout.WriteString("secret-of-" + os.Args[1] + "\n") },
	})
}

// besideServer runs the tests with mcpgen and mcptestserver in PATH. Tests start them four
// thousand times, and they start in half and in a quarter of the time of the test binary.
type besideServer struct{ m *testing.M }

// Run implements [testscript.TestingM].
func (b besideServer) Run() int {
	dir, err := os.MkdirTemp("", "mcpgen")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := testserver.Build(dir, "github.com/mcpgen/mcpgen/cmd/mcpgen", "github.com/mcpgen/mcpgen/golden/testserver/cmd/mcptestserver"); err != nil {
		log.Print(err)
		return 1
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return b.m.Run()
}

// TestScript runs what a user types and compares what a user sees. Each script
// has a module of its own; $MCPGEN is the checkout, $CORPUS real listings.
func TestScript(t *testing.T) { testscript.Run(t, scriptParams(t, "script")) }

// TestLongScript runs the scripts that take longest.
func TestLongScript(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-scripts runs it")
	}
	testscript.Run(t, scriptParams(t, "long"))
}

// scriptParams are the settings of the scripts in a folder of testdata.
func scriptParams(t *testing.T, dir string) testscript.Params {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	goenv, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Split(strings.TrimSpace(string(goenv)), "\n")
	return testscript.Params{
		Dir:                 filepath.Join("testdata", dir),
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		ContinueOnError:     os.Getenv("CONTINUE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("MCPGEN", root)
			env.Values["oci"] = &ociregistry.Registry{}
			env.Setenv("CORPUS", filepath.Join(root, "golden", "corpus", "servers"))
			env.Setenv("UPGRADES", filepath.Join(root, "golden", "corpus", "upgrades"))
			env.Setenv("GOCACHE", dirs[0])
			env.Setenv("GOMODCACHE", dirs[1])
			env.Setenv("GOROOT", dirs[2])
			env.Setenv("GOFLAGS", "-mod=mod")
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOSUMDB", "off")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command of a script waits a second at its end
			env.Setenv("GOGC", os.Getenv("GOGC"))     // commands and compilers of a script collect as rarely as the tests do
			env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+filepath.Join(dirs[2], "bin"))
			return writeModule(env.WorkDir, root)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode": exitCode,
			"replace":  replaceText,
			"stamp":    stampFiles,
			"where":    commandPath,
			"nosecret": noSecret,
			"ciscript": ciScript,
			"listing":  listingOf,
			"serve":    serveHTTP,
			"offer":    offerServers,
			"ask":      askGateway,
			"certify":  certify,
			"scrape":   scrapeMetrics,
			"collect":  collectTelemetry,
			"google":   startGoogle,
			"registry": startRegistry,
			"oci":      ociRegistry,
			"signer":   writeSigner,
			"signin":   startSignIn,
		},
	}
}

// writeModule makes a module that finds mcpgen in the checkout.
func writeModule(dir, root string) error {
	text := "module example.com/app\n\ngo 1.26\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => " + root + "\n"
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644)
}

// exitCode runs a command and demands one exit code: exitcode N command…
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command [args…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// replaceText replaces text in a file: replace OLD NEW FILE. OLD must be there.
func replaceText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace OLD NEW FILE")
	}
	path := ts.MkAbs(args[2])
	data := ts.ReadFile(args[2])
	if !strings.Contains(data, args[0]) {
		ts.Fatalf("%s does not contain %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(data, args[0], args[1], 1)), 0o644))
}

// commandPath puts the path of a command into a variable: where NAME VARIABLE
func commandPath(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: where NAME VARIABLE")
	}
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		for _, end := range []string{"", ".exe"} {
			if path := filepath.Join(dir, args[0]+end); dir != "" {
				if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
					ts.Setenv(args[1], path)
					return
				}
			}
		}
	}
	ts.Fatalf("%s is not in PATH", args[0])
}

// stampFiles prints size and modification time of every file below a folder, so
// that two prints can be compared: stamp DIR OUT
func stampFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: stamp DIR OUT")
	}
	var b strings.Builder
	err := filepath.Walk(ts.MkAbs(args[0]), func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		b.WriteString(path + " " + info.ModTime().String() + " " + info.Mode().String() + "\n")
		return nil
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}
