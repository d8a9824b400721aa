// Command agent is the client of this example: several packages that call the
// tools of the server "tickets" in their own way.
//
// Run it in the folder of mcpgen.yaml.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"github.com/mcpgen/mcpgen/examples/drift/intake"
	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp"
	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets"
	"github.com/mcpgen/mcpgen/examples/drift/report"
	"github.com/mcpgen/mcpgen/examples/drift/triage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		log.Fatal("agent: ", err)
	}
}

// run attaches to the servers of mcpgen.yaml and works with them.
func run(ctx context.Context, out io.Writer) error {
	host, err := live.Connect(ctx, mcp.Manifests()...)
	if err != nil {
		return err
	}
	defer host.Close()
	if err := host.Err(); err != nil { // the servers that did not come up
		return err
	}
	return work(runtime.NewContext(ctx, host), out, tickets.New(host))
}

// work is what the agent does.
func work(ctx context.Context, out io.Writer, c *tickets.Client) error {
	if err := report.Write(ctx, out, c, "core"); err != nil {
		return err
	}
	desk := &triage.Desk{Client: c, Project: "core"}
	open, all, err := desk.Open(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d are open\n", open, all)
	id, err := intake.Mail(ctx, c, "Help is hard to find", "grace")
	if err != nil {
		return err
	}
	if created, err := desk.GetTicket(ctx, tickets.GetTicketArgs{ID: id}); err == nil {
		fmt.Fprintf(out, "opened %d: %s\n", created.ID, created.Title)
	}
	if err := desk.Close(ctx, id); err != nil {
		return err
	}
	return report.Board(ctx, out)
}
