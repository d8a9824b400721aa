// Command agent is the client of the quickstart: it calls the tools of the
// server "tracker" through the generated package, and registers them where a
// model would find them.
//
// Run it in the folder of mcpgen.yaml.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"github.com/mcpgen/mcpgen/examples/quickstart/internal/mcp"
	"github.com/mcpgen/mcpgen/examples/quickstart/internal/mcp/tracker"
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
	return work(ctx, out, host)
}

// work is what the agent does. Its servers are whatever carries out calls: a
// host, or in a test a fake.
func work(ctx context.Context, out io.Writer, servers runtime.Invoker) error {
	if err := triage(ctx, out, tracker.New(servers)); err != nil {
		return err
	}
	return offer(ctx, out, servers)
}

// triage calls the methods of a Client, which has its invoker.
func triage(ctx context.Context, out io.Writer, client *tracker.Client) error {
	list, err := client.ListPRs(ctx, tracker.ListPRsArgs{State: tracker.StateOpen})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d open pull requests\n", list.Total)
	for _, pr := range list.PullRequests {
		fmt.Fprintf(out, "  #%d %s (by %s, reviews: %d)\n", pr.Number, pr.Title, pr.Author, len(pr.Reviews))
	}
	return nil
}

// offer calls package functions, which find their invoker in the context, and
// then a tool by its registered name, as a model does.
func offer(ctx context.Context, out io.Writer, servers runtime.Invoker) error {
	ctx = runtime.NewContext(ctx, servers)
	comment, err := tracker.AddComment(ctx, tracker.AddCommentArgs{
		Number: 7, Body: "Please add a test.", File: new("schema/lock.go"), Line: 42,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "comment %d by %s\n", comment.ID, comment.Author)

	_, err = tracker.MergePR(ctx, tracker.MergePRArgs{Number: 9})
	refused, ok := errors.AsType[*runtime.ToolError](err)
	if !ok {
		return fmt.Errorf("merging a draft: got %v, want a refusal of the tool", err)
	}
	fmt.Fprintf(out, "refused: %s\n", refused.Result.Text())

	tools := registry{}
	if err := mcp.Register(tools, servers); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d tools are registered\n", len(tools))
	return tools.call(ctx, out, "tracker__summary", `{}`)
}
