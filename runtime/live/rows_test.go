package live_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// A server that did not come up has one attach row, with its error; only one that
// was attached is detached, and once.
func TestAttachRows(t *testing.T) {
	work := enterProject(t, map[string]string{"mcpgen.yaml": `version: 1
servers:
  works: {command: PROGRAM, args: [echo-env], inherit_env: all}
  crashes: {command: PROGRAM, args: [crash-on-call], inherit_env: all}
  refused: {command: PROGRAM, args: [echo-env], inherit_env: all, env: {TOKEN: "{{secret:token}}"}}
  missing: {command: ./no-such-program}
policy: {allow: ["tool:*/*"]}
audit: {}
`})
	t.Setenv("MCPGEN_SECRET_TOKEN", "planted-value-0123")
	lost := make(chan struct{})
	host, err := live.Open(t.Context(), live.Options{Attach: attach.Options{OnEvent: func(e event.Event) {
		if e.Kind == event.Failed && e.Server == "crashes" {
			close(lost)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if _, err := callTool(t, host, "crashes", "exit"); err == nil {
		t.Error("the call has no error, want that of a server that crashes")
	}
	<-lost
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	type row struct {
		kind, stage string
		failed      bool
	}
	rows := map[string][]row{}
	for _, r := range recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{Kinds: []string{audit.KindAttach, audit.KindDetach}}) {
		rows[r.Server] = append(rows[r.Server], row{r.Kind, r.Stage, r.Error != ""})
	}
	for server, want := range map[string][]row{
		"works":   {{"attach", "", false}, {"detach", "", false}},
		"crashes": {{"attach", "", false}, {"detach", "session", true}},
		"refused": {{"attach", "configure", true}},
		"missing": {{"attach", "start", true}},
	} {
		if !slices.Equal(rows[server], want) {
			t.Errorf("%s: got %v, want %v", server, rows[server], want)
		}
	}
}
