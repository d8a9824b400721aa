// Command judge links what the program attach does, and the prover of drift beside
// it.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/judge"
)

func main() {
	ctx := context.Background()
	servers := []endpoint.Server{{Name: "everything", Launch: &endpoint.Process{Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-everything"}}}}
	host, err := attach.Connect(ctx, servers, &attach.Options{Judge: judge.New([]*codec.Manifest{everything.Manifest()}, nil)})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	fmt.Println(everything.New(host).GetSum(ctx, everything.GetSumArgs{A: 2, B: 3}))
}
