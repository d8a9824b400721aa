// Command live links what a program needs that puts an mcpgen.yaml in force.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	ctx := context.Background()
	host, err := live.Connect(ctx, everything.Manifest())
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	fmt.Println(everything.New(host).GetSum(ctx, everything.GetSumArgs{A: 2, B: 3}))
}
