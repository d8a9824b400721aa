package main

// Calls through the gateway over HTTP, against the same calls of the server, also over
// HTTP: client and gateway are this process.

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	goruntime "runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// The budgets of the gateway.
const (
	maxGatewayTime = 2  // of a direct call's
	maxSessionHeap = 20 // KiB
)

// through measures calls of callers of both eras, and what the session of an older one holds.
func through(ctx context.Context, b *bench) ([]row, error) {
	server, url, stop, err := b.serveGateway(ctx, &gateway.HandlerOptions{Sessions: 2000})
	if err != nil {
		return nil, err
	}
	defer stop()
	var rows []row
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		client, err := hostOf(ctx, url, revision)
		if err != nil {
			return rows, err
		}
		defer client.Close()
		for _, n := range callers {
			costs, err := b.turns(ctx, n, []func(context.Context, int) error{callOf(client, "memory__create_entities"), callOf(server, "create_entities")})
			if err != nil {
				return rows, err
			}
			what := fmt.Sprintf("%s, %d at a time: ", revision, n)
			rows = append(rows,
				compared(what+"time", costs[0].micros, costs[1].micros, 1, "µs", maxGatewayTime).because("a second HTTP request and answer; the gateway's own work is a tenth of the processor time"),
				compared(what+"memory", costs[0].bytes, costs[1].bytes, 1e-3, "kB", 0))
		}
	}
	var held sample
	for range b.rounds(7) {
		one, err := sessionHeap(ctx, url)
		if err != nil {
			return rows, err
		}
		held = append(held, one)
	}
	return append(rows, held.row("heap and stacks of an idle session of 2025-11-25", maxSessionHeap, "KiB")), nil
}

// serveGateway serves a gateway to the server of replay, which the host calls directly,
// until stop is called.
func (b *bench) serveGateway(ctx context.Context, opts *gateway.HandlerOptions) (server *attach.Host, url string, stop func(), err error) {
	direct, end, err := b.replay(ctx)
	if err != nil {
		return nil, "", nil, err
	}
	ends := []func(){end}
	stop = func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	if server, err = hostOf(ctx, direct, ""); err != nil {
		return nil, "", nil, err
	}
	ends = append(ends, func() { _ = server.Close() })
	gw, err := gateway.New(server, nil)
	if err != nil {
		return nil, "", nil, err
	}
	ends = append(ends, func() { _ = gw.Close() })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", nil, err
	}
	serving, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- gw.ListenAndServe(serving, l, opts) }()
	ends = append(ends, func() { cancel(); <-served })
	return server, "http://" + l.Addr().String() + gateway.Path, stop, nil
}

// hostOf attaches to a server at a URL.
func hostOf(ctx context.Context, url, revision string, headers ...endpoint.Var) (*attach.Host, error) {
	host, err := attach.Connect(ctx, []endpoint.Server{{Name: "memory", Protocol: revision, Launch: &endpoint.Address{URL: url, Headers: headers}}}, nil)
	if err != nil {
		return nil, err
	}
	return host, host.Err()
}

// callOf calls a tool by a name.
func callOf(inv runtime.Invoker, name string) func(context.Context, int) error {
	return func(ctx context.Context, i int) error {
		args, err := json.Marshal(entities{[]entity{{"bench", "program", observation(i)}}})
		if err != nil {
			return err
		}
		res, err := runtime.Request{Server: "memory", Method: protocol.MethodCallTool, Name: name, Args: args}.Do(ctx, inv)
		if err == nil && !strings.Contains(string(res.Raw), observation(i)[0]) {
			err = errWrongAnswer
		}
		return err
	}
}

// stacks returns the bytes of the stacks of all goroutines.
func stacks() float64 {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return float64(m.StackInuse)
}

// sessionHeap begins sessions, and returns what one of them holds, in KiB.
func sessionHeap(ctx context.Context, url string) (float64, error) {
	const n = 200
	if _, err := beginSession(ctx, http.DefaultClient, url); err != nil { // its connection is not counted
		return 0, err
	}
	before := liveHeap() + stacks()
	for range n {
		if _, err := beginSession(ctx, http.DefaultClient, url); err != nil {
			return 0, err
		}
	}
	return (liveHeap() + stacks() - before) / n / 1024, nil
}
