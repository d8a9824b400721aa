// A program that was written when the server had the variables FIRST and SECOND.
package main

import (
	"context"
	"fmt"

	"example.com/peertest/internal/mcp/observed"
	"github.com/mcpgen/mcpgen/runtime"
)

func calls(ctx context.Context, inv runtime.Invoker) error {
	env, err := observed.New(inv).GetEnv(ctx, observed.GetEnvArgs{})
	if err != nil {
		return err
	}
	_, third := env.Extra["THIRD"]
	fmt.Println(value(env.First), value(env.Second), third)
	return nil
}

func value(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}
