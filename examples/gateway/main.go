// Command gateway offers the server of examples/quickstart as part of one gateway that
// is behind two listeners: one for this machine, and one for others, who show a token.
// What callers may do is the same for both: they may read, and not merge.
//
// Run it in this folder; README.md says how.
package main

import (
	"context"
	_ "embed"
	"errors"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/live"
)

//go:embed gateway.yaml
var configuration []byte

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	inside, err := net.Listen("tcp", "127.0.0.1:8081")
	if err != nil {
		log.Fatal("gateway: ", err)
	}
	outside, err := net.Listen("tcp", "127.0.0.1:8082") // a load balancer with TLS is in front of it
	if err != nil {
		log.Fatal("gateway: ", err)
	}
	if err := run(ctx, inside, outside, map[string]string{"ci": os.Getenv("CI_TOKEN")}); err != nil {
		log.Fatal("gateway: ", err)
	}
}

// run serves both listeners until ctx ends.
func run(ctx context.Context, inside, outside net.Listener, tokens map[string]string) error {
	auth, err := gateway.Tokens(tokens)
	if err != nil {
		return err
	}
	input := new(gateway.Input)
	// A module with generated packages adds Manifests: mcp.Manifests(), and offers the tools as
	// they are locked.
	host, err := live.Open(ctx, live.Options{Config: configuration, Attach: attach.Options{Input: input}})
	if err != nil {
		return err
	}
	defer host.Close()
	gw, err := gateway.New(host.Host, &gateway.Options{View: host.View, Input: input})
	if err != nil {
		return err
	}
	ended := make(chan error, 2)
	go func() { ended <- gw.ListenAndServe(ctx, inside, nil) }()
	go func() { ended <- gw.ListenAndServe(ctx, outside, &gateway.HandlerOptions{Auth: auth}) }()
	log.Printf("for this machine: http://%s/mcp, for others: http://%s/mcp", inside.Addr(), outside.Addr())
	return errors.Join(<-ended, gw.Close(), <-ended)
}
