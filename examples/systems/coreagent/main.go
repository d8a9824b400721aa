// Command coreagent is core-agent's loop, with mcpgen in place of its own package mcp: it
// starts the servers of .agents/mcp.json, reports how each one does, and offers their
// tools behind the permissions of .agents/config.json.
//
// Lines on standard input take the place of the model and of its user, so that a script
// can play both: the name of a tool and its arguments as JSON, /tools, /status or /reload.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	host, err := live.Open(ctx, live.Options{
		System: "coreagent",
		Outer:  []runtime.Middleware{hooks},
		Attach: attach.Options{OnEvent: report, Input: input.Handlers{Elicit: elicit}},
	})
	if err != nil {
		return err
	}
	defer host.Close()
	gw, err := gateway.New(host.Host, &gateway.Options{View: host.View})
	if err != nil {
		return err
	}
	defer gw.Close()
	// ADK's toolset is this client: mcptoolset.New(mcptoolset.Config{Transport: gw.Transport()}).
	tools, err := mcp.NewClient(&mcp.Implementation{Name: "core-agent"}, nil).Connect(ctx, gw.Transport(), nil)
	if err != nil {
		return err
	}
	defer tools.Close()

	fmt.Println(host.Instructions()) // the end of the system prompt
	lines := bufio.NewScanner(os.Stdin)
	for fmt.Print("coreagent> "); lines.Scan(); fmt.Print("coreagent> ") {
		var err error
		switch name, args, _ := strings.Cut(lines.Text(), " "); name {
		case "/status":
			fmt.Print(host.Listing())
		case "/reload":
			err = host.Reload(ctx)
		case "/tools":
			for tool, failed := range tools.Tools(ctx, nil) {
				if err = failed; err == nil {
					fmt.Println(tool.Name)
				}
			}
		default:
			err = call(ctx, tools, name, args)
		}
		if err != nil {
			fmt.Println(err) // the loop goes on
		}
	}
	return lines.Err()
}

// call prints what the model gets back. The refusal of a call is a result, too.
func call(ctx context.Context, tools *mcp.ClientSession, name, args string) error {
	result, err := tools.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(cmp.Or(args, "{}"))})
	if err != nil {
		return err
	}
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
	return nil
}

// hooks run before and after each call. They are outside of the permission gate, and see
// the calls that it refuses.
func hooks(next runtime.Invoker) runtime.Invoker {
	return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		fmt.Printf("before %s/%s %s\n", req.Server, req.Name, req.Args)
		result, err := next.Invoke(ctx, req)
		failed := err != nil || result.IsError
		fmt.Printf("after %s/%s, denied: %t, failed: %t\n", req.Server, req.Name, errors.Is(err, runtime.ErrDenied), failed)
		return result, err
	})
}

// report surfaces the status of each server, as core-agent asks of its host.
func report(e event.Event) {
	switch e.Kind {
	case event.Attached:
		log.Printf("%s: ready, tools: %d", e.Server, len(e.Tools))
	case event.Failed, event.Unavailable:
		log.Printf("%s: error: %v", e.Server, e.Err)
	case event.Detached:
		log.Printf("%s: closed", e.Server)
	}
}

// elicit is the ElicitorFn of headless mode: a server that asks the user is declined, and
// the host logs one line with the question and this reason.
func elicit(context.Context, string, input.ElicitRequest) (input.ElicitResult, error) {
	return input.ElicitResult{}, errors.New("headless mode")
}
