package live_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// A program is told where what it answers is not what is declared, or what was declared when
// its servers were locked; what is declared is what the configuration says.
func TestClient(t *testing.T) {
	answers := input.Handlers{Elicit: func(context.Context, string, input.ElicitRequest) (input.ElicitResult, error) {
		return input.ElicitResult{Action: input.ElicitAccept}, nil
	}}
	const server = "version: 1\nservers:\n  s: {command: PROGRAM, args: [for-clients], inherit_env: all%s}\n"
	for name, c := range map[string]struct {
		client, locked string
		input          attach.Input
		tools          string // that are offered
		told, failed   []string
	}{
		"as locked": {"", `{}`, nil, "echo", nil, nil},
		"a handler that was not there when it was locked": {"", `{}`, answers, "echo form",
			[]string{`server "s": this program declares client: {elicitation: form}, but the lock was made with client: {}`, "mcpgen update s"}, nil},
		"a handler, as locked": {"", `{"elicitation":{"form":{}}}`, answers, "echo form", nil, nil},
		"less than was locked": {"", `{"elicitation":{"form":{}}}`, nil, "echo",
			[]string{"this program declares client: {}, but the lock was made with client: {elicitation: form}"}, nil},
		"declared without a handler": {", client: {elicitation: form, roots: true}", `{"elicitation":{"form":{}},"roots":{}}`, nil, "echo form folders", nil,
			[]string{"mcpgen.yaml:3: ", "the key client declares elicitation, roots, but this program has no handler"}},
		"a handler that is not declared": {", client: {sampling: true}", `{"sampling":{}}`, answers, "echo model",
			[]string{"the key client does not declare elicitation, so the program's handlers for these requests are not called"}, []string{"the key client declares sampling"}},
	} {
		t.Run(name, func(t *testing.T) {
			enterProject(t, map[string]string{"mcpgen.yaml": strings.Replace(server, "%s", c.client, 1)})
			locked, err := lockfile.LockSnapshot(&schema.Snapshot{Server: "s", ClientCapabilities: []byte(c.locked)})
			if err != nil {
				t.Fatal(err)
			}
			project, err := config.Load("mcpgen.yaml")
			if err != nil {
				t.Fatal(err)
			}
			locked.Launch = config.LockLaunch(project.Servers[0], project.Dir)
			lock := lockfile.NewLock()
			lock.Servers["s"] = locked
			if err := os.WriteFile("mcpgen.lock", lock.Encode(), 0o600); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			host, err := live.Open(t.Context(), live.Options{Attach: attach.Options{Input: c.input, Logger: slog.New(slog.NewTextHandler(&log, nil))}})
			if err != nil {
				t.Fatal(err)
			}
			defer host.Close()
			var tools []string
			for _, spec := range host.Specs("s") {
				tools = append(tools, spec.Tool)
			}
			if got := strings.Join(tools, " "); got != c.tools {
				t.Errorf("it offers %s, want %s", got, c.tools)
			}
			said := strings.ReplaceAll(log.String(), `\"`, `"`)
			if c.told == nil && said != "" {
				t.Errorf("it says %s", said)
			}
			for _, want := range c.told {
				if !strings.Contains(said, want) {
					t.Errorf("it says %s, without %q", said, want)
				}
			}
			if (host.Err() == nil) != (c.failed == nil) {
				t.Fatalf("host.Err is %v", host.Err())
			}
			for _, want := range c.failed {
				if !strings.Contains(host.Err().Error(), want) {
					t.Errorf("host.Err is %v, without %q", host.Err(), want)
				}
			}
		})
	}
}

// A tool that is not offered to this program is no drift: it is neither registered nor
// called, and says what it needs.
func TestUnoffered(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": "version: 1\nservers:\n  s: {command: PROGRAM, args: [for-clients], inherit_env: all}\n"})
	const form = `{"name":"form","description":"For clients.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`
	m := codec.NewManifest("s", `{"clientCapabilities":{"elicitation":{"form":{}}},"tools":[`+form+`]}`, codec.ItemRef{Server: "s", Name: "form", Pin: "sha256:0"})
	host := openReady(t, live.Options{Manifests: []*codec.Manifest{m}})
	if got := host.Drift(); len(got) == 0 {
		t.Error("nothing is judged")
	}
	for _, d := range host.Drift() {
		if d.Name == "form" && (d.State != attach.Unoffered || d.Allowed) {
			t.Errorf("got %v", d)
		}
	}
	if _, err := callTool(t, host, "s", "form"); err == nil || !strings.Contains(err.Error(), "to a client that declares elicitation") {
		t.Errorf("got %v", err)
	}
}
