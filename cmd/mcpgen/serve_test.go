package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// offerServers starts mcpgen serve over HTTP, until the script ends, and puts the address
// and what it prints beside into variables: offer ADDRESS PRINTED [flags]
func offerServers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: offer ADDRESS PRINTED [flags]")
	}
	cmd := exec.Command(findProgram(ts, "mcpgen"), append(args[2:], "serve", "--http", "127.0.0.1:0")...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = os.Environ()
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	printed, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	at := regexp.MustCompile(`at (http://\S+)`)
	var address string
	var all []string
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		all = append(all, lines.Text())
		if m := at.FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
		}
		if text := lines.Text(); strings.Contains(text, "MCPGEN_TOKEN=") || strings.Contains(text, "every user") {
			break // that is the last one
		}
	}
	if address == "" {
		ts.Fatalf("no address in %q", all)
	}
	ts.Setenv(args[0], address)
	ts.Setenv(args[1], strings.Join(all, " "))
}

// askGateway begins a session with a gateway, and demands one status: ask STATUS URL [FILE],
// with the token that is in a file
func askGateway(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ask STATUS URL [FILE]")
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	req, err := http.NewRequest(http.MethodPost, args[1], strings.NewReader(hello))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if len(args) > 2 {
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(args[2])))
	}
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	_ = res.Body.Close()
	if got := strconv.Itoa(res.StatusCode); got != args[0] {
		ts.Fatalf("status %s, want %s", got, args[0])
	}
}

// scrapeMetrics writes the metrics at the address that stands in a text: scrape TEXT FILE
func scrapeMetrics(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scrape TEXT FILE")
	}
	res, err := http.Get(regexp.MustCompile(`http://\S+/metrics`).FindString(args[0]))
	ts.Check(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
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
