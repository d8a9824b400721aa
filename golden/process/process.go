// Package process builds and runs what the programs of golden measure and load.
package process

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Usage is what a process took, and said.
type Usage struct {
	Wall   float64 // seconds
	CPU    float64 // seconds of processor time, that of the programs it started included where the system counts that
	Peak   float64 // bytes in memory; 0 where the system does not tell
	Stdout []byte
	Stderr string
}

// Run runs a program to its end, in a folder and with variables beside those that there
// are. The error holds the beginning of what it wrote to standard error.
func Run(ctx context.Context, dir string, env []string, name string, args ...string) (Usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	start := time.Now()
	err := cmd.Run()
	u := Usage{Wall: time.Since(start).Seconds(), Stdout: out.Bytes(), Stderr: problems.String()}
	if s := cmd.ProcessState; s != nil {
		u.CPU, u.Peak = (s.UserTime() + s.SystemTime()).Seconds(), peak(s)
	}
	if err != nil {
		err = fmt.Errorf("%s %v: %w: %.2000s", filepath.Base(name), args, err, u.Stderr)
	}
	return u, err
}

// Build builds a package of a checkout.
func Build(ctx context.Context, checkout, program, pkg string) error {
	_, err := Run(ctx, checkout, nil, "go", "build", "-o", program, pkg)
	return err
}

// Listen starts a server over HTTP and returns its URL, the first line that it prints.
// Stop ends it, and waits.
func Listen(ctx context.Context, program string, args ...string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s: no URL: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(line), stop, nil
}

// FreeAddresses are addresses that nobody listens on just now.
func FreeAddresses(n int) ([]string, error) {
	var all []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		all = append(all, l.Addr().String())
	}
	return all, nil
}
