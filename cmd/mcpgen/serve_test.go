package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveHTTP starts a test server that is reached by address, until the script ends, and
// puts the address into a variable: serve VARIABLE MODE [flags]
func serveHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: serve VARIABLE MODE [flags]")
	}
	cmd := exec.Command(findProgram(ts, "mcptestserver"), append(args[1:], "-http", "127.0.0.1:0")...)
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), os.Stderr
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	ts.Setenv(args[0], strings.TrimSpace(url))
}

// findProgram finds a program of the script's PATH.
func findProgram(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		for _, ending := range []string{"", ".exe"} {
			path := filepath.Join(dir, name+ending)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	ts.Fatalf("%s is not in PATH", name)
	return ""
}
