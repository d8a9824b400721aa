// Command protocol runs the protocol's conformance suite against a client built
// on runtime/attach, or with -gateway against a gateway, and compares what it finds
// with a baseline. The exit code is 1 if something is worse than there.
//
// The suite is a program for Node, pinned in package.json and installed by "make
// conformance". Its servers listen on all interfaces, so that it is run in a
// network of its own where the system allows that.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	suite := flag.String("suite", "bin/conformance-suite", "folder that the suite is installed in")
	client := flag.String("client", "bin/conformance-client", "the client")
	gateway := flag.String("gateway", "", "mcpgen: test it as a gateway, in place of the client")
	server := flag.String("server", "bin/conformance-server", "the server behind the gateway")
	expected := flag.String("baseline", "golden/protocol/baseline.txt", "what is expected")
	flag.Parse()
	test := func(out string) ([]byte, error) { return drive(*suite, *client, out, "--suite", "all") }
	alone := func(out, scenario string) ([]byte, error) {
		return drive(*suite, *client, out, "--scenario", scenario)
	}
	if *gateway != "" {
		test = func(out string) ([]byte, error) { return driveGateway(*suite, *gateway, *server, out) }
		alone = nil // it runs one scenario after the other
	}
	if err := run(test, alone, *expected); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runTime bounds a run of the suite, which takes some seconds.
const runTime = 5 * time.Minute

// run runs the suite and compares its results with the baseline. The suite runs all
// scenarios for a client at the same time, and on a busy machine those with time limits
// fail: each that differs from the baseline is run again, alone, if alone is not nil.
func run(test func(out string) (log []byte, err error), alone func(out, scenario string) (log []byte, err error), expected string) error {
	b, err := readBaseline(expected)
	if err != nil {
		return err
	}
	out, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	log, err := test(out)
	r, readErr := readResults(out)
	if readErr != nil {
		return readErr
	}
	if len(r.scenarios) == 0 {
		return fmt.Errorf("the suite did not run: %w\n%s", err, log)
	}
	for _, s := range r.differing(b) {
		if alone == nil {
			break
		}
		fmt.Printf("%s differs: it runs again, alone\n", s)
		if err := r.forget(s); err != nil {
			return err
		}
		log, err := alone(out, s)
		again, readErr := readResults(out)
		if readErr != nil || len(again.scenarios) != len(r.scenarios) {
			return fmt.Errorf("%s did not run again: %w\n%s", s, errors.Join(err, readErr), log)
		}
		r = again
	}
	r.print(b)
	if worse := r.regressions(b); len(worse) > 0 {
		fmt.Println()
		for _, line := range worse {
			fmt.Println(line)
		}
		return fmt.Errorf("%d differences from %s", len(worse), expected)
	}
	return nil
}

// drive runs what of the suite. Its own exit code says only that something failed.
func drive(suite, client, out string, what ...string) ([]byte, error) {
	client, err := filepath.Abs(client)
	if err != nil {
		return nil, err
	}
	modules := filepath.Join(suite, "node_modules")
	args := []string{
		filepath.Join(modules, "node", "bin", "node"), filepath.Join(modules, ".bin", "conformance"),
		"client", "--command", client, "-o", out,
	}
	args = append(args, what...)
	ctx, cancel := context.WithTimeout(context.Background(), runTime)
	defer cancel()
	alone := exec.CommandContext(ctx, "unshare", "-rn", "sh", "-c", "ip link set lo up")
	if err := alone.Run(); err == nil {
		args = append([]string{"unshare", "-rn", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}, args...)
	} else {
		fmt.Fprintln(os.Stderr, "no network of its own for the suite here (unshare):", err)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = 5 * time.Second
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err = cmd.Run()
	return log.Bytes(), errors.Join(err, ctx.Err())
}
