// Command server is the MCP server of the quickstart: a small tracker of pull
// requests that speaks MCP over standard input and output.
//
// It has two versions of its surface. Version 1 is what the committed code was
// generated against. Version 2 is the upgrade that a client did not ask for: a
// property is renamed and a tool is added.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	version := flag.Int("version", defaultVersion(), "surface to serve: 1 or 2 (default: $TRACKER_VERSION, else 1)")
	flag.Parse()
	if err := run(*version); err != nil {
		fmt.Fprintln(os.Stderr, "tracker:", err)
		os.Exit(1)
	}
}

// defaultVersion reads TRACKER_VERSION, so that a server can be upgraded
// without a change of the command that starts it. Anything that is not a
// number is reported by [run].
func defaultVersion() int {
	text, ok := os.LookupEnv("TRACKER_VERSION")
	if !ok || text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// run serves one session over standard input and output, until the client
// hangs up.
func run(version int) error {
	if version != 1 && version != 2 {
		return fmt.Errorf("there is no version %d of the tools: use 1 or 2", version)
	}
	server := mcp.NewServer(&mcp.Implementation{
		Name:    "tracker",
		Title:   "Pull request tracker",
		Version: fmt.Sprintf("%d.0.0", version),
	}, &mcp.ServerOptions{Instructions: "Numbers identify pull requests. Read one before you merge it."})
	addTools(server, newBoard(), version)
	return server.Run(context.Background(), &mcp.StdioTransport{})
}
