// Command gate looks at a repository and remembers what it saw.
package main

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/peertest/internal/mcp/everything"
	"example.com/peertest/internal/mcp/files"
	"example.com/peertest/internal/mcp/git"
	"example.com/peertest/internal/mcp/memory"
	"example.com/peertest/internal/mcp/thinking"
	"github.com/mcpgen/mcpgen/runtime"
)

// Delete deletes a branch.
func Delete(ctx context.Context, name string) error {
	_, err := git.Branch(ctx, git.BranchArgs{Operation: git.BranchOperationDelete, Name: name})
	return err
}

// Log returns the subjects of the last commits.
func Log(ctx context.Context) ([]string, error) {
	log, err := git.Log(ctx, git.LogArgs{MaxCount: 5})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range log.Commits {
		out = append(out, c.Subject)
	}
	return out, nil
}

// Remember stores what a model made of it.
func Remember(ctx context.Context, args json.RawMessage) error {
	var nodes memory.CreateEntitiesArgs
	if err := json.Unmarshal(args, &nodes); err != nil {
		return err
	}
	_, err := memory.CreateEntities(ctx, nodes)
	return err
}

// Recall prints what is stored.
func Recall(ctx context.Context) error {
	graph, err := memory.ReadGraph(ctx, memory.ReadGraphArgs{})
	if err != nil {
		return err
	}
	fmt.Println(graph.Text())
	return nil
}

// Work waits, adds and reads.
func Work(ctx context.Context, inv runtime.Invoker) error {
	sum, err := everything.Add(ctx, everything.AddArgs{A: 1, B: 2})
	if err != nil {
		return err
	}
	fmt.Println(sum.Text())
	if _, err := everything.LongRunningOperation(ctx, everything.LongRunningOperationArgs{Steps: new(2.0)}); err != nil {
		return err
	}
	if _, err := files.ReadTextFile(ctx, files.ReadTextFileArgs{Path: "go.mod"}); err != nil {
		return err
	}
	_, err = thinking.Sequentialthinking(ctx, thinking.SequentialthinkingArgs{Thought: "x", ThoughtNumber: 1, TotalThoughts: 1})
	return err
}

func main() {
	fmt.Println(Delete(context.Background(), "x"))
	_, err := Log(context.Background())
	fmt.Println(err, Remember(context.Background(), nil), Recall(context.Background()), Work(context.Background(), nil))
}
