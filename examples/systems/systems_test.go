// Package systems shows mcpgen with the configuration files of five agent
// systems, as their documentation shows them: a script each, with what its user
// types and sees. README.md says what is in them.
package systems

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"npx": npx,
		// core-agent's document has a server of this name, below /tmp.
		"mcp-server-filesystem": func() { serve(files("tmp")) },
		"mcp-server-notes":      func() { serve(notes()) },
		"echoserver":            func() { serve(echoes()) },
		"github-mcp":            func() { serve(github(os.Getenv("GITHUB_TOKEN"))) },
		"session":               session,
	})
}

func TestSystems(t *testing.T) { runScripts(t, ".", remote(t)) }

// runScripts runs the scripts of a folder, with variables that they need.
func runScripts(t *testing.T, dir string, vars map[string]string) {
	bin := build(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			setup(env, bin, here)
			for name, value := range vars {
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"address":  address,
			"exitcode": exitCode,
			"screen":   screen,
		},
	})
}

// build builds mcpgen and the programs in the folders here, and returns their folder.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../../cmd/mcpgen", "./...").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

// setup gives a script a user of its own: a home, no keyring, and nothing of the
// one who runs the tests. $SYSTEMS is the folder here.
func setup(env *testscript.Env, bin, here string) {
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("HOME", home)
	env.Setenv("USERPROFILE", home)
	env.Setenv("AppData", filepath.Join(home, "AppData"))
	env.Setenv("LocalAppData", filepath.Join(home, "AppData", "Local"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	env.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	env.Setenv("TOKEN", tokenOf("github"))
	env.Setenv("SYSTEMS", here)
}

// address puts the address of a server that runs into a file, in place of the one
// that the documentation shows: address URL NEW FILE
func address(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || args[1] == "" {
		ts.Fatalf("usage: address URL NEW FILE")
	}
	text := ts.ReadFile(args[2])
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("%s does not contain %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.ReplaceAll(text, args[0], args[1])), 0o644))
}

// exitCode runs a command and wants an exit code: exitcode N COMMAND…
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode or screen N COMMAND…")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// screen runs a command and puts what a user sees of it into the file screen:
// standard output, and after it standard error. What differs from run to run has
// a name there, or is left out: screen N COMMAND…, where N is the exit code that is wanted.
func screen(ts *testscript.TestScript, neg bool, args []string) {
	exitCode(ts, neg, args)
	text := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	text = strings.ReplaceAll(text, ts.Getenv("WORK"), "$WORK")
	for _, name := range []string{"SEARCH", "GITHUB", "EVENTS"} {
		at := ts.Getenv(name)
		if at == "" {
			continue
		}
		text = strings.NewReplacer(at, "$"+name, strings.TrimPrefix(at, "http://"), "$"+name).Replace(text)
	}
	for _, v := range [][2]string{
		{`(?m)^.* may be installing the server, which can take up to .*\n`, ""}, // after two seconds
		{`pid [0-9]+`, "pid N"},
		{`(?m)^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]+ `, "TIME "},
		{`[0-9.]+ ms`, "N ms"},
		{`(?m)^[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9:]+ `, "TIME "},
		{`[0-9a-f]{64}`, "FINGERPRINT"},
		{`, since .*`, ", since TIME"},
	} {
		text = regexp.MustCompile(v[0]).ReplaceAllString(text, v[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs("screen"), []byte(text), 0o644))
}
