//go:build peers

package peers

// A tool of a real server that runs as a task, of 2025-11-25.

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func TestTasks(t *testing.T) {
	for name, server := range map[string]endpoint.Server{
		"stdio": {Launch: &endpoint.Process{Command: bin("mcp-server-everything"), Args: []string{"stdio"}}},
		"http":  {Launch: &endpoint.Address{URL: startPeer(t, "server-everything", "streamableHttp").url("/mcp")}},
	} {
		t.Run(name, func(t *testing.T) {
			server.Name = "everything"
			asked := ""
			h, err := attach.Connect(t.Context(), []endpoint.Server{server}, &attach.Options{Input: input.Handlers{
				Elicit: func(_ context.Context, _ string, req input.ElicitRequest) (input.ElicitResult, error) {
					asked = req.Message
					return input.ElicitResult{Action: input.ElicitAccept, Content: map[string]any{"interpretation": "snake"}}, nil
				},
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			req := runtime.Request{Server: "everything", Method: protocol.MethodCallTool, Name: "simulate-research-query", Args: json.RawMessage(`{"topic":"python","ambiguous":true}`)}
			var said []string
			req.Options.OnProgress = func(p runtime.Progress) { said = append(said, p.Message) }
			res, err := h.Invoke(t.Context(), req)
			if err != nil || !strings.Contains(res.Text(), "python (snake)") || !strings.Contains(asked, "python") || len(said) < 2 {
				t.Errorf("%+v, %v, asked %q, said %q", res, err, asked, said)
			}
			task, err := codec.StartTool[*runtime.Result](t.Context(), h, codec.ItemRef{Server: req.Server, Name: req.Name}, req.Args, []runtime.CallOption{runtime.OnProgress(req.Options.OnProgress)})
			if err != nil || task.ID == "" {
				t.Fatalf("%+v, %v", task, err)
			}
			if err := task.Cancel(t.Context()); err != nil {
				t.Error(err)
			}
			if status, _, err := task.Status(t.Context()); err != nil || status != "cancelled" {
				t.Errorf("status %q, %v", status, err)
			}
		})
	}
}

// Three clients of the TypeScript SDK at once have their tasks of a real server through the
// gateway, in sessions of their own with it or in one that they share.
func TestGatewayTasks(t *testing.T) {
	for name, client := range map[string]string{"own": asking, "shared": ""} {
		t.Run(name, func(t *testing.T) {
			url := served(t, gatewayTo(t, "{command: "+quote(bin("mcp-server-everything"))+", args: [stdio]}", client))
			var all sync.WaitGroup
			for _, answer := range []string{"programming", "snake", "comedy"} {
				all.Go(func() { takeTasks(t, url, answer) })
			}
			all.Wait()
		})
	}
}

// takeTasks runs a client that is asked once.
func takeTasks(t *testing.T, url, answer string) {
	cmd := exec.Command("node", filepath.Join("testdata", "tasks.cjs"), installed, url, answer)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, stderr.String())
		return
	}
	var got struct {
		Support, Seen, Asked  []string
		Text, Cancelled, Then string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if !slices.Equal(got.Support, []string{"simulate-research-query"}) || len(got.Asked) != 1 || !strings.Contains(got.Text, "python ("+answer+")") ||
		got.Cancelled != "cancelled" || got.Then != "cancelled" || len(got.Seen) < 3 || got.Seen[0] != "taskCreated working" {
		t.Errorf("got %s", out)
	}
}
