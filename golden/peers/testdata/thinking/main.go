package main

import (
	"context"
	"errors"

	"example.com/peertest/internal/mcp/thinking"
	"github.com/mcpgen/mcpgen/runtime"
)

func calls(ctx context.Context, inv runtime.Invoker) error {
	first, err1 := thinking.Sequentialthinking(ctx, thinking.SequentialthinkingArgs{
		Thought: "first", NextThoughtNeeded: thinking.BoolOrStringBool(true),
		ThoughtNumber: 1, TotalThoughts: 2,
	})
	second, err2 := thinking.New(inv).Sequentialthinking(ctx, thinking.SequentialthinkingArgs{
		Thought: "second", NextThoughtNeeded: thinking.BoolOrStringBool(false),
		ThoughtNumber: 2, TotalThoughts: 2,
		IsRevision: thinking.BoolOrStringBool(true), RevisesThought: 1,
	})
	return errors.Join(report(first, err1), report(second, err2))
}
