// Own calls against the SDK's CallTool, over the same server process.

package wire

import (
	"encoding/json"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/testserver"
)

// BenchmarkCall/sdk is the SDK's own transport and untyped call, with the work
// that its caller has to do to get from a type to a type.
func BenchmarkCall(b *testing.B) {
	type args struct {
		Text string `json:"text"`
		N    int64  `json:"n"`
	}
	in := args{strings.Repeat("x", 100), 42}
	b.Run("own", func(b *testing.B) {
		c, _ := startServer(b, Options{}, "echo")
		connectSDK(b, c.Transport(), legacyVersion, nil)
		benchmarkCallers(b, func() error {
			raw, err := json.Marshal(in)
			if err != nil {
				return err
			}
			params := append(append(json.RawMessage(`{"name":"echo","arguments":`), raw...), '}')
			result, err := c.Call(b.Context(), "tools/call", params, CallOptions{})
			if err != nil {
				return err
			}
			var out struct{ StructuredContent args }
			return json.Unmarshal(result, &out)
		})
	})
	b.Run("sdk", func(b *testing.B) {
		s := connectSDK(b, &mcp.CommandTransport{Command: exec.Command(testserver.Program(), "echo")}, legacyVersion, nil)
		benchmarkCallers(b, func() error {
			raw, err := json.Marshal(in)
			if err != nil {
				return err
			}
			result, err := s.CallTool(b.Context(), &mcp.CallToolParams{Name: "echo", Arguments: json.RawMessage(raw)})
			if err != nil {
				return err
			}
			back, err := json.Marshal(result.StructuredContent)
			if err != nil {
				return err
			}
			var out args
			return json.Unmarshal(back, &out)
		})
	})
}

// benchmarkCallers runs call from 1, 8 and 64 goroutines.
func benchmarkCallers(b *testing.B, call func() error) {
	for _, n := range []int{1, 8, 64} {
		b.Run(map[int]string{1: "1", 8: "8", 64: "64"}[n], func(b *testing.B) {
			b.ReportAllocs()
			work := make(chan struct{}, n)
			var all sync.WaitGroup
			for range n {
				all.Go(func() {
					for range work {
						if err := call(); err != nil {
							b.Error(err)
						}
					}
				})
			}
			for b.Loop() {
				work <- struct{}{}
			}
			close(work)
			all.Wait()
		})
	}
}
