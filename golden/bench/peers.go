package main

// What others take for the same work, on the same real server. Their programs are
// installed by peers/install.sh.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// installed is a program of the folder that peers/install.sh filled.
func (b *bench) installed(name ...string) string {
	return filepath.Join(append([]string{b.checkout, "bin", "bench-peers"}, name...)...)
}

// npm is a program that an npm package brings.
func (b *bench) npm(name string) string { return b.installed("node_modules", ".bin", name) }

// memoryServer is server-memory with a graph of its own in the project.
func (b *bench) memoryServer(ctx context.Context) (*folder, error) {
	if err := b.buildTool(ctx); err != nil {
		return nil, err
	}
	f := &folder{dir: filepath.Join(b.dir, "peers"), cache: filepath.Join(b.dir, "peers.cache"), tool: b.mcpgen}
	graph := filepath.Join(f.dir, "memory.json")
	if err := os.Setenv("MEMORY_FILE_PATH", graph); err != nil { // for all that start the server
		return nil, err
	}
	mcporter, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"memory": map[string]any{
		"command": b.npm("mcp-server-memory"), "env": map[string]string{"MEMORY_FILE_PATH": graph}}}})
	if err != nil {
		return nil, err
	}
	if err := f.write(map[string][]byte{
		"memory.json":   []byte(`{"type":"entity","name":"Ada","entityType":"person","observations":["wrote the first program","lived in London"]}` + "\n"),
		"mcporter.json": mcporter,
		"mcpgen.yaml":   fmt.Appendf(nil, "version: 1\noutput: mcp\nservers:\n  memory:\n    command: %q\n    env: {MEMORY_FILE_PATH: %q}\n", b.npm("mcp-server-memory"), graph),
		"go.mod":        []byte("module example.com/peers\n\ngo 1.26.0\n"),
	}); err != nil {
		return nil, err
	}
	_, err = f.mcpgen(ctx, 1, nil, "generate")
	return f, err
}

// peerCommands are whole processes that list and call: each starts the server.
func peerCommands(ctx context.Context, b *bench) ([]row, error) {
	f, err := b.memoryServer(ctx)
	if err != nil {
		return nil, err
	}
	server, script := b.npm("mcp-server-memory"), filepath.Join(b.checkout, "golden", "bench", "peers", "calls.cjs")
	mcporter := []string{b.npm("mcporter"), "--config", "mcporter.json"}
	typescript := []string{"node", script, b.installed()}
	var rows []row
	for _, job := range []struct {
		what  string
		sides [][]string
	}{
		{"list the tools", [][]string{
			{f.tool, "list", "--live"}, append(mcporter[:3:3], "list", "memory"), append(typescript[:3:3], "1", "1", "list", server)}},
		{"one call", [][]string{
			{f.tool, "call", "memory/read_graph"}, append(mcporter[:3:3], "call", "memory.read_graph"), append(typescript[:3:3], "1", "1", "read_graph", server)}},
		{"a typed client of a server that is new", [][]string{
			{"sh", "-c", `rm -rf mcp mcpgen.lock && "$0" generate`, f.tool}, append(mcporter[:3:3], "emit-ts", "memory", "--mode", "client", "--out", "memory.ts")}},
	} {
		all := make([]usages, len(job.sides))
		for range b.rounds(7) {
			for i, argv := range job.sides {
				u, err := f.run(ctx, 1, nil, argv[0], argv[1:]...)
				if err != nil {
					return rows, err
				}
				all[i].wall = append(all[i].wall, u.wall...)
				all[i].cpu = append(all[i].cpu, u.cpu...)
			}
		}
		for i, peer := range []string{"mcporter", "a script with the TypeScript SDK"}[:len(all)-1] {
			rows = append(rows,
				compared(job.what+", against "+peer+": time", all[0].wall, all[i+1].wall, 1e3, "ms", 0),
				compared(job.what+", against "+peer+": processor time", all[0].cpu, all[i+1].cpu, 1e3, "ms", 0))
		}
	}
	return rows, nil
}

// peerCalls are calls on one connection to the server.
func peerCalls(ctx context.Context, b *bench) ([]row, error) {
	f, err := b.memoryServer(ctx)
	if err != nil {
		return nil, err
	}
	const calls = 300
	server := b.npm("mcp-server-memory")
	launch := &endpoint.Process{Command: server, Env: []endpoint.Var{{Name: "MEMORY_FILE_PATH", Value: os.Getenv("MEMORY_FILE_PATH")}}}
	script := filepath.Join(b.checkout, "golden", "bench", "peers", "calls.cjs")
	peers := []struct {
		name  string
		argv  []string
		costs costs
	}{
		{name: "mcp-go", argv: []string{b.installed("mcpgo")}},
		{name: "the TypeScript SDK", argv: []string{"node", script, b.installed()}},
	}
	var ours, byHand costs
	for range b.rounds(7) {
		if err := b.readGraphs(ctx, launch, calls, &ours, &byHand); err != nil {
			return nil, err
		}
		for i, peer := range peers {
			argv := append(peer.argv[:len(peer.argv):len(peer.argv)], strconv.Itoa(calls), "2", "read_graph", server)
			u, err := process.Run(ctx, f.dir, nil, argv[0], argv[1:]...)
			if err != nil {
				return nil, err
			}
			var warm, micros float64
			if _, err := fmt.Sscan(string(u.Stdout), &warm, &micros); err != nil {
				return nil, err
			}
			peers[i].costs.micros = append(peers[i].costs.micros, micros)
		}
	}
	rows := []row{compared("read_graph, against the Go SDK by hand", ours.micros, byHand.micros, 1, "µs", 0)}
	for _, peer := range peers {
		rows = append(rows, compared("read_graph, against "+peer.name, ours.micros, peer.costs.micros, 1, "µs", 0))
	}
	return rows, nil
}

// readGraphs measures the second round of calls on new connections, as the programs of
// the others do: the server becomes faster with each call.
func (b *bench) readGraphs(ctx context.Context, launch *endpoint.Process, calls int64, ours, byHand *costs) error {
	host, err := attach.Connect(ctx, []endpoint.Server{{Name: "memory", Launch: launch}}, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{memory.Manifest()}...)})
	if err != nil {
		return err
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		return err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: exec.Command(launch.Command)}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	for _, side := range []struct {
		call func(context.Context, int) error
		to   *costs
	}{{readGraph(host), ours}, {readGraphByHand(session), byHand}} {
		for _, to := range []*costs{{}, side.to} {
			if err := b.load(ctx, 1, calls, side.call, to); err != nil {
				return err
			}
		}
	}
	return nil
}

func readGraph(inv runtime.Invoker) func(context.Context, int) error {
	client := memory.New(inv)
	return func(ctx context.Context, _ int) error {
		res, err := client.ReadGraph(ctx, memory.ReadGraphArgs{})
		if err == nil && len(res.Entities) != 1 {
			err = errWrongAnswer
		}
		return err
	}
}

func readGraphByHand(session *mcp.ClientSession) func(context.Context, int) error {
	return func(ctx context.Context, _ int) error {
		_, err := graphByHand(ctx, session, "read_graph", struct{}{})
		return err
	}
}

// peerBridges are calls over stdio that a process passes on to a server at a URL.
func peerBridges(ctx context.Context, b *bench) ([]row, error) {
	if err := b.buildTool(ctx); err != nil {
		return nil, err
	}
	url, stop, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	f := &folder{dir: filepath.Join(b.dir, "bridge"), cache: filepath.Join(b.dir, "bridge.cache"), tool: b.mcpgen}
	if err := f.write(map[string][]byte{
		"mcpgen.yaml": fmt.Appendf(nil, "version: 1\noutput: mcp\nservers:\n  memory:\n    url: %q\n", url),
		"go.mod":      []byte("module example.com/bridge\n\ngo 1.26.0\n"),
	}); err != nil {
		return nil, err
	}
	if _, err := f.mcpgen(ctx, 1, nil, "generate"); err != nil {
		return nil, err
	}
	var sides []func(context.Context, int) error
	for _, side := range []struct {
		tool string
		argv []string
	}{
		{"memory__create_entities", []string{f.tool, "serve"}},
		{"create_entities", []string{b.npm("mcp-remote"), url, "--allow-http", "--transport", "http-only"}},
	} {
		cmd := exec.CommandContext(ctx, side.argv[0], side.argv[1:]...)
		cmd.Dir, cmd.Env = f.dir, append(os.Environ(), f.env()...)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", side.argv[0], err)
		}
		defer session.Close()
		sides = append(sides, createByHand(session, side.tool))
	}
	costs, err := b.turnsOf(ctx, 1, 300, sides)
	if err != nil {
		return nil, err
	}
	return []row{compared("a call through mcpgen serve, against mcp-remote", costs[0].micros, costs[1].micros, 1, "µs", 0)}, nil
}
