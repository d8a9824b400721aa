// Command indusr starts the servers of the project in the working directory and of the
// user, shows their tools as an agent's briefing has them, and calls one.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	host, err := live.Open(context.Background(), live.Options{System: "indusr"})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		log.Print(err) // the servers that did not come up; their tools are absent
	}
	fmt.Print(host.Instructions())
	result, err := host.Call(context.Background(), "github__create_issue", json.RawMessage(`{"title": "Count sheep"}`))
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(result.Text())
}
