// The suite for servers, against a gateway: over the SDK's own conformance server, once
// as one that speaks 2026-07-28 and once as one that does not, since what such servers
// can ask for differs. That server has no tasks, so the scenarios about tasks run again,
// over a server that has them.

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/golden/testserver"
)

// tasksModes are the modes of the test server that has tasks, by the folders of results.
var tasksModes = map[string]string{"newer": "tasks-suite", "older": "tasks-2025-suite"}

// driveGateway runs the suite twice, and has its results in a folder for each.
func driveGateway(suite, gateway, server, out string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runTime)
	defer cancel()
	gateway, err := filepath.Abs(gateway)
	if err != nil {
		return nil, err
	}
	if server, err = filepath.Abs(server); err != nil {
		return nil, err
	}
	var log bytes.Buffer
	newer := fmt.Sprintf("command: %q", server)
	all := []string{"--suite", "all"}
	errNewer := throughGateway(ctx, &log, suite, gateway, newer, filepath.Join(out, "newer"), all)
	addresses, err := process.FreeAddresses(1)
	if err != nil {
		return nil, err
	}
	end, err := start(exec.CommandContext(ctx, server, "-http="+addresses[0], "-stateless=false"))
	if err != nil {
		return nil, err
	}
	defer end()
	older := fmt.Sprintf("url: %q", "http://"+addresses[0])
	errOlder := throughGateway(ctx, &log, suite, gateway, older, filepath.Join(out, "older"), all)
	errs := errors.Join(errNewer, errOlder)
	for name, mode := range tasksModes {
		errs = errors.Join(errs, taskScenarios(ctx, &log, suite, gateway, mode, filepath.Join(out, name)))
	}
	return log.Bytes(), errors.Join(errs, ctx.Err())
}

// taskScenarios replaces the results of the scenarios about tasks by those of a gateway to
// a server with tasks.
func taskScenarios(ctx context.Context, log io.Writer, suite, gateway, mode, out string) error {
	handler, err := testserver.Handler(mode)
	if err != nil {
		return err
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer server.CloseClientConnections() // some are streams
	dirs, err := filepath.Glob(filepath.Join(out, "server-tasks-*"))
	if err != nil {
		return err
	}
	var runs [][]string
	for _, dir := range dirs {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		name := stamp.ReplaceAllString(filepath.Base(dir), "")
		runs = append(runs, []string{"--scenario", strings.TrimPrefix(name, "server-")})
	}
	return throughGateway(ctx, log, suite, gateway, fmt.Sprintf("url: %q", server.URL+"/mcp"), out, runs...)
}

// throughGateway runs the suite against a gateway to one server, once for each list of
// arguments.
func throughGateway(ctx context.Context, log io.Writer, suite, gateway, server, out string, runs ...[]string) error {
	dir, err := os.MkdirTemp("", "gateway")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := "version: 1\nnaming: bare\nservers:\n  everything: {" + server + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), []byte(text), 0o600); err != nil {
		return err
	}
	serve := exec.CommandContext(ctx, gateway, "serve", "--http", "127.0.0.1:0", "--open")
	serve.Dir = dir
	said, err := serve.StderrPipe()
	if err != nil {
		return err
	}
	end, err := start(serve)
	if err != nil {
		return err
	}
	defer end()
	address, err := addressIn(said)
	if err != nil {
		return err
	}
	go func() { _, _ = io.Copy(io.Discard, said) }() // it ends with the gateway
	modules := filepath.Join(suite, "node_modules")
	for _, args := range runs {
		cmd := exec.CommandContext(ctx, filepath.Join(modules, "node", "bin", "node"),
			append([]string{filepath.Join(modules, ".bin", "conformance"), "server", "--url", address, "-o", out}, args...)...)
		cmd.WaitDelay = 5 * time.Second
		cmd.Stdout, cmd.Stderr = log, log
		err = errors.Join(err, cmd.Run())
	}
	return err
}

// start starts a program. End ends it, and waits.
func start(cmd *exec.Cmd) (end func(), err error) {
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = cmd.Process.Signal(os.Interrupt) // else the context ends it
		_ = cmd.Wait()
	}, nil
}

// reached is how a gateway says where it is.
var reached = regexp.MustCompile(`at (http://[^\s;]+)`)

// addressIn reads what a gateway says until it says where it is.
func addressIn(said io.Reader) (string, error) {
	var all bytes.Buffer
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if m := reached.FindStringSubmatch(lines.Text()); m != nil {
			return m[1], nil
		}
		all.Write(append(lines.Bytes(), '\n'))
	}
	return "", fmt.Errorf("the gateway did not come up:\n%s", all.Bytes())
}
