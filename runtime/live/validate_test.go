package live_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// One word in the configuration checks arguments before they are sent, for all servers or
// for one.
func TestValidate(t *testing.T) {
	const f = `{"tools":[{"name":"f","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9}}}}]}`
	const of = `{command: PROGRAM, args: [replay, surface.json], inherit_env: all`
	servers := []string{"on", "off", "unknown"}
	for _, tt := range []struct {
		name, config string
		checked      []string
	}{
		{"no word", "servers:\n  on: " + of + "}\n  off: " + of + "}\n  unknown: " + of + "}\n", nil},
		{"all", "validate: true\nservers:\n  on: " + of + "}\n  off: " + of + ", validate: false}\n  unknown: " + of + "}\n", []string{"on", "unknown"}},
		{"one", "servers:\n  on: " + of + ", validate: true}\n  off: " + of + "}\n  unknown: " + of + "}\n", []string{"on"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			enterProject(t, map[string]string{"surface.json": f, "mcpgen.yaml": "version: 1\n" + tt.config})
			var log bytes.Buffer
			host := openReady(t, live.Options{
				Manifests: []*codec.Manifest{nil, codec.NewManifest("on", f, codec.ItemRef{Server: "on", Name: "f"}), codec.NewManifest("off", f, codec.ItemRef{Server: "off", Name: "f"})},
				Attach:    attach.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), Drift: attach.DriftOff},
			})
			for _, server := range servers {
				_, err := codec.CallToolResult(t.Context(), host, codec.ItemRef{Server: server, Name: "f"}, map[string]any{"n": 10}, nil)
				refused := errors.Is(err, runtime.ErrInvalidArgs)
				want := server != "unknown" && strings.Contains(strings.Join(tt.checked, " "), server)
				if refused != want || refused && !strings.Contains(err.Error(), `on/f: `) {
					t.Errorf("%s: %v", server, err)
				}
			}
			want := 0
			if tt.name == "all" {
				want = 1
			}
			if strings.Count(log.String(), "sent unchecked") != want {
				t.Errorf("got the log %s", log.String())
			}
		})
	}
}
