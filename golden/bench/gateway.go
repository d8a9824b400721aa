package main

// Calls through the gateway over HTTP, against the same calls of the server, also over
// HTTP.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	goruntime "runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
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

// through measures calls of the SDK's client and of mcpgen's, with client, gateway and server in a process each, and
// what a session holds. A direct call of mcpgen's client costs a third of one of the SDK's.
func through(ctx context.Context, b *bench) ([]row, error) {
	direct, end, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	url, stop, err := process.Listen(ctx, os.Args[0], "-gateway", direct)
	if err != nil {
		return nil, err
	}
	defer stop()
	var rows []row
	type call = func(context.Context, int) error
	bySDK := func(url, _, tool string) (call, io.Closer, error) {
		session, err := connectSDK(ctx, sdkOver(url))
		return createByHand(session, tool), session, err
	}
	byHost := func(url, revision, tool string) (call, io.Closer, error) {
		host, err := hostOf(ctx, url, revision)
		return callOf(host, tool), host, err
	}
	for _, client := range []struct {
		name, revision string
		connect        func(url, revision, tool string) (call, io.Closer, error)
	}{
		{"the SDK's client", "", bySDK},
		{"mcpgen's client", "2026-07-28", byHost},
		{"mcpgen's client of 2025-11-25", "2025-11-25", byHost},
	} {
		through, first, err := client.connect(url, client.revision, "memory__create_entities")
		if err != nil {
			return rows, err
		}
		defer first.Close()
		directly, second, err := client.connect(direct, "", "create_entities")
		if err != nil {
			return rows, err
		}
		defer second.Close()
		for _, n := range callers {
			costs, err := b.turns(ctx, n, []call{through, directly})
			if err != nil {
				return rows, err
			}
			rows = append(rows, compared(fmt.Sprintf("%s, %d at a time", client.name, n), costs[0].micros, costs[1].micros, 1, "µs", maxGatewayTime).
				because("a second HTTP request and answer; the gateway's own work is a tenth of the processor time"))
		}
	}
	held, err := b.sessionHeap(ctx)
	return append(rows, held), err
}

// serveAlone serves a gateway to the server at a URL until the context ends, and prints its own URL.
func serveAlone(ctx context.Context, direct string) error {
	url, stop, err := serveGateway(ctx, direct, nil)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Println(url)
	<-ctx.Done()
	return nil
}

// serveGateway serves a gateway to the server at a URL, until stop is called.
func serveGateway(ctx context.Context, direct string, opts *gateway.HandlerOptions) (url string, stop func(), err error) {
	var ends []func()
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
	host, err := hostOf(ctx, direct, "")
	if err != nil {
		return "", nil, err
	}
	ends = append(ends, func() { _ = host.Close() })
	gw, err := gateway.New(host, nil)
	if err != nil {
		return "", nil, err
	}
	ends = append(ends, func() { _ = gw.Close() })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	serving, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- gw.ListenAndServe(serving, l, opts) }()
	ends = append(ends, func() { cancel(); <-served })
	return "http://" + l.Addr().String() + gateway.Path, stop, nil
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

// sessionHeap begins sessions, and returns what one of them holds.
func (b *bench) sessionHeap(ctx context.Context) (row, error) {
	direct, end, err := b.replay(ctx)
	if err != nil {
		return row{}, err
	}
	defer end()
	url, stop, err := serveGateway(ctx, direct, &gateway.HandlerOptions{Sessions: 2000})
	if err != nil {
		return row{}, err
	}
	defer stop()
	const n = 200
	var held sample
	for range b.rounds(7) {
		if _, err := beginSession(ctx, http.DefaultClient, url); err != nil { // its connection is not counted
			return row{}, err
		}
		before := liveHeap() + stacks()
		for range n {
			if _, err := beginSession(ctx, http.DefaultClient, url); err != nil {
				return row{}, err
			}
		}
		held = append(held, (liveHeap()+stacks()-before)/n/1024)
	}
	return held.row("heap and stacks of an idle session of 2025-11-25", maxSessionHeap, "KiB"), nil
}
