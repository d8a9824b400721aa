// Command coreagent starts the servers of .agents/mcp.json, shows how each one does and
// its tools, and makes the one call that .agents/config.json allows.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	host, err := live.Open(context.Background(), live.Options{System: "coreagent"})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	fmt.Print(host.Listing()) // also of the servers that did not come up
	result, err := host.Call(context.Background(), "filesystem_read_file", json.RawMessage(`{"path":"today.txt"}`))
	if err != nil {
		log.Print(err) // also a call that is not allowed
		return
	}
	fmt.Println(result.Text())
}
