// Command call links what a typed call needs: a generated package alone. What
// carries the calls out is somebody else's.
package main

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
)

func main() {
	_, err := everything.GetSum(context.Background(), everything.GetSumArgs{A: 2, B: 3})
	fmt.Println(err)
}
