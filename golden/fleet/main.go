// Fleet measures mcpgen check --fleet: it makes projects of ten simulated servers each, one in ten of them with
// a drifted server, and prints seconds, processor time and memory for growing numbers of servers.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

// perProject is the number of servers of each project.
const perProject = 10

func main() {
	most := flag.Int("servers", 1000, "measure up to this number of servers")
	checkout := flag.String("checkout", ".", "the folder of the module")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, *checkout, *most); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, checkout string, most int) error {
	dir, err := os.MkdirTemp("", "fleet")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mcpgen, server := filepath.Join(dir, "mcpgen"), filepath.Join(dir, "server")
	if err := process.Build(ctx, checkout, mcpgen, "./cmd/mcpgen"); err != nil {
		return err
	}
	if err := process.Build(ctx, checkout, server, "./golden/testserver/cmd/mcptestserver"); err != nil {
		return err
	}
	env := []string{"XDG_CACHE_HOME=" + filepath.Join(dir, "cache")}
	if err := first(ctx, dir, mcpgen, server, env); err != nil {
		return err
	}
	fmt.Printf("mcpgen check --fleet, %d processors, %d servers a project, a process each\n", runtime.NumCPU(), perProject)
	fmt.Printf("%8s %9s %9s %12s %8s\n", "servers", "seconds", "CPU s", "CPU ms each", "peak MB")
	made, last := 1, process.Usage{}
	for n := perProject; n <= most; n *= 10 {
		for ; made < n/perProject; made++ {
			if err := another(dir, made); err != nil {
				return err
			}
		}
		// The first run writes what later ones compare with, as in CI with a cache.
		u, err := process.Run(ctx, dir, env, mcpgen, "check", "--fleet", "fleet.yaml", "--impact", "off")
		want := fmt.Sprintf("%d servers: %d fine, %d with findings, 0 unknown", n, n/perProject-(n/perProject)/10, n/perProject/10)
		if !strings.Contains(u.Stderr, want) {
			return fmt.Errorf("%d servers: %w\n%s", n, err, u.Stderr)
		}
		fmt.Printf("%8d %9.1f %9.1f %12.1f %8.0f\n", n, u.Wall, u.CPU, u.CPU*1000/float64(n), u.Peak/1e6)
		last = u
		if n*10 > most {
			fmt.Printf("by this, 100,000 servers: %.0f minutes here; as 20 shards %.0f minutes each\n", last.Wall/float64(n)*100_000/60, last.Wall/float64(n)*5_000/60)
		}
	}
	return nil
}

// first makes a project and locks it.
func first(ctx context.Context, dir, mcpgen, server string, env []string) error {
	var yaml strings.Builder
	yaml.WriteString("version: 1\nfakes: false\nservers:\n")
	for i := range perProject {
		fmt.Fprintf(&yaml, "  s%d: {command: %q, args: [replay, s%d.json]}\n", i, server, i)
	}
	files := map[string]string{
		"fleet.yaml": "projects: [p*]\n", "p0000/mcpgen.yaml": yaml.String(), "p0000/go.mod": "module example.com/p\n\ngo 1.26\n",
	}
	for i := range perProject {
		files[fmt.Sprintf("p0000/s%d.json", i)] = listing(i, 20)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	_, err := process.Run(ctx, filepath.Join(dir, "p0000"), env, mcpgen, "generate")
	return err
}

// another copies the first project. Every tenth has a server without its last tool.
func another(dir string, i int) error {
	to := filepath.Join(dir, fmt.Sprintf("p%04d", i))
	if err := os.CopyFS(to, os.DirFS(filepath.Join(dir, "p0000"))); err != nil || i%10 != 9 {
		return err
	}
	return os.WriteFile(filepath.Join(to, "s0.json"), []byte(listing(0, 19)), 0o644)
}

// listing is a server with n tools of a usual size.
func listing(server, n int) string {
	var tools []string
	for i := range n {
		tools = append(tools, fmt.Sprintf(`{"name": "tool_%d_%d", "description": "Lists the things of kind %d. Use it before you change one of them.", "inputSchema": {"type": "object", "required": ["owner"], "properties": {"owner": {"type": "string", "description": "Owner of the repository"}, "page": {"type": "integer", "minimum": 1}, "state": {"type": "string", "enum": ["open", "closed"]}, "labels": {"type": "array", "items": {"type": "string"}}}}}`, server, i, i))
	}
	return fmt.Sprintf(`{"protocolVersion": "2025-11-25", "serverInfo": {"name": "s%d", "version": "1"}, "tools": [%s]}`, server, strings.Join(tools, ", "))
}
