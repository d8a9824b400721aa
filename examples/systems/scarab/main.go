// Command scarab starts the servers of the agent manifest in the working directory,
// shows their tools, and calls one.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	host, err := live.Open(context.Background(), live.Options{System: "scarab"})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		log.Print(err) // the servers that did not attach; the agent goes on without their tools
	}
	fmt.Print(host.Instructions())
	result, err := host.Call(context.Background(), "mcp.github.list_prs", json.RawMessage(`{"repo": "anomalyco/opencode", "state": "open"}`))
	if err != nil {
		log.Print(err) // also a call that no capability allows
		return
	}
	fmt.Println(result.Text())
}
