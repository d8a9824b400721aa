package attach

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

const offered = `{
	"tools": [{"name": "echo", "inputSchema": {"type": "object"}}],
	"prompts": [{"name": "weather", "description": "Old words.", "arguments": [{"name": "city", "required": true}]}],
	"resources": [{"uri": "demo://readme", "name": "readme", "mimeType": "text/plain"}],
	"resourceTemplates": [{"uriTemplate": "demo://{id}", "name": "any"}]
}`

// connectReplay is a process that offers what a file holds.
func connectReplay(t *testing.T, text string) *Host {
	t.Helper()
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return connectReady(t, processServer(t, "replay", file))
}

func contractOf(t testing.TB, kind schema.Kind, raw string) string {
	t.Helper()
	pin, err := schema.ContractHash(kind, json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return pin
}

func TestPinsOfPromptsAndResources(t *testing.T) {
	prompt := contractOf(t, schema.KindPrompt, `{"name": "weather", "description": "New words.", "arguments": [{"name": "city", "required": true}]}`)
	resource := contractOf(t, schema.KindResource, `{"uri": "demo://readme", "name": "readme", "mimeType": "text/plain"}`)
	template := contractOf(t, schema.KindTemplate, `{"uriTemplate": "demo://{id}", "name": "any"}`)
	h := connectReplay(t, offered)
	for _, c := range []struct{ method, name, pin, rule string }{
		{protocol.MethodGetPrompt, "weather", prompt, ""},
		{protocol.MethodGetPrompt, "weather", "", ""},
		{protocol.MethodGetPrompt, "weather", "sha256:other", ruleChanged},
		{protocol.MethodGetPrompt, "weather", resource, ruleChanged},
		{protocol.MethodGetPrompt, "gone", prompt, "prompt-removed"},
		{protocol.MethodReadResource, "demo://readme", resource, ""},
		{protocol.MethodReadResource, "demo://readme", "", ""},
		{protocol.MethodReadResource, "demo://readme", "sha256:other", ruleChanged},
		{protocol.MethodReadResource, "demo://5", template, ""},
		{protocol.MethodReadResource, "demo://5", resource, ruleChanged},
		{protocol.MethodReadResource, "demo://5", "sha256:other", ruleChanged},
		{protocol.MethodReadResource, "demo://unlisted", "", ""},
		{protocol.MethodComplete, "weather", "sha256:any", ""},
	} {
		req := runtime.Request{Server: "s", Method: c.method, Name: c.name, Pin: c.pin}
		if c.method == protocol.MethodComplete {
			req.Args = json.RawMessage(`{"argument":{"name":"city","value":""}}`)
		}
		_, err := h.Invoke(t.Context(), req)
		checkRule(t, err, c.rule)
	}
}

func checkRule(t *testing.T, err error, rule string) {
	t.Helper()
	de, drifted := errors.AsType[*runtime.DriftError](err)
	ce, _ := errors.AsType[*runtime.CallError](err)
	switch {
	case rule == "" && err != nil:
		t.Error(err)
	case rule != "" && (!drifted || de.Rule != rule || ce == nil || ce.Sent || ce.Stage != stage.Drift):
		t.Errorf("want %s, got %v", rule, err)
	}
}

// A listing that has grown old breaks no pin.
func TestPinsAreJudgedByTheLiveListing(t *testing.T) {
	h := connectReplay(t, offered)
	sess, err := h.serverState("s").get()
	if err != nil {
		t.Fatal(err)
	}
	old := index{"weather": {item: schema.Item{Kind: schema.KindPrompt, Name: "weather", Raw: json.RawMessage(`{"name":"weather"}`)}}}
	sess.tools.Load().listing.kinds = map[schema.Kind]index{schema.KindPrompt: old}
	pin := contractOf(t, schema.KindPrompt, `{"name": "weather", "arguments": [{"name": "city", "required": true}]}`)
	_, err = h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodGetPrompt, Name: "weather", Pin: pin})
	checkRule(t, err, "")
}

// A server that has no prompts any more has removed them, and one whose listing
// fails is not judged at all.
func TestPinsWithoutAListing(t *testing.T) {
	h := connectReady(t, processServer(t, "echo"))
	_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodGetPrompt, Name: "weather", Pin: "sha256:x"})
	checkRule(t, err, "prompt-removed")

	h = connectReplay(t, `{"tools":[{"name":"echo","inputSchema":{"type":"object"}}],"prompts":[],"capabilities":{"tools":{},"prompts":{}}}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	sess, err := h.serverState("s").get()
	if err != nil {
		t.Fatal(err)
	}
	err = sess.judgeRequest(newCallTime(ctx, sess.server, runtime.Options{}), runtime.Request{Method: protocol.MethodGetPrompt, Name: "weather", Pin: "sha256:x"})
	if err == nil || errors.Is(err, runtime.ErrDrift) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "cannot be judged") {
		t.Errorf("got %v", err)
	}
}

// Items are listed when they are asked for; a server that is down, or that nobody has
// attached, is an error.
func TestItems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}],"prompts":[{"name":"b"},{"name":"a"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	down := processServer(t, "crash-on-start")
	down.Name = "down"
	h := connectAll(t, nil, processServer(t, "replay", file), down)
	prompts, err := h.Items(t.Context(), "s", schema.KindPrompt)
	if err != nil || len(prompts) != 2 || prompts[1].Name != "a" || string(prompts[0].Raw) != `{"name":"b"}` {
		t.Errorf("%v, %v", prompts, err)
	}
	if none, err := h.Items(t.Context(), "s", schema.KindTemplate); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
	for _, server := range []string{"down", "nobody"} {
		var failed *ServerError
		if _, err := h.Items(t.Context(), server, schema.KindPrompt); !errors.As(err, &failed) {
			t.Errorf("%s: %v", server, err)
		}
	}
}
