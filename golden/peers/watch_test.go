//go:build peers

package peers

// Resources of a real server that says when they change, of 2025-11-25.

import (
	"context"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func TestWatch(t *testing.T) {
	for name, server := range map[string]endpoint.Server{
		"stdio": {Launch: &endpoint.Process{Command: bin("mcp-server-everything"), Args: []string{"stdio"}}},
		"http":  {Launch: &endpoint.Address{URL: startPeer(t, "server-everything", "streamableHttp").url("/mcp")}},
	} {
		t.Run(name, func(t *testing.T) {
			server.Name = "everything"
			h, err := attach.Connect(t.Context(), []endpoint.Server{server}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			resource := codec.ItemRef{Server: "everything", Name: "demo://resource/dynamic/text/1"}
			read := 0
			for res, err := range codec.WatchResource(ctx, h, resource, nil) {
				if err != nil || res.Text() == "" {
					t.Fatalf("%+v, %v", res, err)
				}
				if read++; read == 1 {
					// From now on it says every few seconds that what is subscribed to changed.
					req := runtime.Request{Server: "everything", Method: protocol.MethodCallTool, Name: "toggle-subscriber-updates"}
					if _, err := h.Invoke(ctx, req); err != nil {
						t.Fatal(err)
					}
				}
				if read == 3 {
					break
				}
			}
			if read < 3 {
				t.Errorf("read %d times", read)
			}
		})
	}
}
