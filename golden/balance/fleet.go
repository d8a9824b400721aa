//go:build unix

// The processes: servers, gateways, load balancer.

package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
)

// fleet is what runs.
type fleet struct {
	dir       string
	steady    string   // URL of the server that does not crash
	url       string   // of the load balancer
	addresses []string // of the gateways
	traces    []string
	config    string // mcpgen.yaml

	balancer *kept
	reloads  syscall.Signal // has the balancer read its configuration
	gateways [gateways]*kept
	again    func(i int) error // starts a gateway, and returns when it is up
	shaky    *kept             // the server that crashes

	end  context.CancelFunc
	over sync.WaitGroup
}

// crashAfter is how many calls the other server answers before it crashes.
const crashAfter = 40

// gateways is how many there are.
const gateways = 3

// startFleet starts everything, and returns when all gateways are up. Bin is the folder of
// mcpgen and of the servers' program.
func startFleet(ctx context.Context, bin, dir string, b balancer) (*fleet, error) {
	ctx, end := context.WithCancel(ctx)
	f := &fleet{dir: dir, end: end, reloads: b.reload}
	if err := f.start(ctx, bin, b); err != nil {
		f.stop()
		return nil, err
	}
	return f, nil
}

func (f *fleet) start(ctx context.Context, bin string, b balancer) error {
	servers := []struct {
		name string
		args []string
	}{
		{"steady", []string{"echo", "-json"}},
		{"shaky", []string{"crash-after", "-json", "-n", fmt.Sprint(crashAfter)}},
		{"late", []string{"late-response", "-delay", (steps * stepTime).String()}},
		{"slow", []string{"progress", "-n", fmt.Sprint(steps), "-delay", stepTime.String()}},
	}
	addresses, err := process.FreeAddresses(len(servers) + gateways + 1)
	if err != nil {
		return err
	}
	f.config = "version: 1\noutput: mcp\nservers:\n"
	for i, s := range servers {
		trace, url := filepath.Join(f.dir, "trace-"+s.name), "http://"+addresses[i]+"/mcp"
		f.traces = append(f.traces, trace)
		f.config += fmt.Sprintf("  %s: {url: %q}\n", s.name, url)
		k := f.keep(ctx, exec.Command(filepath.Join(bin, "server"), append(s.args, "-http", addresses[i], "-trace", trace, "-lifetime", runTime.String())...), s.name == "shaky")
		switch s.name {
		case "steady":
			f.steady = url
		case "shaky":
			f.shaky = k
		}
		if err := up(ctx, url); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(f.dir, "go.mod"), []byte("module balance\n"), 0o600); err != nil {
		return err
	}
	if err := f.configure(ctx, bin, f.config); err != nil {
		return err
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	f.addresses = addresses[len(servers) : len(servers)+gateways]
	f.again = func(i int) error {
		g := exec.Command(filepath.Join(bin, "mcpgen"), "--quiet", "serve", "--http", f.addresses[i], "--open", "--shutdown-delay", "8s", "--key", "k=shared")
		g.Dir, g.Env = f.dir, append(os.Environ(), "MCPGEN_SECRET_SHARED="+base64.StdEncoding.EncodeToString(secret))
		f.gateways[i] = f.keep(ctx, g, false)
		return up(ctx, "http://"+f.addresses[i]+"/healthz")
	}
	for i := range f.gateways {
		if err := f.again(i); err != nil {
			return err
		}
	}
	bind := addresses[len(addresses)-1]
	f.url = "http://" + bind + "/mcp"
	cmd, err := b.command(f.dir, bind, f.addresses)
	if err != nil {
		return err
	}
	f.balancer = f.keep(ctx, cmd, true)
	return up(ctx, "http://"+bind+"/healthz")
}

// configure writes mcpgen.yaml and locks what the servers offer.
func (f *fleet) configure(ctx context.Context, bin, config string) error {
	if err := os.WriteFile(filepath.Join(f.dir, "mcpgen.yaml"), []byte(config), 0o600); err != nil {
		return err
	}
	_, err := process.Run(ctx, f.dir, nil, filepath.Join(bin, "mcpgen"), "generate")
	return err
}

// reload adds a server to the configuration, which the gateways see by themselves, and
// takes it away again, of which a signal tells them.
func (f *fleet) reload(ctx context.Context, bin string) error {
	offered := func(want bool) error {
		for _, a := range f.addresses {
			c := &caller{url: "http://" + a + "/mcp", tool: "extra__echo", protocol: modern}
			if err := eventually(func() bool { o := c.call(ctx); return (o.kind == "" && o.broken == "") == want }); err != nil {
				return fmt.Errorf("%s: extra__echo is offered: want %v: %w", a, want, err)
			}
		}
		return nil
	}
	if err := f.configure(ctx, bin, f.config+fmt.Sprintf("  extra: {url: %q}\n", f.steady)); err != nil {
		return err
	}
	if err := offered(true); err != nil {
		return err
	}
	if err := f.configure(ctx, bin, f.config); err != nil {
		return err
	}
	for _, g := range f.gateways {
		if err := g.signal(syscall.SIGHUP, false); err != nil {
			return err
		}
	}
	return offered(false)
}

// restart ends a gateway as an upgrade does, and starts it again.
func (f *fleet) restart(i int) error {
	if err := f.gateways[i].signal(syscall.SIGTERM, false); err != nil {
		return err
	}
	if err := eventually(func() bool { return f.gateways[i].signal(0, false) != nil }); err != nil {
		return fmt.Errorf("a gateway that got SIGTERM: it has not ended: %w", err)
	}
	return f.again(i)
}

// kept is a program that runs until the fleet ends.
type kept struct {
	mu     sync.Mutex
	group  int // its processes
	starts int
}

// signal sends a signal to the program; with all, to its children, too.
func (k *kept) signal(s syscall.Signal, all bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if all {
		return syscall.Kill(-k.group, s)
	}
	return syscall.Kill(k.group, s)
}

// keep runs a program until the fleet ends. Again says that it is started again whenever
// it ends.
func (f *fleet) keep(ctx context.Context, cmd *exec.Cmd, again bool) *kept {
	k := new(kept)
	started := make(chan struct{})
	f.over.Go(func() {
		known := sync.OnceFunc(func() { close(started) })
		defer known()
		for ctx.Err() == nil {
			run := *cmd
			run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if !slices.Contains(cmd.Args, "crash-after") {
				run.Stderr = os.Stderr
			}
			k.mu.Lock()
			err := run.Start()
			if err == nil {
				k.group = run.Process.Pid
				k.starts++
			}
			k.mu.Unlock()
			if err != nil {
				fmt.Fprintln(os.Stderr, "balance:", err)
				return
			}
			known()
			ended := context.AfterFunc(ctx, func() { _ = run.Process.Signal(syscall.SIGTERM) })
			late := context.AfterFunc(ctx, func() { time.AfterFunc(20*time.Second, func() { _ = run.Process.Kill() }) })
			_ = run.Wait()
			ended()
			late()
			if !again {
				return
			}
			time.Sleep(10 * time.Millisecond) // one that cannot start does not fill the machine
		}
	})
	<-started
	return k
}

// stop ends everything, by process id, and waits.
func (f *fleet) stop() {
	f.end()
	f.over.Wait()
}

// up waits until an address answers.
func up(ctx context.Context, url string) error {
	err := eventually(func() bool {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return false
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode < 500
	})
	if err != nil {
		return fmt.Errorf("%s does not come up: %w", url, err)
	}
	return nil
}

// eventually waits until something is so, for half a minute.
func eventually(so func() bool) error {
	for range 300 {
		if so() {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("not after 30 s")
}
