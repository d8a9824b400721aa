package main

// The servers.

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// kind is one sort of server.
type kind struct {
	mode  string
	args  []string
	web   string // -http or -sse; "" is stdio
	count int
	exact bool // a call either fails or returns its arguments
	sound bool // calls do not fail by the server's own doing
}

// kinds are ten servers that behave and ten that do not.
var kinds = []kind{
	{mode: "echo", count: 5, exact: true, sound: true},
	{mode: "mutable", count: 2, exact: true, sound: true},
	{mode: "echo", web: "-http", count: 2, exact: true, sound: true},
	{mode: "echo", web: "-sse", count: 1, exact: true, sound: true},

	{mode: "noise-json", count: 1, exact: true},
	{mode: "noise-stderr-flood", args: []string{"-size", "1MiB"}, count: 1, exact: true},
	{mode: "notify-flood", count: 1, exact: true},
	{mode: "daemon", count: 1, exact: true},
	{mode: "crash-after", args: []string{"-n", "200"}, count: 1, exact: true},
	{mode: "hang-on-call", count: 1},
	{mode: "wrong-id", count: 1},
	{mode: "giant-result", args: []string{"-size", "32MiB"}, count: 1},
	{mode: "reset", web: "-http", count: 1, exact: true},
	{mode: "giant-event", web: "-http", count: 1},
}

// server is one server of the fleet.
type server struct {
	kind
	endpoint endpoint.Server
}

// fleet is all servers. Those over HTTP run as long as the fleet does.
type fleet struct {
	servers []server
	web     []func() // end those over HTTP
}

// start starts the servers over HTTP and says how the others are started.
func start(ctx context.Context, program string, lifetime time.Duration) (*fleet, error) {
	f := &fleet{}
	for _, k := range kinds {
		for range k.count {
			s := server{kind: k}
			args := append([]string{k.mode, "-lifetime", lifetime.String()}, k.args...)
			s.endpoint = endpoint.Server{
				Name: fmt.Sprintf("s%02d-%s", len(f.servers), k.mode), Launch: &endpoint.Process{Command: program, Args: args},
				Timeout: endpoint.Timeouts{Call: 2 * time.Second},
			}
			if k.web != "" {
				url, stop, err := process.Listen(ctx, program, append(args, k.web, "127.0.0.1:0")...)
				if err != nil {
					f.stop()
					return nil, err
				}
				f.web = append(f.web, stop)
				address := &endpoint.Address{URL: url, Transport: endpoint.HTTP}
				if k.web == "-sse" {
					address.Transport = endpoint.SSE
				}
				s.endpoint.Launch = address
			}
			f.servers = append(f.servers, s)
		}
	}
	return f, nil
}

// stop ends the servers over HTTP.
func (f *fleet) stop() {
	for _, stop := range f.web {
		stop()
	}
}

func (f *fleet) endpoints() []endpoint.Server {
	out := make([]endpoint.Server, len(f.servers))
	for i, s := range f.servers {
		out[i] = s.endpoint
	}
	return out
}
