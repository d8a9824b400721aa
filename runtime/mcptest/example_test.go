package mcptest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/cases/memory/memorytest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

// A generated package comes with a fake of its server. In a test, New takes its *testing.T.
func ExampleFake() {
	fake := memorytest.New(new(testing.B))
	fake.OnSearchNodes(func(_ context.Context, args memory.SearchNodesArgs) (*memory.SearchNodesResult, error) {
		if args.Query == "" {
			return nil, mcptest.ToolError("say what to look for")
		}
		return &memory.SearchNodesResult{Entities: []memory.Entity{{Name: "Oslo", EntityType: "city"}}}, nil
	})

	// Here the program under test does its work with this context.
	ctx := runtime.NewContext(context.Background(), fake)
	found, err := memory.SearchNodes(ctx, memory.SearchNodesArgs{Query: "capital"})
	fmt.Println(found.Entities[0].Name, err)
	_, err = memory.SearchNodes(ctx, memory.SearchNodesArgs{})
	fmt.Println(err)
	// Output:
	// Oslo <nil>
	// memory/search_nodes: the tool reported an error: say what to look for
}

// A recorder writes each call as a line of JSON, without secrets.
func ExampleRecorder() {
	var file strings.Builder
	recorder := mcptest.NewRecorder(&file, nil)
	fake := memorytest.New(new(testing.B))
	fake.Defaults()
	ctx := runtime.NewContext(context.Background(), runtime.Chain(fake, recorder.Middleware))
	_, err := memory.SearchNodes(ctx, memory.SearchNodesArgs{Query: "capital"})
	fmt.Println(err, strings.Contains(file.String(), `"capital"`))
	// Output: <nil> true
}
