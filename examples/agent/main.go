// Command agent runs the agent of a manifest: it attaches the manifest's servers,
// of which one is down, calls what the manifest allows, is denied what it does
// not, and writes down all of it.
//
// Run it in its folder; README.md says how.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/plain"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, endpoint.Timeouts{}); err != nil {
		log.Fatal("agent: ", err)
	}
}

// run spawns the agent and lets it work.
func run(ctx context.Context, out io.Writer, timeout endpoint.Timeouts) (err error) {
	agent, err := Spawn(ctx, "agent.yaml", Options{
		AuditFile: "audit.jsonl",
		Timeout:   timeout,
		Tools:     []*native.Tool{native.Echo(), native.Clock(nil)},
		OnEvent:   func(e event.Event) { show(out, e) },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, agent.Close()) }()

	fmt.Fprintf(out, "\nwhat %s is told of its tools:\n%s\n", agent.Name, indent(agent.Prompt))
	for _, step := range plan() {
		if err := agent.take(ctx, out, step); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nenrolled: %v\n", agent.Recorder.Ledger().Snapshot().ByServer)
	return nil
}

// A step is one thing that a model asks for.
type step struct{ tool, args string }

// plan stands in for the model. Its server is down, it may not, and it is wrong:
// none of that is its end.
func plan() []step {
	return []step{
		{"echo", `{"text": "Let me see."}`},
		{"mcp_search_find", `{"query": "pull requests"}`},
		{"mcp_tracker_merge_pr", `{"number": 7}`},
		{"mcp_tracker_list_prs", `{"state": "nowhere"}`},
		{"mcp_tracker_summary", `{}`},
	}
}

// take takes one step. What goes wrong with it is what the model gets to read.
// Only the end of the context ends the agent.
func (a *Agent) take(ctx context.Context, out io.Writer, s step) error {
	fmt.Fprintf(out, "\n> %s %s\n", s.tool, s.args)
	result, err := a.Call(ctx, s.tool, json.RawMessage(s.args))
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, runtime.ErrDenied):
		fmt.Fprintf(out, "denied: %s\n", plain.Failure(err))
	case err != nil:
		fmt.Fprintf(out, "failed: %s\n", plain.Failure(err))
	case result.IsError:
		fmt.Fprintf(out, "the tool says no: %s\n", result.Text())
	default:
		fmt.Fprintln(out, strings.TrimSpace(result.Text()))
	}
	return nil
}

// show prints the events of an agent's life. Errors hold what a server said, and
// are printed quoted.
func show(out io.Writer, e event.Event) {
	switch e.Kind {
	case EventState:
		fmt.Fprintf(out, "%s\n", e.State)
	case EventRegistered:
		fmt.Fprintf(out, "  registered %d tools of %q\n", len(e.Tools), e.Server)
	case event.Attached:
		fmt.Fprintf(out, "  attached %s\n", e.Server)
	case event.Failed:
		fmt.Fprintf(out, "  failed %s: %q\n", e.Server, e.Err)
	}
}

func indent(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n\t")
}
