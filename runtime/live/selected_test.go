package live_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// A tool that the configuration leaves out, or the file of another system, is neither shown nor called. The denial is
// in the audit log.
func TestSelectedTools(t *testing.T) {
	work := enterProject(t, map[string]string{
		"surface.json": `{"tools":[{"name":"read_file","inputSchema":{"type":"object"}},{"name":"write_file","inputSchema":{"type":"object"}}]}`,
		"config/mcporter.json": `{"mcpServers":{"other":{"command":PROGRAM,"args":["replay","../surface.json"],"blockedTools":["write_file"]},
			"none":{"command":PROGRAM,"args":["replay","../surface.json"],"allowedTools":[]}}}`,
		"mcpgen.yaml": `version: 1
import: [config/mcporter.json]
servers:
  fs: {command: PROGRAM, args: [replay, surface.json], inherit_env: all, tools: {include: ["read_*"]}}
audit: {}
`})
	host := openReady(t, live.Options{})
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, tool := range tools {
		shown = append(shown, tool.Spec().Name)
	}
	if slices.Sort(shown); !slices.Equal(shown, []string{"fs__read_file", "other__read_file"}) {
		t.Errorf("shown are %q", shown)
	}
	for _, server := range []string{"fs", "other"} {
		if _, err := callTool(t, host, server, "read_file"); err != nil {
			t.Error(err)
		}
		if _, err := callTool(t, host, server, "write_file"); !errors.Is(err, runtime.ErrDenied) || !strings.Contains(err.Error(), "the configuration leaves this tool out") {
			t.Errorf("%s: calling a tool that is left out: %v", server, err)
		}
	}
	host.Close()
	calls := recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{Kinds: []string{audit.KindCall}})
	calls = slices.DeleteFunc(calls, func(r audit.Record) bool { return r.Decision != "deny" })
	if len(calls) != 2 || calls[0].Tool != "write_file" {
		t.Errorf("denied are %+v, want the two calls of write_file", calls)
	}
}
