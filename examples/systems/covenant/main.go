// Command covenant starts the servers of ~/.covenant/secrets.toml, shows all tools, and
// calls one. That has to be granted first: mcpgen capabilities grant tool.call.echo
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	host, err := live.Open(context.Background(), live.Options{System: "covenant"})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		log.Print(err) // the servers that did not come up; the others work
	}
	fmt.Print(host.Instructions())
	result, err := host.Call(context.Background(), "echo", json.RawMessage(`{"text":"hi"}`))
	if err != nil {
		log.Print(err) // also a call that is not granted
		return
	}
	fmt.Println(result.Text())
}
