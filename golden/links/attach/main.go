// Command attach links what a program needs that names its servers itself.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func main() {
	ctx := context.Background()
	servers := []endpoint.Server{{Name: "everything", Launch: &endpoint.Process{Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-everything"}}}}
	host, err := attach.Connect(ctx, servers, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	fmt.Println(everything.New(host).GetSum(ctx, everything.GetSumArgs{A: 2, B: 3}))
}
