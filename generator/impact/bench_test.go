package impact

import (
	"fmt"
	"testing"

	"github.com/mcpgen/mcpgen/schema/drift"
)

// BenchmarkFind looks through a module of 200 packages that use a generated one, as
// a pre-commit hook does.
func BenchmarkFind(b *testing.B) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("use%03d/use.go", i)] = fmt.Sprintf(`package use%03d

import (
	"context"

	"example.com/app/mcp/srv"
)

func List(ctx context.Context, c *srv.Client) error {
	args := srv.ListArgs{Page: new(1)}
	args.State = new("open")
	_, err := c.List(ctx, args)
	return err
}
`, i)
	}
	p := oneToolProject(b, files)
	for b.Loop() {
		report := p.report(drift.Caller)
		if _, err := Find(b.Context(), p.options(), report); err != nil {
			b.Fatal(err)
		}
		if n := len(callSites(report)); n != 200 {
			b.Fatalf("%d sites", n)
		}
	}
}
