// Command tallow starts the servers of settings.json, the user's and that of a trusted
// project, shows them and their tools as /mcp does, and calls one.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	host, err := live.Open(context.Background(), live.Options{System: "tallow"})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	fmt.Print(host.Listing())
	result, err := host.Call(context.Background(), "mcp__filesystem__list_directory", json.RawMessage(`{"path":"."}`))
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(result.Text())
}
