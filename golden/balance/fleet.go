//go:build unix

// The processes: servers, gateways, load balancer.

package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
)

// fleet is what runs.
type fleet struct {
	steady   string // URL of the server that does not crash
	balancer string // URL of the load balancer
	traces   []string
	crashes  int // of the other one

	end  context.CancelFunc
	over sync.WaitGroup
	mu   sync.Mutex
}

// crashAfter is how many calls the other server answers before it crashes.
const crashAfter = 40

// gateways is how many there are.
const gateways = 3

// startFleet starts everything, and returns when all gateways are up.
func startFleet(ctx context.Context, dir string, o options) (*fleet, error) {
	ctx, end := context.WithCancel(ctx)
	f := &fleet{end: end}
	addresses, err := process.FreeAddresses(3 + gateways)
	if err != nil {
		return nil, err
	}
	steady, shaky, balancer := addresses[0], addresses[1], addresses[2]
	server := filepath.Join(dir, "server")
	for name, args := range map[string][]string{
		steady: {"echo"}, shaky: {"crash-after", "-n", fmt.Sprint(crashAfter)},
	} {
		trace := filepath.Join(dir, "trace"+name[len("127.0.0.1:"):])
		f.traces = append(f.traces, trace)
		f.keep(ctx, exec.Command(server, append(args, "-http", name, "-json", "-trace", trace, "-lifetime", runTime.String())...), name == shaky)
	}
	f.steady, f.balancer = "http://"+steady+"/mcp", "http://"+balancer+"/mcp"
	config := fmt.Sprintf("version: 1\noutput: mcp\nservers:\n  steady: {url: %q}\n  shaky: {url: %q}\n", f.steady, "http://"+shaky+"/mcp")
	if err := os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), []byte(config), 0o600); err != nil {
		f.stop()
		return nil, err
	}
	if err := f.lock(ctx, dir); err != nil {
		f.stop()
		return nil, err
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	env := append(os.Environ(), "MCPGEN_SECRET_SHARED="+base64.StdEncoding.EncodeToString(secret))
	for i := range gateways {
		g := exec.Command(filepath.Join(dir, "mcpgen"), "--quiet", "serve", "--http", addresses[3+i], "--open", "--key", "k=shared")
		g.Dir, g.Env = dir, env
		f.keep(ctx, g, false)
		env = append(env, fmt.Sprintf("GATEWAY_%c=%s", 'A'+i, addresses[3+i]))
	}
	h := exec.Command(o.haproxy, "-db", "-q", "-f", o.config)
	h.Env = append(env, "GATEWAY_BIND="+balancer)
	f.keep(ctx, h, false)
	for _, a := range append(addresses[3:], balancer) {
		if err := up(ctx, "http://"+a+"/healthz"); err != nil {
			f.stop()
			return nil, err
		}
	}
	return f, nil
}

// lock locks what the servers offer, once they are up.
func (f *fleet) lock(ctx context.Context, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module balance\n"), 0o600); err != nil {
		return err
	}
	if err := up(ctx, f.steady); err != nil {
		return err
	}
	_, err := process.Run(ctx, dir, nil, filepath.Join(dir, "mcpgen"), "generate")
	return err
}

// keep runs a program until the fleet ends, and starts it again after a crash where
// that is expected.
func (f *fleet) keep(ctx context.Context, cmd *exec.Cmd, crashes bool) {
	f.over.Go(func() {
		for ctx.Err() == nil {
			again := *cmd
			again.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if !crashes {
				again.Stderr = os.Stderr
			}
			if err := again.Start(); err != nil {
				fmt.Fprintln(os.Stderr, "balance:", err)
				return
			}
			ended := context.AfterFunc(ctx, func() { _ = again.Process.Signal(syscall.SIGTERM) })
			late := context.AfterFunc(ctx, func() { time.AfterFunc(20*time.Second, func() { _ = again.Process.Kill() }) })
			err := again.Wait()
			ended()
			late()
			if ctx.Err() == nil && !crashes {
				fmt.Fprintf(os.Stderr, "balance: %s ended: %v\n", filepath.Base(again.Path), err)
				return
			}
			f.mu.Lock()
			f.crashes++
			f.mu.Unlock()
		}
	})
}

// stop ends everything, by process id, and waits.
func (f *fleet) stop() {
	f.end()
	f.over.Wait()
}

// up waits until an address answers.
func up(ctx context.Context, url string) error {
	for range 300 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
			if res.StatusCode < 500 {
				return nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s does not come up", url)
}
